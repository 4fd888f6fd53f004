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
  const unsigned S = P.Stages;
  std::string In = Indent + Unit;
  std::vector<const VarDecl *> Vars = splitVarsIn("async");
  std::string Body = slice(Half::Async);
  Body.insert(0, bindInLoad(In, Stage)); // what it names
  std::string Text = hoistedDeclarations();
  Text += assumptionsComment();
  Text += "// Starts the copies of one tile into a stage" + advancesOf(Half::Async) + ".\n";
  Text += Indent + lambda(LoadTile, parameters(Vars, true), Body);
  Text += declareHold(/*Branches=*/false) + "\n";
  Text += carryIn();
  Text += Indent + "// Prologue: " + (S == 2 ? "the first tile is" : stageCount(1) + " tiles are") +
          " on the way.\n";
  Text += loadStateDeclarations();
  std::string Commit =
      planted(PlantedBug::PrologueCommitMissing) ? "" : ours("__pipeline_commit") + "();";
  std::string More; // deep prologues that must not ask too often
  if (S == 2) {
    Text += guarded(Indent, firstCondition(),
                    {LoadTile + "(" + arguments(Vars, "0") + ");", Running ? stepLoadSide() : ""});
    Text += Indent + Commit + "\n";
  } else {
    const std::string Tiles = stageCount(planted(PlantedBug::PrologueTooMany) ? 0 : 1);
    std::string Into = planted(PlantedBug::PrologueOneStage) ? "0" : Stage;
    std::string First = prologueCondition();
    if (ConditionCounts) {
      // Once it does not hold it is not asked again.
      More = fresh("has_next");
      Text += Indent + "bool " + More + " = true;\n";
      First = More + " && (" + First + ")";
    }
    if (M.Loop->testsLast())
      First = Stage + " == 0 || " +
              (isComparison(M.Loop->condition()) && !ConditionCounts ? First : "(" + First + ")");
    Text +=
        Indent + "for (int " + Stage + " = 0; " + Stage + " < " + Tiles + "; ++" + Stage + ") {\n";
    if (ConditionCounts)
      Text += In + More + " = " + First + ";\n";
    Text += guarded(In, ConditionCounts ? More : First,
                    {LoadTile + "(" + arguments(Vars, Into) + ");", stepLoadSide()});
    Text += In + Commit + "\n" + Indent + "}\n";
  }
  Text += "\n" + Indent + "// Main loop: compute on one stage while the copies of " +
          (S == 2 ? "the next tile" : "later tiles") + " arrive.\n";
  Text += Indent + "int " + Stage + " = 0;\n";
  Text += mainHeader();
  InLoop = true;
  Text += barrierComment(In);
  std::string Wait = ours("__pipeline_wait_prior") + "(" +
                     stageCount(planted(PlantedBug::WaitCountHigh) ? 1 : 2) + ");";
  if (planted(PlantedBug::NoWait))
    Wait.clear();
  if (planted(PlantedBug::WaitOneThread))
    Wait = "if (threadIdx.x == 0) " + Wait;
  const std::string Barrier = barrier(barrierText(0));
  // What the one barrier is for that is left of two.
  const std::string Say =
      In +
      "// Wait for this tile's copies; the barrier also frees the stage that is filled next.\n";
  std::string Synchronise = Say + In + Wait + "\n" + In + Barrier + "\n";
  if (planted(PlantedBug::WaitAfterBarrier))
    Synchronise = In + Barrier + "\n" + In + Wait + "\n";

  std::string Fill =
      S == 2 ? Stage + " ^ 1" : Stage + " == 0 ? " + stageCount(1) + " : " + Stage + " - 1";
  if (planted(PlantedBug::SameStage))
    Fill = Stage;
  Commit = In + ours("__pipeline_commit") + "();\n";
  bool OnlyIfCopied = planted(PlantedBug::CommitIfCopied);
  if (planted(PlantedBug::CommitMissing) || OnlyIfCopied)
    Commit.clear();
  std::string Extra = OnlyIfCopied ? " " + ours("__pipeline_commit") + "();" : "";
  std::string Copies;
  if (Running) {
    if (!More.empty())
      Copies = In + More + " = " + More + " && (" + mainCondition() + ");\n";
    Copies += guarded(In, More.empty() ? mainCondition() : More,
                      {LoadTile + "(" + arguments(Vars, Fill) + ");" + Extra, stepLoadSide()});
  } else {
    Copies = In + stepToNext() + "\n";
    Copies += In + "if (" + mainCondition() + ")\n" + In + Unit + (OnlyIfCopied ? "{ " : "") +
              LoadTile + "(" + arguments(Vars, Fill) + ");" + Extra + (OnlyIfCopied ? " }" : "") +
              "\n";
  }
  Copies = planted(PlantedBug::CommitBeforeCopy) ? Commit + Copies : Copies + Commit;
  Text += planted(PlantedBug::CopyBeforeBarrier) ? Copies + Synchronise : Synchronise + Copies;
  Text += fence();
  std::string Top = bindInCompute(In) + computeTop(In) + HoldBefore;
  if (!Top.empty())
    Text += "\n" + Top;
  if (StringRef(Text).ends_with("\n"))
    Text.pop_back();
  replaceLoopHead(Text);
  const bool Late = planted(PlantedBug::StageWrapsLate);
  std::string Next = S == 2 && !Late ? Stage + " ^= 1;"
                                     : Stage + " = " + Stage + " == " + stageCount(Late ? 0 : 1) +
                                           " ? 0 : " + Stage + " + 1;";
  replaceTrailingBarrier(planted(PlantedBug::StageStuck) ? "" : Next);
  if (const std::string Back = carryBack(); !Back.empty())
    behindLoop(Back);
  else if (P.FinalBarrier && !planted(PlantedBug::NoFinalBarrier))
    finalBarrier();
  else
    behindLoop(S == 2
                   ? "// Epilogue: nothing is left to do, the last iteration started no copies."
                   : "// Epilogue: nothing is left to do, the last iterations started no copies.");
}

} // namespace cuda_pipeline
