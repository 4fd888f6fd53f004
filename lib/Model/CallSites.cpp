//===- CallSites.cpp - Where __device__ functions are called --------------------===//
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
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

/// All that names a function.
struct CallSites::Index : DynamicRecursiveASTVisitor {
  struct Function {
    std::vector<CallSite> Sites;
    unsigned Mentions = 0, AsCallee = 0;
  };
  DenseMap<const Decl *, Function> Functions; ///< by the canonical declaration
  DenseSet<const Expr *> Seen, SeenAsCallee;

  Index() {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }
  void mention(const Expr *E, const Decl *D) {
    if (isa<FunctionDecl>(D) && Seen.insert(E).second)
      ++Functions[D->getCanonicalDecl()].Mentions;
  }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) override {
    mention(Ref, Ref->getDecl());
    return true;
  }
  bool VisitMemberExpr(MemberExpr *Member) override {
    mention(Member, Member->getMemberDecl());
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
      if (const auto *Call = dyn_cast<CallExpr>(S); Call && Call->getDirectCallee()) {
        Function &Called = Functions[Call->getDirectCallee()->getCanonicalDecl()];
        Called.AsCallee += SeenAsCallee.insert(Call->getCallee()->IgnoreParenImpCasts()).second;
        if (!Caller->isDependentContext() && (Caller->hasAttr<CUDADeviceAttr>() || Caller->hasAttr<CUDAGlobalAttr>())) {
          Called.Sites.push_back(Here);
          Called.Sites.back().Call = Call;
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

CallSites::CallSites(ASTContext &Context) : Context(Context) {}
CallSites::~CallSites() = default;

const std::vector<CallSite> *CallSites::of(const FunctionDecl *Function) {
  const auto *Method = dyn_cast<CXXMethodDecl>(Function);
  // Other files may call it where device code is linked; nobody writes down the calls of these.
  const bool Unseen = Context.getLangOpts().GPURelocatableDeviceCode && Function->isExternallyVisible();
  if (Unseen || (Method && Method->isVirtual()) ||
      isa<CXXConstructorDecl, CXXDestructorDecl, CXXConversionDecl>(Function))
    return nullptr;
  // A header is part of other files, too.
  const SourceManager &SM = Context.getSourceManager();
  if (OptionalFileEntryRef Main = SM.getFileEntryRefForID(SM.getMainFileID()))
    if (StringRef Name = sys::path::extension(Main->getName());
        is_contained({".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl", ".inc", ".tcc"}, Name))
      return nullptr;
  if (!Calls) {
    Calls = std::make_unique<Index>();
    Calls->TraverseAST(Context);
  }
  auto It = Calls->Functions.find(Function->getCanonicalDecl());
  if (It == Calls->Functions.end() || It->second.Sites.empty() || It->second.Mentions != It->second.AsCallee)
    return nullptr;
  return &It->second.Sites;
}

} // namespace cuda_pipeline
