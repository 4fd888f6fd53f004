//===- WriteSets.h - The elements that every turn writes ---------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Rules 3 and 6 of docs/soundness.md ask whether the load phase writes the same elements of a tile
/// in every turn. If it does, what a turn leaves out has never been written at all, or holds what
/// it held before the loop.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_ANALYSIS_RULES_WRITESETS_H
#define CUDA_PIPELINE_LIB_ANALYSIS_RULES_WRITESETS_H

#include "Rules.h"

namespace cuda_pipeline {

/// The load phase writes the same elements of \p B in every turn. If not, \p Why and \p Where say
/// what is in the way.
bool writesTheSameElements(const RuleContext &RC, const TileBuffer &B, std::string &Why,
                           clang::SourceLocation &Where);

/// The elements of the tile that every turn writes, in words that are the same where the elements
/// are; empty: they are not always the same, or it is not known.
const std::string &writeSet(const RuleContext &RC, const TileBuffer &B);

/// \p E depends on nothing but on variables that \p Are.
bool computedFrom(const RuleContext &RC, const clang::Expr *E,
                  llvm::function_ref<bool(const clang::VarDecl *)> Are);

} // namespace cuda_pipeline

#endif
