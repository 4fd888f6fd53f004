//===- Waiting.h - Kernels that wait for other blocks -----------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Rule 7: does a kernel spin on memory until another block has written it? Such a kernel may need all of its blocks
/// on the GPU at once, and a rewrite that costs blocks per SM makes it hang.
///
/// A loop spins when a way out of it depends on what it reads anew in each turn: volatile memory, an atomic
/// operation, a load in inline assembly that is not cached, directly or through local variables. What sleeps waits,
/// too, and so does a grid-wide barrier. Called functions are looked into. What goes through shared memory (one
/// thread fetches the block's next piece of work and the others read it) is not followed. A loop around a
/// compare-and-swap whose expected value is what the loop read before is none: it ends as soon as nobody interferes.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_ANALYSIS_WAITING_H
#define CUDA_PIPELINE_LIB_ANALYSIS_WAITING_H

#include "clang/AST/ASTContext.h"

namespace cuda_pipeline {

/// Where in the text of \p Function it waits, or calls what waits; invalid: nowhere.
clang::SourceLocation findWaiting(const clang::FunctionDecl *Function);
/// The same of any kernel in the file: for functions that they may call.
clang::SourceLocation findWaitingKernel(clang::ASTContext &Context);

} // namespace cuda_pipeline

#endif
