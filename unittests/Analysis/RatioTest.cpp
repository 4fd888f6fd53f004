//===- RatioTest.cpp - Block sizes, operations per byte -------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Of the examples everything is counted by hand, from their text.
///
//===----------------------------------------------------------------------===//
#include "../ParsedFile.h"
#include "cuda-pipeline/Budget.h"
#include "cuda-pipeline/LaunchShape.h"

using namespace cuda_pipeline;

namespace {

LaunchShape shape(const std::string &Code, const LaunchShape &Claim = LaunchShape()) {
  ParsedFile F(Code);
  return findLaunchShape(F.function("k"), F.context(), Claim);
}

std::string text(const LaunchShape &S) {
  if (!S.known())
    return "unknown";
  return std::to_string(S.X) + "x" + std::to_string(S.Y) + "x" + std::to_string(S.Z) +
         (S.Exact ? " exact" : "");
}

struct Counted {
  const char *Example;
  unsigned Threads;
  uint64_t Flops, Bytes;       ///< per block and iteration
  uint64_t Shared, WithStages; ///< with two stages of each tile
};

void PrintTo(const Counted &C, std::ostream *OS) { *OS << C.Example; }

class Examples : public ::testing::TestWithParam<Counted> {};

} // namespace

// conv1d: 256 positions, 9 taps, 8 channels; a row of 256 + 2 * 4 and 9 * 8 weights.
// hgemm: 128x128x16; rows are padded by 8 halves, which nobody loads.
// igemm: 64x64x32 in bytes; 4 KB of the shared memory are no tile.
// nbody: 256 x 256 pairs with 3 + 6 + 1 (the root) + 3 + 6 operations.
INSTANTIATE_TEST_SUITE_P(
    ByHand, Examples,
    ::testing::Values(Counted{"hgemm_wmma", 128, 2 * 128 * 128 * 16, 2 * 128 * 16 * 2, 10496,
                              20992},
                      Counted{"igemm_wmma", 128, 2 * 64 * 64 * 32, 2 * 64 * 32, 8192, 12288},
                      Counted{"nbody", 256, 256 * 256 * 19, 256 * 16, 4096, 8192},
                      Counted{"sgemm_float4", 256, 2 * 128 * 128 * 8, 2 * 128 * 8 * 4, 8192, 16384},
                      Counted{"sgemm_tile", 1024, 2 * 32 * 32 * 32, 2 * 32 * 32 * 4, 8192, 16384}),
    [](const auto &Info) { return std::string(Info.param.Example); });

// The last turn of a copy loop is not for all threads.
INSTANTIATE_TEST_SUITE_P(RaggedByHand, Examples,
                         ::testing::Values(Counted{"conv1d", 256, 256 * 9 * 8 * 2, (264 + 72) * 4,
                                                   1344, 2688}));

TEST_P(Examples, RatioAndBytes) {
  const Counted &Want = GetParam();
  ParsedFile F(readFile("../../examples/" + std::string(Want.Example) + ".cu"));
  TileModel M = F.model();
  ASSERT_TRUE(M.understood()) << ids(M.Refusals);
  LaunchShape Shape = findLaunchShape(F.Loops[0].Function, F.context(), LaunchShape());
  EXPECT_EQ(Shape.threads(), Want.Threads);
  ComputeLoadRatio R = computeRatio(M, F.context(), Shape);
  ASSERT_TRUE(R.Known);
  EXPECT_EQ(R.Flops, Want.Flops);
  EXPECT_EQ(R.Bytes, Want.Bytes);

  uint64_t Tiles = 0;
  std::vector<BufferSize> Sizes;
  for (const auto &B : M.Buffers) {
    Sizes.push_back({B->Bytes, B->Alignment, true});
    Tiles += B->Bytes;
  }
  Sizes.push_back({Want.Shared - Tiles, 1, false});
  Budget B = computeBudget({GpuTarget::find("sm_80")}, Sizes, 2, Shape);
  EXPECT_EQ(B.SharedBefore, Want.Shared);
  EXPECT_EQ(B.SharedAfter, Want.WithStages);
  EXPECT_EQ(Tiles, Want.WithStages - Want.Shared);
}

// --- Ratio
// ------------------------------------------------------------------------------------------

