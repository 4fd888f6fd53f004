//===- Callers.h - Who calls a __device__ function ------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A tile loop in a `__device__` function is run by the threads that call it, each time that they
/// do. A second call finds in the shared array what the first one left, and the calls need not be
/// made by the same threads.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_ANALYSIS_CALLERS_H
#define CUDA_PIPELINE_LIB_ANALYSIS_CALLERS_H

#include "../Model/CallSites.h"
#include "cuda-pipeline/DeclSet.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include <map>
#include <set>

namespace cuda_pipeline {

struct Callers {
  /// In every call all threads of the block take part.
  bool WholeBlock = false;
  /// All threads of the block do that have not ended: those that are missing have returned from the
  /// kernel, or will come to no barrier any more.
  bool Together = false;
  /// A kernel gets to the function at most once.
  bool Once = false;
  /// Parameters, and objects (GivenObjects.h), that are the same for all threads of the block, in
  /// each call; none unless Together.
  DeclSet<clang::VarDecl> Uniform;
  const clang::VarDecl *This = nullptr; ///< GivenObjects::This
  /// Not Together: a call to which maybe not all come. Null: calls are not seen.
  const clang::CallExpr *Doubt = nullptr;
  /// A call that may pass different values to the threads.
  DeclMap<clang::VarDecl, const clang::Expr *> Differs;
};

/// What is shown of the calls of \p Function, which is no kernel: from what the translation unit
/// has in it.
Callers callersOf(const clang::FunctionDecl *Function, clang::ASTContext &Context,
                  CallSites &Calls);

} // namespace cuda_pipeline

#endif
