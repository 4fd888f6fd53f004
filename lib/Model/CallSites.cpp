//===- CallSites.cpp - Where __device__ functions are called --------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallSites.h"
#include "AstUtil.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

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
  DenseSet<std::pair<const void *, const Decl *>> Seen;
  DenseSet<const Expr *> SeenAsCallee;
  DenseSet<const FunctionDecl *> Visited; ///< definitions
  SetVector<const FunctionDecl *> Called;

  Index() {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }
  void mention(const void *At, const Decl *D) {
    if (isa_and_nonnull<FunctionDecl>(D) && Seen.insert({At, D}).second)
      ++Functions[D->getCanonicalDecl()].Mentions;
  }
  // These call without a call expression.
  bool VisitCXXNewExpr(CXXNewExpr *New) override {
    mention(New, New->getOperatorNew());
    mention(New, New->getOperatorDelete());
    return true;
  }
  bool VisitCXXDeleteExpr(CXXDeleteExpr *Delete) override {
    mention(Delete, Delete->getOperatorDelete());
    return true;
  }
  bool VisitVarDecl(VarDecl *Var) override {
    if (const auto *Cleanup = Var->getAttr<CleanupAttr>())
      mention(Var, Cleanup->getFunctionDecl());
    return true;
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
    if (!Visited.insert(Caller).second)
      return true;
    CallSite Here{Caller, nullptr, {}};
    auto Scan = [&](const Stmt *S, auto &&Again) -> void {
      if (!S)
        return;
      Here.Path.push_back(S);
      if (const auto *Call = dyn_cast<CallExpr>(S); Call && Call->getDirectCallee()) {
        Function &Callee = Functions[Call->getDirectCallee()->getCanonicalDecl()];
        Callee.AsCallee += SeenAsCallee.insert(Call->getCallee()->IgnoreParenImpCasts()).second;
        if (!Caller->isDependentContext() &&
            (Caller->hasAttr<CUDADeviceAttr>() || Caller->hasAttr<CUDAGlobalAttr>())) {
          Callee.Sites.push_back(Here);
          Callee.Sites.back().Call = Call;
        }
        Called.insert(Call->getDirectCallee());
      }
      for (const Stmt *Child : S->children())
        Again(Child, Again);
      Here.Path.pop_back();
    };
    Scan(Caller->getBody(), Scan);
    return true;
  }

  /// Closures may stand in nothing but a type: they are found by what calls them.
  void followCalls() {
    for (size_t I = 0; I != Called.size(); ++I) { // grows
      follow(Called[I]);
      const auto *Method = dyn_cast<CXXMethodDecl>(Called[I]);
      if (!Method || !Method->getParent()->isLambda())
        continue;
      // By a pointer to function that the closure was converted to.
      follow(Method->getParent()->getLambdaCallOperator());
      if (FunctionTemplateDecl *Generic = Method->getParent()->getDependentLambdaCallOperator())
        for (const FunctionDecl *Instance : Generic->specializations())
          follow(Instance);
    }
  }
  void follow(const FunctionDecl *Function) {
    const FunctionDecl *Body = nullptr;
    if (Function && Function->hasBody(Body) && !Visited.count(Body))
      TraverseDecl(const_cast<FunctionDecl *>(Body));
  }
};

CallSites::CallSites(ASTContext &Context) : Context(Context) {}
CallSites::~CallSites() = default;

const std::vector<CallSite> *CallSites::of(const FunctionDecl *Function) {
  // A header is part of other files, too.
  return mainFileIsHeader(Context.getSourceManager()) ? nullptr : seen(Function);
}

const std::vector<CallSite> *CallSites::seen(const FunctionDecl *Function) {
  const auto *Method = dyn_cast<CXXMethodDecl>(Function);
  // Other files may call it where device code is linked; nobody writes down the calls of these.
  // In a file with errors there may be calls in what did not parse.
  const bool Unseen =
      (Context.getLangOpts().GPURelocatableDeviceCode && Function->isExternallyVisible()) ||
      Context.getDiagnostics().hasErrorOccurred();
  if (Unseen || (Method && Method->isVirtual()) ||
      isa<CXXConstructorDecl, CXXDestructorDecl, CXXConversionDecl>(Function))
    return nullptr;
  index();
  auto It = Calls->Functions.find(Function->getCanonicalDecl());
  if (It == Calls->Functions.end() || It->second.Sites.empty() ||
      It->second.Mentions != It->second.AsCallee)
    return nullptr;
  return &It->second.Sites;
}

void CallSites::index() {
  if (Calls)
    return;
  Calls = std::make_unique<Index>();
  Calls->TraverseAST(Context);
  Calls->followCalls();
}

bool CallSites::isNamedOtherwise(const FunctionDecl *Function) {
  index();
  const auto It = Calls->Functions.find(Function->getCanonicalDecl());
  return It != Calls->Functions.end() && It->second.Mentions != It->second.AsCallee;
}

} // namespace cuda_pipeline
