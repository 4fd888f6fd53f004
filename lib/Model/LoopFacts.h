//===- LoopFacts.h - The raw accesses of a tile loop ----------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// What the model was built from, kept for the analysis: the effects of each part of the loop.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_LOOPFACTS_H
#define CUDA_PIPELINE_LIB_MODEL_LOOPFACTS_H

#include "Values.h"

namespace cuda_pipeline {

struct LoopFacts {
  std::unique_ptr<EffectCollector> Collector;
  std::unique_ptr<FunctionValues> Values;
  Effects Segment[3]; ///< load phase, compute phase, after the trailing barrier
  Effects Condition, Increment, Init;
  /// Variables declared outside of the body and changed by the loop.
  std::set<const clang::VarDecl *> Modified;
  std::set<const clang::VarDecl *> DeclaredInBody;
  /// A `continue` of the loop itself; null: it has none.
  const clang::Stmt *Continue = nullptr;
};

} // namespace cuda_pipeline

#endif
