//===- CallSites.cpp - Where a __device__ function is called --------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallSites.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// All that names the function.
struct Finder : DynamicRecursiveASTVisitor {
  const FunctionDecl *Function;
  std::set<const Expr *> Mentions, AsCallee;
  std::vector<CallSite> Sites;

  explicit Finder(const FunctionDecl *Function) : Function(Function->getCanonicalDecl()) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }
  bool isFunction(const Decl *D) const { return D && D->getCanonicalDecl() == Function; }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) override {
    if (isFunction(Ref->getDecl()))
      Mentions.insert(Ref);
    return true;
  }
  bool VisitMemberExpr(MemberExpr *Member) override {
    if (isFunction(Member->getMemberDecl()))
      Mentions.insert(Member);
    return true;
  }
  bool VisitFunctionDecl(FunctionDecl *Caller) override {
    if (!Caller->doesThisDeclarationHaveABody())
      return true;
    CallSite Here{Caller, nullptr, {}};
    auto Scan = [&](const Stmt *S, auto &&Again) -> void {
      if (!S)
        return;
      Here.Path.push_back(S);
      if (const auto *Call = dyn_cast<CallExpr>(S); Call && isFunction(Call->getDirectCallee())) {
        AsCallee.insert(Call->getCallee()->IgnoreParenImpCasts());
        if (!Caller->isDependentContext() && (Caller->hasAttr<CUDADeviceAttr>() || Caller->hasAttr<CUDAGlobalAttr>())) {
          Sites.push_back(Here);
          Sites.back().Call = Call;
        }
      }
      for (const Stmt *Child : S->children())
        Again(Child, Again);
      Here.Path.pop_back();
    };
    Scan(Caller->getBody(), Scan);
    return true;
  }
};

} // namespace

std::optional<std::vector<CallSite>> callSites(const FunctionDecl *Function, ASTContext &Context) {
  const auto *Method = dyn_cast<CXXMethodDecl>(Function);
  // Other files may call it where device code is linked.
  const bool Unseen = Context.getLangOpts().GPURelocatableDeviceCode && Function->isExternallyVisible();
  if (Unseen || (Method && Method->isVirtual()))
    return std::nullopt;
  // A header is part of other files, too.
  const SourceManager &SM = Context.getSourceManager();
  if (OptionalFileEntryRef Main = SM.getFileEntryRefForID(SM.getMainFileID()))
    if (StringRef Name = sys::path::extension(Main->getName());
        is_contained({".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl", ".inc", ".tcc"}, Name))
      return std::nullopt;
  Finder F(Function);
  F.TraverseAST(Context);
  if (F.Sites.empty() || !all_of(F.Mentions, [&](const Expr *E) { return F.AsCallee.count(E) != 0; }))
    return std::nullopt;
  return std::move(F.Sites);
}

} // namespace cuda_pipeline
