//===- Feedback.cpp - What is loaded is not written in the loop --------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Rule 4 of docs/soundness.md, No feedback. The next tile is loaded before the compute phase of
/// this one runs, so nothing that the compute phase writes may be what the load phase reads. Two
/// pointers are taken to overlap unless they are shown not to, or the user grants `no-alias`.
///
//===----------------------------------------------------------------------===//

#include "../BeforeLoop.h"
#include "Rules.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// What would help where neither __restrict__ nor a grant does.
std::string aliasRemedy(const MemoryRoot &Written) {
  return Written.Decl ? "Store to another array than the one that the tiles are loaded from."
                      : "Store through a pointer parameter, or to an array by its name, in the "
                        "kernel itself: "
                        "what a member of an object points to is not followed everywhere.";
}

/// Of one array, with no other name: each turn loads other elements of it than the turns before
/// have stored to, as `a[t * 256 + i] = f(a[t * 256 + i])` does. (Other blocks have no part in it:
/// what they store may be loaded before or after as it is.)
bool loadsOthers(RuleContext &RC, const MemoryRoot &Array) {
  const auto *Var = dyn_cast_or_null<VarDecl>(Array.Decl);
  if (!Var || Array.In != Space::Global)
    return false;
  // What is read once, ahead, and not again where other threads may have stored: no place in the
  // tile, and no value that the compute phase has as well.
  std::set<const Expr *> Fetched;
  const auto Fetch = [&](const Expr *Source) {
    if (Source)
      Fetched.insert(stripNoOps(Source));
  };
  for (const GlobalLoad &G : RC.M.Registers.Loads)
    if (!is_contained(RC.M.SharedScalars, G.Leaf))
      Fetch(G.Access);
  for (const TileCopy &C : RC.M.Copies)
    if (!C.Through && !C.Staging)
      Fetch(C.SourceAccess);
  std::vector<const Expr *> Stores, Loads;
  // True: all of them go to the array and nowhere else.
  const auto Add = [&](const Access &A, std::vector<const Expr *> &To) {
    if (!A.Roots.count(Array))
      return true;
    To.push_back(A.Where);
    return A.Roots.size() == 1 && !A.Doubted && !A.Volatile && !A.Lasting;
  };
  for (unsigned I = 0; I < 3; ++I)
    for (const Access &A : RC.F.Segment[I].Accesses)
      if ((I == 0 ? A.Read : A.Write) && !Add(A, I == 0 ? Loads : Stores))
        return false;
  if (any_of(Loads, [&](const Expr *E) { return !E || !Fetched.count(stripNoOps(E)); }))
    return false;
  const auto In = [&](SymbolicIteration &Turn) {
    return Turn.runAll() && Turn.readsNoneOf(Var, Stores, Loads);
  };
  SymbolicIteration &Turn = RC.turn(/*Claimed=*/false);
  if (In(Turn))
    return true;
  if (!Turn.leavesNumbersRound())
    return false;
  if (In(RC.turn(/*Claimed=*/false, UnsignedNumbers::InPieces)))
    return true;
  // `for (int t = blockIdx.x; t < n; t += gridDim.x)`
  if (!Turn.neverGoesRound())
    return false;
  SymbolicIteration InOrder(RC.M, RC.Context, RC.U, RC.Shape.Exact ? RC.Shape : LaunchShape(),
                            RC.Effort, UnsignedNumbers::Any, CounterGoes::InOrder);
  return In(InOrder);
}

} // namespace

void checkFeedback(RuleContext &RC) {
  std::map<MemoryRoot, bool> Others; // of arrays that are stored to
  // What moves in front of other turns, and what goes behind the barrier that the other threads'
  // stores are behind.
  Effects Reading = RC.F.Segment[0];
  const size_t OfLoad = Reading.Accesses.size();
  Reading.append(RC.F.Init);
  Reading.append(RC.F.Condition);
  for (const Stmt *S : RC.M.MovedToCompute)
    Reading.append(RC.F.Collector->collect(S));
  for (unsigned I = 1; I < 3; ++I)
    for (const Access &W : RC.F.Segment[I].Accesses) {
      if (!W.Write)
        continue;
      for (const MemoryRoot &Written : W.Roots) {
        if (Written.In != Space::Global && Written.In != Space::Unknown)
          continue;
        for (const Access &R : Reading.Accesses) {
          if (!R.Read)
            continue;
          for (const MemoryRoot &Read : R.Roots) {
            if (Read.In != Space::Global && Read.In != Space::Unknown)
              continue;
            if (!mayAlias(Written, Read))
              continue;
            // The same pointer, or one of unknown origin, is beyond what the user can grant by
            // saying that different pointers do not overlap.
            bool Grantable = Written.Decl && Read.Decl && Written.Decl != Read.Decl;
            if (Grantable && (R.Lasting || RC.granted("no-alias")))
              continue;
            if (Written.Decl && Written.Decl == Read.Decl &&
                size_t(&R - Reading.Accesses.data()) < OfLoad) {
              auto [Known, New] = Others.try_emplace(Written, false);
              if (New)
                Known->second = loadsOthers(RC, Written);
              if (Known->second)
                continue;
            }
            Refusal Why{Reason::MayAlias, W.Loc, {quotedNameOf(Written), quotedNameOf(Read)}, {}};
            Why.Notes.push_back({"loaded here", R.Loc});
            if (W.Doubted)
              Why.Notes.push_back({"no write is seen: '" + W.Doubted->getQualifiedNameAsString() +
                                       "' is not seen to leave its object alone",
                                   W.Loc});
            if (!Grantable)
              Why.Remedy = aliasRemedy(Written);
            RC.refuse({std::move(Why), Needs::Everything});
            return;
          }
        }
        // A store through an unknown pointer may also hit a tile.
        if (!Written.Decl && Written.In != Space::Global) {
          RC.refuse({{Reason::MayAlias,
                      W.Loc,
                      {quotedNameOf(Written), "the tiles"},
                      {},
                      aliasRemedy(Written)},
                     Needs::Everything});
          return;
        }
      }
    }
}

} // namespace cuda_pipeline
