//===- EarlyReturns.h - Threads that never come to the loop ---------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// `if (row >= rows) return;` in front of a tile loop. A barrier waits for the threads of the block
/// that have not exited (CUDA C++ Programming Guide, "__syncthreads()", compute capability 7.0 and
/// later), so a kernel may be left by some of them before its first barrier. The loop is then one
/// of fewer threads: what those that left would have stored, nobody stores.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_ANALYSIS_EARLYRETURNS_H
#define CUDA_PIPELINE_LIB_ANALYSIS_EARLYRETURNS_H

#include "Uniformity.h"
#include "cuda-pipeline/TileModel.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallVector.h"

namespace cuda_pipeline {

/// A way out of the function that only some of the threads take.
struct EarlyReturn {
  const clang::Stmt *Where = nullptr; ///< the return or goto, or the barrier, or the `if` around
  /// The conditions on the way to it, outermost first, and what they must be.
  llvm::SmallVector<std::pair<const clang::Expr *, bool>, 2> Path;
  /// False: it also depends on the turn of a loop, on a switch, or on what a condition changes.
  bool PathKnown = true;
  /// In a loop that the tile loop is in, too: the threads get fewer while the kernel runs.
  bool InLoopAround = false;
  /// In an expression, or in inline assembly: not followed.
  bool Hidden = false;
  /// An `if` or a loop around the loop behind which the kernel ends: who does not come into it, or
  /// leaves it, is gone.
  bool IsBranch = false;
  /// Not a way out: a barrier of the block at which only some of the threads arrive.
  bool IsBarrier = false;

  /// In a kernel: whoever goes this way has ended, as far as barriers go, and nobody misses it.
  bool endsThread() const {
    return (llvm::isa<clang::ReturnStmt>(Where) || IsBranch) && !InLoopAround && !Hidden;
  }
};

/// Those that stand in front of the tile loop, or in a loop around it. \p Compared: gets whether
/// some loop of the function is known to take the same turns in all threads by their difference
/// alone (SameTurns.h), which another instantiation need not have.
std::vector<EarlyReturn> earlyReturns(const TileModel &M, const Uniformity &U,
                                      clang::ASTContext &Context, bool *Compared = nullptr);
/// The same for a place in a function: Function, Ancestors and Loop (any statement) say where.
std::vector<EarlyReturn> earlyReturns(const KLoop &Place, const Uniformity &U,
                                      const EffectCollector &Collector);

} // namespace cuda_pipeline

#endif
