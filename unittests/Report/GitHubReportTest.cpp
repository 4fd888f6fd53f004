//===- GitHubReportTest.cpp - Workflow commands --------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Samples.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;
using namespace llvm;

namespace {

std::string render(const Report &R) {
  std::string S;
  raw_string_ostream OS(S);
  renderGitHub(R, OS);
  return S;
}

TEST(GitHubReport, Opportunity) {
  LoopReport L = rewrittenLoop();
  L.Status = LoopStatus::Opportunity;
  EXPECT_EQ(
      render(reportOf(L)),
      "::warning file=a.cu,line=42,endLine=60,title=cuda-pipeline::"
      "pipeline this tile loop with cp-async, 3 stages%0Aassumes: registers: 64 per thread are "
      "enough\n");
}

TEST(GitHubReport, Refused) {
  std::string S = render(reportOf(refusedLoop()));
  EXPECT_EQ(S.find("::notice file=a.cu,line=12,col=5,title=cuda-pipeline%3A stale-tile::tile loop "
                   "is not pipelined: not every element of 'tile'"),
            0u);
  EXPECT_NE(S.find("\n::notice file=a.cu,line=10,col=1,title=cuda-pipeline%3A may-alias::"),
            std::string::npos);
  EXPECT_EQ(StringRef(S).count('\n'), 2u) << "one line per annotation";
}

TEST(GitHubReport, Escapes) {
  LoopReport L;
  L.Line = 1;
  L.Status = LoopStatus::Rewritten;
  L.Variant = "50%\r\nx, y: z";
  EXPECT_EQ(
      render(reportOf(L, "a,b:c%.cu")),
      "::notice file=a%2Cb%3Ac%25.cu,line=1,title=cuda-pipeline::pipelined with 50%25%0D%0Ax, "
      "y: z\n");
}

TEST(GitHubReport, NothingActs) {
  LoopReport L;
  L.Line = 1;
  L.Status = LoopStatus::Rewritten;
  L.Variant = "\x1b[2J\n::set-output name=x::y\xc2\x9b%0A::warning::";
  const std::string S = render(reportOf(L, "a\x1b]0;t\x07\n::error::.cu"));
  EXPECT_EQ(S, "::notice "
               "file=a<U+001B>]0;t<U+0007>%0A%3A%3Aerror%3A%3A.cu,line=1,title=cuda-pipeline::"
               "pipelined with "
               "<U+001B>[2J%0A::set-output name=x::y<U+009B>%250A::warning::\n");
}

TEST(GitHubReport, NothingToSay) {
  for (LoopStatus S : {LoopStatus::Unprofitable, LoopStatus::AlreadyPipelined,
                       LoopStatus::NotSelected, LoopStatus::Suppressed}) {
    LoopReport L;
    L.Status = S;
    EXPECT_EQ(render(reportOf(L)), "");
  }
}

} // namespace
