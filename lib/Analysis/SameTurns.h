//===- SameTurns.h - Loops that all threads run as often ------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// `for (int t = base + i; t < base + n + i; t += step)` counts from another number in every thread
/// of the block, and to another one, and takes the same turns in all of them: what depends on the
/// thread is a term of both sides of the comparison and falls out of their difference. So it is
/// with pointers, `while (p < end)` behind `end = p + n`, whatever `p` is. That holds for numbers;
/// for those of a type it holds where none of them wraps around, which the language says of signed
/// ones, and of pointers, which do not leave the array that they point into.
///
/// `for (int t = threadIdx.x; t < end; t += 64)` is one, too, in blocks of up to 64 threads, where
/// `end` is a multiple of 64.
///
/// What is asked in the body falls out in the same way: in one turn the counters of all threads are
/// as far from where they began.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_ANALYSIS_SAMETURNS_H
#define CUDA_PIPELINE_LIB_ANALYSIS_SAMETURNS_H

#include "../Model/Values.h"
#include "Uniformity.h"

namespace clang {
class Stmt;
}

namespace cuda_pipeline {

/// All threads that come to \p Loop together find its condition to hold, or not to, in each turn
/// alike, as long as none of them leaves it in another way. False: that is not shown, or it is no
/// loop.
bool takesSameTurns(const clang::Stmt *Loop, const Uniformity &U, const FunctionValues &Values,
                    const EffectCollector &Collector, clang::ASTContext &Context);

/// \p Condition stands in the body of \p Loop, in no other loop of it, and all threads that ask it
/// in the same turn of \p Loop find the same: `if (t < end - step)`. False: that is not shown.
bool decidesAlikeInTurn(const clang::Expr *Condition, const clang::Stmt *Loop, const Uniformity &U,
                        const FunctionValues &Values, const EffectCollector &Collector,
                        clang::ASTContext &Context);

} // namespace cuda_pipeline

#endif
