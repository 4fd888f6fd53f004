//===- LinesTest.cpp - Lines as Clang counts them -----------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Support/Lines.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;
using namespace llvm;

namespace {

TEST(Lines, EndsOfAllKinds) {
  const StringRef Text = "a\nb\r\nc\rd\r\r\ne";
  const LineTable Lines(Text);
  ASSERT_EQ(Lines.size(), 6u);
  const char *Expected[] = {"a", "b", "c", "d", "", "e"};
  StringRef Rest = Text;
  for (unsigned I = 0; I < 6; ++I) {
    EXPECT_EQ(Lines.line(I + 1), Expected[I]);
    EXPECT_EQ(Lines.lineOf(Lines.begin(I + 1)), I + 1);
    auto [Line, After] = splitLine(Rest);
    EXPECT_EQ(Line, Expected[I]);
    Rest = After;
  }
  EXPECT_TRUE(Rest.empty());
  EXPECT_EQ(lineEnds(Text), 5u);
  EXPECT_EQ(lineCount(Text), 6u);
  // The end of a line is in it.
  EXPECT_EQ(Lines.lineOf(Text.find("\r\n")), 2u);
  EXPECT_EQ(Lines.lineOf(Text.find("\r\n") + 1), 2u);
}

TEST(Lines, AtTheEnd) {
  for (StringRef Text : {"a\nb\n", "a\rb\r", "a\r\nb\r\n"}) {
    const LineTable Lines(Text);
    EXPECT_EQ(Lines.size(), 2u);
    EXPECT_EQ(lineCount(Text), 2u);
    EXPECT_EQ(lineEnds(Text), 2u);
    EXPECT_EQ(Lines.line(2), "b");
    // What is not there is empty.
    EXPECT_EQ(Lines.line(3), "");
    EXPECT_EQ(Lines.line(99), "");
    EXPECT_EQ(Lines.line(0), "");
    EXPECT_EQ(Lines.begin(99), Text.size());
  }
  EXPECT_EQ(LineTable("").size(), 0u);
  EXPECT_EQ(lineCount(""), 0u);
  EXPECT_EQ(LineTable("\n").size(), 1u);
}

} // namespace
