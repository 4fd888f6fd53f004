//===- SelfCheckTest.cpp - What becomes of a rewrite that is run -------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cuda-pipeline/SelfCheck.h"
#include "../../lib/Mutate/Mutate.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;
using Outcome = SelfCheckReport::Verdict;

namespace {

/// Two kernels; the copies of the first one are guarded, so that only it shows a guard that is left
/// out.
const char *const Code = R"cu(
__global__ void guarded(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0.0f;
  for (int t = 0; t < n; t += 64) {
    tile[threadIdx.x] = t + threadIdx.x < n ? in[t + threadIdx.x] : 0.0f;
    __syncthreads();
    sum = sum * 0.5f + tile[63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
__global__ void plain(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * SIZE + threadIdx.x];
    __syncthreads();
    sum = sum * 0.5f + tile[63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
)cu";

/// What is written while it lives has no guards.
struct Planting {
  std::unique_ptr<const LoopMutator> Bug = plantedBug("no-guard");
  Planting() { MutatorOfTests = Bug.get(); }
  ~Planting() { MutatorOfTests = nullptr; }
};

struct Checked {
  ParseRequest Request;
  RewriteOptions Options;
  FileResult Result;

  explicit Checked(std::vector<std::vector<std::string>> Flags = {{"-DSIZE=64"}}) {
    Request.File = "not-on-disk.cu";
    Request.Contents = Code;
    Request.Flags.ClangArgs = Flags.front();
    for (size_t F = 1; F < Flags.size(); ++F) {
      Request.Others.emplace_back();
      Request.Others.back().ClangArgs = Flags[F];
    }
    Options.RequestedVariant = Variant::CpAsync;
    Options.RequestedStages = 2;
    Options.Archs = {"sm_80"};
    Options.SelfCheck = SelfCheckMode::On;
  }
  void go() {
    Result = processFile(Request, Options);
    ASSERT_TRUE(Result.Parsed);
    selfCheck(Result, Request, Options);
    ASSERT_EQ(Result.Report.Loops.size(), 2u);
  }
  const LoopReport &loop(unsigned I) const { return Result.Report.Loops[I]; }
};

} // namespace

TEST(SelfCheck, WhatPassesIsWritten) {
  Checked R;
  R.go();
  for (unsigned I : {0u, 1u}) {
    ASSERT_TRUE(R.loop(I).SelfCheck);
    EXPECT_EQ(R.loop(I).SelfCheck->Result, Outcome::Pass) << R.loop(I).SelfCheck->Why;
    EXPECT_EQ(R.loop(I).SelfCheck->Variant, "cp-async");
    EXPECT_EQ(R.loop(I).SelfCheck->Order, "");
    EXPECT_FALSE(R.loop(I).SelfCheck->OutOfTime);
    for (uint64_t Turns : {0, 1, 2, 3})
      EXPECT_NE(
          std::find(R.loop(I).SelfCheck->Turns.begin(), R.loop(I).SelfCheck->Turns.end(), Turns),
          R.loop(I).SelfCheck->Turns.end())
          << Turns;
  }
  EXPECT_TRUE(R.Result.Changed);
  EXPECT_TRUE(R.Options.Withheld.empty());
}

TEST(SelfCheck, AFailureKeepsItsBytesAndOthersAreWritten) {
  const Planting Wrong;
  Checked Bad, Only;
  Bad.go();
  EXPECT_EQ(Bad.loop(0).Status, LoopStatus::Refused);
  ASSERT_EQ(Bad.loop(0).Reasons.size(), 1u);
  EXPECT_EQ(Bad.loop(0).Reasons[0].Id, Reason::SelfCheckFailed);
  ASSERT_TRUE(Bad.loop(0).SelfCheck);
  EXPECT_EQ(Bad.loop(0).SelfCheck->Result, Outcome::Fail);
  EXPECT_EQ(Bad.loop(0).InNewText.First, 0u);
  EXPECT_EQ(Bad.loop(1).Status, LoopStatus::Rewritten);
  EXPECT_EQ(Bad.loop(1).SelfCheck->Result, Outcome::Pass);
  // Byte for byte what the other one gives by itself.
  Only.Options.KernelRegex = "plain";
  Only.Options.SelfCheck = SelfCheckMode::Off;
  Only.go();
  EXPECT_EQ(Bad.Result.NewContents, Only.Result.NewContents);
  EXPECT_EQ(Only.loop(1).SelfCheck->Result, Outcome::Off);
}

TEST(SelfCheck, ABudgetThatIsSpentIsNoVerdict) {
  Checked R;
  R.Options.SelfCheckSeconds = 0.001;
  R.go();
  for (unsigned I : {0u, 1u}) {
    EXPECT_EQ(R.loop(I).Status, LoopStatus::Rewritten);
    EXPECT_EQ(R.loop(I).SelfCheck->Result, Outcome::CannotTell);
    EXPECT_TRUE(R.loop(I).SelfCheck->OutOfTime);
    EXPECT_EQ(R.loop(I).SelfCheck->Why.find("time: "), 0u) << R.loop(I).SelfCheck->Why;
  }
  Checked Required;
  Required.Options.SelfCheckSeconds = 0.001;
  Required.Options.SelfCheck = SelfCheckMode::Require;
  Required.go();
  EXPECT_FALSE(Required.Result.Changed);
  EXPECT_EQ(Required.Result.NewContents, Required.Result.Original);
  for (unsigned I : {0u, 1u}) {
    ASSERT_EQ(Required.loop(I).Reasons.size(), 1u);
    EXPECT_EQ(Required.loop(I).Reasons[0].Id, Reason::SelfCheckUndecided);
  }
}

// Each way of compiling the file is run; what one of them cannot show nobody can.
TEST(SelfCheck, EveryConfiguration) {
  Checked R({{"-DSIZE=64"}, {"-DSIZE=96"}});
  R.go();
  EXPECT_EQ(R.loop(1).SelfCheck->Result, Outcome::Pass) << R.loop(1).SelfCheck->Why;
  Checked Once;
  Once.go();
  EXPECT_GT(R.loop(1).SelfCheck->Launches, Once.loop(1).SelfCheck->Launches);
  // The kernel that is the same in both is there in both.
  EXPECT_GT(R.loop(0).SelfCheck->Launches, 0u);
}

// What an editor offers: one loop by one variant. It is run as it was offered, or not at all.
TEST(SelfCheck, AFixByItself) {
  for (const bool Plants : {false, true}) {
    std::optional<Planting> Planted;
    if (Plants)
      Planted.emplace();
    Checked R;
    R.Options.RequestedVariant = std::nullopt;
    R.Options.RequestedStages = std::nullopt;
    R.Options.CheckOnly = true;
    R.Result = processFile(R.Request, R.Options);
    FixWishes Wishes;
    Wishes.Alone = Wishes.Others = true;
    offerFixes(R.Result, R.Request, R.Options, Wishes);
    ASSERT_EQ(R.Result.Report.Loops.size(), 2u);
    for (const LoopReport &L : R.Result.Report.Loops) {
      ASSERT_GE(L.Fixes.size(), 2u);
      for (const Fix &F : L.Fixes) {
        if (Plants && F.Variant != "cp-async")
          continue;
        const SelfCheckReport S = selfCheckFix(R.Request, R.Options, L.Line, L.Column, F);
        const bool Wrong = Plants && L.Kernel == "guarded";
        EXPECT_EQ(S.Result, Wrong ? Outcome::Fail : Outcome::Pass) << F.Variant << ": " << S.Why;
        EXPECT_EQ(S.Variant, F.Variant);
        EXPECT_EQ(S.Stages, F.Stages);
      }
      Fix Other = L.Fixes.front();
      Other.Edits.front().Text += "// and more\n";
      const SelfCheckReport S = selfCheckFix(R.Request, R.Options, L.Line, L.Column, Other);
      EXPECT_EQ(S.Result, Outcome::CannotTell);
      EXPECT_EQ(S.Why.find("what was offered is not what comes of the file now"), 0u) << S.Why;
    }
  }
}

TEST(SelfCheck, WhatIsNotHandedOutIsNotRun) {
  for (auto Set : {+[](RewriteOptions &O) { O.CheckOnly = true; },
                   +[](RewriteOptions &O) { O.Ablate = Ablation::LoadsOnly; }}) {
    Checked R;
    Set(R.Options);
    R.go();
    EXPECT_FALSE(R.loop(0).SelfCheck);
  }
}
