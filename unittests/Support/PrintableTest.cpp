//===- PrintableTest.cpp - Text that does nothing but be read -----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Support/Printable.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;
using namespace llvm;

namespace {

TEST(Printable, WhatActs) {
  EXPECT_EQ(printable("\x1b[2J"), "<U+001B>[2J");
  EXPECT_EQ(printable(StringRef("a\0b\n\x7f", 5)), "a<U+0000>b<U+000A><U+007F>");
  // C1, as a character and as a byte.
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "<U+009B>2J");
  EXPECT_EQ(printable("\x9b"
                      "2J"),
            "<9B>2J");
  // What turns the text around.
  EXPECT_EQ(printable("a\xe2\x80\xae"
                      "b\xe2\x81\xa6\xef\xbb\xbf"),
            "a<U+202E>b<U+2066><U+FEFF>");
}

TEST(Printable, WhatIsRead) {
  for (StringRef Text : {"", "a b\tc",
                         "gr\xc3\xb6\xc3\x9f"
                         "e \xe6\x97\xa5 \xf0\x9f\x98\x80",
                         "Latin-1 \xe9", "cut off \xe6\x97"})
    if (Text != "cut off \xe6\x97")
      EXPECT_EQ(printable(Text), Text);
    else
      EXPECT_EQ(printable(Text), "cut off \xe6<97>");
}

} // namespace
