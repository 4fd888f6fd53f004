//===- Waiting.h - Kernels that wait for other blocks -----------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Rule 7: may a kernel wait until another block has done something? Such a kernel may need all of
/// its blocks on the GPU at once, and a rewrite that costs blocks per SM makes it hang.
///
/// A loop waits when a way out of it depends on what it reads anew in each turn. That is volatile
/// memory, an atomic operation, or a load in assembly that is not cached, directly, through
/// variables or in a called function; and a plain read of memory that others can write, if nothing
/// else ends the loop and the place is not another one in each turn
/// (`while (*arrived < n) __threadfence();`). Jumps back, recursion, and assembly with a branch are
/// loops, too. What sleeps waits, and so does a grid-wide barrier. A loop over plain reads that
/// itself writes such memory may wait: it may go on until its own result is good enough.
///
/// Two loops over atomic operations are none: a compare-and-swap of every turn that expects what
/// the loop has read and sets something else ends as soon as nobody interferes, and a ticket that
/// the block shares (`w = atomicAdd(next, 1)`) runs out by itself.
///
/// Looked at is all that the kernel may run (ReachedCode.h). What of that is not seen may wait.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_ANALYSIS_WAITING_H
#define CUDA_PIPELINE_LIB_ANALYSIS_WAITING_H

#include "../Model/ReachedCode.h"
#include "clang/AST/ASTContext.h"
#include <optional>
#include <string>

namespace cuda_pipeline {

struct Waiting {
  enum class Kind {
    Grid,    ///< a barrier of the grid
    Spins,   ///< a loop, or what it calls, waits
    MaySpin, ///< a loop ends with what it finds in memory, to which it writes itself: it may as
             ///< well be its own result
    NotSeen, ///< What is not seen may wait
  };
  clang::SourceLocation Where; ///< in the text of the function
  Kind Is;
  std::string What;
  bool isSeen() const { return Is == Kind::Grid || Is == Kind::Spins; }
};

/// What in all that \p Code has may wait; none: nothing does. What is seen to wait comes first.
std::optional<Waiting> findWaiting(const ReachedCode &Code);
/// The same of any kernel in the file: for functions that they may call.
std::optional<Waiting> findWaitingKernel(clang::ASTContext &Context);

} // namespace cuda_pipeline

#endif
