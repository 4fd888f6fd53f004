//===- Callers.cpp - Who calls a __device__ function ----------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Callers.h"
#include "../Model/AstUtil.h"
#include "../Model/CallSites.h"
#include "../Model/Effects.h"
#include "../Model/GivenObjects.h"
#include "EarlyReturns.h"
#include "Uniformity.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

constexpr unsigned MaxDepth = 8;

Callers find(const FunctionDecl *Function, ASTContext &Context, CallSites &Calls, unsigned Depth);

/// Who comes to \p S comes to all of its parts, as far as its condition lets them.
bool runsItsParts(const Stmt *S) {
  if (const auto *Op = dyn_cast<BinaryOperator>(S))
    return !Op->isLogicalOp();
  return isa<CompoundStmt, DeclStmt, IfStmt, ForStmt, WhileStmt, DoStmt, SwitchStmt, SwitchCase,
             ReturnStmt, AttributedStmt, LabelStmt, ConditionalOperator, CallExpr, CXXConstructExpr,
             CastExpr, FullExpr, ParenExpr, UnaryOperator, ArraySubscriptExpr, MemberExpr,
             InitListExpr, MaterializeTemporaryExpr, CXXBindTemporaryExpr, CompoundLiteralExpr,
             SubstNonTypeTemplateParmExpr>(S);
}

/// Of the threads that come to the caller: who comes to the call, and all of those together.
enum class Who { Some, NotEnded, All };
Who comes(const CallSite &S, const Uniformity &U, const EffectCollector &Collector) {
  const bool OfKernel = S.Caller->hasAttr<CUDAGlobalAttr>();
  Who All = Who::All;
  KLoop At;
  At.Function = S.Caller;
  for (const Stmt *Step : S.Path) {
    if (!runsItsParts(Step))
      return Who::Some;
    const bool Decides = isa<IfStmt, SwitchStmt, ConditionalOperator>(Step) || isLoop(Step);
    const auto *Conditional = dyn_cast<ConditionalOperator>(Step);
    const Expr *Cond = Conditional ? Conditional->getCond() : conditionOf(Step);
    if (Decides && Cond && !U.isUniform(Cond)) {
      const auto *If = dyn_cast<IfStmt>(Step);
      if (!OfKernel || !If || !U.endsForOthers(If))
        return Who::Some;
      All = Who::NotEnded;
    }
    if ((isLoop(Step) || isa<SwitchStmt>(Step)) && U.isLeftBySome(Step))
      return Who::Some;
    if (!At.Loop && isa<Expr>(Step))
      At.Loop = Step;
    else if (!At.Loop)
      At.Ancestors.push_back(Step);
  }
  if (hasGoto(S.Caller->getBody()))
    return Who::Some;
  // A declaration holds expressions, and they what is called.
  if (!At.Ancestors.empty() && isa<DeclStmt, ReturnStmt>(At.Ancestors.back()))
    At.Loop = At.Ancestors.pop_back_val();
  for (const EarlyReturn &R : earlyReturns(At, U, Collector)) {
    if (R.IsBarrier)
      continue;
    if (!OfKernel || !R.endsThread())
      return Who::Some;
    All = Who::NotEnded;
  }
  return All;
}

/// For the parameter \p Param, or, null, for the object of the method.
bool passesUniform(const CallSite &S, const ParmVarDecl *Param, const Uniformity &U,
                   const Callers &Outer) {
  const CallOperands Operands = operandsOf(S.Call);
  if (Param) {
    const unsigned I = Param->getFunctionScopeIndex();
    return I < Operands.Args.size() && U.isUniform(Operands.Args[I]);
  }
  if (!Operands.Object)
    return false;
  if (isa<CXXThisExpr>(Operands.Object->IgnoreParenImpCasts()))
    return Outer.This && Outer.Uniform.count(Outer.This);
  return Operands.Object->isGLValue() && U.isUniform(Operands.Object);
}

Callers of(const FunctionDecl *Function, ASTContext &Context, CallSites &Calls, unsigned Depth) {
  return Depth > MaxDepth
             ? Callers()
             : Calls.once<Callers>(Function, [&] { return find(Function, Context, Calls, Depth); });
}

Callers find(const FunctionDecl *Function, ASTContext &Context, CallSites &Calls, unsigned Depth) {
  const std::vector<CallSite> *Sites = Calls.of(Function);
  if (!Sites)
    return {};
  Callers C;
  C.WholeBlock = C.Together = true;
  C.Once = Sites->size() == 1;
  for (const ParmVarDecl *Param : Function->parameters())
    if (!Param->getType()->isReferenceType())
      C.Uniform.insert(Param);
  const GivenObjects &Given = givenObjects(Function, Context, Calls, Depth);
  C.Uniform.insert(Given.References.begin(), Given.References.end());
  C.This = Given.This;
  if (C.This)
    C.Uniform.insert(C.This);
  for (const CallSite &S : *Sites) {
    C.Once &= none_of(S.Path, [](const Stmt *Step) { return isLoop(Step); }) &&
              !hasGoto(S.Caller->getBody());
    Callers Outer;
    Outer.WholeBlock = Outer.Together = Outer.Once = true;
    if (!S.Caller->hasAttr<CUDAGlobalAttr>())
      Outer = of(S.Caller, Context, Calls, Depth + 1);
    EffectCollector Collector(Context, S.Caller, &Calls);
    Uniformity U(Context, Collector, S.Caller, Outer.Uniform, Outer.This);
    C.Once &= Outer.Once;
    const Who Of = C.Together ? comes(S, U, Collector) : Who::Some;
    C.WholeBlock &= Outer.WholeBlock && Of == Who::All;
    if (C.Together && !(Outer.Together && Of != Who::Some)) {
      C.Together = false;
      C.Doubt = S.Call;
    }
    for (auto It = C.Uniform.begin(); It != C.Uniform.end();) {
      if (passesUniform(S, *It == C.This ? nullptr : cast<ParmVarDecl>(*It), U, Outer)) {
        ++It;
        continue;
      }
      C.Differs[*It] = S.Call;
      It = C.Uniform.erase(It);
    }
  }
  if (!C.Together)
    C.Uniform.clear();
  return C;
}

} // namespace

Callers callersOf(const FunctionDecl *Function, ASTContext &Context, CallSites &Calls) {
  return of(Function, Context, Calls, 0);
}

} // namespace cuda_pipeline
