//===- GpuResult.cpp - result.json of a GPU harness -----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/GpuHarness.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace cuda_pipeline;

namespace {

bool readVerdict(const json::Object &O, Verdict &V, json::Path P) {
  std::optional<StringRef> Word = O.getString("verdict");
  std::optional<Verdict> Found = StringSwitch<std::optional<Verdict>>(Word.value_or(""))
                                     .Case("pass", Verdict::Pass)
                                     .Case("fail", Verdict::Fail)
                                     .Case("cannot-tell", Verdict::CannotTell)
                                     .Default(std::nullopt);
  if (!Found) {
    P.field("verdict").report("expected pass, fail or cannot-tell");
    return false;
  }
  V = *Found;
  return true;
}

bool readCase(const json::Value &Value, GpuCase &C, json::Path P) {
  json::ObjectMapper M(Value, P);
  if (!M || !M.map("kernel", C.Kernel) || !M.map("case", C.Case) || !M.map("kind", C.Kind) ||
      !M.map("reason", C.Reason) || !M.map("seed", C.Seed) || !M.map("launches", C.Runs) ||
      !readVerdict(*Value.getAsObject(), C.Result, P))
    return false;
  if (const json::Value *Difference = Value.getAsObject()->get("difference")) {
    VerifyDifference &D = C.Difference.emplace();
    json::Path Here = P.field("difference");
    json::ObjectMapper DM(*Difference, Here);
    if (!DM || !DM.map("buffer", D.Buffer) || !DM.map("index", D.Index) ||
        !DM.map("count", D.Count) || !DM.map("old_bits", D.OldBits) ||
        !DM.map("new_bits", D.NewBits) || !DM.map("old_value", D.OldValue) ||
        !DM.map("new_value", D.NewValue))
      return false;
  }
  if (const json::Value *Time = Value.getAsObject()->get("time")) {
    json::Path Here = P.field("time");
    json::ObjectMapper TM(*Time, Here);
    if (!TM || !TM.map("old_us", C.OldMicroseconds) || !TM.map("new_us", C.NewMicroseconds) ||
        !TM.map("rounds", C.Rounds) || !TM.map("launches_per_round", C.LaunchesPerRound))
      return false;
    C.Timed = true;
  }
  return true;
}

} // namespace

Verdict GpuResult::verdict() const {
  Verdict All = Cases.empty() ? Verdict::CannotTell : Verdict::Pass;
  for (const GpuCase &C : Cases) {
    if (C.Result == Verdict::Fail)
      return Verdict::Fail;
    if (C.Result == Verdict::CannotTell)
      All = Verdict::CannotTell;
  }
  return All;
}

Expected<GpuResult> cuda_pipeline::readGpuResult(StringRef Text, StringRef File,
                                                 const Harness *For) {
  auto failed = [&](Error E) {
    // JSON's messages may name the place on a second line.
    std::string Message = toString(std::move(E));
    return createStringError(formatv("{0}: not the result of a GPU harness: {1}", File,
                                     StringRef(Message).split('\n').first)
                                 .str());
  };
  Expected<json::Value> Value = json::parse(Text);
  if (!Value)
    return failed(Value.takeError());
  GpuResult R;
  json::Path::Root Root("result");
  json::Path P(Root);
  json::ObjectMapper M(*Value, P);
  int64_t Version = 0;
  Verdict All;
  if (!M || !M.map("schema_version", Version))
    return failed(Root.getError());
  if (Version != 1)
    return createStringError(
        formatv("{0}: schema_version is {1}; this program reads 1", File, Version).str());
  if (!M.map("harness", R.HarnessId) || !M.map("gpu", R.Gpu) ||
      !M.map("compute_capability", R.ComputeCapability) || !M.map("driver", R.Driver) ||
      !M.map("runtime", R.Runtime) || !M.map("arch", R.Arch) || !M.map("seeds", R.Seeds) ||
      !readVerdict(*Value->getAsObject(), All, P))
    return failed(Root.getError());
  const json::Array *Cases = Value->getAsObject()->getArray("cases");
  if (!Cases) {
    P.field("cases").report("expected array");
    return failed(Root.getError());
  }
  for (const auto &[Index, Case] : enumerate(*Cases))
    if (!readCase(Case, R.Cases.emplace_back(), P.field("cases").index(Index)))
      return failed(Root.getError());
  // A file that contradicts itself was changed by hand or cut short.
  if (R.verdict() != All)
    return createStringError(
        formatv("{0}: not the result of a GPU harness: the verdict is not that of the cases", File)
            .str());
  if (For && For->Id != R.HarnessId)
    return createStringError(
        formatv(
            "{0}: this is the result of another harness ({1}, not {2}): the files, the launches or "
            "the options have changed since",
            File, R.HarnessId, For->Id)
            .str());
  return R;
}
