//===- ReportTest.cpp - Verdicts, and JSON there and back
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cuda-pipeline/Verify.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;
using namespace llvm;

namespace {

VerifyCase made(Verdict V) {
  VerifyCase C;
  C.Kernel = "k<1>";
  C.Case = "n=1";
  C.Result = V;
  return C;
}

TEST(VerifyReport, TheWorstCaseCounts) {
  VerifyReport R;
  EXPECT_EQ(R.verdict(), Verdict::CannotTell) << "no case proves nothing";
  R.Cases = {made(Verdict::Pass)};
  EXPECT_EQ(R.verdict(), Verdict::Pass);
  R.Cases.push_back(made(Verdict::CannotTell));
  EXPECT_EQ(R.verdict(), Verdict::CannotTell);
  R.Cases.push_back(made(Verdict::Fail));
  R.Cases.push_back(made(Verdict::Pass));
  EXPECT_EQ(R.verdict(), Verdict::Fail);
}

TEST(VerifyReport, CasesSurviveJSON) {
  VerifyCase C = made(Verdict::Fail);
  C.Reason = "why \"so\"\n";
  C.Runs = 3;
  C.Accesses = 1234567890123;
  C.Copies = 5;
  C.Fault = VerifyFault{"race", "on a[1]", {"f.cu", 3, 4}, {"", 0, 0}, "block (0,0,0)"};
  C.Difference = VerifyDifference{"out", 7, "0x1", "0x2", "1", "2", 9};
  C.Run = VerifyRun{true, "shuffled", "early", 4, 2};
  Expected<json::Value> Parsed = json::parse(formatv("{0}", toJSON(C)).str());
  ASSERT_TRUE(bool(Parsed));
  VerifyCase D;
  json::Path::Root Root;
  ASSERT_TRUE(fromJSON(*Parsed, D, Root)) << toString(Root.getError());
  EXPECT_EQ(formatv("{0}", toJSON(C)).str(), formatv("{0}", toJSON(D)).str());
  EXPECT_EQ(D.Result, Verdict::Fail);
  EXPECT_EQ(D.Accesses, 1234567890123u);
  EXPECT_EQ(D.Fault->At.Column, 4u);
  EXPECT_EQ(D.Fault->Other.Line, 0u);
  EXPECT_TRUE(D.Run->New);

  // What is cut short is no case.
  json::Object Cut = *Parsed->getAsObject();
  Cut.erase("verdict");
  VerifyCase E;
  EXPECT_FALSE(fromJSON(json::Value(std::move(Cut)), E, Root));
}

TEST(VerifyReport, Text) {
  VerifyReport R;
  R.Engine = "emulate";
  R.Repeat = "again";
  R.NotCovered = {"other"};
  R.Cases = {made(Verdict::Pass), made(Verdict::Fail)};
  R.Cases[0].Runs = 11;
  R.Cases[1].Case = "n=10";
  R.Cases[1].Reason = "race on a[1]";
  R.Cases[1].Fault = VerifyFault{"race", "race on a[1]", {"f.cu", 3, 4}, {"f.cu", 5, 6}, "thread 7"};
  std::string Text;
  raw_string_ostream OS(Text);
  writeText(R, OS);
  EXPECT_EQ(Text, "k<1>  n=1   pass  11 runs\n"
                  "k<1>  n=10  FAIL  race on a[1]\n"
                  "    f.cu:3:4: race: race on a[1]\n"
                  "    f.cu:5:6: the other one\n"
                  "    in thread 7\n"
                  "other: not run, because no launch is described\n"
                  "2 cases (emulate): 1 passed, 1 failed\n"
                  "repeat with: again\n");
}

} // namespace
