//===- RecordTest.cpp - Values as bytes, and back -----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../lib/Support/Record.h"
#include "gtest/gtest.h"

namespace cuda_pipeline {
namespace {

struct Inner {
  std::string Text;
  double Number = 0;
};
template <class Archive> void fields(Archive &A, Inner &V) {
  auto &[Text, Number] = V;
  A(Text, Number);
}
struct Outer {
  std::vector<Inner> List;
  std::optional<unsigned> Maybe, Not;
  enum class E { A, B } Kind = E::A;
  llvm::StringSet<> Set;
  bool Flag = false;
};
template <class Archive> void fields(Archive &A, Outer &V) {
  auto &[List, Maybe, Not, Kind, Set, Flag] = V;
  A(List, Maybe, Not, Kind, Set, Flag);
}

Outer example() {
  Outer O;
  O.List = {{std::string("a\0b\xff", 4), 0.1}, {"", -1}};
  O.Maybe = 7;
  O.Kind = Outer::E::B;
  O.Set.insert("x");
  O.Set.insert("y");
  O.Flag = true;
  return O;
}

TEST(Record, ComesBack) {
  std::optional<Outer> O = fromBytes<Outer>(toBytes(example()));
  ASSERT_TRUE(O);
  ASSERT_EQ(O->List.size(), 2u);
  EXPECT_EQ(O->List[0].Text, std::string("a\0b\xff", 4));
  EXPECT_EQ(O->List[0].Number, 0.1);
  EXPECT_EQ(O->Maybe, 7u);
  EXPECT_FALSE(O->Not);
  EXPECT_EQ(O->Kind, Outer::E::B);
  EXPECT_EQ(O->Set.size(), 2u);
  EXPECT_TRUE(O->Set.contains("y"));
  EXPECT_TRUE(O->Flag);
  EXPECT_EQ(toBytes(*O), toBytes(example()));
}

TEST(Record, OtherBytesAreNothing) {
  const std::string Bytes = toBytes(example());
  for (size_t N = 0; N < Bytes.size(); ++N)
    EXPECT_FALSE(fromBytes<Outer>(llvm::StringRef(Bytes).take_front(N))) << N;
  EXPECT_FALSE(fromBytes<Outer>(Bytes + "x"));
  EXPECT_FALSE(fromBytes<Outer>(std::string(64, '\xff'))); // sizes beyond all bytes
}

} // namespace
} // namespace cuda_pipeline
