//===- BarrierOrder.cpp - What else the loop's barriers order ----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Rule 8 of docs/soundness.md, Barriers, and rule 6 for the last one. A barrier may go, or be
/// passed by a load, only if all that it orders is access to tiles. So this file looks at what is
/// behind the trailing barrier, in front of the loop (for more than two stages, and for a loop that
/// begins with its barrier), and behind the loop.
///
//===----------------------------------------------------------------------===//

#include "../../Model/AstUtil.h"
#include "../BeforeLoop.h"
#include "Rules.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// All that runs for the second tile: its loads, and what counts up to it.
Effects runForSecondTile(const RuleContext &RC) {
  Effects Reading = RC.F.Segment[0];
  Reading.append(RC.F.Condition);
  Reading.append(RC.F.Increment);
  for (const Advance &A : RC.M.Advances)
    if (A.LoadSide && A.Segment > 0)
      Reading.append(RC.F.Collector->collect(A.Statement));
  return Reading;
}

/// Memory is used behind the loop in a way that the last barrier may order. An array of its own
/// that the loop does not touch does not count: the loop's other barriers order what is done with
/// it in front of the loop, where the loop runs at all.
bool sharedAfterLoop(const RuleContext &RC) {
  const SourceManager &SM = RC.Context.getSourceManager();
  SourceLocation End = SM.getExpansionLoc(RC.M.Loop->Loop->getEndLoc());
  auto Behind = [&](SourceLocation Loc) {
    return Loc.isValid() && SM.isBeforeInTranslationUnit(End, Loc);
  };
  if (Behind(RC.OfFunction.LastOfOther))
    return true;
  if (Behind(RC.OfFunction.LastOfShared)) {
    DeclSet<VarDecl> Touched = mentionedVars(RC.M.Loop->Loop);
    for (const Effects *Part : {&RC.F.Init, &RC.F.Condition, &RC.F.Increment, &RC.F.Segment[0],
                                &RC.F.Segment[1], &RC.F.Segment[2]})
      for (const Access &A : Part->Accesses)
        for (const MemoryRoot &R : A.Roots) {
          if (!R.Decl || R.In == Space::Unknown)
            return true; // it may be any of them
          if (const auto *Var = dyn_cast<VarDecl>(R.Decl))
            Touched.insert(Var);
        }
    for (const VarDecl *Var : Touched)
      if (auto It = RC.OfFunction.LastShared.find({Var, Space::Shared});
          It != RC.OfFunction.LastShared.end() && Behind(It->second))
        return true;
  }
  // Global memory that another thread's last compute may still read.
  for (const auto &[W, Last] : RC.OfFunction.LastWrite)
    if (Behind(Last))
      for (const Access &R : RC.F.Segment[1].Accesses)
        if (R.Read)
          for (const MemoryRoot &Read : R.Roots)
            if ((Read.In == Space::Global || Read.In == Space::Unknown) && mayAlias(W, Read))
              return true;
  return false;
}

} // namespace

