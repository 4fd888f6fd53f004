//===- LinesTest.cpp - Line tables --------------------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lines.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;

/// A table of one unit, version 2, as nvcc writes it: files "k.cu" in "/src" and "h.h".
static std::string table(const std::string &Operations) {
  std::string Header("\x01\x01\xfb\x0e\x0a\x00\x01\x01\x01\x01\x00\x00\x00\x01",
                     14); // min length, default, base -5, range 14, 10 opcodes
  Header += std::string("/src\0\0", 6);
  Header += std::string("k.cu\0\1\0\0", 8) + std::string("h.h\0\0\0\0", 7) + std::string("\0", 1);
  auto Word = [](size_t Value) {
    return std::string({char(Value), char(Value >> 8), char(Value >> 16), char(Value >> 24)});
  };
  std::string Rest = std::string("\x02\x00", 2) + Word(Header.size()) + Header + Operations;
  return Word(Rest.size()) + Rest;
}
static const std::string SetAddress =
    std::string("\x00\x09\x02", 3) + std::string("\x00\x01\x00\x00\x00\x00\x00\x00", 8);
static const std::string Copy = "\x01", End = std::string("\x00\x01\x01", 3);

TEST(Lines, RowsOfAFile) {
  // 0x100: line 7; then 16 bytes on, line 9, by a special operation after an advance.
  std::vector<LineRow> Rows = readLines(
      table(SetAddress + "\x03\x06" + Copy + "\x02\x10\x03\x02" + Copy + "\x02\x10" + End));
  ASSERT_EQ(Rows.size(), 3u);
  EXPECT_EQ(Rows[0].Address, 0x100u);
  EXPECT_EQ(Rows[0].Line, 7u);
  EXPECT_EQ(Rows[0].File, "/src/k.cu");
  EXPECT_EQ(Rows[1].Address, 0x110u);
  EXPECT_EQ(Rows[1].Line, 9u);
  EXPECT_TRUE(Rows[2].Ends);
  EXPECT_EQ(Rows[2].Address, 0x120u);
}

TEST(Lines, InlinedCalls) {
  // Row 1 calls; row 2 is in the header, inlined there (operation 0x90, context 1, name 0).
  const std::string Inlined = std::string("\x00\x03\x90\x01\x00", 5);
  std::vector<LineRow> Rows = readLines(
      table(SetAddress + "\x03\x06" + Copy + "\x04\x02" + Inlined + "\x02\x10" + Copy + End));
  ASSERT_EQ(Rows.size(), 3u);
  EXPECT_EQ(Rows[1].File, "h.h");
  EXPECT_EQ(Rows[1].CalledAt, 1u);
  EXPECT_EQ(Rows[0].CalledAt, 0u);
}

TEST(Lines, CallsAreCountedFromTheirSequence) {
  const std::string Inlined = std::string("\x00\x03\x90\x01\x00", 5);
  const std::string One =
      SetAddress + "\x03\x06" + Copy + "\x04\x02" + Inlined + "\x02\x10" + Copy + End;
  std::vector<LineRow> Rows = readLines(table(One + One));
  ASSERT_EQ(Rows.size(), 6u);
  EXPECT_EQ(Rows[4].CalledAt, 4u);
}

TEST(Lines, SeveralUnits) {
  const std::string One = table(SetAddress + Copy + End);
  EXPECT_EQ(readLines(One + One).size(), 4u);
}

TEST(Lines, WhatIsNoTable) {
  const std::string One = table(SetAddress + Copy + End);
  for (size_t Size = 0; Size != One.size(); ++Size)
    EXPECT_LE(readLines(llvm::StringRef(One).take_front(Size)).size(), 2u);
  std::string Bad = One;
  Bad[4] = 9; // a version of the future
  EXPECT_TRUE(readLines(Bad).empty());
  EXPECT_TRUE(readLines(std::string(64, '\xff')).empty());
}
