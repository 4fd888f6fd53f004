//===- AsyncOperations.h - Copies under way, in a function ------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// What starts, commits, or waits for asynchronous copies in a function, in whatever words:
///
///   __pipeline_memcpy_async, __pipeline_commit, __pipeline_wait_prior
///   cooperative_groups::memcpy_async and wait, of the block
///   cuda::memcpy_async with a cuda::pipeline of the thread
///   inline assembly: cp.async, cp.async.commit_group, cp.async.wait_group, cp.async.wait_all
///   a __device__ function around one of these, whose parameters are the operands
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_REWRITER_ASYNCOPERATIONS_H
#define CUDA_PIPELINE_LIB_REWRITER_ASYNCOPERATIONS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include <map>

namespace cuda_pipeline {

struct AsyncOperation {
  enum {
    Copy,      ///< of the thread
    Commit,    ///< of what the thread has begun
    Wait,      ///< for all that the thread has committed
    WaitAll,   ///< for all that the thread has begun
    WaitFirst, ///< for the first of the thread's groups
    GroupCopy, ///< cooperative_groups::memcpy_async
    GroupWait, ///< cooperative_groups::wait: for all, and a barrier
    Nothing,   ///< to be gone with the others: an empty stage is asked for, or given back
    Elsewhere, ///< makes an object that the others use
    Other
  } Is = Other;
  /// Operations of one kind know nothing of those of another.
  enum { OfThread, OfGroup, OfPipeline } Kind = OfThread;
  // Of a copy of the thread. Expressions of the function in which it stands.
  const clang::Expr *To =
      nullptr; ///< a pointer, or the address in shared memory as a number of 32 bits or more
  const clang::Expr *From = nullptr;
  unsigned Bytes = 0; ///< 4, 8 or 16
  /// All are copied, or, where this is false (or true, with Unless), all are zero. Null: they are
  /// copied.
  const clang::Expr *If = nullptr;
  bool Unless = false;
};

/// By the call or the assembly. What is in functions that are called, and is none of the above
/// there, is not looked for.
std::map<const clang::Stmt *, AsyncOperation> asyncOperations(const clang::FunctionDecl *Function,
                                                              clang::ASTContext &Context);

/// What `__cvta_generic_to_shared(p)`, or the like for global memory, is called for; null: \p E is
/// no such call.
const clang::Expr *pointerOfNumber(const clang::Expr *E);

} // namespace cuda_pipeline

#endif
