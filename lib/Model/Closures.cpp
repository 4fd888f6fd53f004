//===- Closures.cpp - Lambdas in the body of a loop ------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Closures.h"
#include "AstUtil.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

struct FindLambdas : ConstDynamicRecursiveASTVisitor {
  ClosureSet Found;
  bool VisitLambdaExpr(const LambdaExpr *Lambda) override {
    Found.insert(Lambda);
    return true;
  }
};

/// Static variables and those of the block.
struct FindLasting : ConstDynamicRecursiveASTVisitor {
  bool Found = false;
  bool VisitVarDecl(const VarDecl *Var) override {
    Found |= Var->isStaticLocal() && !Var->isConstexpr();
    return !Found;
  }
};

struct FindVariable : ConstDynamicRecursiveASTVisitor {
  const LambdaExpr *Lambda;
  const VarDecl *Found = nullptr;
  explicit FindVariable(const LambdaExpr *Lambda) : Lambda(Lambda) {}
  bool VisitVarDecl(const VarDecl *Var) override {
    if (Var->hasInit() && Var->getInit()->IgnoreUnlessSpelledInSource() == Lambda)
      Found = Var;
    return !Found;
  }
};

/// The closure that \p Call calls; null: it calls something else.
const Expr *closureOf(const CallExpr *Call) {
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call->getDirectCallee());
  return Method && Method->getParent()->isLambda() && Method->getOverloadedOperator() == OO_Call
             ? operandsOf(Call).Object
             : nullptr;
}

constexpr unsigned MaxGivenOn = 4; ///< from function to function

/// `f`, where it is copied or given on.
const Expr *withoutCopies(const Expr *E) {
  while (true) {
    const Expr *Inner = E->IgnoreUnlessSpelledInSource();
    if (const auto *Made = dyn_cast<CXXConstructExpr>(Inner);
        Made && Made->getNumArgs() == 1 && Made->getConstructor()->isCopyOrMoveConstructor())
      Inner = Made->getArg(0);
    else if (const auto *Call = dyn_cast<CallExpr>(Inner);
             Call && Call->getNumArgs() == 1 && Call->getDirectCallee() &&
             Call->getDirectCallee()->isInStdNamespace() &&
             Call->getDirectCallee()->getIdentifier() &&
             is_contained({"forward", "move"}, Call->getDirectCallee()->getName()))
      Inner = Call->getArg(0);
    if (Inner == E)
      return E;
    E = Inner;
  }
}

/// How often a closure is mentioned, and how often it is called, or given to a function that does
/// no more.
struct CountUses : ConstDynamicRecursiveASTVisitor {
  const LambdaExpr *Lambda;
  const VarDecl *Closure;
  const unsigned Depth;
  unsigned Mentions = 0, Calls = 0;
  CountUses(const LambdaExpr *Lambda, const VarDecl *Closure, unsigned Depth)
      : Lambda(Lambda), Closure(Closure), Depth(Depth) {}

  bool is(const Expr *E) const {
    E = withoutCopies(E);
    return E == Lambda || (Closure && referencedVar(E) == Closure);
  }
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    Mentions += Closure && Ref->getDecl() == Closure;
    return true;
  }
  bool VisitLambdaExpr(const LambdaExpr *E) override {
    Mentions += E == Lambda && !Closure;
    return true;
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee(), *Body = nullptr;
    const ArrayRef<const Expr *> Args = operandsOf(Call).Args;
    const Expr *Called = closureOf(Call);
    Calls += Called && is(Called);
    if (!Callee || !Callee->hasBody(Body) || Callee->isInStdNamespace() ||
        Args.size() != Body->getNumParams())
      return true;
    for (auto [Arg, Param] : zip(Args, Body->parameters()))
      Calls += is(Arg) && onlyCalls(Param, Body, Depth + 1);
    return true;
  }
  static bool onlyCalls(const VarDecl *Closure, const FunctionDecl *In, unsigned Depth) {
    if (Depth > MaxGivenOn)
      return false;
    // By a lambda it could get further.
    if (Depth && !lambdasIn(In->getBody()).empty())
      return false;
    CountUses Uses(nullptr, Closure, Depth);
    Uses.TraverseStmt(In->getBody());
    return Uses.Mentions == Uses.Calls;
  }
};

} // namespace

const VarDecl *calledClosure(const CallExpr *Call) {
  const Expr *Object = closureOf(Call);
  return Object && !Object->getType()->isPointerType() ? referencedVar(Object) : nullptr;
}

const VarDecl *variableOf(const LambdaExpr *Lambda, const FunctionDecl *Around) {
  FindVariable V(Lambda);
  V.TraverseStmt(Around->getBody());
  return V.Found;
}

ClosureSet lambdasIn(const Stmt *S) {
  FindLambdas V;
  V.TraverseStmt(S);
  return std::move(V.Found);
}

bool isOnlyCalled(const LambdaExpr *Lambda, const FunctionDecl *Around) {
  if (const VarDecl *Closure = variableOf(Lambda, Around))
    return Closure->hasLocalStorage() &&
           Closure->getType()->getAsCXXRecordDecl() == Lambda->getLambdaClass() &&
           CountUses::onlyCalls(Closure, Around, 0);
  CountUses Uses(Lambda, nullptr, 0);
  Uses.TraverseStmt(Around->getBody());
  return Uses.Calls == 1 && Uses.Mentions == 1;
}

bool hasNoState(const LambdaExpr *Lambda, function_ref<bool(const VarDecl *)> Keeps) {
  if (!Lambda->getCallOperator()->isConst())
    return false;
  FindLasting Lasting;
  Lasting.TraverseStmt(Lambda->getBody());
  return !Lasting.Found && all_of(Lambda->captures(), [&](const LambdaCapture &C) {
    if (!C.capturesVariable())
      return C.getCaptureKind() == LCK_This;
    const auto *Var = dyn_cast<VarDecl>(C.getCapturedVar());
    return Var && !Var->isInitCapture() &&
           (C.getCaptureKind() == LCK_ByRef || (C.getCaptureKind() == LCK_ByCopy && Keeps(Var)));
  });
}

} // namespace cuda_pipeline