/// With more than two stages the loads of the second tile stand in front of the loop's first
/// barrier. What the block has written before the loop must not need that barrier to be seen.
void checkPrologue(RuleContext &RC) {
  if (RC.M.BarrierFirst)
    return; // the prologue has that barrier in front of it
  // Global memory is what is loaded, and seldom anything else. A jump may come from anywhere.
  std::optional<FunctionRules::Stores> InGlobal, InAny;
  auto Before = [&](bool Shared) -> const FunctionRules::Stores & {
    std::optional<FunctionRules::Stores> &Known = Shared ? InAny : InGlobal;
    if (!Known)
      Known = RC.F.Function->HasGoto ? RC.OfFunction.storesOf(RC.M.Loop->Function->getBody())
                                     : RC.OfFunction.storesBefore(*RC.M.Loop, Shared);
    return *Known;
  };
  const Effects Reading = runForSecondTile(RC);
  for (const Access &R : Reading.Accesses) {
    if (!R.Read)
      continue;
    for (const MemoryRoot &Read : R.Roots) {
      if (Read.In != Space::Global && Read.In != Space::Unknown && Read.In != Space::Shared)
        continue;
      // Nobody writes it, not even a function that is not seen.
      if (RC.M.Loop->IsKernel && isReadOnlyParameter(Read.Decl))
        continue;
      auto Refuse = [&](SourceLocation Where, const char *Note, bool Pointers = false) {
        Refusal Why{Reason::BarrierOrdersOther, R.Loc, {nameOf(Read)}, {}};
        Why.Notes.push_back({Note, Where});
        if (Pointers)
          Why.Remedy = "Declare the pointers __restrict__, or grant --assume=no-alias, if what "
                       "is written in front of the loop is not what is "
                       "loaded; or put a __syncthreads() there, or take two stages.";
        // So do all loads where the load phase has barriers of its own, or none behind it, or hears
        // of other threads itself.
        RC.refuse({std::move(Why), RC.M.FillNested || RC.M.LoadUpdates ? Needs::Everything
                                                                       : Needs::AheadOfBarrier});
      };
      // Nobody knows what the callers have written.
      if (!RC.M.Loop->IsKernel && (Read.In == Space::Global || Read.In == Space::Shared) &&
          !(isObject(Read) && isConstObject(RC.Context.getBaseElementType(Read.Decl->getType()))))
        return Refuse(Read.Decl ? Read.Decl->getLocation() : R.Loc, "other functions may write it");
      for (const auto &[Written, Where] : Before(Read.In != Space::Global)) {
        // No address is both.
        if ((Written.In == Space::Shared && Read.In == Space::Global) ||
            (Written.In == Space::Global && Read.In == Space::Shared))
          continue;
        // All names of dynamic shared memory are names of one array.
        const bool OneArray = isDynamicShared(Written.Decl) && isDynamicShared(Read.Decl);
        if (!OneArray && !mayAlias(Written, Read))
          continue;
        bool Grantable = !OneArray && Written.Decl && Read.Decl && Written.Decl != Read.Decl;
        if (Grantable && (R.Lasting || RC.granted("no-alias")))
          continue;
        return Refuse(Where, "written here, with no barrier in front of the loop", Grantable);
      }
    }
  }
}

/// A loop that begins with a barrier has it in front of its first tile as well. That one is left
/// out only if nothing that runs before it is for other threads to see, or to be done with.
void checkEntryBarrier(RuleContext &RC) {
  if (!RC.M.BarrierFirst || !RC.M.Loop->IsKernel || RC.F.Function->HasGoto)
    return;
  RC.L.NeedsEntryBarrier = RC.OfFunction.anyBefore(*RC.M.Loop, [&](const Stmt *S) {
    const Effects E = RC.F.Collector->collect(S);
    auto Orders = [](const Access &A) {
      return any_of(A.Roots, [&](const MemoryRoot &R) {
        return R.In == Space::Shared || R.In == Space::Unknown || !R.Decl ||
               (A.Write && R.In != Space::Local && R.In != Space::Param);
      });
    };
    auto Waits = [](const Action &A) {
      using K = FunctionKind;
      return A.Kind == Action::Call ? !is_contained({K::Pure, K::SeveralResults, K::LoadPointer,
                                                     K::LoadTexture, K::FragmentMath, K::Warp},
                                                    A.Function)
                                    : !A.LikeExpression;
    };
    return any_of(E.Accesses, Orders) || any_of(E.Actions, Waits);
  });
}

/// The last turn's trailing barrier may go only if nothing behind it needs it.
void checkFinalBarrier(RuleContext &RC) {
  bool Nested = any_of(RC.M.Loop->Ancestors, isLoop);
  bool Writes = false;
  for (unsigned I = 1; I < 3; ++I)
    for (const Access &A : RC.F.Segment[I].Accesses)
      if (A.Write)
        for (const MemoryRoot &R : A.Roots)
          Writes |= R.In != Space::Local && R.In != Space::Param;
  if (RC.M.BarrierFirst && none_of(RC.M.Buffers, [](const auto &B) { return B->usedOutside(); })) {
    // There was none behind the loop, and the next first tile has one in front of it.
    RC.L.NeedsFinalBarrier = false;
    return;
  }
  RC.L.NeedsFinalBarrier = RC.M.BarrierFirst || Nested || Writes || RC.F.Function->HasGoto ||
                           !RC.M.Loop->IsKernel || sharedAfterLoop(RC);
}

/// What stands behind the trailing barrier is ordered against the compute by it.
void checkBehindBarrier(RuleContext &RC) {
  for (const Access &A : RC.F.Segment[2].Accesses)
    for (const MemoryRoot &R : A.Roots)
      if (R.In != Space::Local && R.In != Space::Param && R.In != Space::Constant) {
        RC.refuse({{Reason::BarrierOrdersOther, A.Loc, {nameOf(R)}, {}}, Needs::SeveralBuffers});
        return;
      }
}

} // namespace cuda_pipeline
