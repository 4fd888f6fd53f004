//===- GivenObjects.h - Objects of the caller that a function only reads ---------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A `__device__` function reads its arguments through references (`const Params &p`), a method the
/// members of its object. Such an object is like a parameter that is passed by value, if
///
///   1. all calls are seen, and in each it is a variable or a temporary of the calling thread's
///   own, and
///   2. the function writes neither to it nor to any place that is not known, nor does what it
///   calls.
///
/// The second is asked of the function under the assumption that it holds: the first write to the
/// object would go through something that is known to lead elsewhere.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_GIVENOBJECTS_H
#define CUDA_PIPELINE_LIB_MODEL_GIVENOBJECTS_H

#include "CallSites.h"
#include "cuda-pipeline/DeclSet.h"
#include "clang/AST/Decl.h"
#include <set>

namespace cuda_pipeline {

struct GivenObjects {
  DeclSet<clang::ParmVarDecl> References;
  /// Stands for what `this` points to; null: that is not such an object.
  const clang::ImplicitParamDecl *This = nullptr;
  /// Of these: the pointers in the object lead to global memory, in all calls.
  DeclSet<clang::VarDecl> LeadToGlobal;

  bool empty() const { return References.empty() && !This; }
};

/// \p Depth: of the calls that were followed to get to \p Function.
const GivenObjects &givenObjects(const clang::FunctionDecl *Function, clang::ASTContext &Context,
                                 CallSites &Calls, unsigned Depth = 0);

} // namespace cuda_pipeline

#endif
