//===- PoolParts.cpp - One shared array that is as good as several --------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PoolParts.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// Of one array.
class PartFinder {
public:
  PartFinder(RuleContext &RC, const TileBuffer &B) : RC(RC), B(B) {}

  /// Adds the parts to \p Out. False: there are none, or not all that the turn does with the array
  /// is known. \p Around: what the function does outside of the loop is looked at, too.
  /// \p Complete: no name that the load phase does not write to leads over the tile.
  bool run(SymbolicIteration &Turn, PoolParts &Out, bool Around, bool &Complete) {
    if (!Turn.runAll() || (Around && !runAround(Turn)) || !sort(Turn))
      return false;
    // The load phase fills the tile, and what lies over it belongs to it.
    std::vector<const MappedAccess *> Tile = Of[B.Decl];
    std::vector<const VarDecl *> Left;
    for (const VarDecl *Alias : B.Aliases)
      if (any_of(Of[Alias], [](const MappedAccess *A) { return A->Write && A->Segment == 0; }))
        append_range(Tile, Of[Alias]);
      else if (!Of[Alias].empty())
        Left.push_back(Alias);
    const size_t All = Left.size();
    for (size_t Before = ~size_t(0); Before != Left.size();) {
      Before = Left.size();
      erase_if(Left, [&](const VarDecl *Alias) {
        if (Turn.areApart(B.Decl, Of[Alias], Tile))
          return false;
        append_range(Tile, Of[Alias]);
        return true;
      });
    }
    Complete = Left.size() == All;
    if (Left.empty())
      return false;
    std::optional<int64_t> End;
    if (Around) {
      std::vector<const MappedAccess *> Any;
      for (const auto &[Name, By] : Of)
        append_range(Any, By);
      End = Turn.endOf(B.Decl, Any);
      if (!End || *End < 0)
        return false;
    }
    EquivalenceClasses<const VarDecl *> Over;
    for (size_t I = 0; I < Left.size(); ++I) {
      Over.insert(Left[I]);
      for (size_t J = 0; J < I; ++J)
        if (!Turn.areApart(B.Decl, Of[Left[I]], Of[Left[J]]))
          Over.unionSets(Left[I], Left[J]);
    }
    for (const VarDecl *Alias : B.Aliases)
      if (is_contained(Left, Alias)) {
        Out.Apart[Alias] = B.Decl;
        Out.Same[Alias] = Over.getLeaderValue(Alias);
      } else {
        Out.Rest[Alias] = B.Decl;
      }
    if (Around)
      Out.Around[B.Decl] = *End;
    return true;
  }

private:
  RuleContext &RC;
  const TileBuffer &B;
  /// What the turn does with the array, by the name that leads there.
  DeclMap<VarDecl, std::vector<const MappedAccess *>> Of;

  /// Runs all statements outside of the loop that may have to do with the array.
  bool runAround(SymbolicIteration &Turn) {
    constexpr size_t Many = 32; // statements
    auto Touches = [&](const Stmt *S) {
      return any_of(RC.F.Function->Collector.collect(S).Accesses, [&](const Access &A) {
        return A.mayTouch(Space::Unknown) || any_of(A.Roots, [&](const MemoryRoot &R) {
                 return R.In == Space::Shared && (!R.Decl || R.Decl == B.Decl);
               });
      });
    };
    return Turn.runAround(RC.M, Touches, Many);
  }

  bool sort(SymbolicIteration &Turn) {
    Of.clear();
    DeclMap<VarDecl, MemoryRoot> Own;
    for (const VarDecl *Alias : B.Aliases)
      Own[Alias] = {Alias, Space::Shared};
    const EffectCollector Names(RC.Context, RC.M.Loop->Function, RC.F.Function->Calls.get(),
                                nullptr, std::move(Own));
    for (const MappedAccess &A : Turn.accesses()) {
      if (A.Array != B.Decl)
        continue;
      const RootSet Roots = A.Where ? rootsAt(Names, A.Where) : RootSet();
      const auto *By = Roots.size() == 1 ? dyn_cast_or_null<VarDecl>(Roots.begin()->Decl) : nullptr;
      if (!By || Roots.begin()->In != Space::Shared ||
          (By != B.Decl && !is_contained(B.Aliases, By)))
        return false;
      Of[By].push_back(&A);
    }
    return true;
  }
};

} // namespace

std::shared_ptr<const PoolParts> findParts(RuleContext &RC) {
  constexpr size_t Many = 16; // each is compared with all others
  auto Out = std::make_shared<PoolParts>();
  for (const auto &B : RC.M.Buffers) {
    if (B->Aliases.empty() || B->Aliases.size() > Many || B->DeclaredInLoop)
      continue;
    PartFinder Finder(RC, *B);
    auto Find = [&](bool Around, bool Claimed, PoolParts &Parts, bool &Complete) {
      // The kernel can ask for its block where it asks for the memory that it is given.
      if (Claimed && !(RC.claimed() && B->Origin == BufferOrigin::Dynamic))
        return false;
      bool Found = false;
      if (Around && B->usedOutside()) { // what is run then is more than a turn
        const LaunchShape Known = Claimed || RC.Shape.Exact ? RC.Shape : LaunchShape();
        SymbolicIteration All(RC.M, RC.Context, RC.U, Known, RC.Effort);
        Found = Finder.run(All, Parts, true, Complete);
      } else if (!Around) {
        Found = Finder.run(RC.turn(Claimed), Parts, false, Complete);
      }
      Parts.AsksBlock |= Found && Claimed;
      return Found;
    };
    for (const bool Around : {true, false}) {
      PoolParts OfAny = *Out, OfClaimed = *Out;
      bool Complete = false, Ignored = false;
      const bool Any = Find(Around, false, OfAny, Complete);
      const bool Claimed = !(Any && Complete) && Find(Around, true, OfClaimed, Ignored);
      if (!Any && !Claimed)
        continue;
      // In blocks of any size a part may reach into the next one.
      const bool More = Claimed && (!Any || OfClaimed.Apart.size() > OfAny.Apart.size());
      *Out = std::move(More ? OfClaimed : OfAny);
      break;
    }
  }
  return Out->Apart.empty() ? nullptr : Out;
}

} // namespace cuda_pipeline
