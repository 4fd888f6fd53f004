//===- TemplateTest.cpp - What --emit-launch writes ----------------------===//
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

/// The document of one kernel without the comment in front, and evaluated.
std::string written(const DeviceModule &M, const KernelSignature &K,
                    std::vector<ConcreteLaunch> *Launches = nullptr) {
  std::string Text = launchTemplate(M, K);
  auto D = parseLaunch(Text, "template.yaml");
  if (!D) {
    ADD_FAILURE() << toString(D.takeError()) << "\n" << Text;
    return Text;
  }
  EXPECT_EQ(D->size(), 1u);
  auto L = evaluate((*D)[0], K);
  if (!L)
    ADD_FAILURE() << toString(L.takeError()) << "\n" << Text;
  else if (Launches)
    *Launches = std::move(*L);
  for (StringRef Rest = Text; !Rest.empty();) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    EXPECT_FALSE(Line.ends_with(" ")) << Line.str();
  }
  return Text.substr(Text.find("---\n"));
}

TEST(Template, MatrixProduct) {
  std::vector<ConcreteLaunch> L;
  KernelSignature K =
      kernel({pointer("A", "float", true), pointer("B", "float", true), pointer("C", "float"),
              scalar("N", "int"), scalar("K", "int"), scalar("alpha", "float")});
  K.MaxThreads = 1024;
  EXPECT_EQ(written({}, K, &L), R"(---
kernel: gemm<float, 32>
cases:                        # check: the sizes that the kernel is made for
  - {N: 64, K: 64}
  - {N: 128, K: 128}
grid: [ceildiv(N, 1024)]      # check: blocks in x, y, z
block: [1024]                 # check: the launch bounds, as one dimension
shared: 0                     # check: bytes of dynamic shared memory
arguments:                    # in the order of the parameters
  # const float * A; check: count
  - {name: A, buffer: float, count: N * K, role: input}
  # const float * B; check: count
  - {name: B, buffer: float, count: N * K, role: input}
  # float * C; check: count; output or inout
  - {name: C, buffer: float, count: N * K, role: inout}
  # int N
  - {name: N, scalar: int, value: N}
  # int K
  - {name: K, scalar: int, value: K}
  # float alpha; check: value
  - {name: alpha, scalar: float, value: 0.75}
)");
  ASSERT_EQ(L.size(), 2u);
  EXPECT_EQ(L[1].Arguments[0].Count, 128u * 128);
}

// A size that a loop over tiles runs to: no tile, one, two, an odd number, many.
TEST(Template, LoopsTurn) {
  std::vector<ConcreteLaunch> L;
  KernelSignature K = kernel(
      {pointer("A", "float", true), pointer("C", "float"), scalar("M", "int"), scalar("K", "int")},
      "k");
  K.TileLoops = {{"K", 32}};
  std::string Text = written({}, K, &L);
  EXPECT_NE(Text.find(R"(
  - {M: 64, K: 0}
  - {M: 64, K: 32}
  - {M: 64, K: 64}
  - {M: 64, K: 96}
  - {M: 64, K: 160}
)"),
            std::string::npos)
      << Text;
  EXPECT_NE(Text.find("count: M * max(K, 64)"), std::string::npos) << Text;
  ASSERT_EQ(L.size(), 5u);
  EXPECT_EQ(L[0].Arguments[0].Count, 64u * 64);
  // By the block, and the grid is of the same size.
  K.TileLoops = {{"M", 0}, {"K", 0}};
  K.MaxThreads = 128;
  Text = written({}, K, &L);
  EXPECT_NE(Text.find("  - {M: 640, K: 640}\n"), std::string::npos) << Text;
  EXPECT_NE(Text.find("grid: [max(1, min(2, ceildiv(M, 128)))] # check"), std::string::npos)
      << Text;
  ASSERT_EQ(L.size(), 5u);
  EXPECT_EQ(L[0].Grid[0], 1u);
  EXPECT_EQ(L[4].Grid[0], 2u);
}

