//===- Coverage.cpp - A turn reads what it has loaded ------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Rule 3 of docs/soundness.md, Coverage: what a turn leaves out is, with several buffers, what
/// another turn has left there than in the original. There are two ways to show that nothing of it
/// is read.
///
/// By definedness, which needs no block size: nothing but the load phase writes the buffer. If the
/// set of elements that it writes never changes while the kernel runs, an element is written in
/// every iteration or never; reading one that is never written reads uninitialised memory, on which
/// no defined result depends.
///
/// By sets: every element that the compute phase may read has been written by the load phase of the
/// same turn.
///
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "WriteSets.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// Nothing outside of the loop can write to the tile, and what the loop's statements write is
/// seen.
bool writtenInTurnsOnly(const RuleContext &RC, const TileBuffer &B) {
  auto Writes = [](const Effects &E, Space S) {
    return any_of(E.Accesses, [&](const Access &A) { return A.Write && A.mayTouch(S); });
  };
  return (B.Statement || B.Origin == BufferOrigin::Dynamic) && !B.usedOutside() &&
         none_of(RC.F.Segment, [&](const Effects &E) { return Writes(E, Space::Unknown); }) &&
         none_of(ArrayRef<const Effects *>{&RC.F.Condition, &RC.F.Increment, &RC.F.Init},
                 [&](const Effects *E) {
                   return Writes(*E, Space::Unknown) || Writes(*E, Space::Shared);
                 });
}

/// \p Turn shows that what it reads of \p B it has loaded. If not, \p Stale gets a note that says
/// where.
bool coveredIn(const RuleContext &RC, SymbolicIteration &Turn, const TileBuffer &B,
               Refusal &Stale) {
  if (!Turn.runAll())
    return false;
  if (writtenInTurnsOnly(RC, B))
    Turn.isWrittenHereOnly(B.Decl);
  for (const MappedAccess &A : Turn.accesses())
    if (A.Array == B.Decl && A.Read && A.Segment > 0 && !ofPart(RC, A) &&
        Turn.coveredByLoad(A) != Answer::Yes) {
      if (A.Where) {
        std::string What = Turn.uncovered(A);
        Stale.Notes.push_back(
            {What.empty() ? "read here" : "read here, for example " + What, A.Where->getExprLoc()});
      }
      return false;
    }
  return true;
}

/// The same in a turn of every block, or of the one that is \p Claimed: first in the way that takes
/// less time.
bool coveredInTurn(RuleContext &RC, const TileBuffer &B, bool Claimed, Refusal &Stale) {
  Refusal InPieces = Stale;
  if (coveredIn(RC, RC.turn(Claimed), B, Stale))
    return true;
  if (!RC.turn(Claimed).leavesNumbersRound())
    return false;
  if (coveredIn(RC, RC.turn(Claimed, UnsignedNumbers::InPieces), B, InPieces))
    return true;
  // An example without numbers that the source does not have.
  if (InPieces.Notes.size() == Stale.Notes.size())
    Stale = std::move(InPieces);
  return false;
}

} // namespace

bool ofPart(const RuleContext &RC, const MappedAccess &A) {
  if (!RC.F.Parts || !A.Where)
    return false;
  const RootSet Roots = rootsAt(*RC.F.Collector, A.Where);
  return !Roots.empty() &&
         all_of(Roots, [&](const MemoryRoot &R) { return RC.F.Parts->arrayOf(R.Decl); });
}

void checkCoverage(RuleContext &RC, const TileBuffer &B) {
  std::string Why;
  SourceLocation Where;
  const bool Definedness = RC.M.Loop->IsKernel || RC.OfFunction.CalledBy.Once;
  if (writesTheSameElements(RC, B, Why, Where) && Definedness)
    return;
  if (Why.empty()) {
    Why = "another call of the function may have left something in it";
    Where = RC.M.Loop->Begin;
  }
  auto [Known, New] = RC.Effort.StaleTiles.try_emplace(RC.ofInstances(B));
  if (New) {
    Refusal Stale{Reason::StaleTile, Where, {B.Decl->getNameAsString(), Why}, {}};
    if (RC.Shape.known() &&
        (RC.Shape.Exact || RC.Granted.contains("block-size"))) // which is known already
      Stale.Remedy = "Fill the rest with an else branch (zero fill), or let the compute phase "
                     "read only what is stored.";
    if (coveredBySets(RC, B, Stale)) {
      RC.Effort.StaleTiles.erase(Known);
      return;
    }
    Known->second = std::move(Stale);
  }
  RC.refuse({Known->second, Needs::SeveralBuffers});
}

bool coveredBySets(RuleContext &RC, const TileBuffer &B, Refusal &Stale) {
  if (RC.M.Loop->IsPattern)
    return false;
  if (!RC.M.Loop->IsKernel && !RC.OfFunction.CalledBy.WholeBlock) {
    Stale.Notes.push_back({"it is not shown that every thread of the block calls this function",
                           RC.M.Loop->Function->getLocation()});
    return false;
  }
  const size_t Known = Stale.Notes.size();
  bool Covered = coveredInTurn(RC, B, false, Stale);
  const bool Asks = B.Origin == BufferOrigin::Dynamic;
  if (!Covered && RC.claimed() && (Asks || RC.Granted.contains("block-size"))) {
    Refusal WithBlock = Stale;
    WithBlock.Notes.resize(Known);
    Covered = coveredInTurn(RC, B, true, WithBlock) && (Asks || RC.granted("block-size"));
    RC.BlockIsAsked |= Covered && Asks;
    Stale = std::move(WithBlock); // no example that the block size rules out
  }
  // Extents and strides that another instantiation need not have.
  if (Covered)
    RC.SetsMatter = true;
  return Covered;
}

} // namespace cuda_pipeline
