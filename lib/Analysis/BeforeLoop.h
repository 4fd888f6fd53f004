//===- BeforeLoop.h - What runs in front of a loop with no barrier between ===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A load that moves in front of a loop's first barrier must not need that barrier: what other
/// threads of the block have written since the barrier before may not be seen yet.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_ANALYSIS_BEFORELOOP_H
#define CUDA_PIPELINE_LIB_ANALYSIS_BEFORELOOP_H

#include "../Model/Effects.h"
#include "cuda-pipeline/KLoop.h"
#include <vector>

namespace cuda_pipeline {

/// An object with a name, in global memory.
bool isObject(const MemoryRoot &R);

/// May what is written through \p W be what is read through \p R?
bool mayAlias(const MemoryRoot &W, const MemoryRoot &R);

/// Adds the statements that may have run before the loop without a barrier of the block in between.
/// Where the function has a goto this is not all of them.
void statementsBefore(const KLoop &Loop, const EffectCollector &Collector,
                      clang::ASTContext &Context, std::vector<const clang::Stmt *> &Out);

/// What these do.
Effects effectsBefore(const KLoop &Loop, const EffectCollector &Collector,
                      clang::ASTContext &Context);

/// May something that is read by \p Reading have been written, by any thread, since the last
/// barrier in front of the loop? \p Earlier: of effectsBefore(). In a function that is no kernel
/// its callers may have done it, too.
bool mayBeWrittenBefore(const KLoop &Loop, const Effects &Reading, const Effects &Earlier,
                        const clang::ASTContext &Context);

} // namespace cuda_pipeline

#endif
