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
  C.Loops = {{{"f.cu", 7, 3}, 5, 4, true}, {{"", 0, 0}, 0, 0, false}};
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
  ASSERT_EQ(D.Loops.size(), 2u);
  EXPECT_EQ(D.Loops[0].At.Line, 7u);
  EXPECT_EQ(D.Loops[0].Loads, 4u);

  // What is cut short is no case.
  json::Object Cut = *Parsed->getAsObject();
  Cut.erase("verdict");
  VerifyCase E;
  EXPECT_FALSE(fromJSON(json::Value(std::move(Cut)), E, Root));
}

// What is not as it was and was not run is no pass, whatever passed.
TEST(VerifyReport, WhatChangedMustHaveRun) {
  VerifyReport R;
  R.Cases = {made(Verdict::Pass)};
  R.NotCovered = {"other", "third"};
  R.ChangedNotRun = {"third"};
  EXPECT_EQ(R.verdict(), Verdict::CannotTell);
  std::string Text;
  raw_string_ostream OS(Text);
  writeText(R, OS);
  EXPECT_NE(Text.find("other: not run, because no launch is described\n"
                      "third: cannot tell  it is not as in the old version, and not run, because "
                      "no launch of it is described\n"),
            std::string::npos)
      << Text;
  R.Cases.push_back(made(Verdict::Fail));
  EXPECT_EQ(R.verdict(), Verdict::Fail);
}

// The furthest that any case has come counts, for loops of what changed.
TEST(VerifyReport, LoopsThatDidNotGetGoing) {
  VerifyReport R;
  R.Cases = {made(Verdict::Pass), made(Verdict::Pass)};
  const VerifyPlace Far = {"f.cu", 9, 1};
  R.Cases[0].Loops = {
      {{"f.cu", 3, 1}, 1, 1, true}, {{"f.cu", 5, 1}, 0, 0, false}, {Far, 1, 0, true}};
  R.Cases[1].Loops = {
      {{"f.cu", 3, 1}, 2, 2, true}, {{"f.cu", 5, 1}, 0, 0, false}, {Far, 3, 1, true}};
  EXPECT_TRUE(R.notSteady().empty()) << "nothing changed";
  R.Changed = {"k<1>"};
  auto Loops = R.notSteady();
  ASSERT_EQ(Loops.size(), 1u);
  EXPECT_EQ(Loops[0].second.At.Line, 9u);
  EXPECT_EQ(Loops[0].second.Turns, 3u);
  EXPECT_EQ(Loops[0].second.Loads, 1u);
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
  R.Cases[1].Fault =
      VerifyFault{"race", "race on a[1]", {"f.cu", 3, 4}, {"f.cu", 5, 6}, "thread 7"};
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
