//===- GivenValues.h - Parameters that are made of the thread's index ------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// `tileLoop(A, B, threadIdx.x, threadIdx.y)`, or `tileLoop(A, B, tid % 16, tid / 16)`: what a
/// `__device__` function is given is as good as known where all calls are seen and pass the same
/// expression of `threadIdx`, `blockIdx`, `blockDim`, `gridDim` and constants, by way of variables
/// that are set once.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_GIVENVALUES_H
#define CUDA_PIPELINE_LIB_MODEL_GIVENVALUES_H

#include "CallSites.h"
#include "cuda-pipeline/DeclSet.h"
#include "clang/AST/Decl.h"
#include <map>
#include <string>

namespace cuda_pipeline {

struct GivenValues {
  /// Parameters of the function, as they come in, and variables of its callers that these are made
  /// of: what each is initialised with.
  DeclMap<clang::VarDecl, const clang::Expr *> Of;
  /// The parameters once more: spelled so that two are alike if they are the same value.
  DeclMap<clang::VarDecl, std::string> Spelled;

  const clang::Expr *lookup(const clang::VarDecl *Var) const {
    auto It = Of.find(Var);
    return It == Of.end() ? nullptr : It->second;
  }
};

/// Of \p Function; nothing for a kernel.
const GivenValues &givenValues(const clang::FunctionDecl *Function, clang::ASTContext &Context,
                               CallSites &Calls);

} // namespace cuda_pipeline

#endif
