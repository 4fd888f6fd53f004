//===- BenchTest.cpp - Harnesses and reports of bench ---------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Requests.h"
#include "cuda-pipeline/Bench.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;
using namespace llvm;

namespace {

constexpr StringLiteral Launch = "kernel: k\ncases: [{n: 100}]\ngrid: 2\nblock: 64\nflops: 1000 * n\nbytes: 8 * n\nunit: fp32\n"
                                 "arguments:\n- {name: a, buffer: float, count: n, role: input}\n"
                                 "- {name: b, buffer: float, count: n, role: output}\n- {value: n}\n";

std::string text(StringRef Body) {
  return ("__global__ void k(const float *a, float *b, int n) {\n"
          "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n  " +
          Body + "\n}\nint main() { return 1; }\n")
      .str();
}

HarnessRequest request() {
  HarnessRequest R;
  R.Arch = "sm_90";
  R.Bench.emplace();
  R.Bench->Rounds = 3;
  R.Versions = {{VersionKind::Old, "old.cu", text("b[i] = a[i] + 1;")}, {VersionKind::New, "right", text("b[i] = 1 + a[i];")},
                {VersionKind::New, "wrong", text("b[i] = i == 70 ? 0 : a[i] + 1;")},
                // From the hundredth launch on, which no single one shows.
                {VersionKind::New, "later", text("static int x; b[i] = x++ < 900 ? a[i] + 1 : 2;")},
                {VersionKind::LoadsOnly, "loads-only", text("b[i] = 7;")},
                {VersionKind::ComputeOnly, "compute-only", "does not compile"}};
  add(R, signature("k", {"const float *a", "float *b", "int n"}), Launch);
  return R;
}

std::vector<BenchVersion> versions(const HarnessRequest &R) {
  std::vector<BenchVersion> Out;
  for (const HarnessVersion &V : R.Versions)
    Out.push_back({V.Name, V.Name, V.Kind, "", V.Name == "right"});
  return Out;
}

TEST(BenchHarness, RunsAllVersions) {
  const HarnessRequest R = request();
  Expected<Harness> H = makeHarness(R);
  ASSERT_TRUE(static_cast<bool>(H)) << toString(H.takeError());
  HarnessRun Run;
  Run.Nvcc = CPR_FAKE_NVCC;
  Expected<GpuResult> Result = runHarness(*H, Run);
  ASSERT_TRUE(static_cast<bool>(Result)) << toString(Result.takeError());
  EXPECT_EQ(Result->verdict(), Verdict::Fail);
  ASSERT_TRUE(Result->Clocks.has_value());
  EXPECT_EQ(Result->Clocks->Source, "attribute");
  EXPECT_EQ(Result->Clocks->SmMHz, 1500);
  EXPECT_EQ(Result->L2, "warm");
  ASSERT_EQ(Result->Cases.size(), 1u);
  const GpuCase &C = Result->Cases[0];
  ASSERT_EQ(C.Versions.size(), 6u);
  EXPECT_EQ(C.Versions[0].Microseconds.size(), 3u);
  EXPECT_EQ(C.Versions[1].Result, Verdict::Pass);
  EXPECT_EQ(C.Versions[1].Microseconds.size(), 3u);
  EXPECT_EQ(C.Versions[2].Result, Verdict::Fail);
  EXPECT_EQ(C.Versions[2].Kind, "difference");
  EXPECT_TRUE(C.Versions[2].Microseconds.empty()) << "what is wrong is not timed";
  ASSERT_TRUE(C.Versions[2].Difference.has_value());
  EXPECT_EQ(C.Versions[2].Difference->Index, 70u);
  EXPECT_EQ(C.Versions[3].Kind, "difference-after-timing");
  EXPECT_TRUE(C.Versions[3].Microseconds.empty()) << "what turned out to be wrong has no time";
  EXPECT_EQ(C.Versions[4].Microseconds.size(), 3u) << "nobody compares what has a part left out";
  EXPECT_TRUE(C.Versions[5].Microseconds.empty()) << "it was not built";

  const BenchReport Report = makeBenchReport(*Result, versions(R), R.Kernels, {""});
  EXPECT_EQ(Report.verdict(), Verdict::Fail);
  ASSERT_EQ(Report.Cases[0].Results.size(), 4u);
  EXPECT_TRUE(Report.Cases[0].Results[1].Ratio.has_value());
  EXPECT_FALSE(Report.Cases[0].Results[2].Time.has_value());
  EXPECT_FALSE(Report.Cases[0].Results[3].Ratio.has_value());
  EXPECT_TRUE(Report.Cases[0].LoadsOnly.has_value());
  EXPECT_FALSE(Report.Cases[0].Results[0].OverlapEfficiency.has_value()) << "one half is no limit";
}

/// As a harness with these times has written it.
GpuResult planted(const std::vector<std::vector<double>> &Times) {
  GpuResult G;
  G.Gpu = "Planted";
  G.Clocks = GpuClocks{1500, 1400, 1600, 2600, "nvml"};
  G.Ceilings = {1000, 2000, 0};
  G.L2 = "warm";
  GpuCase &C = G.Cases.emplace_back();
  C.Kernel = "k";
  C.Case = "n=100";
  C.Result = Verdict::Pass;
  for (const auto &T : Times) {
    GpuVersion &V = C.Versions.emplace_back();
    V.Version = C.Versions.size() - 1;
    V.Result = Verdict::Pass;
    V.Microseconds = T;
  }
  return G;
}

TEST(BenchReport, Numbers) {
  HarnessRequest R = request();
  R.Versions.erase(R.Versions.begin() + 2, R.Versions.begin() + 4);
  GpuResult G = planted({{100, 110, 120}, {50, 50, 80}, {90}, {30}});
  const BenchReport Report = makeBenchReport(G, versions(R), R.Kernels, {""});
  const BenchCase &C = Report.Cases[0];
  ASSERT_EQ(C.Results.size(), 2u);
  EXPECT_EQ(C.Results[0].Time->Median, 110);
  EXPECT_EQ(C.Results[0].Time->Least, 100);
  EXPECT_EQ(C.Results[0].Time->Low, 105);
  EXPECT_EQ(C.Results[0].Time->High, 115);
  EXPECT_EQ(*C.Results[0].Ratio, 1);
  EXPECT_DOUBLE_EQ(*C.Results[1].Ratio, 110.0 / 50) << "of the medians";
  EXPECT_DOUBLE_EQ(C.Results[1].RatioLow, 1.75) << "of the rounds: 2, 2.2, 1.5";
  EXPECT_DOUBLE_EQ(C.Results[1].RatioHigh, 2.1);
  EXPECT_DOUBLE_EQ(*C.Results[0].GBps, 800 / 110.0 / 1e3);
  EXPECT_DOUBLE_EQ(*C.Results[0].Gflops, 100000 / 110.0 / 1e3);
  EXPECT_DOUBLE_EQ(*C.Results[0].OverlapEfficiency, 90.0 / 110) << "the longer half over the time";
  EXPECT_EQ(C.Unit, "fp32");
}

TEST(BenchReport, AWrongVersionHasNoNumber) {
  HarnessRequest R = request();
  GpuResult G = planted({{100, 110, 120}, {50, 50, 80}});
  G.Cases[0].Result = G.Cases[0].Versions[1].Result = Verdict::Fail;
  G.Cases[0].Versions[1].Reason = "the results differ";
  const BenchReport Report = makeBenchReport(G, versions(R), R.Kernels, {});
  EXPECT_FALSE(Report.Cases[0].Results[1].Time.has_value()) << "whatever the file says";
  EXPECT_FALSE(Report.Cases[0].Results[1].Ratio.has_value());
  std::string Text;
  raw_string_ostream OS(Text);
  writeText(Report, OS);
  EXPECT_NE(Text.find("WRONG: the results differ"), std::string::npos) << Text;
  EXPECT_EQ(Text.find("50.00"), std::string::npos) << Text;
}

} // namespace
