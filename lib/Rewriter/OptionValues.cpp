//===- OptionValues.cpp - Options as users write them -------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The command line (`--stages=3`) and clang-tidy's configuration (`Stages: 3`) say the same in the
/// same words, and hear the same of what is wrong with it.
///
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/NoLint.h"
#include "cuda-pipeline/Rewriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace cuda_pipeline {

static Error expected(const Twine &What) {
  return createStringError(inconvertibleErrorCode(), "expected " + What);
}

static Error setBlockSize(RewriteOptions &O, StringRef Value) {
  SmallVector<StringRef, 3> Parts;
  Value.split(Parts, 'x');
  unsigned N[3] = {1, 1, 1};
  bool Good = Parts.size() <= 3;
  for (size_t D = 0; Good && D != Parts.size(); ++D)
    Good = !Parts[D].getAsInteger(10, N[D]) && N[D] >= 1 && N[D] <= 1024;
  // CUDA's own limits; a larger block never launches.
  if (!Good || N[2] > 64 || uint64_t(N[0]) * N[1] * N[2] > 1024)
    return expected("X, XxY or XxYxZ, at most 1024 threads");
  O.BlockSize.X = N[0];
  O.BlockSize.Y = N[1];
  O.BlockSize.Z = N[2];
  O.BlockSize.Origin = ShapeOrigin::CommandLine;
  return Error::success();
}

Error setOption(RewriteOptions &O, StringRef Name, StringRef Value) {
  if (Name == "variant") {
    O.RequestedVariant = variantFromString(Value);
    return O.RequestedVariant || Value == "auto"
               ? Error::success()
               : expected("auto, cp-async, ldg, ldg-single or mixed");
  }
  if (Name == "stages") {
    unsigned N = 0;
    O.RequestedStages = std::nullopt;
    if (Value == "auto")
      return Error::success();
    if (Value.getAsInteger(10, N) || N < 2 || N > 8)
      return expected("auto or a number from 2 to 8");
    O.RequestedStages = N;
    return Error::success();
  }
  if (Name == "assume") {
    if (const AssumptionInfo *A = assumptionFromId(Value); !A || A->How == AssumptionInfo::Option) {
      std::string Known;
      for (const AssumptionInfo &K : allAssumptions())
        if (K.How != AssumptionInfo::Option)
          Known += (Known.empty() ? "" : ", ") + K.Id.str();
      return expected("a list of " + Known);
    }
    O.Assumptions.insert(Value);
    return Error::success();
  }
  if (Name == "arch") {
    Expected<std::string> Normal = normalizeArch(Value);
    if (!Normal)
      return Normal.takeError();
    if (!is_contained(O.Archs, *Normal))
      O.Archs.push_back(*Normal);
    return Error::success();
  }
  if (Name == "block-size")
    return setBlockSize(O, Value);
  if (Name == "width") {
    if (Value != "auto" && Value != "keep")
      return expected("auto or keep");
    O.Width = Value == "auto" ? WidthChoice::Auto : WidthChoice::Keep;
    return Error::success();
  }
  if (Name == "layout") {
    const auto Choice = StringSwitch<std::optional<LayoutChoice>>(Value)
                            .Case("auto", LayoutChoice::Auto)
                            .Case("keep", LayoutChoice::Keep)
                            .Case("pad", LayoutChoice::Pad)
                            .Default(std::nullopt);
    if (!Choice)
      return expected("auto, keep or pad");
    O.Layout = *Choice;
    return Error::success();
  }
  if (Name == "min-gain") {
    double Gain = 0;
    if (Value.getAsDouble(Gain) || !(Gain >= 1 && Gain <= 100))
      return expected("a predicted speed-up from 1 to 100, as 1.05");
    O.MinGain = Gain;
    return Error::success();
  }
  return createStringError(inconvertibleErrorCode(), "no such option");
}

std::string stagesAgainstVariant(const RewriteOptions &O) {
  if (!O.RequestedVariant || !O.RequestedStages)
    return "";
  const VariantInfo &Of = info(*O.RequestedVariant);
  if (*O.RequestedStages == Of.Least || Of.Least != Of.Most) // others are told apart elsewhere
    return "";
  return (Of.Name + (Of.Least == 2 ? " has two buffers" : " has one buffer") +
          " for each tile, and no other number")
      .str();
}

static constexpr struct {
  StringLiteral Check, Ours; ///< Ours empty: it is none of the analysis
  bool IsList;
} CheckOptionNames[] = {{"Variant", "variant", false},
                        {"Stages", "stages", false},
                        {"Arch", "arch", true},
                        {"Assume", "assume", true},
                        {"BlockSize", "block-size", false},
                        {"MinGain", "min-gain", false},
                        {"CudaPath", "", false}};

std::string checkOptionProblem(StringRef Key) {
  auto [Check, Name] = Key.rsplit('.');
  const bool IsOurs = Check == TileLoopCheckName;
  // Another check's is its own business.
  if (!IsOurs && !Check.starts_with(BothChecksName) &&
      (Check.size() <= 8 || Check.edit_distance_insensitive(TileLoopCheckName, true, 4) > 3))
    return "";
  StringRef Nearest;
  unsigned Best = 1000;
  for (const auto &N : CheckOptionNames) {
    if (IsOurs && N.Check == Name)
      return "";
    if (const unsigned Distance = Name.edit_distance_insensitive(N.Check); Distance < Best) {
      Best = Distance;
      Nearest = N.Check;
    }
  }
  return ("no check has an option '" + Key + "'; did you mean '" + TileLoopCheckName + "." +
          Nearest + "'?")
      .str();
}

Error setCheckOption(RewriteOptions &O, StringRef Name, StringRef Value) {
  for (const auto &N : CheckOptionNames) {
    if (N.Check != Name || N.Ours.empty())
      continue;
    if (!N.IsList)
      return setOption(O, N.Ours, Value);
    SmallVector<StringRef, 4> Items;
    Value.split(Items, ',', -1, /*KeepEmpty=*/false);
    for (StringRef Item : Items)
      if (Item = Item.trim(); !Item.empty())
        if (Error E = setOption(O, N.Ours, Item))
          return E;
    return Error::success();
  }
  return createStringError(inconvertibleErrorCode(), "no such option");
}

} // namespace cuda_pipeline
