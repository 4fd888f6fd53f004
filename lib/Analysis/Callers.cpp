//===- Callers.cpp - Who calls a __device__ function ----------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Callers.h"
#include "../Model/AstUtil.h"
#include "../Model/Effects.h"
#include "EarlyReturns.h"
#include "Uniformity.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

constexpr unsigned MaxDepth = 8;

struct Site {
  const FunctionDecl *Caller;
  SmallVector<const Stmt *, 8> Path; ///< from the caller's body to the call
};

/// All that names the function.
struct Finder : DynamicRecursiveASTVisitor {
  const FunctionDecl *Function;
  std::set<const Expr *> Mentions, AsCallee;
  std::vector<Site> Sites;

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
    Site Here{Caller, {}};
    auto Scan = [&](const Stmt *S, auto &&Again) -> void {
      if (!S)
        return;
      Here.Path.push_back(S);
      if (const auto *Call = dyn_cast<CallExpr>(S); Call && isFunction(Call->getDirectCallee())) {
        AsCallee.insert(Call->getCallee()->IgnoreParenImpCasts());
        if (!Caller->isDependentContext() && (Caller->hasAttr<CUDADeviceAttr>() || Caller->hasAttr<CUDAGlobalAttr>()))
          Sites.push_back(Here);
      }
      for (const Stmt *Child : S->children())
        Again(Child, Again);
      Here.Path.pop_back();
    };
    Scan(Caller->getBody(), Scan);
    return true;
  }
};

/// All threads that come to the caller come to the call, and together.
bool allCome(const Site &S, ASTContext &Context) {
  EffectCollector Collector(Context, S.Caller);
  Uniformity U(Context, Collector, S.Caller);
  KLoop At;
  At.Function = S.Caller;
  for (const Stmt *Step : S.Path) {
    const bool Decides = isa<IfStmt, SwitchStmt, AbstractConditionalOperator>(Step) || isLoop(Step);
    const auto *Conditional = dyn_cast<AbstractConditionalOperator>(Step);
    const Expr *Cond = Conditional ? Conditional->getCond() : conditionOf(Step);
    if (Decides && Cond && !U.isUniform(Cond))
      return false;
    if (isa<CXXForRangeStmt, LambdaExpr, CXXTryStmt>(Step) ||
        ((isLoop(Step) || isa<SwitchStmt>(Step)) && U.isLeftBySome(Step)))
      return false;
    if (const auto *Op = dyn_cast<BinaryOperator>(Step); Op && Op->isLogicalOp())
      return false;
    if (!At.Loop && isa<Expr>(Step))
      At.Loop = Step;
    else if (!At.Loop)
      At.Ancestors.push_back(Step);
  }
  if (hasGoto(S.Caller->getBody()))
    return false;
  // A declaration holds expressions, and they what is called.
  if (!At.Ancestors.empty() && isa<DeclStmt, ReturnStmt>(At.Ancestors.back()))
    At.Loop = At.Ancestors.pop_back_val();
  return none_of(earlyReturns(At, U, Collector), [](const EarlyReturn &R) { return !R.IsBarrier; });
}

Callers callersOf(const FunctionDecl *Function, ASTContext &Context, unsigned Depth) {
  const auto *Method = dyn_cast<CXXMethodDecl>(Function);
  // Other files may call it where device code is linked.
  bool Unseen = Context.getLangOpts().GPURelocatableDeviceCode && Function->isExternallyVisible();
  if (Unseen || Depth > MaxDepth || (Method && Method->isVirtual()))
    return {};
  Finder F(Function);
  F.TraverseAST(Context);
  if (F.Sites.empty() || !all_of(F.Mentions, [&](const Expr *E) { return F.AsCallee.count(E) != 0; }))
    return {};
  Callers C{true, F.Sites.size() == 1};
  for (const Site &S : F.Sites) {
    C.Once &= none_of(S.Path, [](const Stmt *Step) { return isLoop(Step); }) && !hasGoto(S.Caller->getBody());
    C.WholeBlock &= allCome(S, Context);
    if (!S.Caller->hasAttr<CUDAGlobalAttr>()) {
      Callers Outer = callersOf(S.Caller, Context, Depth + 1);
      C.WholeBlock &= Outer.WholeBlock;
      C.Once &= Outer.Once;
    }
  }
  return C;
}

} // namespace

Callers callersOf(const FunctionDecl *Function, ASTContext &Context) { return callersOf(Function, Context, 0); }

} // namespace cuda_pipeline
