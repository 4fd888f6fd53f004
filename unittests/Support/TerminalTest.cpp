//===- TerminalTest.cpp - Standard output and standard error ------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Support/Terminal.h"
#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace {

/// \p Text in pieces of \p Size bytes.
std::string written(StringRef Text, size_t Size, bool Filters = true) {
  std::string Out;
  {
    raw_string_ostream To(Out);
    cuda_pipeline::HarmlessStream Stream(To, Filters);
    for (; !Text.empty(); Text = Text.drop_front(std::min(Size, Text.size())))
      Stream << Text.take_front(Size);
  }
  return Out;
}

TEST(Terminal, NothingActs) {
  for (size_t Size : {1, 2, 3, 100}) {
    EXPECT_EQ(written("a\x1b[2J\nb\tc\r\nd\re", Size), "a<U+001B>[2J\nb\tc\r\nd<U+000D>e");
    EXPECT_EQ(written("x\xc2\x9b"
                      "31m \xe2\x80\xae.",
                      Size),
              "x<U+009B>31m <U+202E>.");
    EXPECT_EQ(written("gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80\n", Size),
              "gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80\n");
    // What is cut off, and what is none.
    EXPECT_EQ(written("\x9b"
                      "1m\xff\xe6\x97",
                      Size),
              "<9B>1m\xff\xe6<97>");
    EXPECT_EQ(written("line\r", Size), "line<U+000D>");
    EXPECT_EQ(written("a\x1b[2J\r\xc2", Size, /*Filters=*/false), "a\x1b[2J\r\xc2");
  }
}

TEST(Terminal, ColorsAreNoText) {
  std::string Out;
  {
    raw_string_ostream To(Out);
    To.enable_colors(true);
    cuda_pipeline::HarmlessStream Stream(To, true);
    Stream << "\xc3";
    Stream.changeColor(raw_ostream::RED, true, false);
    Stream << "x\x1b[0m";
    Stream.resetColor();
  }
  EXPECT_EQ(StringRef(Out).count('\x1b'), 2u) << Out;
  EXPECT_NE(Out.find("<U+001B>[0m"), std::string::npos);
}

TEST(Terminal, OneLine) {
  std::string Out;
  raw_string_ostream To(Out);
  cuda_pipeline::MessageLine(To, "tool: error: ") << "'a\nb' is " << 3 << " bytes\n";
  cuda_pipeline::MessageLine(To, "tool: error: ") << "no end\x1b";
  EXPECT_EQ(Out, "tool: error: 'a<U+000A>b' is 3 bytes\ntool: error: no end<U+001B>\n");
}

TEST(Terminal, ManyLines) {
  EXPECT_EQ(cuda_pipeline::harmless("a\x07\n\nb\r\n"), "a<U+0007>\n\nb\r\n");
}

} // namespace
