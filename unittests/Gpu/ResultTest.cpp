//===- ResultTest.cpp - result.json of GPU harnesses ---------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/GpuHarness.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;
using namespace llvm;

namespace {

constexpr StringLiteral Text = R"({
  "schema_version": 1, "harness": "0123456789abcdef", "gpu": "NVIDIA \"X\"",
  "compute_capability": "9.0", "driver": "12.8", "runtime": "13.0", "arch": "sm_90",
  "verdict": "fail", "seeds": [1, 18446744073709551615],
  "cases": [
    {"kernel": "k<1>", "case": "N=4", "verdict": "pass", "kind": "", "reason": "", "seed": 2,
     "launches": 40,
     "time": {"old_us": 12.5, "new_us": 10.25, "rounds": 15, "launches_per_round": 20}},
    {"kernel": "k<1>", "case": "N=8", "verdict": "fail", "kind": "difference",
     "reason": "the results differ", "seed": 1, "launches": 5,
     "difference": {"buffer": "C", "index": 17, "count": 3, "old_bits": "0x3f800000",
                    "new_bits": "0x40000000", "old_value": "1", "new_value": "2"}}
  ]
})";

std::string error(StringRef T, const Harness *For = nullptr) {
  auto R = readGpuResult(T, "r.json", For);
  return R ? "no error" : toString(R.takeError());
}

std::string replaced(StringRef From, StringRef To) {
  std::string T = Text.str();
  size_t At = T.find(From.str());
  EXPECT_NE(At, std::string::npos) << From.str();
  return T.replace(At, From.size(), To.str());
}

TEST(GpuResult, Complete) {
  auto R = readGpuResult(Text, "r.json");
  ASSERT_TRUE(static_cast<bool>(R)) << toString(R.takeError());
  EXPECT_EQ(R->Gpu, "NVIDIA \"X\"");
  EXPECT_EQ(R->Driver, "12.8");
  EXPECT_EQ(R->Seeds, (std::vector<uint64_t>{1, 18446744073709551615u}));
  EXPECT_EQ(R->verdict(), Verdict::Fail);
  ASSERT_EQ(R->Cases.size(), 2u);
  EXPECT_EQ(R->Cases[0].Result, Verdict::Pass);
  EXPECT_TRUE(R->Cases[0].Timed);
  EXPECT_EQ(R->Cases[0].NewMicroseconds, 10.25);
  EXPECT_EQ(R->Cases[0].LaunchesPerRound, 20u);
  EXPECT_EQ(R->Cases[0].Runs, 40u);
  EXPECT_FALSE(R->Cases[0].Difference);
  EXPECT_EQ(R->Cases[1].Kind, "difference");
  ASSERT_TRUE(R->Cases[1].Difference);
  EXPECT_EQ(R->Cases[1].Difference->Index, 17u);
  EXPECT_EQ(R->Cases[1].Difference->NewBits, "0x40000000");
  EXPECT_FALSE(R->Cases[1].Timed);
}

TEST(GpuResult, Verdicts) {
  EXPECT_EQ(GpuResult().verdict(), Verdict::CannotTell) << "nothing was run";
  GpuResult R;
  R.Cases.resize(2);
  EXPECT_EQ(R.verdict(), Verdict::Pass);
  R.Cases[1].Result = Verdict::CannotTell;
  EXPECT_EQ(R.verdict(), Verdict::CannotTell);
  R.Cases[0].Result = Verdict::Fail;
  EXPECT_EQ(R.verdict(), Verdict::Fail);
}

TEST(GpuResult, Errors) {
  const std::string No = "r.json: not the result of a GPU harness: ";
  EXPECT_EQ(error("").substr(0, No.size()), No);
  EXPECT_EQ(error("[]"), No + "expected object when parsing result");
  EXPECT_EQ(error("{}"), No + "missing value at result.schema_version");
  EXPECT_EQ(error(replaced("\"schema_version\": 1", "\"schema_version\": 2")),
            "r.json: schema_version is 2; this program reads 1");
  EXPECT_EQ(error(replaced("\"gpu\"", "\"cpu\"")), No + "missing value at result.gpu");
  EXPECT_EQ(error(replaced("\"fail\", \"seeds\"", "\"failed\", \"seeds\"")),
            No + "expected pass, fail or cannot-tell at result.verdict");
  EXPECT_EQ(error(replaced("\"cases\": [", "\"cases\": 3, \"x\": [")),
            No + "expected array at result.cases");
  EXPECT_EQ(error(replaced("\"launches\": 5", "\"launches\": \"5\"")),
            No + "expected unsigned integer at result.cases[1].launches");
  EXPECT_EQ(error(replaced("\"index\": 17", "\"index\": null")).substr(0, No.size()), No);
  EXPECT_EQ(error(replaced("\"rounds\": 15", "\"round\": 15")),
            No + "missing value at result.cases[0].time.rounds");
  EXPECT_EQ(error(replaced("\"fail\", \"kind\"", "\"pass\", \"kind\"")),
            No + "the verdict is not that of the cases");
  for (size_t I = 0; I < Text.size(); ++I)
    EXPECT_EQ(error(Text.take_front(I)).substr(0, 8), "r.json: ");
}

TEST(GpuResult, OfAnotherHarness) {
  Harness H;
  H.Id = "0123456789abcdef";
  EXPECT_EQ(error(Text, &H), "no error");
  H.Id = "x";
  EXPECT_EQ(
      error(Text, &H),
      "r.json: this is the result of another harness (0123456789abcdef, not x): the files, the "
      "launches or the options have changed since");
}

} // namespace
