//===- Legality.cpp - Applies the soundness rules -------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/Legality.h"
#include "PoolParts.h"
#include "Rules/Rules.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// What is written has lambdas and `auto`.
void checkLanguage(RuleContext &RC) {
  if (!RC.Context.getLangOpts().CPlusPlus11)
    RC.refuse({{Reason::NotYet, RC.M.Loop->Begin, {"a standard of C++ before C++11"}, {}},
               Needs::Everything});
}

/// All of them, in the order in which the report has what they find.
constexpr void (*Rules[])(RuleContext &) = {
    checkLanguage,
    checkControl,             // rule 1
    checkRaces,               // rule 1
    checkFeedback,            // rule 4
    checkCoResidence,         // rule 7
    checkEntryBarrier,        // rule 8
    checkFinalBarrier,        // rules 6 and 8
    checkBuffers,             // rules 3, 5, 6 and 7, of each tile
    checkBehindBarrier,       // rule 8
    checkRegisters,           // rule 2
    checkAsyncCopies,         // rule 2
    checkMixed,               // rule 2
    checkBlockSize,           // rule 11
    checkPrologue,            // rule 8
    checkTemplates,           // rule 12
    checkUnseenDynamicMemory, // rule 7
};

} // namespace

bool allows(Variant V, unsigned Stages, ArrayRef<Finding> Findings) {
  const Needs All = needs(V, Stages);
  return none_of(Findings, [&](const Finding &F) { return any(F.Blocks & All); });
}

/// What blocks one of \p These and none of \p Before.
static std::vector<Refusal> refusals(ArrayRef<Finding> Findings, Needs These, Needs Before,
                                     bool Repeats) {
  std::vector<Refusal> Out;
  for (const Finding &F : Findings)
    if (any(F.Blocks & These) && !any(F.Blocks & Before) && (Repeats || !F.Repeats))
      Out.push_back(F.Why);
  return Out;
}

std::vector<Refusal> Legality::common() const {
  return refusals(Findings, Needs::Everything, Needs(), true);
}

std::vector<Refusal> Legality::of(Variant V) const {
  return refusals(Findings, needs(V, info(V).Least), Needs::Everything, info(V).Least == 1);
}

std::vector<Refusal> Legality::of(Variant V, unsigned Stages) const {
  std::vector<Refusal> Out = common();
  append_range(Out, of(V));
  append_range(Out, refusals(Findings, needs(V, Stages), needs(V, info(V).Least), false));
  return Out;
}

Legality checkLegality(const TileModel &Model, ASTContext &Context, const StringSet<> &Granted,
                       const LaunchShape &Shape, SharedEffort *Effort, const OtherLoops &Others) {
  if (!Model.understood()) {
    Legality L;
    for (const Refusal &R : Model.Refusals)
      L.Findings.push_back({R, Needs::Everything});
    return L;
  }
  SharedEffort Own;
  RuleContext RC(Model, Context, Granted, Shape, Effort ? *Effort : Own, Others);
  for (auto *Check : Rules)
    Check(RC);
  // Of what the loop does with the rest of a tile's array.
  const bool OfTiles = any_of(RC.L.Findings, [](const Finding &F) {
    return is_contained(
        {Reason::TileWritten, Reason::TileUsedOutside, Reason::StaleTile, Reason::LoadReadsShared},
        F.Why.Why);
  });
  if (OfTiles && !RC.F.Parts && !RC.isBlocked(Needs::Everything))
    RC.L.Parts = findParts(RC);
  return std::move(RC.L);
}

void printAccessMaps(const TileModel &Model, ASTContext &Context, const LaunchShape &Shape,
                     raw_ostream &OS) {
  if (!Model.Facts || !Model.Facts->Collector || Model.Loop->IsPattern)
    return;
  Uniformity U(Context, *Model.Facts->Collector, Model.Loop->Function);
  SharedEffort Effort;
  SymbolicIteration Turn(Model, Context, U, Shape.Exact ? Shape : LaunchShape(), Effort);
  bool Followed = Turn.runAll();
  Turn.print(OS);
  if (!Followed)
    OS << "  the rest is not followed\n";
}

} // namespace cuda_pipeline
