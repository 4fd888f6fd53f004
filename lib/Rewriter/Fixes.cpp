//===- Fixes.cpp - What of a rewrite a front end can offer --------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A loop by itself is the whole flow with all other loops left out; its changes are the lines that
/// differ then.
///
/// The changes of all loops together are cut up by these: lines that a loop changes by itself are
/// its own. Loops that change the same lines (a tile that several loops use, the launch of their
/// kernel) have one part, that of the first of them; an include is in the first part of all.
///
//===----------------------------------------------------------------------===//

#include "../Report/UnifiedDiff.h"
#include "cuda-pipeline/Rewriter.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace cuda_pipeline {
namespace {

bool hasRewrite(const LoopReport &L) {
  return L.Status == LoopStatus::Rewritten || L.Status == LoopStatus::Opportunity;
}

/// Of \p Loop by itself. None: nothing comes of it. \p Said: what is said of it then.
std::optional<Fix> fixOf(const LoopReport &Loop, StringRef Original, ArrayRef<ParseRequest> Units,
                         RewriteOptions Options, LoopReport *Said = nullptr) {
  Options.Lines.clear();
  Options.Begins = {{Loop.Line, Loop.Line}};
  Options.OffersText = true;
  const FileResult Alone = processFile(Units, Options);
  if (!Alone.Parsed || !Alone.Changed)
    return std::nullopt;
  for (const LoopReport &L : Alone.Report.Loops)
    if (L.Line == Loop.Line && L.Column == Loop.Column && hasRewrite(L)) {
      Fix F;
      F.Variant = L.Variant;
      F.Stages = L.Stages;
      for (const CandidateReport &C : L.Candidates)
        if (C.Variant == L.Variant && C.Stages == L.Stages)
          F.Score = C.Score;
      F.Edits = lineEdits(Original, Alone.NewContents);
      if (Said)
        *Said = L;
      return F;
    }
  return std::nullopt;
}

/// They change the same lines, or put lines in at the same place.
bool touch(const Edit &A, const Edit &B) {
  return A.Offset == B.Offset || (A.Offset < B.Offset + B.Length && B.Offset < A.Offset + A.Length);
}

bool isInclude(const Edit &E) {
  return E.Length == 0 && StringRef(E.Text).ltrim().starts_with("#include");
}

void cutUp(FileResult &Result, const std::vector<LoopReport *> &Loops,
           const std::vector<std::vector<Edit>> &Own) {
  const std::vector<Edit> All = lineEdits(Result.Original, Result.NewContents);
  std::vector<size_t> Leader(Loops.size()); // the first loop of those that have one part
  for (size_t I = 0; I < Loops.size(); ++I)
    Leader[I] = I;
  auto Find = [&](size_t I) {
    while (Leader[I] != I)
      I = Leader[I];
    return I;
  };
  std::vector<size_t> Owner(All.size());
  for (size_t K = 0; K < All.size(); ++K) {
    std::optional<size_t> Mine;
    for (size_t I = 0; I < Loops.size() && !isInclude(All[K]); ++I)
      if (any_of(Own[I], [&](const Edit &E) { return !isInclude(E) && touch(E, All[K]); })) {
        if (Mine)
          Leader[std::max(Find(*Mine), Find(I))] = std::min(Find(*Mine), Find(I));
        else
          Mine = I;
      }
    Owner[K] = Mine.value_or(0);
  }
  for (size_t K = 0; K < All.size(); ++K)
    Loops[Find(Owner[K])]->Part.push_back(All[K]);
  for (size_t I = 0; I < Loops.size(); ++I)
    if (Find(I) != I)
      Loops[I]->PartOf = Loops[Find(I)]->Line;
}

} // namespace

void offerFixes(FileResult &Result, ArrayRef<ParseRequest> Units, const RewriteOptions &Options,
                FixWishes Wishes, function_ref<bool()> Enough) {
  std::vector<LoopReport *> Loops;
  for (LoopReport &L : Result.Report.Loops)
    if (hasRewrite(L))
      Loops.push_back(&L);
  if (Loops.empty() || !Result.Changed)
    return;
  std::vector<std::vector<Edit>> Own(Loops.size());
  const bool Cut = Wishes.Together && Loops.size() > 1;
  for (size_t I = 0; I < Loops.size() && (Wishes.Alone || Wishes.Others || Cut); ++I) {
    if (Enough())
      return;
    LoopReport Said;
    std::optional<Fix> Chosen = fixOf(*Loops[I], Result.Original, Units, Options, &Said);
    if (Chosen)
      Own[I] = Chosen->Edits;
    if (Chosen && Wishes.SaidAlone)
      *Loops[I] = std::move(Said);
    if (Chosen && Wishes.Alone)
      Loops[I]->Fixes.push_back(*Chosen);
    for (Variant V : allVariants()) {
      if (!Wishes.Others || (Chosen && Chosen->Variant == toString(V)))
        continue;
      if (Enough())
        return;
      RewriteOptions Other = Options;
      Other.RequestedVariant = V;
      Other.RequestedStages = std::nullopt;
      if (std::optional<Fix> F = fixOf(*Loops[I], Result.Original, Units, Other))
        Loops[I]->Fixes.push_back(std::move(*F));
    }
  }
  if (Wishes.Together && !Cut)
    Loops.front()->Part = lineEdits(Result.Original, Result.NewContents);
  if (Cut)
    cutUp(Result, Loops, Own);
}

} // namespace cuda_pipeline
