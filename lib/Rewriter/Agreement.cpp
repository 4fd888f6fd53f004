//===- Agreement.cpp - What all readings of a file agree on --------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Agreement.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace cuda_pipeline {

namespace {

/// It stands for a function that could not be looked at, and not for a loop.
bool isDoubt(const LoopOutcome &L) {
  return any_of(L.Report.Reasons, [](const ReasonReport &R) { return R.Id == Reason::FileErrors; });
}

const LoopOutcome *doubtAround(const LoopOutcome &L, ArrayRef<LoopOutcome> Other) {
  auto It = find_if(Other, [&](const LoopOutcome &O) {
    return isDoubt(O) && O.Report.Line <= L.Report.Line && L.Report.Line <= O.Report.EndLine;
  });
  return It == Other.end() ? nullptr : &*It;
}

/// A loop that one translation unit has no use for: another one may say more.
bool saysNothing(const LoopOutcome &L) {
  return L.Report.Status == LoopStatus::Refused &&
         all_of(L.Report.Reasons,
                [](const ReasonReport &R) { return R.Id == Reason::NotInstantiated; });
}

/// The calls of a loop that two translation units would both write out; they have to be the same.
void addMeanings(LoopOutcome &To, const LoopOutcome &From) {
  bool Same = To.Calls.size() == From.Calls.size();
  for (size_t I = 0; Same && I < To.Calls.size(); ++I) {
    Same = To.Calls[I].Offset == From.Calls[I].Offset && To.Calls[I].Text == From.Calls[I].Text;
    To.Calls[I].Meanings.insert(From.Calls[I].Meanings.begin(), From.Calls[I].Meanings.end());
    To.Calls[I].PinsArguments |= From.Calls[I].PinsArguments;
  }
  if (!Same)
    To.Calls.clear();
}

} // namespace

ReasonReport &takeBack(LoopOutcome &L, Reason Id, const std::string &What, std::string Remedy) {
  L.List.clear();
  L.Headers.clear();
  L.Grown.clear();
  L.Report.Dynamic.reset();
  L.Report.Status = LoopStatus::Refused;
  L.Report.Variant.clear();
  L.Report.Stages = 0;
  L.Report.Assumptions.clear(); // they were those of the rewrite
  ReasonReport R;
  R.Id = Id;
  R.Message = formatReason(Id, {What});
  R.Remedy = std::move(Remedy);
  R.Line = L.Report.Line;
  R.Column = L.Report.Column;
  L.Report.Reasons.push_back(std::move(R));
  return L.Report.Reasons.back();
}

void disagree(LoopOutcome &L, const std::string &What, const LoopOutcome *Other, StringRef Name) {
  ReasonReport &R =
      takeBack(L, Reason::ArchsDisagree, What, info(Reason::ArchsDisagree).Remedy.str());
  if (Other)
    for (const ReasonReport &O : Other->Report.Reasons)
      if (O.Id != Reason::ArchsDisagree)
        R.Notes.push_back({(Name + ": " + O.Message).str(), O.Line, O.Column});
}

bool compareConfigurations(std::vector<LoopOutcome> &First, const std::vector<LoopOutcome> &Other,
                           StringRef Name) {
  bool Agree = true;
  for (LoopOutcome &L : First) {
    auto It = find_if(Other, [&](const LoopOutcome &O) {
      return O.Report.Line == L.Report.Line && O.Report.Column == L.Report.Column;
    });
    bool Same = It != Other.end() && It->List == L.List && It->Report.Status == L.Report.Status;
    if (It == Other.end() || !(It->Gathered == L.Gathered))
      L.Gathered = GatheredLoads();
    if (It == Other.end() || !(It->Reworded == L.Reworded))
      L.Reworded = Rewording();
    if (It == Other.end() || !(It->Relaid == L.Relaid))
      L.Relaid = Rewording();
    erase_if(L.Available,
             [&](Variant V) { return It == Other.end() || !is_contained(It->Available, V); });
    if (It == Other.end() || It->Calls.size() != L.Calls.size())
      L.Calls.clear();
    for (size_t I = 0; I < L.Calls.size(); ++I) {
      if (L.Calls[I].Offset != It->Calls[I].Offset || L.Calls[I].Text != It->Calls[I].Text) {
        L.Calls.clear();
        break;
      }
      L.Calls[I].Meanings.insert(It->Calls[I].Meanings.begin(), It->Calls[I].Meanings.end());
      L.Calls[I].PinsArguments |= It->Calls[I].PinsArguments;
    }
    if (Same || L.List.empty())
      continue;
    const LoopOutcome *Why = It == Other.end() ? doubtAround(L, Other) : &*It;
    Agree &= It == Other.end() || It->Report.Status == LoopStatus::Refused;
    disagree(L,
             It == Other.end() ? ("the loop is not there for " + Name).str()
             : It->Report.Status == LoopStatus::Refused
                 ? ("it is refused for " + Name).str()
                 : ("another rewrite is needed for " + Name).str(),
             Why, Name);
  }
  // A loop that only this configuration has must not stay unmentioned.
  for (const LoopOutcome &O : Other)
    if (!isDoubt(O) && none_of(First, [&](const LoopOutcome &L) {
          return O.Report.Line == L.Report.Line && O.Report.Column == L.Report.Column;
        })) {
      LoopOutcome Copy = O;
      Copy.Gathered = GatheredLoads();
      Copy.Reworded = Copy.Relaid = Rewording();
      Copy.Calls.clear();
      if (!O.List.empty())
        disagree(Copy, ("the loop is there for " + Name + " only").str(), nullptr, Name);
      First.push_back(std::move(Copy));
    }
  return Agree;
}

bool mergeUnits(std::vector<LoopOutcome> &All, std::vector<LoopOutcome> Other, StringRef File) {
  bool Agree = true;
  for (LoopOutcome &O : Other) {
    auto It = find_if(All, [&](const LoopOutcome &L) {
      return O.Report.Line == L.Report.Line && O.Report.Column == L.Report.Column;
    });
    if (It != All.end() && !saysNothing(*It) && !saysNothing(O) && !(It->Gathered == O.Gathered))
      It->Gathered = O.Gathered = GatheredLoads();
    if (It != All.end() && !saysNothing(*It) && !saysNothing(O) && !(It->Reworded == O.Reworded))
      It->Reworded = O.Reworded = Rewording();
    if (It != All.end() && !saysNothing(*It) && !saysNothing(O) && !(It->Relaid == O.Relaid))
      It->Relaid = O.Relaid = Rewording();
    if (It != All.end() && !saysNothing(*It) && !saysNothing(O)) {
      erase_if(It->Available, [&](Variant V) { return !is_contained(O.Available, V); });
      O.Available = It->Available;
    }
    if (It == All.end()) {
      All.push_back(std::move(O));
    } else if (!It->Calls.empty() && !O.Calls.empty()) {
      addMeanings(*It, O);
    } else if (saysNothing(*It) ||
               (!It->List.empty() && O.Report.Status == LoopStatus::Refused && !saysNothing(O))) {
      *It = std::move(O);
    } else if (!saysNothing(O) && !It->List.empty() &&
               (It->List != O.List || It->Report.Status != O.Report.Status)) {
      Agree = false;
      takeBack(*It, Reason::InstantiationsDisagree, ("another one in '" + File + "'").str(),
               "Name one of the files that include it at a time, if that one has all that is "
               "instantiated.");
    }
  }
  return Agree;
}

} // namespace cuda_pipeline
