//===- Barriers.h - Statements that only wait for other threads -----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A barrier has many spellings: `__syncthreads()`, `block.sync()`, `cg::sync(block)`,
/// `__barrier_sync(0)`, `bar.sync 0` in assembly, and a user's function or macro around one of
/// these.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_BARRIERS_H
#define CUDA_PIPELINE_LIB_MODEL_BARRIERS_H

#include "Effects.h"

namespace cuda_pipeline {

/// What the statement \p S waits for if waiting is all that it does, and it does so whenever it is
/// reached: Barrier, BarrierValue, BarrierOther, WarpBarrier; otherwise Unknown.
FunctionKind barrierOf(const clang::Stmt *S, const EffectCollector &Collector,
                       const clang::ASTContext &Context);

/// Something is copied by assembly that does not wait for it (cp.async): into shared memory,
/// although no effect says so.
bool startsCopiesInAssembly(const Effects &E, const clang::ASTContext &Context);
/// Assembly in \p E stores to shared memory: it says so, or is given a pointer that leads there.
bool storesInAssembly(const Effects &E, const EffectCollector &Collector,
                      const clang::ASTContext &Context);

} // namespace cuda_pipeline

#endif