static ComputeLoadRatio ratio(const std::string &Compute, const std::string &Before = "") {
  ParsedFile F(
      Before +
      "__global__ void __launch_bounds__(64) k(const float *__restrict__ A,"
      " float *__restrict__ C, int n, int m) {\n  __shared__ float tile[64]; float s = 0;\n"
      "  for (int t = 0; t < n; ++t) {\n    tile[threadIdx.x] = A[t * 64 + threadIdx.x];\n"
      "    __syncthreads();\n    " +
      Compute + "\n    __syncthreads();\n  }\n  C[threadIdx.x] = s;\n}");
  TileModel M = F.model();
  return computeRatio(M, F.context(), findLaunchShape(F.function("k"), F.context(), LaunchShape()));
}

TEST(Ratio, TripCountsMultiply) {
  EXPECT_EQ(ratio("s += tile[0];").Flops, 64u);
  EXPECT_EQ(ratio("s += tile[0];").Bytes, 256u);
  EXPECT_EQ(
      ratio("for (int i = 0; i < 8; ++i) for (int j = 1; j <= 5; j += 2) s += tile[i] * tile[j];")
          .Flops,
      64u * 8 * 3 * 2);
  EXPECT_EQ(ratio("s = fmaf(tile[0], tile[1], s);").Flops, 128u);
  EXPECT_EQ(
      ratio("s += twice(tile[0]);", "__device__ float twice(float x) { return x + x; }\n").Flops,
      128u);
  // Index arithmetic is none.
  EXPECT_EQ(ratio("s += tile[(t * 3 + 1) % 64];").Flops, 64u);
}

TEST(Ratio, UnknownRatherThanWrong) {
  EXPECT_FALSE(ratio("for (int i = 0; i < m; ++i) s += tile[i];").Known);
  EXPECT_FALSE(ratio("int i = 0; while (i < 64) s += tile[i++];").Known);
  EXPECT_FALSE(ratio("for (int i = 64; i > 0; i /= 2) s += tile[i];").Known);
  EXPECT_TRUE(ratio("for (int i = 0; i < 64; ++i) s += tile[i];").Known);
}

// --- Block size
// -------------------------------------------------------------------------------------

TEST(LaunchShape, BoundsAreUpperBounds) {
  LaunchShape S = shape("__global__ void __launch_bounds__(128, 4) k() {}");
  EXPECT_EQ(text(S), "128x1x1");
  EXPECT_EQ(S.Origin, ShapeOrigin::LaunchBounds);
  EXPECT_EQ(S.MinBlocks, 4u);
  EXPECT_EQ(text(shape("__global__ void k() {}")), "unknown");
}

// A fact only where no launch can be missing.
TEST(LaunchShape, ExactOnlyWhenAllLaunchesAreSeen) {
  const std::string Static = "static __global__ void k() {}\n", Extern = "__global__ void k() {}\n";
  EXPECT_EQ(text(shape(Static + "void f() { k<<<1, 128>>>(); }")), "128x1x1 exact");
  EXPECT_EQ(text(shape(Static + "void f() { k<<<1, dim3(16, 8)>>>(); }")), "16x8x1 exact");
  EXPECT_EQ(
      text(shape("namespace {\n" + Extern + "}\nvoid f() { const int B = 64; k<<<1, B>>>(); }")),
      "64x1x1 exact");
  // Another file may launch it.
  EXPECT_EQ(text(shape(Extern + "void f() { k<<<1, 128>>>(); }")), "128x1x1");
  // Its address is taken.
  EXPECT_EQ(text(shape(Static + "void f() { k<<<1, 128>>>(); auto p = k; (void)p; }")), "128x1x1");
  EXPECT_EQ(text(shape(Static + "void g(void *);\nvoid f() { k<<<1, 128>>>(); g((void *)k); }")),
            "128x1x1");
}

