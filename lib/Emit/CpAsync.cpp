//===- CpAsync.cpp - The variant cp-async ---------------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A ring of `stages` buffers, one barrier per iteration:
///
///   prologue   start the copies of the first stages-1 tiles, one commit group each, also empty
///   ones main loop  wait for the oldest group, barrier, start the copy of the tile that is
///   stages-1
///              ahead, compute
///
/// The barrier does two things: what every thread's copies brought is visible to all, and all
/// threads are done with the buffer that is filled next (it was computed on in the iteration
/// before). Committing empty groups keeps the wait count right in the last iterations, for any trip
/// count.
///
//===----------------------------------------------------------------------===//

#include "Emitter.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

static bool isComparison(const Expr *E) {
  const auto *Op = dyn_cast<BinaryOperator>(E->IgnoreImpCasts());
  return Op && (Op->isRelationalOp() || Op->isEqualityOp());
}

void Emitter::emitAsync() {
  const bool Two = P.Stages == 2;
  const std::string In = Indent + Unit, &Stage = Loop.Stage;
  const std::vector<const VarDecl *> Vars = splitVarsIn(Half::Async);
  const std::string Body = slice(Half::Async);
  LoopPart Load = sliceFunction(LoadTile, parameters(Vars, true), bindInLoad(), Body);
  auto LoadInto = [&](Slot Of) { return LoopPart::call(LoadTile, Of, arguments(Vars)); };

  addText(Loop.Front, asLines(hoistedDeclarations()));
  addText(Loop.Front, asLines(assumptionsComment()));
  Loop.Front.push_back(LoopPart::comment("Starts the copies of one tile into a stage" +
                                         advancesOf(Half::Async) + "."));
  Loop.Front.push_back(std::move(Load));
  add(Loop.Front, declareHold(/*Branches=*/false));
  Loop.Front.push_back(LoopPart::blank());

  LoopParts &Prologue = Loop.Prologue;
  add(Prologue, carryIn());
  Prologue.push_back(LoopPart::comment(
      "Prologue: " + (Two ? "the first tile is" : Loop.count(1) + " tiles are") + " on the way."));
  addText(Prologue, loadStateDeclarations());
  std::string More; // deep prologues that must not ask too often
  if (Two) {
    LoopParts First = {LoadInto(Slot::number(0))};
    if (Running)
      add(First, stepPart());
    add(Prologue, onlyIf(firstCondition(), std::move(First)));
    Prologue.push_back(LoopPart::commit());
  } else {
    LoopPart Each;
    Each.What = LoopPart::Kind::ForStages;
    Each.Less = 1;
    std::string First = condition();
    if (ConditionCounts) {
      // Once it does not hold it is not asked again.
      More = fresh("has_next");
      Prologue.push_back(LoopPart::ask("bool ", More, "true"));
      First = More + " && (" + First + ")";
    }
    if (M.Loop->testsLast())
      First = Stage + " == 0 || " +
              (isComparison(M.Loop->condition()) && !ConditionCounts ? First : "(" + First + ")");
    if (ConditionCounts)
      Each.Body.push_back(LoopPart::ask("", More, First));
    LoopParts Tile = {LoadInto(Slot::current())};
    add(Tile, stepPart());
    Each.Body.push_back(LoopPart::onlyIf(ConditionCounts ? More : First, std::move(Tile)));
    Each.Body.push_back(LoopPart::commit());
    Prologue.push_back(std::move(Each));
  }
  Prologue.push_back(LoopPart::blank());
  Prologue.push_back(LoopPart::comment("Main loop: compute on one stage while the copies of " +
                                       std::string(Two ? "the next tile" : "later tiles") +
                                       " arrive."));
  Prologue.push_back(LoopPart::text(Indent + "int " + Stage + " = 0;\n"));
  Loop.Header = mainHeader();

  InLoop = true;
  LoopParts &Top = Loop.Top;
  addText(Top, barrierComment(In));
  // What the one barrier is for that is left of two.
  Top.push_back(LoopPart::comment(
      "Wait for this tile's copies; the barrier also frees the stage that is filled next."));
  Top.push_back(LoopPart::wait());
  Top.push_back(LoopPart::barrier(barrierText(0)));
  LoopParts Copies;
  if (!Running)
    Top.push_back(stepToNext());
  std::string Condition = condition();
  if (!More.empty()) {
    Top.push_back(LoopPart::ask("", More, More + " && (" + Condition + ")"));
    Condition = More;
  }
  Copies.push_back(LoadInto(Slot::ahead(P.Stages - 1)));
  if (Running)
    add(Copies, stepPart());
  Top.push_back(LoopPart::onlyIf(std::move(Condition), std::move(Copies)));
  Top.push_back(LoopPart::commit());
  addText(Top, fence());
  topOfCompute();
  Loop.Tail.push_back(LoopPart::advance());
  Loop.Behind = carryBack();
  if (!Loop.Behind.empty())
    return;
  if (P.FinalBarrier)
    Loop.Behind = {LoopPart::comment("Epilogue: all threads are done with the last tile before "
                                     "shared memory is used again."),
                   LoopPart::barrier(barrierText(1))};
  else
    Loop.Behind = {LoopPart::comment(
        Two ? "Epilogue: nothing is left to do, the last iteration started no copies."
            : "Epilogue: nothing is left to do, the last iterations started no copies.")};
}

} // namespace cuda_pipeline
