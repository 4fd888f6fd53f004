//===- BeforeLoop.cpp - What runs in front of a loop with no barrier between =//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BeforeLoop.h"
#include "../Model/AstUtil.h"
#include "../Model/Barriers.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

bool isObject(const MemoryRoot &R) {
  return R.Decl && !isa<ParmVarDecl>(R.Decl) && R.In == Space::Global;
}

bool mayAlias(const MemoryRoot &W, const MemoryRoot &R) {
  if (!W.Decl || !R.Decl || W.Decl == R.Decl)
    return true;
  if (W.In == Space::Unknown || R.In == Space::Unknown)
    return true;
  // An object that is modified through a restrict pointer is accessed through it alone, and one
  // that is read through a restrict pointer is not modified by other means (C11 6.7.3.1).
  if (isRestrictParameter(W.Decl) || isRestrictParameter(R.Decl))
    return false;
  return !(isObject(W) && isObject(R));
}

/// A barrier of the block, not one that may be in it somewhere: `last && (__syncthreads(), true)`.
static bool isBarrier(const Stmt *S, const EffectCollector &Collector, ASTContext &Context) {
  const FunctionKind Kind = barrierOf(S, Collector, Context);
  return Kind == FunctionKind::Barrier || Kind == FunctionKind::BarrierValue;
}

/// A `continue` of the loop with the body \p S.
static bool hasContinue(const Stmt *S) {
  return S && !isLoop(S) && !isa<LambdaExpr>(S) &&
         (isa<ContinueStmt>(S) || any_of(S->children(), hasContinue));
}
/// A label of a `switch` around \p S.
static bool hasCase(const Stmt *S) {
  return S && !isa<SwitchStmt>(S) && !isa<Expr>(S) &&
         (isa<SwitchCase>(S) || any_of(S->children(), hasCase));
}

void statementsBefore(const KLoop &Loop, const EffectCollector &Collector, ASTContext &Context,
                      std::vector<const Stmt *> &Out) {
  const Stmt *Child = Loop.Loop;
  bool Entered = hasCase(Child); // behind a barrier, by a label
  for (const Stmt *S : reverse(Loop.Ancestors)) {
    if (const auto *Compound = dyn_cast<CompoundStmt>(S)) {
      for (auto It = std::next(find(reverse(Compound->body()), Child)); It != Compound->body_rend();
           ++It) {
        if (!Entered && isBarrier(*It, Collector, Context))
          return;
        Out.push_back(*It);
        Entered |= hasCase(*It);
      }
    } else if (isLoop(S)) {
      // From the end of its body, where the next turn comes from.
      const auto *Body = dyn_cast<CompoundStmt>(Child);
      if (!Body || hasContinue(Body))
        Out.push_back(Child);
      else
        for (const Stmt *Sibling : reverse(Body->body())) {
          if (isBarrier(Sibling, Collector, Context))
            break;
          Out.push_back(Sibling);
          if (encloses(Sibling, Loop.Loop))
            break;
        }
      for (const Stmt *Part : S->children())
        if (Part && Part != Child)
          Out.push_back(Part);
    } else if (isa<SwitchStmt>(S)) {
      Out.push_back(S);
      Entered = false;
    } else if (const auto *If = dyn_cast<IfStmt>(S)) {
      for (const Stmt *Part :
           {If->getInit(), static_cast<const Stmt *>(If->getConditionVariableDeclStmt()),
            static_cast<const Stmt *>(If->getCond())})
        if (Part)
          Out.push_back(Part);
    } else {
      Entered |= isa<SwitchCase>(S);
    }
    Child = S;
  }
}

Effects effectsBefore(const KLoop &Loop, const EffectCollector &Collector, ASTContext &Context) {
  std::vector<const Stmt *> Before;
  if (hasGoto(Loop.Function->getBody()))
    Before.push_back(Loop.Function->getBody());
  else
    statementsBefore(Loop, Collector, Context, Before);
  Effects Earlier;
  for (const Stmt *S : Before)
    Earlier.append(Collector.collect(S));
  return Earlier;
}

bool mayBeWrittenBefore(const KLoop &Loop, const Effects &Reading, const Effects &Earlier,
                        const ASTContext &Context) {
  const bool Opaque = any_of(Earlier.Actions, [](const Action &A) {
    return A.Kind == Action::UnknownCall ||
           (A.Kind == Action::Asm && A.Function != FunctionKind::Pure);
  });
  auto May = [&](const MemoryRoot &Read) {
    if (Read.In == Space::Local || Read.In == Space::Param || Read.In == Space::Constant ||
        (isObject(Read) && isConstObject(Context.getBaseElementType(Read.Decl->getType()))))
      return false;
    // What the callers have written nobody knows.
    if (!Loop.IsKernel)
      return true;
    // Not even by a function that nobody sees.
    if (isReadOnlyParameter(Read.Decl))
      return false;
    return Opaque || any_of(Earlier.Accesses, [&](const Access &A) {
             return A.Write && any_of(A.Roots, [&](const MemoryRoot &W) {
                      return (W.In == Space::Global || W.In == Space::Unknown) && mayAlias(W, Read);
                    });
           });
  };
  return any_of(Reading.Accesses, [&](const Access &A) { return A.Read && any_of(A.Roots, May); });
}

} // namespace cuda_pipeline
