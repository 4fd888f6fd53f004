//===- OpenText.h - What the text of a template says of waiting and filling -----===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Of a template that nobody instantiates little is known: neither types, nor what is called. What
/// its text looks like decides whether a loop is named; nothing else ever rests on it.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_OPENTEXT_H
#define CUDA_PIPELINE_LIB_MODEL_OPENTEXT_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace cuda_pipeline {

/// A call that stands for itself may be of a barrier: it hangs on the arguments, and is called so.
bool mayWaitOpenly(const clang::Stmt *Loop);

/// Something is stored through the name of a shared array, or of a pointer or reference that is
/// made of one, and it comes from elsewhere; or both are handed to a function. In a __device__
/// function a member of the object, and a parameter if it \p MayBeGiven one, may lead to a shared
/// array, if \p Loop makes use of it in another place as well. \p Given: where it is a parameter.
bool fillsShared(const clang::Stmt *Loop, const clang::FunctionDecl *Function, bool MayBeGiven,
                 const clang::ParmVarDecl **Given = nullptr);

} // namespace cuda_pipeline

#endif
