//===- Summary.h - What the report says of one loop ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The values of the analysis, as the report has them: numbers, words and lines, nothing of
/// Clang's.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_REWRITER_SUMMARY_H
#define CUDA_PIPELINE_LIB_REWRITER_SUMMARY_H

#include "Instances.h"

namespace cuda_pipeline {

ReasonReport reasonReport(const Refusal &R, const clang::SourceManager &SM);
/// Unless the same is said already.
void addReason(std::vector<ReasonReport> &To, ReasonReport R);

/// Tiles, ratio, launch: what holds whatever becomes of the loop.
void sayFacts(LoopReport &Report, llvm::ArrayRef<Instance> Instances,
              const clang::SourceManager &SM);
/// \p Planned: what becomes of them, with the \p Tests in front of the loop; else as they are.
std::vector<WidthReport> widthReports(llvm::ArrayRef<CopyWidth> Widths, bool Planned,
                                      llvm::ArrayRef<std::string> Tests,
                                      const clang::SourceManager &SM);
/// \p Planned: with the pitches that the tiles are to have; else with those that they have.
std::vector<LayoutReport> layoutReports(llvm::ArrayRef<TileLayout> Layouts, bool Planned,
                                        const clang::SourceManager &SM);
/// \p After: with what the rewrite \p C makes of it; else as the loop is.
void sayBudget(LoopReport &Report, const Candidate &C, bool After);
/// The loop is rewritten as \p C says.
void sayChosen(LoopReport &Report, const Candidate &C, llvm::ArrayRef<Instance> Instances,
               const RewriteOptions &Options, clang::ASTContext &Context);

} // namespace cuda_pipeline

#endif
