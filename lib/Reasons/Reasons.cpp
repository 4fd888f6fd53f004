//===- Reasons.cpp - The registry of reasons -----------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/Reasons.h"
#include <algorithm>
#include <cassert>

using namespace llvm;

namespace cuda_pipeline {

static const ReasonInfo Infos[] = {
#define CPR_REASON(Name, Id, Rule, Message, Remedy, Text, Before, After)                           \
  {Reason::Name, #Name, Id, Rule, Message, Remedy, Text, Before, After},
#include "cuda-pipeline/Reasons.def"
};

static const AssumptionInfo Assumptions[] = {
#define CPR_ASSUMPTION(Id, How, Words, Text) {AssumptionInfo::How, Id, Words, Text},
#include "cuda-pipeline/Assumptions.def"
};

ArrayRef<AssumptionInfo> allAssumptions() { return Assumptions; }

const AssumptionInfo *assumptionFromId(StringRef Id) {
  for (const AssumptionInfo &A : Assumptions)
    if (A.Id == Id)
      return &A;
  return nullptr;
}

ArrayRef<ReasonInfo> allReasons() { return Infos; }

const ReasonInfo &info(Reason R) {
  const ReasonInfo &I = Infos[static_cast<unsigned>(R)];
  assert(I.Value == R && "the registry is in the order of the enumeration");
  return I;
}

std::optional<Reason> reasonFromId(StringRef Id) {
  for (const ReasonInfo &I : Infos)
    if (I.Id == Id)
      return I.Value;
  return std::nullopt;
}

std::optional<StringRef> nearestReasonId(StringRef Id) {
  // A third of the letters may be wrong, as in Clang's own suggestions.
  unsigned Best = std::max<size_t>(1, Id.size() / 3) + 1;
  std::optional<StringRef> Nearest;
  std::string Lower = Id.lower();
  for (const ReasonInfo &I : Infos) {
    unsigned Distance = StringRef(Lower).edit_distance(I.Id, /*AllowReplacements=*/true, Best);
    if (Distance < Best) {
      Best = Distance;
      Nearest = I.Id;
    }
  }
  return Nearest;
}

StringRef ruleTitle(unsigned Rule) {
  static constexpr StringLiteral Titles[] = {
      "Source text",     "Shape",
      "Copies",          "Coverage",
      "No feedback",     "Tiles are read-only",
      "Around the loop", "It still launches",
      "Barriers",        "No speculation",
      "No side effects", "Block size",
      "Templates",       "Architectures",
  };
  static_assert(std::size(Titles) == LastRule + 1);
  return Rule <= LastRule ? StringRef(Titles[Rule]) : StringRef();
}

std::string formatReason(Reason R, ArrayRef<std::string> Args) {
  std::string Out;
  StringRef Pattern = info(R).Message;
  while (!Pattern.empty()) {
    auto [Literal, Rest] = Pattern.split('{');
    Out += Literal;
    if (Literal.size() == Pattern.size())
      break;
    // "{N}"; any other brace is text. Arguments are inserted as they are, never scanned again.
    size_t Close = Rest.find('}');
    unsigned Index = 0;
    if (Close == StringRef::npos || Rest.take_front(Close).getAsInteger(10, Index)) {
      Out += '{';
      Pattern = Rest;
      continue;
    }
    if (Index < Args.size())
      Out += Args[Index];
    Pattern = Rest.drop_front(Close + 1);
  }
  return Out;
}

} // namespace cuda_pipeline