TEST(Template, FromALaunch) {
  DeviceModule M;
  KernelSignature K =
      kernel({pointer("A", "float", true), pointer("C", "half"), scalar("N", "int")}, "k");
  KernelLaunch Less;
  Less.Mangled = K.Mangled;
  Less.Line = 5;
  KernelLaunch L = Less;
  L.Line = 50;
  L.Block = {32, 32, 1};
  L.SharedBytes = 4096;
  L.Arguments = {
      {"dA", std::nullopt, 4096}, {"dC", std::nullopt, std::nullopt}, {"n", std::nullopt, {}}};
  M.Launches = {Less, L};
  EXPECT_EQ(written(M, K), R"(---
kernel: k
cases:                        # check: the sizes that the kernel is made for
  - {N: 64}
  - {N: 128}
grid: [ceildiv(N, 32), ceildiv(N, 32)] # check: blocks in x, y, z
block: [32, 32]               # as launched in line 50
shared: 4096                  # as launched in line 50
arguments:                    # in the order of the parameters
  # const float * A
  - {name: A, buffer: float, count: 1024, role: input}
  # half * C; check: count; output or inout
  - {name: C, buffer: half, count: N * N, role: inout}
  # int N
  - {name: N, scalar: int, value: N}
)");
  M.Launches[1].Grid = {3, 2, 2};
  M.Launches[1].Arguments[2].Value = 96;
  std::string Text = written(M, K);
  EXPECT_NE(Text.find("grid: [3, 2, 2]               # as launched in line 50\n"),
            std::string::npos);
  EXPECT_NE(Text.find("{name: N, scalar: int, value: 96}"), std::string::npos);
  EXPECT_NE(Text.find("  - {n: 64}\n"), std::string::npos) << "a name for the counts";
}

TEST(Template, OddParameters) {
  KernelSignature K = kernel(
      {scalar("", "int"), pointer("", "float4"), scalar("yes", "int"), scalar("min", "int"),
       structure(scalar("p", "ns::Params"), 24), structure(pointer("bodies", "Body"), 28),
       scalar("v", "int4"), scalar("lda", "size_t"), scalar("flag", "bool"), pointer("raw", "void"),
       scalar("h", "half"), scalar("args", "int"), scalar("args", "int")},
      "ns::k<(anonymous namespace)::T, 'x'>");
  std::string Text = written({}, K);
  for (StringRef Line :
       {"kernel: 'ns::k<(anonymous namespace)::T, ''x''>'\n",
        "- {name: argument 1, scalar: int, value: 1}",
        "- {name: argument 2, buffer: float4, count: yes * args, role: inout}",
        "- {name: 'yes', scalar: int, value: yes}", "- {name: min, scalar: int, value: 1}",
        "- {name: p, value: 0}",
        "- {name: bodies, buffer: bytes:28, count: yes * args, role: inout}",
        "- {name: v, scalar: int4, value: [1, 1, 1, 1]}",
        "- {name: lda, scalar: size_t, value: yes}", "- {name: flag, scalar: bool, value: 1}",
        "- {name: raw, buffer: bytes:1, ", "- {name: h, scalar: half, value: 0.75}",
        "- {name: argument 13, scalar: int, value: args}"})
    EXPECT_NE(Text.find(Line.str()), std::string::npos) << Line.str() << "\n" << Text;
}

TEST(Template, NoParameters) {
  EXPECT_EQ(written({}, kernel({}, "k")), R"(---
kernel: k
grid: [1]                     # check: blocks in x, y, z
block: [256]                  # check: threads in x, y, z
shared: 0                     # check: bytes of dynamic shared memory
arguments: []
)");
}

TEST(Template, SeveralKernels) {
  KernelSignature Kernels[] = {kernel({}, "a"), kernel({scalar("n", "int")}, "b")};
  auto D = parseLaunch(launchTemplate({}, Kernels), "t");
  ASSERT_TRUE(static_cast<bool>(D)) << toString(D.takeError());
  ASSERT_EQ(D->size(), 2u);
  EXPECT_EQ((*D)[1].Kernel, "b");
}

// The comment is what a user learns the format from: every word in it is one that the reader knows.
TEST(Template, HeaderNamesAllKeys) {
  std::string Text = launchTemplate({}, kernel({}, "k"));
  for (StringRef Word :
       {"cases",        "let",    "buffer",  "count",    "offset", "role",    "input",  "output",
        "inout",        "fill",   "random",  "uniform(", "index(", "value(",  "poison", "same_as",
        "buffer: null", "fields", "globals", "min(",     "max(",   "ceildiv("})
    EXPECT_NE(Text.find(Word.str()), std::string::npos) << Word.str();
}

} // namespace
