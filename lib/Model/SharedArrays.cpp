//===- SharedArrays.cpp - The shared memory of a kernel ------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedArrays.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

struct Finder : ConstDynamicRecursiveASTVisitor {
  SharedArrays &Found;
  const FunctionDecl *In;
  Finder(SharedArrays &Found, const FunctionDecl *Kernel) : Found(Found), In(Kernel) {}

  bool VisitVarDecl(const VarDecl *Var) override {
    if (!Var->hasAttr<CUDASharedAttr>())
      return true;
    Var = Var->getCanonicalDecl();
    if (!Var->hasExternalStorage()) {
      if (!is_contained(Found.Static, Var))
        Found.Static.push_back(Var);
    } else if (none_of(Found.Dynamic, [&](const SharedArrays::Use &U) { return U.Array == Var && U.In == In; })) {
      Found.Dynamic.push_back({Var, In});
    }
    return true;
  }
  // Declared outside of the function.
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    if (auto *Var = dyn_cast<VarDecl>(Ref->getDecl()))
      VisitVarDecl(Var);
    if (const auto *Function = dyn_cast<FunctionDecl>(Ref->getDecl()))
      enter(Function);
    return true;
  }
  bool VisitGCCAsmStmt(const GCCAsmStmt *Asm) override {
    Found.AsksForSize |= StringRef(Asm->getAsmString()).contains("smem_size");
    return true;
  }
  bool VisitMemberExpr(const MemberExpr *Member) override {
    if (const auto *Method = dyn_cast<CXXMethodDecl>(Member->getMemberDecl()))
      enter(Method);
    return true;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *Construct) override {
    enter(Construct->getConstructor());
    return true;
  }
  void enter(const FunctionDecl *Function) {
    const FunctionDecl *Body = nullptr;
    if (!Function->hasBody(Body) || !Found.Called.insert(Body).second)
      return;
    SaveAndRestore Inside(In, Body);
    TraverseStmt(Body->getBody());
  }
};

} // namespace

SharedArrays::SharedArrays(const FunctionDecl *Kernel) { Finder(*this, Kernel).TraverseStmt(Kernel->getBody()); }

} // namespace cuda_pipeline
