//===- Prelude.h - CUDA's declarations, read once for many files -----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// What is included in front of every file (CUDA's declarations, in code that is to run with their
/// bodies) takes most of the time of reading a small one. So it is read once for each set of flags
/// and kept, as a precompiled header: in memory, and on disk where keepPreludes() has named a
/// folder. To precompile costs about as much as two readings.
///
/// A file there is one prelude: what it was made of (the program, the flags, all that was asked of
/// the disk and what was found) stands in front of it, and it is used if all of that is as it was.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_SOURCE_PRELUDE_H
#define CUDA_PIPELINE_LIB_SOURCE_PRELUDE_H

#include "ClangInvocation.h"
#include "clang/AST/ASTConsumer.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>

namespace cuda_pipeline {

/// Nothing is in front of the file but CUDA's declarations: nothing in which somebody looks for
/// anything.
bool hasPlainPrelude(const ClangInvocation &Invocation);

/// Makes \p Invocation read the precompiled prelude if there is one for its flags. True: it does.
/// What that one has seen of the disk goes to \p Seen, if that is not null.
bool usePrelude(ClangInvocation &Invocation, SeenFiles *Seen);

/// Whether preludes are kept on disk.
bool keepsPreludes();

/// Precompiles what \p Request would include first, if nobody has. \p Before: a consumer that
/// changes the declarations before they are written; it goes with \p How.
void precompilePrelude(
    ParseRequest Request, Reading How,
    llvm::function_ref<std::unique_ptr<clang::ASTConsumer>(clang::ASTContext &)> Before);

} // namespace cuda_pipeline

#endif
