//===- Races.cpp - Two threads store different data to one element -----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Rule 1 of docs/soundness.md, Shape: a race in the original leaves nothing that a rewritten loop
/// could agree with. Two threads write one element of a tile, and not the same value, so which one
/// stays is not defined; it is said only where it is certain for the block that is launched.
///
//===----------------------------------------------------------------------===//

#include "../../Model/AstUtil.h"
#include "Rules.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

void checkRaces(RuleContext &RC) {
  bool Claim =
      RC.Shape.Origin == ShapeOrigin::CommandLine || RC.Shape.Origin == ShapeOrigin::Launch;
  if (!RC.Shape.known() || !(RC.Shape.Exact || Claim) || RC.M.Loop->IsPattern)
    return;
  if (RC.M.FillNested)
    return; // its barriers order what it stores
  // The turn of any block is run anyway, for the other questions.
  SymbolicIteration *Turn = &RC.turn(false);
  if (!Turn->runLoad() || !Turn->holdsForEveryBlock())
    Turn = &RC.turn(true);
  if (!Turn->runLoad())
    return;
  std::map<const Expr *, const Expr *> Sources;
  for (const TileCopy &C : RC.M.Copies)
    Sources.try_emplace(stripNoOps(C.Destination),
                        C.Converted || C.Sources.size() > 1 ? nullptr : C.SourceAccess);
  auto SourceOf = [&](const Expr *Store) -> const Expr * {
    auto It = Sources.find(stripNoOps(Store));
    return It == Sources.end() ? nullptr : It->second;
  };
  for (const auto &B : RC.M.Buffers)
    if (std::optional<SymbolicIteration::Race> Race = Turn->race(B->Decl, SourceOf, RC.Shape)) {
      std::string Block =
          (Twine(RC.Shape.X) + " x " + Twine(RC.Shape.Y) + " x " + Twine(RC.Shape.Z)).str();
      Refusal Why{
          Reason::RacingStores, Race->Second->Where->getExprLoc(), {Race->Element, Block}, {}};
      if (Race->First != Race->Second)
        Why.Notes.push_back({"and here", Race->First->Where->getExprLoc()});
      RC.refuse({std::move(Why), Needs::Everything});
    }
}

} // namespace cuda_pipeline
