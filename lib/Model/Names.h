//===- Names.h - Which variables have other names -------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A variable without other names changes, and is looked at, only where it is named. That is shown,
/// not assumed: every mention of it must be one of the uses that are known to keep nothing (it is
/// loaded, assigned, copied, handed to a function that does no more with it). Any other mention
/// counts as a pointer or reference that may be used later.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_NAMES_H
#define CUDA_PIPELINE_LIB_MODEL_NAMES_H

#include "Closures.h"
#include "cuda-pipeline/DeclSet.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include <set>

namespace cuda_pipeline {

/// Which other names count.
enum class NamesThat {
  Exist,  ///< all, also a reference to const and a capture by reference that is only read
  Change, ///< those through which the variable may be written
};

/// Variables, parameters and bindings mentioned in \p Body, lambdas included, that something else
/// may stand for. A member of reference type does, in whatever object, in all that \p Around may
/// run: what is done with it there is what is done with the variable, if all of that is seen and
/// the object is nowhere taken for something else. Null: nobody knows. \p InPlace: lambdas whose
/// captures by reference are no other names, but where they change what is captured.
DeclSet<clang::ValueDecl> namedElsewhere(const clang::Stmt *Body, const clang::ASTContext &Context,
                                         const clang::FunctionDecl *Around,
                                         NamesThat Which = NamesThat::Exist,
                                         const ClosureSet &InPlace = {});

enum class ObjectUse {
  Keeps,     ///< does not change its object, also not by another name that it keeps
  Returns,   ///< the same, but returns a reference or a pointer to a part of it: what is done with
             ///< that is the caller's
  MayChange, ///< or keeps another name for it, by which it may be changed
};

/// What the method does with its object, as its body shows; a library's is taken at its word. \p
/// Around: as above.
ObjectUse useOfObject(const clang::CXXMethodDecl *Method, const clang::ASTContext &Context,
                      const clang::FunctionDecl *Around);

/// The method changes no pointer in its object, nor keeps or returns another name by which one
/// could be changed, as its body shows. A name for a member that is a number, or an array of
/// numbers, leads nowhere else, unless it is the first one, which stands for the object.
bool keepsPointers(const clang::CXXMethodDecl *Method, const clang::ASTContext &Context,
                   const clang::FunctionDecl *Around);
/// The same of what the reference parameter \p I of the function is bound to.
bool keepsPointers(const clang::FunctionDecl *Function, unsigned I,
                   const clang::ASTContext &Context, const clang::FunctionDecl *Around);
/// A member of which another name leads to no pointer.
bool isOfNumbers(const clang::MemberExpr *Member);

} // namespace cuda_pipeline

#endif
