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

const BeforeLoops::Block &BeforeLoops::blockOf(const CompoundStmt *S) {
  auto [It, New] = Blocks.try_emplace(S);
  Block &B = It->second;
  if (!New)
    return B;
  B.HasContinue = hasContinue(S);
  B.Barrier = B.Case = {0};
  for (const Stmt *Child : S->body()) {
    B.Index[Child] = B.All.size();
    B.All.push_back(Child);
    B.Barrier.push_back(isBarrier(Child, Collector, Context) ? B.All.size() : B.Barrier.back());
    B.Case.push_back(hasCase(Child) ? B.All.size() : B.Case.back());
  }
  return B;
}

std::vector<StatementRun> BeforeLoops::runs(const KLoop &Loop) {
  std::vector<StatementRun> Out;
  auto Add = [&](const Stmt *S) { Out.push_back({S}); };
  const Stmt *Child = Loop.Loop, *InChild = nullptr;
  bool Entered = hasCase(Child); // behind a barrier, by a label
  for (const Stmt *S : reverse(Loop.Ancestors)) {
    if (const auto *Compound = dyn_cast<CompoundStmt>(S)) {
      const Block &B = blockOf(Compound);
      const size_t At = B.Index.lookup(Child), Barrier = B.Barrier[At], Case = B.Case[At];
      // A label behind the last barrier lets control in without it.
      const bool Stops = !Entered && Barrier && Case <= Barrier;
      Out.push_back({nullptr, &B.All, Stops ? Barrier : 0, At});
      if (Stops)
        return Out;
      Entered |= Case != 0;
    } else if (isLoop(S)) {
      // From the end of its body, where the next turn comes from.
      const auto *Body = dyn_cast<CompoundStmt>(Child);
      if (!Body || blockOf(Body).HasContinue) {
        Add(Child);
      } else {
        const Block &B = blockOf(Body);
        Out.push_back(
            {nullptr, &B.All, std::max(B.Barrier.back(), B.Index.lookup(InChild)), B.All.size()});
      }
      for (const Stmt *Part : S->children())
        if (Part && Part != Child)
          Add(Part);
    } else if (isa<SwitchStmt>(S)) {
      Add(S);
      Entered = false;
    } else if (const auto *If = dyn_cast<IfStmt>(S)) {
      for (const Stmt *Part :
           {If->getInit(), static_cast<const Stmt *>(If->getConditionVariableDeclStmt()),
            static_cast<const Stmt *>(If->getCond())})
        if (Part)
          Add(Part);
    } else {
      Entered |= isa<SwitchCase>(S);
    }
    InChild = Child;
    Child = S;
  }
  return Out;
}

Effects effectsBefore(const KLoop &Loop, const EffectCollector &Collector, ASTContext &Context) {
  Effects Earlier;
  if (hasGoto(Loop.Function->getBody()))
    return Collector.collect(Loop.Function->getBody());
  BeforeLoops Before(Collector, Context);
  for (const StatementRun &Run : Before.runs(Loop)) {
    if (Run.Single)
      Earlier.append(Collector.collect(Run.Single));
    for (size_t I = Run.End; I-- > Run.Begin;)
      Earlier.append(Collector.collect((*Run.Of)[I]));
  }
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
        Read.In == Space::Texture ||
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
