//===- LoopsOfTree.h - Which functions of a syntax tree may have tile loops -----===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The matchers of step 2 for a front end that has a syntax tree already: a file in which nothing
/// matches need not be read by processFile().
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LOOPSOFTREE_H
#define CUDA_PIPELINE_LOOPSOFTREE_H

#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "llvm/Support/raw_ostream.h"

namespace cuda_pipeline {

/// Tells \p Callback of every function outside of libraries that runs on the GPU and has a loop
/// ("function"). Where the matchers of step 2 say that one of its loops may be a tile loop, that is
/// bound as "tile loop".
void addLoopMatchers(clang::ast_matchers::MatchFinder &To,
                     clang::ast_matchers::MatchFinder::MatchCallback *Callback);
/// `--print=matchers`: these matchers, as clang-query reads them.
void printLoopMatchers(llvm::raw_ostream &OS);

} // namespace cuda_pipeline

#endif
