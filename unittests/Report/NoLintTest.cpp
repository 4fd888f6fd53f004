//===- NoLintTest.cpp - Comments that suppress, and that seem to ---------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/NoLint.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;
using namespace llvm;

namespace {

/// "LINE: TEXT" of each, with a star in front of those that name us.
std::string problems(StringRef Text) {
  std::string All;
  for (const NoLintProblem &P : noLintProblems(Text))
    All += (P.NamesUs ? "*" : "") + std::to_string(P.Line) + ": " + P.Text + "\n";
  return All;
}

bool suppresses(StringRef Text, unsigned Line, StringRef Check = TileLoopCheckName) {
  return SuppressedLines(Text, Check).contains(Line);
}

TEST(NoLint, TheTagOfTheReport) {
  for (StringRef Check : {StringRef(TileLoopCheckName), StringRef(RefusedCheckName)}) {
    EXPECT_TRUE(suppresses("x // NOLINT(cuda-pipeline)", 1, Check));
    EXPECT_TRUE(suppresses("// NOLINTNEXTLINE(bugprone-x, cuda-pipeline)\nx", 2, Check));
    EXPECT_TRUE(
        suppresses("// NOLINTBEGIN(cuda-pipeline)\nx\n// NOLINTEND(cuda-pipeline)", 2, Check));
    EXPECT_FALSE(suppresses("x // NOLINT(cuda-pipelin)", 1, Check));
    EXPECT_FALSE(suppresses("x // NOLINT(cuda-pipeline-)", 1, Check));
  }
}

TEST(NoLint, Right) {
  for (StringRef Text :
       {"", "x // NOLINT", "x // NOLINT(cuda-pipeline)", "x // NOLINT(cuda-pipeline-tile-loop)",
        "// NOLINTNEXTLINE(cuda-pipeline-refused,bugprone-x)\nx", "// NOLINTBEGIN\n// NOLINTEND",
        "// NOLINTBEGIN(*)\n// NOLINTBEGIN(a)\n// NOLINTEND(a)\n// NOLINTEND(*)",
        "x // NOLINT(cuda-*)",
        // Not ours.
        "// NOLINTBEGIN(readability-x)", "// NOLINTEND(readability-x)",
        "x // NOLINT(readability-magic)", "// see f(cuda-pipeline)",
        "cuda-pipeline-rewrite check a.cu", "// nothing (cuda-pipeline is a tool)"})
    EXPECT_EQ(problems(Text), "") << Text.str();
}

TEST(NoLint, Unmatched) {
  EXPECT_EQ(
      problems("\n// NOLINTBEGIN\nx\n"),
      "2: 'NOLINTBEGIN' suppresses nothing: there is no NOLINTEND with the same list behind it\n");
  EXPECT_EQ(problems("// NOLINTEND(cuda-pipeline-*)"),
            "*1: 'NOLINTEND(cuda-pipeline-*)' ends nothing: there is no NOLINTBEGIN with the same "
            "list open in front of it\n");
  EXPECT_EQ(problems("// NOLINTBEGIN(cuda-pipeline)\nx\n// NOLINTEND"),
            "*1: 'NOLINTBEGIN(cuda-pipeline)' suppresses nothing: there is no NOLINTEND with the "
            "same list behind it\n"
            "3: 'NOLINTEND' ends nothing: there is no NOLINTBEGIN with the same list open in front "
            "of it\n");
}

TEST(NoLint, Misspelt) {
  EXPECT_EQ(problems("x // NOLINT(cuda-pipeline-tile-loops)"),
            "*1: 'NOLINT(cuda-pipeline-tile-loops)' suppresses nothing of this tool: "
            "'cuda-pipeline-tile-loops' is no check; did you mean 'cuda-pipeline-tile-loop'?\n");
  EXPECT_EQ(problems("x // NOLINT(a, cuda-pipline-tile-loop)").substr(0, 3), "*1:");
  EXPECT_EQ(problems("x // NOLINT(cuda-pipeline-x*)").substr(0, 3), "*1:");
  EXPECT_EQ(problems("x // NOLINT(may-alias)"),
            "*1: 'NOLINT(may-alias)' suppresses nothing of this tool: 'may-alias' is a reason; the "
            "check is 'cuda-pipeline-tile-loop'\n");
  EXPECT_EQ(problems("\nx // NOLNIT(cuda-pipeline-tile-loop)"),
            "*2: 'NOLNIT(' suppresses nothing of this tool; did you mean 'NOLINT('?\n");
  EXPECT_EQ(
      problems("// NOLINTNEXTLIN(cuda-pipeline)\r\nx"),
      "*1: 'NOLINTNEXTLIN(' suppresses nothing of this tool; did you mean 'NOLINTNEXTLINE('?\n");
  EXPECT_EQ(problems("x // nolint(a,cuda-pipeline)").substr(0, 3), "*1:");
  EXPECT_EQ(problems("x // NOLINT (cuda-pipeline)"),
            "*1: 'NOLINT (' is for all checks: a list stands directly behind the word; did you "
            "mean 'NOLINT('?\n");
  EXPECT_TRUE(SuppressedLines("x // NOLINT (other)", "cuda-pipeline-tile-loop")
                  .contains(1)); // as clang-tidy takes it
  EXPECT_EQ(problems("x // NOLNIT (cuda-pipeline)"),
            "*1: 'NOLNIT (' suppresses nothing of this tool; did you mean 'NOLINT('?\n");
}

} // namespace
