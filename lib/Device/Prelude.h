//===- Prelude.h - CUDA's declarations, read once for many files -----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// What is included in front of every file (the bundled declarations with their bodies) takes most
/// of the time of compiling a small one. Where many are compiled with the same flags it is read
/// once and kept, as a precompiled header in memory; nothing is written anywhere. To precompile
/// costs about as much as two readings.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_DEVICE_PRELUDE_H
#define CUDA_PIPELINE_LIB_DEVICE_PRELUDE_H

#include "../Source/ClangInvocation.h"
#include "clang/AST/ASTConsumer.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>

namespace cuda_pipeline {

/// Makes \p Invocation read the precompiled prelude if there is one for its flags. True: it does.
bool usePrelude(ClangInvocation &Invocation);

/// Precompiles what \p Invocation, which is used up, would include first. \p Before: a consumer
/// that changes the declarations before they are written.
void precompilePrelude(
    ClangInvocation Invocation,
    llvm::function_ref<std::unique_ptr<clang::ASTConsumer>(clang::ASTContext &)> Before);

} // namespace cuda_pipeline

#endif
