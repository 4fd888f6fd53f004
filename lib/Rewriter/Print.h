//===- Print.h - What --print shows of each step --------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_REWRITER_PRINT_H
#define CUDA_PIPELINE_LIB_REWRITER_PRINT_H

#include "cuda-pipeline/CopyWidth.h"
#include "cuda-pipeline/Edits.h"
#include "cuda-pipeline/Plan.h"
#include "cuda-pipeline/TileLayout.h"
#include "llvm/Support/raw_ostream.h"

namespace cuda_pipeline {

void printLoop(const KLoop &L, llvm::raw_ostream &OS);
void printTiles(const TileModel &M, clang::ASTContext &Context, llvm::raw_ostream &OS);
void printLegality(const TileModel &M, const Legality &L, clang::ASTContext &Context,
                   llvm::raw_ostream &OS);
void printWidths(const std::vector<CopyWidth> &Widths, clang::ASTContext &Context,
                 llvm::raw_ostream &OS);
void printLayouts(const std::vector<TileLayout> &Layouts, clang::ASTContext &Context,
                  llvm::raw_ostream &OS);
void printBudget(const std::vector<Candidate> &Candidates, const PlanInputs &In,
                 llvm::raw_ostream &OS);
void printPlan(const Decision &D, const TileModel &M, clang::ASTContext &Context,
               llvm::raw_ostream &OS);
void printEdits(const std::vector<Edit> &List, llvm::StringRef File, llvm::raw_ostream &OS);

} // namespace cuda_pipeline

#endif
