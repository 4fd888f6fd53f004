//===- LoopMatchers.h - The matchers by which loops are found -------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The first of two stages in which loops are found (LoopMatchers.def, FindLoops.cpp): matchers
/// over the syntax tree say which loops may be tile loops; what is exact about them costs more, and
/// is asked of those alone.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_LOOPMATCHERS_H
#define CUDA_PIPELINE_LIB_MODEL_LOOPMATCHERS_H

#include "clang/ASTMatchers/ASTMatchers.h"
#include <string>

namespace cuda_pipeline {

struct LoopMatchersBegin {};

/// Each by its name. They are made one after the other, of those before.
struct LoopMatchers : private LoopMatchersBegin {
  LoopMatchers();
#define LOOP_MATCHER(NAME, TYPE, SENTENCE, ...) const clang::ast_matchers::TYPE NAME;
#include "LoopMatchers.def"
};

/// The page as clang-query reads it (`clang-query -f FILE`), with the question for all tile loops.
std::string loopMatchersForQuery();

} // namespace cuda_pipeline

#endif
