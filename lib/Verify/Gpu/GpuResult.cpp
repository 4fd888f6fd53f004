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

bool readDifference(const json::Object &O, std::optional<VerifyDifference> &To, json::Path P) {
  const json::Value *Difference = O.get("difference");
  if (!Difference)
    return true;
  VerifyDifference &D = To.emplace();
  json::Path Here = P.field("difference");
  json::ObjectMapper M(*Difference, Here);
  return M && M.map("buffer", D.Buffer) && M.map("index", D.Index) && M.map("count", D.Count) &&
         M.map("old_bits", D.OldBits) && M.map("new_bits", D.NewBits) &&
         M.map("old_value", D.OldValue) && M.map("new_value", D.NewValue);
}

bool readVersion(const json::Value &Value, GpuVersion &V, json::Path P) {
  json::ObjectMapper M(Value, P);
  uint64_t Version = 0;
  if (!M || !M.map("version", Version) || !M.map("kind", V.Kind) || !M.map("reason", V.Reason) ||
      !M.map("seed", V.Seed) || !M.mapOptional("us", V.Microseconds) ||
      !M.mapOptional("launches_per_round", V.LaunchesPerRound) ||
      !M.mapOptional("stalls", V.Stalls) || !M.map("dynamic_shared_bytes", V.DynamicShared))
    return false;
  V.Version = Version;
  return readVerdict(*Value.getAsObject(), V.Result, P) &&
         readDifference(*Value.getAsObject(), V.Difference, P);
}

bool readCase(const json::Value &Value, GpuCase &C, json::Path P) {
  json::ObjectMapper M(Value, P);
  if (!M || !M.map("kernel", C.Kernel) || !M.map("case", C.Case) || !M.map("kind", C.Kind) ||
      !M.map("reason", C.Reason) || !M.map("seed", C.Seed) || !M.map("launches", C.Runs) ||
      !readVerdict(*Value.getAsObject(), C.Result, P) ||
      !readDifference(*Value.getAsObject(), C.Difference, P))
    return false;
  if (const json::Array *Versions = Value.getAsObject()->getArray("results"))
    for (const auto &[Index, Version] : enumerate(*Versions))
      if (!readVersion(Version, C.Versions.emplace_back(), P.field("results").index(Index)))
        return false;
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

Verdict GpuResult::verdict() const { return verdictOf(Cases); }

Expected<GpuResult> cuda_pipeline::readGpuResult(StringRef Text, StringRef File,
                                                 const Harness *For) {
  auto failed = [&](Error E) {
    // JSON's messages may name the place on a second line.
    std::string Message = toString(std::move(E));
    return createStringError(formatv("{0}: not the result of a GPU harness: {1}", File,
                                     StringRef(Message).split('\n').first)
                                 .str());
  };
  // File names that are no UTF-8 are in reasons.
  Expected<json::Value> Value = json::parse(json::isUTF8(Text) ? Text.str() : json::fixUTF8(Text));
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
  const json::Object &Top = *Value->getAsObject();
  if (const json::Value *Clocks = Top.get("clocks")) {
    GpuClocks &C = R.Clocks.emplace();
    json::Path Here = P.field("clocks");
    json::ObjectMapper CM(*Clocks, Here);
    if (!CM || !CM.map("sm_mhz", C.SmMHz) || !CM.map("sm_mhz_min", C.SmLeast) ||
        !CM.map("sm_mhz_max", C.SmMost) || !CM.map("mem_mhz", C.MemoryMHz) ||
        !CM.map("source", C.Source))
      return failed(Root.getError());
  }
  if (const json::Value *Ceilings = Top.get("ceilings")) {
    json::Path Here = P.field("ceilings");
    json::ObjectMapper CM(*Ceilings, Here);
    if (!CM || !CM.map("copy_gbps", R.Ceilings.CopyGBps) ||
        !CM.map("ffma_gflops", R.Ceilings.FfmaGflops) ||
        !CM.map("dfma_gflops", R.Ceilings.DfmaGflops) ||
        !CM.map("tensor_gflops", R.Ceilings.TensorGflops) ||
        !CM.map("imma_gops", R.Ceilings.ImmaGops))
      return failed(Root.getError());
  }
  if (!M.mapOptional("l2", R.L2) || !M.mapOptional("ncu", R.NcuProblem))
    return failed(Root.getError());
  const json::Array *Cases = Top.getArray("cases");
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
