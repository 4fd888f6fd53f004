//===- Barriers.cpp - Statements that only wait for other threads ---------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Barriers.h"
#include "AstUtil.h"
#include "ModelStep.h"
#include "PtxText.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

bool isBarrier(FunctionKind Kind) {
  return Kind == FunctionKind::Barrier || Kind == FunctionKind::BarrierValue ||
         Kind == FunctionKind::BarrierOther || Kind == FunctionKind::WarpBarrier;
}

/// The only statement of \p Block that does something.
const Stmt *onlyStatement(const CompoundStmt *Block) {
  const Stmt *Only = nullptr;
  for (const Stmt *S : Block->body()) {
    if (isa<NullStmt>(S))
      continue;
    if (Only)
      return nullptr;
    Only = S;
  }
  return Only;
}

/// The barrier that \p S comes to whenever it is reached, whatever else \p S does.
FunctionKind reachedIn(const Stmt *S, const ASTContext &Context, unsigned Depth) {
  if (!S || Depth > 8)
    return FunctionKind::Unknown;
  ++Depth;
  if (const auto *Block = dyn_cast<CompoundStmt>(S))
    return reachedIn(onlyStatement(Block), Context, Depth);
  if (const auto *Do = dyn_cast<DoStmt>(S)) { // do { .. } while (0), of a macro
    Expr::EvalResult Again;
    if (Do->getCond()->isValueDependent() || !Do->getCond()->EvaluateAsRValue(Again, Context) ||
        !Again.Val.isInt() || Again.Val.getInt() != 0)
      return FunctionKind::Unknown;
    return reachedIn(Do->getBody(), Context, Depth);
  }
  if (const auto *If = dyn_cast<IfStmt>(S)) {
    if (!If->isConstexpr() || If->getInit() || If->getConditionVariable())
      return FunctionKind::Unknown;
    std::optional<const Stmt *> Taken = If->getNondiscardedCase(Context);
    return Taken ? reachedIn(*Taken, Context, Depth) : FunctionKind::Unknown;
  }
  if (const auto *Return = dyn_cast<ReturnStmt>(S))
    return reachedIn(Return->getRetValue(), Context, Depth);
  if (const auto *Asm = dyn_cast<GCCAsmStmt>(S))
    return readPtx(Asm, Context).Function;
  const auto *E = dyn_cast<Expr>(S);
  if (!E)
    return FunctionKind::Unknown;
  if (const auto *Full = dyn_cast<FullExpr>(E))
    E = Full->getSubExpr();
  E = E->IgnoreParenCasts();
  const auto *Call = dyn_cast<CallExpr>(E);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (!Callee)
    return FunctionKind::Unknown;
  if (FunctionKind Kind =
          classifyCall(Callee, ArrayRef(Call->getArgs(), Call->getNumArgs()), Context);
      Kind != FunctionKind::Unknown)
    return Kind;
  const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
  const FunctionDecl *Defined = nullptr;
  if (isLibraryFunction(Callee, Context) || (Method && Method->isVirtual()) ||
      !Callee->hasBody(Defined))
    return FunctionKind::Unknown;
  return reachedIn(Defined->getBody(), Context, Depth);
}

} // namespace

FunctionKind barrierOf(const Stmt *S, const EffectCollector &Collector, const ASTContext &Context) {
  const FunctionKind Kind = reachedIn(S, Context, 0);
  if (!isBarrier(Kind))
    return FunctionKind::Unknown;
  // What is called with, on, or around it.
  const Effects E = Collector.collect(S);
  const bool Waits =
      none_of(E.Accesses, [](const Access &A) { return A.Write; }) && onlyLocalAccesses(E) &&
      all_of(E.Actions,
             [](const Action &A) {
               return A.Kind == Action::Asm ||
                      (A.Kind == Action::Call &&
                       (isBarrier(A.Function) || A.Function == FunctionKind::Pure));
             }) &&
      count_if(E.Actions, [](const Action &A) { return isBarrier(A.Function); }) == 1;
  return Waits ? Kind : FunctionKind::Unknown;
}

bool storesInAssembly(const Effects &E, const EffectCollector &Collector,
                      const ASTContext &Context) {
  return any_of(E.Actions, [&](const Action &A) {
    const auto *Asm = dyn_cast_or_null<GCCAsmStmt>(A.Where);
    if (!Asm)
      return false;
    const PtxText Ptx = readPtx(Asm, Context);
    if (Ptx.StoresShared || !Ptx.Stores || A.InCallee)
      return Ptx.StoresShared;
    for (unsigned I = 0; I < Asm->getNumInputs(); ++I)
      if (const Expr *Input = Asm->getInputExpr(I); Input->getType()->isPointerType())
        for (const MemoryRoot &R : Collector.pointees(Input))
          if (R.In == Space::Shared)
            return true;
    return false;
  });
}

bool startsCopiesInAssembly(const Effects &E, const ASTContext &Context) {
  return any_of(E.Actions, [&](const Action &A) {
    const auto *Asm = dyn_cast_or_null<GCCAsmStmt>(A.Where);
    return Asm && readPtx(Asm, Context).CopiesAsync;
  });
}

} // namespace cuda_pipeline
