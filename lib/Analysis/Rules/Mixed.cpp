//===- Mixed.cpp - Each copy by the way that it allows -----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Rule 2 of docs/soundness.md, Copies, where some of a loop's copies go by cp.async and the others
/// by registers. Each copy meets the requirements of its own way, so the load phase is cut once
/// more, with the asynchronous copies left whole.
///
//===----------------------------------------------------------------------===//

#include "../../Model/AstUtil.h"
#include "Rules.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// The fetch can start the copy where it stands: cp.async can do it, and it changes nothing but the
/// tile.
bool canBeAsync(const RuleContext &RC, const TileCopy &C) {
  return !C.IsFill && !RC.L.Direct.count(C.Store->getExprLoc()) &&
         !RC.Overlapping.count(C.Buffer) &&
         none_of(RC.L.Findings,
                 [&](const Finding &Known) {
                   return any(Known.Blocks & Needs::AsyncBytes) && Known.Why.Copy == C.Store;
                 }) &&
         none_of(RC.F.Collector->collect(C.Store).Accesses, [](const Access &A) {
           return A.Write &&
                  any_of(A.Roots, [](const MemoryRoot &R) { return R.In != Space::Shared; });
         });
}

} // namespace

void checkMixed(RuleContext &RC) {
  constexpr Needs ForMixed = Needs::SeveralBuffers | Needs::Mixing;
  // The narrow ones are quicker by registers (docs/choice.md), where there are wider ones.
  uint64_t Widest = 0;
  for (const TileCopy &C : RC.M.Copies)
    if (canBeAsync(RC, C))
      Widest = std::max(Widest, C.AsyncBytes);
  std::set<const Expr *> Async;
  for (const TileCopy &C : RC.M.Copies)
    if (C.AsyncBytes == Widest && canBeAsync(RC, C))
      Async.insert(C.Store);
  // What goes through a variable is loaded once, for all copies that it goes to.
  for (const TileCopy &C : RC.M.Copies)
    if (C.Staging && any_of(RC.M.Copies, [&](const TileCopy &Other) {
          return Other.Staging == C.Staging && !Async.count(Other.Store);
        }))
      Async.erase(C.Store);
  if (Async.empty()) {
    // What keeps each of them from it leaves nothing to divide.
    for (Finding &Known : RC.L.Findings)
      if (any(Known.Blocks & Needs::AsyncBytes) && !RC.isSaid(Known.Why, ForMixed))
        Known.Blocks |= Needs::Mixing;
    return;
  }
  if (all_of(RC.M.Copies, [&](const TileCopy &C) {
        return C.IsFill || Async.count(C.Store) != 0 ||
               RC.L.Direct.count(C.Store->getExprLoc()) != 0;
      })) {
    RC.refuse({{Reason::NothingToMix, RC.M.Loop->Begin, {}, {}}, Needs::Mixing});
    return;
  }
  std::set<const Expr *> Whole = Async;
  for (const TileCopy &C : RC.M.Copies)
    if (RC.L.Direct.count(C.Store->getExprLoc()))
      Whole.insert(C.Store);
  auto Cut = std::make_shared<FetchStore>(cutFetchAndStore(RC.M, RC.Context, Whole));
  for (const std::vector<Refusal> &Why : {Cut->Refusals, Cut->RefusalsAhead})
    for (const Refusal &R : Why)
      RC.refuseOnce({R, Needs::Mixing}, ForMixed);
  for (const Expr *Store : Async)
    RC.L.MixedAsync.insert(Store->getExprLoc());
  RC.L.MixedCut = std::move(Cut);
}

} // namespace cuda_pipeline
