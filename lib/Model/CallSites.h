//===- CallSites.h - Where a __device__ function is called ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// What is true of a `__device__` function may follow from its calls: which threads make them, how often, and with
/// what. That needs all of them: the translation unit shows them unless device code is linked, or somebody takes the
/// function's address.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_CALLSITES_H
#define CUDA_PIPELINE_LIB_MODEL_CALLSITES_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <vector>

namespace cuda_pipeline {

struct CallSite {
  const clang::FunctionDecl *Caller;               ///< a function, or an instance of a template
  const clang::CallExpr *Call;
  llvm::SmallVector<const clang::Stmt *, 8> Path; ///< from the caller's body to the call
};

/// All calls of \p Function, which is no kernel; none if there may be others, or if there are none at all.
std::optional<std::vector<CallSite>> callSites(const clang::FunctionDecl *Function, clang::ASTContext &Context);

} // namespace cuda_pipeline

#endif
