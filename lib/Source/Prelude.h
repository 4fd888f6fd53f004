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
/// Where the same file is read again and again, the headers of the system that it begins with are
/// precompiled as well, in memory. The file's own includes of them then find nothing left to read.
/// Functions in them that run on the host alone have no bodies there: nobody looks at these.
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

/// Lines `#include <...>` of \p Text in front of which there is nothing but comments and more of
/// them.
std::string leadingIncludes(llvm::StringRef Text);

/// Makes \p Invocation read the precompiled prelude if there is one for its flags. True: it does.
/// What that one has seen of the disk goes to \p Seen, if that is not null. \p Includes: one that
/// has these, too.
bool usePrelude(ClangInvocation &Invocation, SeenFiles *Seen, llvm::StringRef Includes = "");

/// Whether preludes are kept for the next run, or for as long as this one lasts.
bool keepsPreludes();
/// Whether this is a program that runs for long: for the same file again and again.
bool readsAgainAndAgain();

/// Precompiles what \p Request would include first, if nobody has. \p Before: a consumer that
/// changes the declarations before they are written; it goes with \p How. \p Includes: of the file,
/// come behind it. They are in it only if all that they include are headers of the system, which
/// the analysis looks at by name alone, and if they do not see more macros here than there.
void precompilePrelude(
    ParseRequest Request, Reading How,
    llvm::function_ref<std::unique_ptr<clang::ASTConsumer>(clang::ASTContext &)> Before,
    llvm::StringRef Includes = "");

} // namespace cuda_pipeline

#endif