TEST(LaunchShape, LaunchesThatDisagreeOrAreNotUnderstood) {
  const std::string Static = "static __global__ void k() {}\n";
  EXPECT_EQ(text(shape(Static + "void f() { k<<<1, 128>>>(); k<<<1, 64>>>(); }")), "unknown");
  EXPECT_EQ(text(shape(Static + "void f(int b) { k<<<1, b>>>(); }")), "unknown");
  EXPECT_EQ(text(shape(Static + "void f(int b) { k<<<1, 128>>>(); k<<<1, b>>>(); }")), "unknown");
  EXPECT_EQ(text(shape(Static + "void f(dim3 b) { k<<<1, b>>>(); }")), "unknown");
  EXPECT_EQ(text(shape(Static + "void f(int n) { dim3 b(128, n); k<<<1, b>>>(); }")), "unknown");
  EXPECT_EQ(text(shape(Static + "void f() { int b = 128; b = 64; k<<<1, b>>>(); }")), "unknown");
}

TEST(LaunchShape, ABlockThatIsChangedBehindItsDeclaration) {
  const std::string Static = "static __global__ void k() {}\n";
  EXPECT_EQ(text(shape(Static + "void f() { dim3 b(128); k<<<1, b>>>(); }")), "128x1x1 exact");
  EXPECT_EQ(text(shape(Static + "void f() { int n = 32; dim3 b(n, 4); k<<<1, b>>>(); }")),
            "32x4x1 exact");
  EXPECT_EQ(
      text(shape(Static + "void f() { int n = 32; auto g = [] { return 1; }; k<<<g(), n>>>(); }")),
      "32x1x1 exact");
  EXPECT_EQ(text(shape(Static +
                       "template <int N> void f() { k<<<1, N * 2>>>(); } template void f<16>();")),
            "32x1x1 exact");
  EXPECT_EQ(
      text(shape(Static +
                 "template <int N> void f() { k<<<1, N>>>(); } void g() { f<16>(); f<32>(); }")),
      "unknown");
  EXPECT_EQ(text(shape(Static + "template <int N> void f() { k<<<1, 64>>>(); }")), "unknown");
  EXPECT_EQ(text(shape(Static + "void f() { int n = 32; n = 64; k<<<1, n>>>(); }")), "unknown");
  EXPECT_EQ(text(shape(Static +
                       "void f() { int n = 32; auto g = [&] { n = 64; }; g(); k<<<1, n>>>(); }")),
            "unknown");
  // A closure finds what is set once, and nothing that it, or somebody else, changes.
  EXPECT_EQ(text(shape(Static + "void f() { int n = 32; auto g = [=] { k<<<1, n>>>(); }; g(); }")),
            "32x1x1 exact");
  EXPECT_EQ(text(shape(Static + "void f() { int n = 32; [&] { k<<<1, n>>>(); }(); }")),
            "32x1x1 exact");
  for (const char *Body :
       {"int n = 32; auto g = [=]() mutable { k<<<1, n>>>(); n = 64; }; g(); g();",
        "auto g = [n = 32]() mutable { k<<<1, n>>>(); n = 64; }; g(); g();",
        "int n = 32; auto g = [&] { k<<<1, n>>>(); }; n = 64; g();",
        "int n = 32; auto h = [&] { n = 64; }; h(); [&] { k<<<1, n>>>(); }();",
        "auto g = [](int n = 32) { k<<<1, n>>>(); }; g(64);"})
    EXPECT_EQ(text(shape(Static + "void f() { " + Body + " }")), "unknown") << Body;
  EXPECT_EQ(
      text(shape(Static +
                 "void f() { dim3 b(128); auto g = [&] { b.x = 64; }; g(); k<<<1, b>>>(); }")),
      "unknown");
  EXPECT_NE(text(shape(Static + "void f(int n) { dim3 b(128); b.x = n; k<<<1, b>>>(); }")),
            "128x1x1 exact");
  EXPECT_NE(text(shape(Static + "void f(int n) { dim3 b(128); b = dim3(n); k<<<1, b>>>(); }")),
            "128x1x1 exact");
}

TEST(LaunchShape, TheCommandLineIsAClaim) {
  LaunchShape Claim;
  Claim.X = 32;
  Claim.Y = 4;
  Claim.Origin = ShapeOrigin::CommandLine;
  LaunchShape S = shape("static __global__ void __launch_bounds__(512, 2) k() {}", Claim);
  EXPECT_EQ(text(S), "32x4x1");
  EXPECT_EQ(S.Origin, ShapeOrigin::CommandLine);
  EXPECT_EQ(S.MinBlocks, 2u);
}
