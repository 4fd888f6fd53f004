//===- BenchTest.cpp - Harnesses and reports of bench ---------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/Bench.h"
#include "Requests.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "gtest/gtest.h"
#include <set>

using namespace cuda_pipeline;
using namespace llvm;

namespace {

constexpr StringLiteral Launch =
    "kernel: k\ncases: [{n: 100}]\ngrid: 2\nblock: 64\nflops: 1000 * n\nbytes: 8 * n\nunit: fp32\n"
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
  R.Versions = {{VersionKind::Old, "old.cu", text("b[i] = a[i] + 1;")},
                {VersionKind::New, "right", text("b[i] = 1 + a[i];")},
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

class BenchHarness : public testing::Test {
protected:
  static void clear() {
    for (const char *Name : {"FAKE_GPU", "FAKE_BROKEN", "FAKE_CLOCK", "FAKE_TIMES", "FAKE_LOG"})
      ::unsetenv(Name);
  }
  void SetUp() override {
    clear();
    ASSERT_FALSE(sys::fs::createUniqueDirectory("bench harness", Folder));
  }
  void TearDown() override {
    clear();
    sys::fs::remove_directories(Folder);
  }
  SmallString<128> Folder;

  std::string path(StringRef Name) const { return (Folder + "/" + Name).str(); }

  GpuResult run(const HarnessRequest &R) {
    Expected<Harness> H = makeHarness(R);
    EXPECT_TRUE(static_cast<bool>(H)) << toString(H.takeError());
    HarnessRun Run;
    Run.Nvcc = CPR_FAKE_NVCC;
    Run.Folder = Folder.str().str();
    Expected<GpuResult> Result = runHarness(*H, Run);
    EXPECT_TRUE(static_cast<bool>(Result)) << toString(Result.takeError());
    return Result ? std::move(*Result) : GpuResult();
  }

  /// By hand, what has been built.
  GpuResult again(std::vector<std::string> Options) {
    const std::string Program = path("harness");
    std::vector<StringRef> Words = {Program};
    Words.insert(Words.end(), Options.begin(), Options.end());
    std::optional<StringRef> Silent[] = {StringRef(), StringRef(), StringRef()};
    EXPECT_EQ(sys::ExecuteAndWait(Program, Words, std::nullopt, Silent), 0);
    auto Text = MemoryBuffer::getFile(path("result.json"));
    Expected<GpuResult> Result = readGpuResult(Text ? (*Text)->getBuffer() : "", "result.json");
    EXPECT_TRUE(static_cast<bool>(Result)) << toString(Result.takeError());
    return Result ? std::move(*Result) : GpuResult();
  }

  /// Two cases of an old version and these.
  static HarnessRequest twoCases(std::vector<HarnessVersion> New) {
    HarnessRequest R;
    R.Arch = "sm_90";
    R.Bench.emplace();
    R.Bench->Rounds = 3;
    R.TimeoutSeconds = 0.2;
    R.Versions = {{VersionKind::Old, "old.cu", text("b[i] = a[i] + 1;")}};
    R.Versions.insert(R.Versions.end(), New.begin(), New.end());
    std::string Text = Launch.str();
    Text.replace(Text.find("[{n: 100}]"), 10, "[{n: 100}, {n: 90}]");
    add(R, signature("k", {"const float *a", "float *b", "int n"}), Text);
    return R;
  }
};

TEST_F(BenchHarness, RunsAllVersions) {
  const HarnessRequest R = request();
  const GpuResult Result = run(R);
  EXPECT_EQ(Result.verdict(), Verdict::Fail);
  ASSERT_TRUE(Result.Clocks.has_value());
  EXPECT_EQ(Result.Clocks->Source, "attribute");
  EXPECT_EQ(Result.Clocks->SmMHz, 1500);
  EXPECT_EQ(Result.L2, "warm");
  ASSERT_EQ(Result.Cases.size(), 1u);
  const GpuCase &C = Result.Cases[0];
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

  const BenchReport Report = makeBenchReport(Result, versions(R), R.Kernels, {""});
  EXPECT_EQ(Report.verdict(), Verdict::Fail);
  ASSERT_EQ(Report.Cases[0].Results.size(), 4u);
  EXPECT_TRUE(Report.Cases[0].Results[1].Ratio.has_value());
  EXPECT_FALSE(Report.Cases[0].Results[2].Time.has_value());
  EXPECT_FALSE(Report.Cases[0].Results[3].Ratio.has_value());
  EXPECT_TRUE(Report.Cases[0].LoadsOnly.has_value());
  EXPECT_EQ(Report.Cases[0].NotAblated, "compute-only: not built");
  EXPECT_FALSE(Report.Cases[0].Results[0].OverlapEfficiency.has_value()) << "one half is no limit";
}

TEST_F(BenchHarness, TakesTurns) {
  HarnessRequest R = twoCases({{VersionKind::New, "one", text("b[i] = 1 + a[i];")},
                               {VersionKind::New, "two", text("b[i] = a[i] + 1;")}});
  R.Kernels[0].Launches.pop_back();
  R.Bench->Rounds = 12;
  ::setenv("FAKE_TIMES", "old.cu=3000,new.cu=2000,new2.cu=1000", 1); // one launch in a round
  run(R);
  ::setenv("FAKE_LOG", path("log").c_str(), 1);
  const GpuResult Result = again({});
  for (auto [V, Time] : {std::pair(0, 3000.0), std::pair(1, 2000.0), std::pair(2, 1000.0)})
    for (double T : Result.Cases[0].Versions[V].Microseconds)
      EXPECT_NEAR(T, Time, 0.5);
  auto Log = MemoryBuffer::getFile(path("log"));
  ASSERT_TRUE(static_cast<bool>(Log));
  SmallVector<StringRef> Lines;
  (*Log)->getBuffer().split(Lines, '\n', -1, /*KeepEmpty=*/false);
  // Behind the timing each version runs once more, as often as it was launched while it was timed.
  const size_t Again = 3 * (3 + 12), Timed = 3 * 12;
  ASSERT_GT(Lines.size(), Again + Timed);
  const ArrayRef<StringRef> Rounds = ArrayRef(Lines).drop_back(Again).take_back(Timed);
  std::map<StringRef, unsigned> First;
  std::map<std::pair<StringRef, StringRef>, unsigned> InFront;
  for (size_t Round = 0; Round < 12; ++Round) {
    const ArrayRef<StringRef> Turn = Rounds.slice(3 * Round, 3);
    EXPECT_EQ(std::set<StringRef>(Turn.begin(), Turn.end()).size(), 3u)
        << "everybody once, in round " << Round;
    ++First[Turn[0]];
    ++InFront[{Turn[0], Turn[1]}];
    ++InFront[{Turn[1], Turn[2]}];
  }
  for (const auto &[Who, Times] : First)
    EXPECT_EQ(Times, 4u) << Who.str();
  EXPECT_EQ(InFront.size(), 6u) << "everybody in front of everybody";
  for (const auto &[Who, Times] : InFront)
    EXPECT_EQ(Times, 4u) << Who.first.str() << " in front of " << Who.second.str();
}

TEST_F(BenchHarness, MeasuresUntilItIsKnown) {
  HarnessRequest R = twoCases({{VersionKind::New, "one", text("b[i] = 1 + a[i];")}});
  R.Bench->Rounds = 0;
  R.Bench->TimeLimitSeconds = 1;
  ::setenv("FAKE_TIMES", "old.cu=3000,new.cu=2000", 1);
  EXPECT_EQ(run(R).Cases[0].Versions[1].Microseconds.size(), 20u) << "at least";
  // A tenth up and down: the quartiles are about 5 % apart, so it takes (1.57 * 0.05 / 0.002)^2
  // rounds.
  ::setenv("FAKE_TIMES", "old.cu=3000,new.cu=2000~200", 1);
  const std::vector<double> Many = again({"--time-limit=30"}).Cases[0].Versions[1].Microseconds;
  EXPECT_GT(Many.size(), 500u);
  EXPECT_LT(Many.size(), 5000u);
}

TEST_F(BenchHarness, WhatBreaksWhileItIsTimed) {
  // A launch that fails, and leaves the device as it was: the others are timed without it.
  const std::string Breaks =
      text("static int x; if (i == 0 && ++x > 6) fakeTrap(); b[i] = a[i] + 1;");
  GpuResult Result = run(twoCases({{VersionKind::New, "breaks", Breaks},
                                   {VersionKind::New, "right", text("b[i] = 1 + a[i];")}}));
  const GpuCase &C = Result.Cases[0];
  EXPECT_EQ(C.Versions[1].Result, Verdict::Fail);
  EXPECT_EQ(C.Versions[1].Kind, "launch");
  EXPECT_TRUE(C.Versions[1].Microseconds.empty());
  EXPECT_EQ(C.Versions[2].Microseconds.size(), 3u);
  EXPECT_EQ(C.Versions[0].Microseconds.size(), 3u);
}

TEST_F(BenchHarness, WhatBreaksTheDevice) {
  const std::string Breaks =
      text("static int x; if (i == 0 && ++x > 6) fakeBreak(); b[i] = a[i] + 1;");
  HarnessRequest R = twoCases({{VersionKind::New, "right", text("b[i] = 1 + a[i];")},
                               {VersionKind::New, "breaks", Breaks}});
  R.Bench->Ncu = true;
  const GpuResult Result = run(R);
  EXPECT_EQ(Result.Cases[0].Versions[1].Result, Verdict::Pass) << "it was right";
  EXPECT_TRUE(Result.Cases[0].Versions[1].Microseconds.empty());
  EXPECT_NE(Result.Cases[0].Versions[1].Reason.find("for breaks: "), std::string::npos)
      << Result.Cases[0].Versions[1].Reason;
  EXPECT_EQ(Result.Cases[0].Versions[2].Result, Verdict::Fail);
  EXPECT_EQ(Result.Cases[1].Versions[1].Reason, "not run, for a fault in breaks, k, n=100");
  EXPECT_EQ(Result.NcuProblem, "not asked, for a fault in breaks, k, n=100");
  std::string Text;
  raw_string_ostream OS(Text);
  writeText(makeBenchReport(Result, versions(R), R.Kernels, {""}), OS);
  EXPECT_NE(Text.find("not timed: for breaks: "), std::string::npos) << Text;
}

TEST_F(BenchHarness, AblationsThatBreakOrHangCostNothingElse) {
  HarnessRequest R = twoCases({{VersionKind::New, "right", text("b[i] = 1 + a[i];")},
                               {VersionKind::LoadsOnly, "loads-only", text("fakeBreak();")},
                               {VersionKind::ComputeOnly, "compute-only", text("b[i] = 7;")}});
  for (StringRef How : {"fakeBreak();", "fakeHang();"}) {
    SCOPED_TRACE(How.str());
    clear();
    R.Versions[2].Text = text(How);
    const GpuResult Result = run(R);
    EXPECT_EQ(Result.verdict(), Verdict::Pass);
    for (size_t C : {0, 1})
      for (size_t V : {0, 1})
        EXPECT_EQ(Result.Cases[C].Versions[V].Microseconds.size(), 3u) << C << ' ' << V;
    const BenchReport Report = makeBenchReport(Result, versions(R), R.Kernels, {""});
    EXPECT_EQ(Report.verdict(), Verdict::Pass);
    EXPECT_NE(Report.Cases[0].NotAblated.find("loads-only: "), std::string::npos)
        << Report.Cases[0].NotAblated;
    EXPECT_NE(Report.Cases[1].NotAblated.find("not run"), std::string::npos)
        << Report.Cases[1].NotAblated;
  }
}

TEST_F(BenchHarness, DynamicSharedMemory) {
  HarnessRequest R =
      twoCases({{VersionKind::New, "exact", text("b[i] = a[i] + (FakeShared == 3000 ? 1 : 2);")},
                {VersionKind::New, "times", text("b[i] = a[i] + (FakeShared == 2112 ? 1 : 2);")},
                {VersionKind::New, "all", text("b[i] = a[i] + (FakeShared == 96 * 1024 ? 1 : 2);")},
                {VersionKind::New, "none", text("b[i] = a[i] + (FakeShared == 700 ? 1 : 2);")},
                {VersionKind::New, "too much", text("b[i] = a[i] + 1;")}});
  R.Kernels[0].Launches[0].SharedBytes = R.Kernels[0].Launches[1].SharedBytes = 700;
  SharedDemand Bytes, Times, All, TooMuch;
  Bytes.Bytes = 3000;
  Times.Times = 3;
  All.Known = false;
  TooMuch.Bytes = 96 * 1024 + 1;
  R.Kernels[0].Demands = {std::nullopt, Bytes, Times, All, std::nullopt, TooMuch};
  const GpuResult Result = run(R);
  const std::vector<GpuVersion> &V = Result.Cases[0].Versions;
  const uint64_t Given[] = {700, 3000, 2112, 96 * 1024, 700};
  for (size_t I = 0; I < 5; ++I) {
    EXPECT_EQ(V[I].Result, Verdict::Pass) << I << V[I].Reason;
    EXPECT_EQ(V[I].DynamicShared, Given[I]) << I;
  }
  EXPECT_EQ(V[5].Result, Verdict::CannotTell) << "it is not wrong";
  EXPECT_EQ(V[5].Kind, "memory");
  EXPECT_EQ(V[5].Reason, "98305 bytes of dynamic shared memory beside 4096 of static are more than "
                         "a block of this GPU can have");
  EXPECT_TRUE(V[5].Microseconds.empty());
}

TEST_F(BenchHarness, AsksTheProfiler) {
  HarnessRequest R = twoCases({{VersionKind::New, "right", text("b[i] = 1 + a[i];")}});
  run(R);
  auto Profiler = [&](StringRef Lines) {
    const std::string Program = path("it's ncu");
    std::error_code EC;
    raw_fd_ostream OS(Program, EC);
    OS << "#!/bin/sh\necho \"$@\" > '" << path("words") << "'\n" << Lines;
    OS.close();
    sys::fs::setPermissions(Program, sys::fs::all_all);
    return "--ncu=" + Program;
  };
  const std::string Names =
      "\"ID\",\"Kernel\",\"smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio\","
      "\"smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio\"\n";
  auto Say = [](const std::string &Text) { return "cat <<'END'\n" + Text + "END\n"; };
  GpuResult Result =
      again({Profiler(Say("==PROF== text\n\"\n" + Names +
                          "\"\",\"\",\"inst\",\"inst\"\n"
                          "\"0\",\"k\",\"1.5\",\"1,002.25\"\n\"1\",\"k\",\"nan\",\"2\"\n"
                          "\"2\",\"k\",\"3\",\"4\"\n\"3\",\"k\",\"5\",\"6\"\n")),
             "--seeds=7,8"});
  EXPECT_EQ(Result.NcuProblem, "");
  using Stalls = std::map<std::string, double>;
  EXPECT_EQ(Result.Cases[0].Versions[0].Stalls,
            (Stalls{{"barrier", 1.5}, {"long_scoreboard", 1002.25}}));
  EXPECT_EQ(Result.Cases[0].Versions[1].Stalls, (Stalls{{"long_scoreboard", 2}}))
      << "nan is no number";
  EXPECT_EQ(Result.Cases[1].Versions[1].Stalls, (Stalls{{"barrier", 5}, {"long_scoreboard", 6}}));
  auto Words = MemoryBuffer::getFile(path("words"));
  ASSERT_TRUE(static_cast<bool>(Words));
  EXPECT_NE((*Words)->getBuffer().find(" --seeds=7,8 --guard=4096 --profile=0:0,0:1,1:0,1:1"),
            StringRef::npos)
      << (*Words)->getBuffer().str();
  // Fewer launches than were asked for: which is which is not known.
  Result = again({Profiler(Say(Names + "\"0\",\"k\",\"1.5\",\"2\"\n"))});
  EXPECT_EQ(Result.NcuProblem, "the profiler says nothing");
  EXPECT_TRUE(Result.Cases[0].Versions[0].Stalls.empty());
  Result = again({Profiler(Say("==ERROR== ERR_NVGPUCTRPERM - no permission\n") + "exit 1\n")});
  EXPECT_EQ(Result.NcuProblem, "ERROR== ERR_NVGPUCTRPERM - no permission");
  Result = again({"--ncu=" + path("nowhere")});
  EXPECT_NE(Result.NcuProblem.find("nowhere"), std::string::npos) << Result.NcuProblem;
  EXPECT_EQ(Result.Cases[0].Versions[0].Microseconds.size(), 3u)
      << "the times are there all the same";
}

/// As a harness with these times has written it.
GpuResult planted(const std::vector<std::vector<double>> &Times) {
  GpuResult G;
  G.Gpu = "Planted";
  G.Clocks = GpuClocks{1500, 1400, 1600, 2600, "nvml"};
  G.Ceilings.CopyGBps = 1000;
  G.Ceilings.FfmaGflops = 2000;
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

TEST(BenchReport, ReasonsWhereNobodyHasATime) {
  HarnessRequest R = request();
  GpuResult G = planted({{}, {}});
  G.Cases[0].Result = Verdict::CannotTell;
  for (GpuVersion &V : G.Cases[0].Versions) {
    V.Result = Verdict::CannotTell;
    V.Reason = "no | memory";
  }
  const BenchReport Report = makeBenchReport(G, versions(R), R.Kernels, {});
  std::string Text, Markdown;
  raw_string_ostream TextOS(Text), MarkdownOS(Markdown);
  writeText(Report, TextOS);
  writeMarkdown(Report, MarkdownOS);
  EXPECT_NE(Text.find("  right (auto)  cannot tell: no | memory\n"), std::string::npos) << Text;
  EXPECT_NE(Markdown.find("| right (auto) | cannot tell: no \\| memory |\n"), std::string::npos)
      << Markdown;
}

TEST(BenchReport, WhatIsWrongIsWrong) {
  HarnessRequest R = request();
  GpuResult G = planted({{100, 110, 120}, {50, 50, 80}});
  G.Cases[0].Versions[1].Result = Verdict::Fail; // although the case says "pass"
  EXPECT_EQ(makeBenchReport(G, versions(R), R.Kernels, {}).verdict(), Verdict::Fail);
}

} // namespace
