//===- LoopEnds.h - Loops that end whatever memory says ---------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A binary search reads memory in each turn, and what it reads says which way it goes on. It waits
/// for nobody all the same: whatever it reads, `hi - lo` is less in the next turn, and no turn
/// begins where that is not positive. Such a number is a ranking function. It is looked for among
/// the differences of what the loop compares, and each is tried on every path through the body:
/// what is known there of the variables is a set of linear inequalities, in whole numbers without
/// end. A value that nothing is known of, one that was read most of all, is any number of its type;
/// so is one that a conversion or an unsigned sum may have changed.
///
/// That a variable is not negative may be needed (`(lo + hi) / 2` rounds the other way below zero),
/// or that it is not zero (`step *= 2`). It is known where all that the function ever gives it is
/// that, given that the others are what is known of them.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_ANALYSIS_LOOPENDS_H
#define CUDA_PIPELINE_LIB_ANALYSIS_LOOPENDS_H

namespace clang {
class ASTContext;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace cuda_pipeline {

/// \p Loop in the body of \p Function takes a limited number of turns, whatever is read in it, if
/// the loops in it and what it calls come to an end. False: that is not shown.
bool endsByItself(const clang::Stmt *Loop, const clang::FunctionDecl *Function,
                  const clang::ASTContext &Context);

} // namespace cuda_pipeline

#endif
