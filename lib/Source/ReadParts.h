//===- ReadParts.h - A text is read again, and not all of it ----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_SOURCE_READPARTS_H
#define CUDA_PIPELINE_LIB_SOURCE_READPARTS_H

#include "cuda-pipeline/Source.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace clang {
class ASTContext;
class FunctionDecl;
class Preprocessor;
} // namespace clang

namespace cuda_pipeline {

/// Reads \p Request as parse() does, but leaves out the bodies of the functions that \p Keep does
/// not want, and shows \p Look what there is. Clang skips no body on which a type or a constant may
/// depend. False: it was not shown, because something is wrong, or because in this program files
/// are not read again and again (keepPreludes()): parse() tells more.
bool readParts(const ParseRequest &Request,
               llvm::function_ref<bool(const clang::FunctionDecl &)> Keep,
               llvm::function_ref<void(clang::ASTContext &, const clang::Preprocessor &)> Look);

} // namespace cuda_pipeline

#endif
