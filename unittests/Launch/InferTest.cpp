//===- InferTest.cpp - Launches that a file makes itself -----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;
using namespace llvm;

namespace {

KernelSignature signature() {
  return kernel({pointer("A", "float", true), pointer("C", "float"), pointer("flags", "int"),
                 scalar("n", "int"), scalar("alpha", "float")},
                "k");
}

KernelLaunch constantLaunch() {
  KernelLaunch L;
  L.Mangled = "_Zk";
  L.Line = 77;
  L.Grid = {4, 2, 1};
  L.Block = {32, 8, 1};
  L.SharedBytes = 128;
  L.Arguments = {{"dA", std::nullopt, 4096},
                 {"dC", std::nullopt, 256},
                 {"nullptr", std::nullopt, std::nullopt},
                 {"64", 64, std::nullopt},
                 {"0.5f", std::nullopt, std::nullopt}};
  return L;
}

std::string error(const DeviceModule &M) {
  auto D = inferLaunch(M, signature());
  return D ? "no error" : toString(D.takeError());
}

TEST(Infer, Complete) {
  DeviceModule M;
  KernelLaunch Other = constantLaunch(), Unknown = constantLaunch();
  Other.Mangled = "_Zother";
  Unknown.Grid.reset();
  M.Launches = {Other, Unknown, constantLaunch()};
  auto D = inferLaunch(M, signature());
  ASSERT_TRUE(static_cast<bool>(D)) << toString(D.takeError());
  EXPECT_EQ(D->File, "");
  auto L = evaluate(*D, signature());
  ASSERT_TRUE(static_cast<bool>(L)) << toString(L.takeError());
  ASSERT_EQ(L->size(), 1u);
  const ConcreteLaunch &C = (*L)[0];
  EXPECT_EQ(C.Grid, (std::array<uint64_t, 3>{4, 2, 1}));
  EXPECT_EQ(C.Block, (std::array<uint64_t, 3>{32, 8, 1}));
  EXPECT_EQ(C.SharedBytes, 128u);
  EXPECT_EQ(C.Arguments[0].Count, 1024u);
  EXPECT_EQ(C.Arguments[0].Role, BufferRole::Input);
  EXPECT_EQ(C.Arguments[1].Count, 64u);
  EXPECT_EQ(C.Arguments[1].Role, BufferRole::InOut);
  EXPECT_TRUE(C.Arguments[2].Null);
  EXPECT_EQ(C.Arguments[3].Value, (std::vector<uint8_t>{64, 0, 0, 0}));
  EXPECT_EQ(C.Arguments[4].Value, (std::vector<uint8_t>{0, 0, 0, 0x3f}));
}

TEST(Infer, WhatIsMissing) {
  DeviceModule M;
  EXPECT_EQ(error(M), "the file does not launch 'k' (line 10)");
  auto Missing = [&](auto Change) {
    M.Launches = {constantLaunch()};
    Change(M.Launches[0]);
    std::string Message = error(M);
    StringRef R = Message;
    EXPECT_TRUE(R.consume_front("the launch of 'k' in line 77 is no constant: ")) << Message;
    EXPECT_TRUE(R.consume_back(" is not known")) << Message;
    return R.str();
  };
  EXPECT_EQ(Missing([](KernelLaunch &L) { L.Grid.reset(); }), "the grid");
  EXPECT_EQ(Missing([](KernelLaunch &L) { L.Block.reset(); }), "the block");
  EXPECT_EQ(Missing([](KernelLaunch &L) { L.SharedBytes.reset(); }), "the dynamic shared memory");
  EXPECT_EQ(Missing([](KernelLaunch &L) { L.Arguments[1].Bytes.reset(); }), "the size of 'dC'");
  EXPECT_EQ(Missing([](KernelLaunch &L) { L.Arguments[3] = {"m", std::nullopt, std::nullopt}; }),
            "the value of 'm'");
  EXPECT_EQ(Missing([](KernelLaunch &L) { L.Arguments[4] = {"x", std::nullopt, std::nullopt}; }),
            "the value of 'x'");
  EXPECT_EQ(Missing([](KernelLaunch &L) { L.Arguments.pop_back(); }),
            "an argument that is left to its default");
}

TEST(Infer, ErrorsNameTheLaunch) {
  DeviceModule M;
  M.Launches = {constantLaunch()};
  M.Launches[0].Block = {2048, 1, 1};
  auto D = inferLaunch(M, signature());
  ASSERT_TRUE(static_cast<bool>(D));
  auto L = evaluate(*D, signature());
  ASSERT_FALSE(static_cast<bool>(L));
  EXPECT_EQ(toString(L.takeError()),
            "launch in line 77: 'block' is 2048 in x; it must be between 1 and 1024");
}

} // namespace
