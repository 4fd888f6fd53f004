//===- Fixes.cpp - What of a rewrite a front end can offer --------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A loop by itself is the whole flow with all other loops left out; its changes are the lines that
/// differ then. Loops of different functions are read together, as what is done for one of them is
/// nothing to the others, and what comes of it is cut into what is done for each.
///
/// The changes of all loops together are cut up by these: lines that a loop changes by itself are
/// its own. Loops that change the same lines (a tile that several loops use, the launch of their
/// kernel) have one part, that of the first of them; an include is in the first part of all.
///
//===----------------------------------------------------------------------===//

#include "../Report/UnifiedDiff.h"
#include "../Support/Lines.h"
#include "cuda-pipeline/Edits.h"
#include "cuda-pipeline/Rewriter.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace cuda_pipeline {
namespace {

bool hasRewrite(const LoopReport &L) {
  return L.Status == LoopStatus::Rewritten || L.Status == LoopStatus::Opportunity;
}

/// A fix, and what the report says of the loop with it.
struct LoopFix {
  Fix Of;
  LoopReport Said;
};

const LoopReport *find(const FileResult &In, const LoopReport &Loop) {
  const auto It = find_if(In.Report.Loops, [&](const LoopReport &L) {
    return L.Line == Loop.Line && L.Column == Loop.Column && L.Kernel == Loop.Kernel &&
           hasRewrite(L);
  });
  return It == In.Report.Loops.end() ? nullptr : &*It;
}

LoopFix makeFix(const LoopReport &L, std::vector<Edit> Edits) {
  Fix F;
  F.Variant = L.Variant;
  F.Stages = L.Stages;
  for (const CandidateReport &C : L.Candidates)
    if (C.Variant == L.Variant && C.Stages == L.Stages)
      F.Score = C.Score;
  F.Edits = std::move(Edits);
  return {std::move(F), L};
}

FileResult withThese(ArrayRef<const LoopReport *> Loops, ArrayRef<ParseRequest> Units,
                     RewriteOptions Options) {
  Options.Lines.clear();
  Options.Begins.clear();
  for (const LoopReport *L : Loops)
    Options.Begins.push_back({L->Line, L->Line});
  Options.OffersText = true;
  return processFile(Units, Options);
}

/// Of \p Loop by itself. None: nothing comes of it.
std::optional<LoopFix> fixOf(const LoopReport &Loop, ArrayRef<ParseRequest> Units,
                             const RewriteOptions &Options) {
  const FileResult Alone = withThese({&Loop}, Units, Options);
  const LoopReport *L = Alone.Parsed && Alone.Changed ? find(Alone, Loop) : nullptr;
  if (!L)
    return std::nullopt;
  return makeFix(*L, lineEdits(Alone.Original, Alone.NewContents));
}

/// The same of loops in functions of their own, from one reading of all: what is done for one
/// changes lines of its function, and what is included. None where anything else is changed: then
/// it is not known for which of them.
std::optional<std::vector<std::optional<LoopFix>>> fixesOf(ArrayRef<const LoopReport *> Loops,
                                                           ArrayRef<ParseRequest> Units,
                                                           const RewriteOptions &Options) {
  for (size_t I = 1; I < Loops.size(); ++I)
    for (size_t K = 0; K < I; ++K)
      // One place may have several loops (InlineCalls.h), which are only to be had together.
      if (!Loops[I]->FunctionLine || !Loops[K]->FunctionLine ||
          (Loops[I]->Line == Loops[K]->Line && Loops[I]->Column == Loops[K]->Column) ||
          (Loops[I]->FunctionLine <= Loops[K]->FunctionEndLine &&
           Loops[K]->FunctionLine <= Loops[I]->FunctionEndLine))
        return std::nullopt;
  const FileResult All = withThese(Loops, Units, Options);
  std::vector<std::optional<LoopFix>> Out(Loops.size());
  if (!All.Parsed || !All.Changed)
    return Out;
  const LineTable Lines(All.Original);
  const std::vector<Edit> Changes = lineEdits(All.Original, All.NewContents);
  std::vector<Edit> Own;
  std::vector<std::string> Headers;
  for (size_t I = 0; I < Loops.size(); ++I) {
    const LoopReport *L = find(All, *Loops[I]);
    if (!L)
      continue;
    std::vector<Edit> Of;
    copy_if(Changes, std::back_inserter(Of), [&](const Edit &E) {
      const unsigned First = Lines.lineOf(E.Offset);
      return L->FunctionLine < First && First <= L->FunctionEndLine &&
             Lines.lineOf(E.Offset + (E.Length ? E.Length - 1 : 0)) <= L->FunctionEndLine;
    });
    for (const std::string &H : L->Headers)
      if (!is_contained(Headers, H))
        Headers.push_back(H);
    append_range(Own, Of);
    Out[I] = makeFix(*L, lineEdits(All.Original, applyEdits(All.Original, std::move(Of), L->Headers,
                                                            All.MacrosInTheWay)));
  }
  llvm::sort(Own, [](const Edit &A, const Edit &B) { return A.Offset < B.Offset; });
  if (applyEdits(All.Original, std::move(Own), Headers, All.MacrosInTheWay) != All.NewContents)
    return std::nullopt;
  return Out;
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
  const bool Cut = Wishes.Together && Loops.size() > 1;
  std::vector<std::vector<Edit>> Own(Loops.size());
  std::vector<std::string> Chosen(Loops.size());
  // As it was chosen, then by each variant.
  std::vector<std::optional<Variant>> Ways;
  if (Wishes.Alone || Wishes.Others || Cut)
    Ways.push_back(std::nullopt);
  if (Wishes.Others)
    append_range(Ways, allVariants());
  for (const std::optional<Variant> &By : Ways) {
    RewriteOptions Of = Options;
    if (By) {
      Of.RequestedVariant = By;
      Of.RequestedStages = std::nullopt;
    }
    std::vector<size_t> Wanted;
    std::vector<const LoopReport *> Asked;
    for (size_t I = 0; I < Loops.size(); ++I)
      if (!By || Chosen[I] != toString(*By)) {
        Wanted.push_back(I);
        Asked.push_back(Loops[I]);
      }
    if (Enough())
      return;
    std::optional<std::vector<std::optional<LoopFix>>> Together;
    if (Asked.size() > 1)
      Together = fixesOf(Asked, Units, Of);
    for (size_t K = 0; K < Wanted.size(); ++K) {
      if (Enough())
        return;
      LoopReport &Loop = *Loops[Wanted[K]];
      std::optional<LoopFix> F = Together ? std::move((*Together)[K]) : fixOf(Loop, Units, Of);
      if (!F)
        continue;
      if (By) {
        Loop.Fixes.push_back(std::move(F->Of));
        continue;
      }
      Chosen[Wanted[K]] = F->Of.Variant;
      Own[Wanted[K]] = F->Of.Edits;
      if (Wishes.SaidAlone)
        Loop = std::move(F->Said);
      if (Wishes.Alone)
        Loop.Fixes.push_back(std::move(F->Of));
    }
  }
  if (Wishes.Together && !Cut)
    Loops.front()->Part = lineEdits(Result.Original, Result.NewContents);
  if (Cut)
    cutUp(Result, Loops, Own);
}

} // namespace cuda_pipeline
