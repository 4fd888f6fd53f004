//===- BankConflictsTest.cpp --------------------------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/BankConflicts.h"
#include "gtest/gtest.h"
#include <fstream>
#include <map>
#include <sstream>

using namespace cuda_pipeline;

namespace {

struct Kind {
  SharedAccess Access;
  unsigned Bytes;
};
const std::map<std::string, Kind> Kinds = {
    {"ld8", {SharedAccess::Load, 1}},     {"ld32", {SharedAccess::Load, 4}},
    {"ld64", {SharedAccess::Load, 8}},    {"ld128", {SharedAccess::Load, 16}},
    {"st32", {SharedAccess::Store, 4}},   {"st64", {SharedAccess::Store, 8}},
    {"st128", {SharedAccess::Store, 16}}, {"ldm1", {SharedAccess::Matrix, 16}},
    {"ldm2", {SharedAccess::Matrix, 16}}, {"ldm4", {SharedAccess::Matrix, 16}},
};

template <class FunctionT> LaneOffsets lanes(FunctionT At) {
  LaneOffsets Out;
  for (unsigned I = 0; I < WarpSize; ++I)
    Out[I] = At(I);
  return Out;
}

/// A sample of what bench/micro/banks.py has measured on an H200: kind, wavefronts, 32 offsets.
TEST(BankConflicts, AgreesWithWhatAProfilerCounts) {
  std::ifstream In("Inputs/banks-h200.txt");
  std::string Line;
  std::map<std::string, unsigned> Seen;
  while (std::getline(In, Line)) {
    std::istringstream Words(Line);
    std::string Name;
    unsigned Count;
    Words >> Name >> Count;
    LaneOffsets Lanes;
    for (auto &Lane : Lanes) {
      long Offset;
      ASSERT_TRUE(Words >> Offset) << Line;
      if (Offset >= 0)
        Lane = uint64_t(Offset);
    }
    // Of one or two matrices the other lanes say nothing.
    if (Name == "ldm1" || Name == "ldm2")
      std::fill(Lanes.begin() + (Name == "ldm1" ? 8 : 16), Lanes.end(), std::nullopt);
    ASSERT_TRUE(Kinds.count(Name)) << Line;
    EXPECT_EQ(wavefronts(Kinds.at(Name).Access, Kinds.at(Name).Bytes, Lanes), Count) << Line;
    EXPECT_LE(leastWavefronts(Kinds.at(Name).Access, Kinds.at(Name).Bytes, Lanes), Count) << Line;
    ++Seen[Name];
  }
  EXPECT_EQ(Seen.size(), Kinds.size());
  for (const auto &[Name, Lines] : Seen)
    EXPECT_GE(Lines, 20u) << Name;
}

TEST(BankConflicts, TheLeastIsWhatTheBytesNeed) {
  const LaneOffsets Column = lanes([](unsigned I) { return I * 128; });
  EXPECT_EQ(wavefronts(SharedAccess::Load, 4, Column), 32u);
  EXPECT_EQ(leastWavefronts(SharedAccess::Load, 4, Column), 1u);
  const LaneOffsets Rows = lanes([](unsigned I) { return I * 256; });
  EXPECT_EQ(wavefronts(SharedAccess::Matrix, 16, Rows), 32u);
  EXPECT_EQ(leastWavefronts(SharedAccess::Matrix, 16, Rows), 4u);
}

TEST(BankConflicts, NobodyTakesPart) {
  EXPECT_EQ(wavefronts(SharedAccess::Load, 4, LaneOffsets()), 0u);
  EXPECT_EQ(leastWavefronts(SharedAccess::Store, 16, LaneOffsets()), 0u);
}

} // namespace
