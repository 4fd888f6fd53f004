//===- Closures.h - Lambdas in the body of a loop --------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A closure is what its text says where it is called, if it has no state of its own, and nobody
/// has it but who calls it in its block: then it may be made anew wherever that text is repeated,
/// and its captures by reference are no other names of what they capture.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_CLOSURES_H
#define CUDA_PIPELINE_LIB_MODEL_CLOSURES_H

#include "cuda-pipeline/DeclSet.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cuda_pipeline {

using ClosureSet = llvm::DenseSet<const clang::LambdaExpr *>;

/// The variable of which \p Call calls the closure; null: it calls no lambda, or one without a
/// name.
const clang::VarDecl *calledClosure(const clang::CallExpr *Call);

/// The variable whose value \p Lambda is in \p Around; null: it is no variable's.
const clang::VarDecl *variableOf(const clang::LambdaExpr *Lambda,
                                 const clang::FunctionDecl *Around);

/// The lambdas in \p S, also in each other.
ClosureSet lambdasIn(const clang::Stmt *S);

/// \p Lambda is called where it stands, or is the value of a variable, or given for a parameter,
/// with which nothing is done in \p Around, and in what that is given on to, but call it.
bool isOnlyCalled(const clang::LambdaExpr *Lambda, const clang::FunctionDecl *Around);

/// It has no variables of its own that last from call to call, and what it has a copy of \p Keeps
/// its value.
bool hasNoState(const clang::LambdaExpr *Lambda,
                llvm::function_ref<bool(const clang::VarDecl *)> Keeps);

} // namespace cuda_pipeline

#endif
