//===- OuterLoops.cpp - Tile loops around tile loops -------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OuterLoops.h"
#include "../Report/UnifiedDiff.h"
#include "cuda-pipeline/TileModel.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace cuda_pipeline {
namespace {

/// It was refused for no other reason than that a loop in it is rewritten.
bool waitsForInner(const LoopReport &L) {
  return L.Status == LoopStatus::Refused && L.Reasons.size() == 1 &&
         L.Reasons.front().Id == Reason::NotYet &&
         StringRef(L.Reasons.front().Message).starts_with(OuterOfTwo);
}

/// Lines of one text are lines of another.
struct LineMap {
  std::vector<unsigned> To;
  /// A line that is none there is where the one in front of it is.
  void move(unsigned &Line) const {
    unsigned From = std::min<size_t>(Line, To.size() - 1);
    while (From > 0 && To[From] == 0)
      --From;
    if (Line != 0)
      Line = std::max(1u, To[From]);
  }
  void move(std::vector<PhaseReport> &Phases) const {
    for (PhaseReport &P : Phases) {
      move(P.Line);
      move(P.EndLine);
    }
  }
};

} // namespace

void addOuterLoops(
    FileResult &Result, ArrayRef<ParseRequest> Units, const RewriteOptions &Options,
    function_ref<FileResult(ArrayRef<ParseRequest>, const RewriteOptions &)> Process) {
  std::vector<LoopReport *> Outer;
  for (LoopReport &L : Result.Report.Loops)
    if (waitsForInner(L) && none_of(Options.Withheld, [&](const WithheldLoop &W) {
          return W.Line == L.Line && W.Column == L.Column;
        }))
      Outer.push_back(&L);
  if (!Result.Changed || Outer.empty())
    return;
  const LineMap Between = {matchLines(Result.Original, Result.NewContents)};
  RewriteOptions Again = Options;
  Again.Withheld.clear();
  Again.Lines.clear();
  Again.Begins.clear();
  for (const LoopReport *L : Outer) {
    const unsigned Line = L->Line < Between.To.size() ? Between.To[L->Line] : 0;
    if (Line == 0)
      return;
    Again.Begins.push_back({Line, Line});
  }
  std::vector<ParseRequest> Of(Units.begin(), Units.end());
  for (ParseRequest &Unit : Of) {
    (Unit.Edited ? Unit.EditedContents : Unit.Contents) = Result.NewContents;
    Unit.Reuse = nullptr;
    Unit.Seen = nullptr;
  }
  FileResult Then = Process(Of, Again);
  if (!Then.Parsed || !Then.Changed)
    return;
  const LineMap Back = {matchLines(Result.NewContents, Result.Original)},
                Ahead = {matchLines(Result.NewContents, Then.NewContents)};
  std::vector<std::pair<LoopReport *, LoopReport *>> Found;
  for (LoopReport &New : Then.Report.Loops) {
    if (New.InNewText.First == 0)
      continue;
    const auto Place = find_if(Again.Begins, [&](LineRange R) { return R.First == New.Line; });
    if (Place == Again.Begins.end())
      return; // nobody asked for it
    Found.push_back({Outer[Place - Again.Begins.begin()], &New});
  }
  // Those that were rewritten before have moved. Their branch is found again by its text.
  std::vector<std::pair<LoopReport *, unsigned>> Moved;
  for (LoopReport &L : Result.Report.Loops) {
    if (L.InNewText.First == 0)
      continue;
    const StringRef Text = Then.NewContents,
                    Test = StringRef(Result.NewContents)
                               .slice(L.InNewText.TestBegin, L.InNewText.TestEnd);
    const size_t At = Test.empty() ? 0 : Text.find(Test);
    if (At == StringRef::npos || (!Test.empty() && Text.find(Test, At + 1) != StringRef::npos))
      return;
    Moved.push_back({&L, unsigned(At)});
  }
  // From here on all of it is taken over.
  for (auto [L, At] : Moved) {
    Ahead.move(L->NewPhases);
    Ahead.move(L->InNewText.First);
    Ahead.move(L->InNewText.Last);
    Ahead.move(L->InNewText.Kept);
    L->InNewText.TestEnd = At + L->InNewText.TestEnd - L->InNewText.TestBegin;
    L->InNewText.TestBegin = At;
  }
  for (auto [Old, New] : Found) {
    Back.move(New->Phases);
    for (ReasonReport &R : New->Reasons)
      Back.move(R.Line);
    for (CopyReport &C : New->Copies)
      Back.move(C.Line);
    if (New->Dynamic)
      for (DynamicReport::Size &S : New->Dynamic->Sizes)
        Back.move(S.Line);
    New->Line = Old->Line;
    New->Column = Old->Column;
    New->EndLine = Old->EndLine;
    New->FunctionLine = Old->FunctionLine;
    New->FunctionEndLine = Old->FunctionEndLine;
    New->Reworded.insert(New->Reworded.begin(),
                         "it is pipelined around the loop in it, which was pipelined first");
    *Old = std::move(*New);
  }
  Result.NewContents = std::move(Then.NewContents);
  Result.RequestedVariantRefused =
      Options.RequestedVariant && any_of(Result.Report.Loops, [](const LoopReport &L) {
        return L.Status == LoopStatus::Refused &&
               none_of(L.Reasons, [](const ReasonReport &R) { return R.Id == Reason::OtherFile; });
      });
}

} // namespace cuda_pipeline
