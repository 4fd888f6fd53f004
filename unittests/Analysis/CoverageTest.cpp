//===- CoverageTest.cpp - What the load phase writes, what compute reads --------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Loads and reads of a tile that are covered, and twins that miss one element, one thread, one
/// turn, or the proof.
///
//===----------------------------------------------------------------------===//
#include "../ParsedFile.h"
#include "Analysis/SymbolicIteration.h"
#include "Analysis/Uniformity.h"
#include <array>

using namespace cuda_pipeline;

namespace {

/// A block of 64 threads, 16 x 4; tile[96].
const char *Frame =
    "#include <cuda_fp16.h>\n"
    "__device__ float helper(const float *s, int i) { return s[i]; }\n"
    "__device__ void put(float *s, int i, float v) { s[i] = v; }\n"
    "__device__ int halved(int i) { if (i > 3) return i / 2; return i; }\n"
    "__device__ void bump(int &i) { i += 1; }\n"
    "__device__ void bumpBy(int *i) { *i += 1; }\n"
    "__device__ void bumpOften(int &i, int n) { for (int j = 0; j < n; ++j) i += j; }\n"
    "struct Pair { float a, b; };\n"
    "__device__ float twice(const float *s, int i) { float a = s[i]; return a + s[i]; }\n"
    "__device__ int last() { int x = 63; int *p = &x; *p = 70; return x; }\n"
    "__device__ int lastToo() { int x = 63; int &r = x; r = 70; return x; }\n"
    "__device__ int lastOf() { int x[2] = {63, 63}; int *p = x; p[0] = 70; return x[0]; }\n"
    "__device__ float late(const float *s) { int x = 3; float v = 0; for (int i = 0; i < 2; ++i) { "
    "v += s[x]; int *p = &x; *p = 70; } return v; }\n"
    "__device__ float f1(const float *s) { return helper(s, 80); } __device__ float f2(const float "
    "*s) { return f1(s); }\n"
    "__device__ float f3(const float *s) { return f2(s); } __device__ float f4(const float *s) { "
    "return f3(s); }\n"
    "__device__ float f5(const float *s) { return f4(s); } __device__ float f6(const float *s) { "
    "return f5(s); }\n"
    "__device__ float f7(const float *s) { return f6(s); }\n"
    "__device__ int G; __constant__ int K[4]; const int Fixed = 60;\n"
    "__device__ void setG(int v) { G = v; }\n"
    "__global__ void k(const float *__restrict__ A, const int *__restrict__ I, const int *V, float "
    "*C, int n, int m) {\n"
    "  __shared__ __align__(16) float tile[96];\n"
    "  const int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx; float s = 0;\n";

std::string covered(const std::string &Load, const std::string &Compute, bool BlockKnown = true,
                    const std::string &Header = "int t = 0; t < n; t += 64",
                    const std::string &Before = "") {
  ParsedFile F(Frame + Before + "  for (" + Header + ") {\n    " + Load +
               "\n    __syncthreads();\n    " + Compute +
               "\n    __syncthreads();\n  }\n  C[id] = s;\n}");
  // Other rules may refuse it as well; this one must not lean on them.
  TileModel M = F.model();
  if (M.Buffers.size() != 1) {
    ADD_FAILURE() << Load << ": " << ids(M.Refusals);
    return "";
  }
  LaunchShape Block;
  if (BlockKnown) {
    Block.X = 16;
    Block.Y = 4;
    Block.Exact = true;
  }
  Uniformity U(F.context(), *M.Facts->Collector, M.Loop->Function);
  SharedEffort Effort;
  SymbolicIteration Turn(M, F.context(), U, Block, Effort);
  // Asked of the load phase alone, before the reads are known.
  if (Turn.runLoad())
    Turn.storedTwiceByOneThread(M.Buffers.front()->Decl);
  if (!Turn.runAll())
    return "gave up";
  unsigned Reads = 0;
  for (const MappedAccess &A : Turn.accesses())
    if (A.Read && A.Segment > 0) {
      ++Reads;
      Answer Is = Turn.coveredByLoad(A);
      if (Is != Answer::Yes)
        return Is == Answer::No ? "no" : "unknown";
    }
  EXPECT_GT(Reads, 0u) << Compute;
  return "yes";
}

struct Case {
  const char *Load, *Compute;
};

const char *ReadAll = "for (int j = 0; j < 64; ++j) s += tile[j];";

} // namespace

TEST(Coverage, EveryElementThatIsRead) {
  for (auto [Load, Compute] : std::vector<Case>{
           {"tile[id] = A[t + id];", ReadAll},
           {"if (t + id < n) tile[id] = A[t + id];",
            "for (int j = 0; j < min(64, n - t); ++j) s += tile[j];"},
           {"if (t + id < n) tile[id] = A[t + id];",
            "int e = n - t < 64 ? n - t : 64; for (int j = 0; j < e; ++j) s += tile[j];"},
           {"if (t + id < n) tile[id] = A[t + id];",
            "for (int j = 0; j < 64; ++j) if (t + j < n) s += tile[j];"},
           {"if (t + id < n) tile[id] = A[t + id];",
            "for (int j = 0; j < 64 && t + j < n; ++j) s += tile[j];"},
           {"if (t + id < n) tile[id] = A[t + id];",
            "if (t + 64 <= n) { for (int j = 0; j < 64; ++j) s += tile[j]; }"},
           {"if (id < 32) tile[id] = A[t + id];", "for (int j = 0; j < 32; ++j) s += tile[j];"},
           {"if (id < 32) tile[id] = A[t + id]; else tile[id] = 0;", ReadAll},
           {"if (I[t + id] > 0) tile[id] = A[t + id]; else tile[id] = 1;", ReadAll},
           {"bool in = I[id] != 0; if (in) tile[id] = A[t]; if (!in) tile[id] = 2;", ReadAll},
           {"tile[id] = I[id] ? A[t] : 0;", ReadAll},
           {"int r = I[id]; if (r == 3) tile[id] = A[t]; else if (r < 3) tile[id] = 1; else "
            "tile[id] = 2;",
            ReadAll},
           {"for (int i = id; i < 96; i += 64) tile[i] = A[t + i];",
            "for (int j = 0; j < 96; ++j) s += tile[j];"},
           {"for (int i = id; i < 96; i += 64) if (t + i < n) tile[i] = A[t + i]; else tile[i] = "
            "0;",
            "for (int j = 95; j >= 0; --j) s += tile[j];"},
           {"for (int i = 0; i < 96; i += 64) if (i + id < 96) tile[i + id] = A[t + i];",
            "for (int j = 0; j != 96; ++j) s += tile[j];"},
           {"for (int i = id; i < 96; i += 64) { if (i != 7) tile[i] = A[t + i]; } if (id == 0) "
            "tile[7] = 0;",
            "for (int j = 0; j < 96; ++j) s += tile[j];"},
           {"tile[id + 1] = A[t + id]; if (id == 0) tile[0] = A[t]; if (id == 63) tile[65] = A[t + "
            "65];",
            "s += tile[id] + tile[id + 1] + tile[id + 2];"},
           {"if (id < 16) *(float4 *)&tile[id * 4] = *(const float4 *)&A[t + id * 4];", ReadAll},
           {"if (id < 32) reinterpret_cast<float2 *>(tile)[id] = reinterpret_cast<const float2 "
            "*>(A + t)[id];",
            ReadAll},
           {"if (id < 32) reinterpret_cast<Pair *>(tile)[id].a = A[id]; if (id < 32) "
            "reinterpret_cast<Pair *>(tile)[id].b = A[t + id];",
            ReadAll},
           {"tile[tx * 4 + ty] = A[t + id];", ReadAll},
           {"tile[id % 16 * 4 + id / 16] = A[t + id];", ReadAll},
           {"tile[(id & 15) << 2 | id >> 4] = A[t + id];", ReadAll},
           {"tile[63 - id] = A[t + id];", "s += tile[tx] + tile[ty + 4];"},
           {"float *p = tile + id; *p = A[t + id];",
            "const float *q = tile; for (int j = 0; j < 64; ++j) s += q[j];"},
           {"float *p = tile; p += id; p[0] = A[t + id];",
            "const float *q = &tile[3]; s += *q; ++q; s += *q; s += q[-4];"},
           {"float (&r)[96] = tile; r[id] = A[t + id];", "auto &w = tile; s += w[id];"},
           {"int k = id; k += 8; tile[k - 8] = A[t];", ReadAll},
           {"int k = 0; if (m > 3) k = 8; else k = 9; tile[id + (k - k)] = A[t];", ReadAll},
           {"tile[id] = A[t]; if (m > 7) tile[id + 32] = A[t + 1];",
            "if (m > 7) { s += tile[95]; } s += tile[63];"},
           {"if (m > 7) tile[id] = A[t];", "if (m > 7) for (int j = 0; j < 64; ++j) s += tile[j];"},
           {"tile[id] = A[t + id];",
            "s += helper(tile, tx) + helper(tile + 1, id - 1 < 0 ? 0 : id - 1);"},
           {"tile[id] = A[t + id];", "int a = I[t]; if (a >= 0 && a < 64) s += tile[a];"},
           {"tile[id] = A[t + id];", "int a = I[t] & 63; s += tile[a];"},
           {"tile[id] = A[t + id];", "s += tile[halved(id)];"},
           {"tile[id] = A[t + id];",
            "for (unsigned j = 0; j < 64u; j += 2) s += tile[j] + tile[j + 1];"},
           {"tile[id] = A[t + id];", "for (size_t j = 0; j < 64; ++j) s += tile[j];"},
           {"for (size_t i = id; i < 96; i += 64) tile[i] = A[t + i];",
            "for (size_t j = 0; j < 96; ++j) s += tile[j];"},
           {"tile[ty << 4 | tx] = A[t + id];", ReadAll},
           {"tile[threadIdx.y * blockDim.x + threadIdx.x] = A[t];", ReadAll},
           {"if (I[0] > 0) tile[id] = A[t]; if (I[0] <= 0) tile[id] = 1;", ReadAll},
           {"if (I[t] > 0) tile[id] = A[t];", "if (I[t] > 0) s += tile[tx];"},
           {"int k = id; for (int i = 0; i < 3; ++i) k = I[k]; tile[id] = A[k];", ReadAll}})
    EXPECT_EQ(covered(Load, Compute), "yes") << Load << "   " << Compute;
}

TEST(Coverage, OneElementTooFew) {
  for (auto [Load, Compute] : std::vector<Case>{
           {"tile[id] = A[t + id];", "for (int j = 0; j < 65; ++j) s += tile[j];"},
           {"tile[id] = A[t + id];", "for (int j = 0; j <= 64; ++j) s += tile[j];"},
           {"if (t + id < n) tile[id] = A[t + id];", ReadAll},
           {"if (t + id < n) tile[id] = A[t + id];",
            "for (int j = 0; j < min(64, n - t + 1); ++j) s += tile[j];"},
           {"if (t + id < n - 1) tile[id] = A[t + id];",
            "for (int j = 0; j < min(64, n - t); ++j) s += tile[j];"},
           {"if (t + id < n) tile[id] = A[t + id];",
            "for (int j = 0; j < 64 || t + j < n; ++j) s += tile[j];"},
           {"if (t + id < n) tile[id] = A[t + id];",
            "if (t + 63 <= n) { for (int j = 0; j < 64; ++j) s += tile[j]; }"},
           {"if (id < 31) tile[id] = A[t + id];", "for (int j = 0; j < 32; ++j) s += tile[j];"},
           {"if (id < 32) tile[id] = A[t + id]; else tile[id - 1] = 0;", ReadAll},
           {"if (I[t + id] > 0) tile[id] = A[t + id];", ReadAll},
           {"if (V[0] > 0) tile[id] = A[t]; if (V[0] <= 0) tile[id] = 1;", ReadAll},
           {"if (V[t] > 0) tile[id] = A[t];", "if (V[t] > 0) s += tile[id];"},
           {"if (I[t] > 0) tile[id] = A[t]; ", "t += 1; if (I[t] > 0) s += tile[id];"},
           {"if (I[tx] > 0) tile[id] = A[t]; ", "if (I[ty] > 0) s += tile[id];"},
           {"if (I[tx] > 0) tile[id] = A[t]; ", "if (I[tx] > 0) s += tile[id ^ 1];"},
           {"int r = I[id]; if (r == 3) tile[id] = A[t]; else if (r < 3) tile[id] = 1;", ReadAll},
           {"bool in = I[id] != 0; if (in) tile[id] = A[t]; in = I[id + 1] != 0; if (!in) tile[id] "
            "= 2;",
            ReadAll},
           {"for (int i = id; i < 96; i += 128) tile[i] = A[t + i];",
            "for (int j = 0; j < 96; ++j) s += tile[j];"},
           {"for (int i = id; i < 96; i += 64) { if (i != 7) tile[i] = A[t + i]; }",
            "for (int j = 0; j < 96; ++j) s += tile[j];"},
           {"for (int i = id; i < 96; i += 64) { if (I[i] != 7) tile[i] = A[t + i]; }",
            "for (int j = 0; j < 96; ++j) s += tile[j];"},
           {"for (int i = id; i < 96 && I[i] > 0; i += 64) tile[i] = A[t + i];",
            "for (int j = 0; j < 96; ++j) s += tile[j];"},
           {"for (int i = id; i < 96; i += m) tile[i] = A[t + i];",
            "for (int j = 0; j < 96; ++j) s += tile[j];"},
           {"for (int i = id; i != 90; ++i) tile[i] = A[t + i];",
            "for (int j = 0; j < 96; ++j) s += tile[j];"},
           {"tile[id + 1] = A[t + id]; if (id == 0) tile[0] = A[t];",
            "s += tile[id] + tile[id + 1] + tile[id + 2];"},
           {"if (id < 16) *(float4 *)&tile[id * 4] = *(const float4 *)&A[t + id * 4];",
            "s += tile[64 - id];"},
           {"if (id < 16) reinterpret_cast<float2 *>(tile)[id * 2] = reinterpret_cast<const float2 "
            "*>(A + t)[id];",
            ReadAll},
           {"if (id < 32) reinterpret_cast<Pair *>(tile)[id].a = A[id];", ReadAll},
           {"tile[tx * 4 + ty + (tx > 14)] = A[t + id];", ReadAll},
           {"tile[id / 2] = A[t + id];", ReadAll},
           {"float *p = tile + id; ++p; *p = A[t + id];", ReadAll},
           {"tile[id] = A[t + id];", "const float *q = &tile[3]; s += q[61];"},
           {"int k = id; if (m > 3) k = 0; tile[k] = A[t];", ReadAll},
           {"tile[id] = A[t]; if (m > 7) tile[id + 32] = A[t + 1];",
            "if (m > 6) { s += tile[95]; }"},
           {"if (m > 7) tile[id] = A[t];", "if (m > 6) s += tile[id];"},
           {"if (m > t) tile[id] = A[t];", "m += 1; if (m > t) s += tile[id];"},
           {"tile[I[id]] = A[t + id];", ReadAll},
           {"tile[id] = A[t + id];", "s += helper(tile + 1, id);"},
           {"tile[id] = A[t + id];", "int a = I[t]; if (a >= 0 && a <= 64) s += tile[a];"},
           {"tile[id] = A[t + id];", "int a = I[t] & 127; s += tile[a];"},
           {"tile[id] = A[t + id];", "s += tile[halved(id) + 61];"},
           {"tile[id] = A[t + id];", "for (int j = 0; j < n; ++j) s += tile[j];"},
           {"tile[id] = A[t + id];", "int j = 0; while (I[j] > 0) { s += tile[j]; ++j; }"},
           {"tile[id] = A[t + id];", "for (int j = 0; j < 32; ++j) { s += tile[j]; j += I[j]; }"}})
    EXPECT_NE(covered(Load, Compute), "yes") << Load << "   " << Compute;
}

// The same name is not the same value.
TEST(Coverage, ValuesThatChangeByOtherWays) {
  const char *Header = "int t = 0; t < n; t += 64";
  const char *Store = "if (c > 3) tile[id] = A[t];";
  for (auto [Before, Load, Compute] : std::vector<std::array<const char *, 3>>{
           // through a pointer
           {"int c = I[0]; int *p = &c;", Store, "*p = m; if (c > 3) s += tile[id];"},
           {"int c = I[0]; int &r = c;", Store, "r = m; if (c > 3) s += tile[id];"},
           {"", "int d[2] = {m, m}; int *q = d; int c = q[0]; if (q[0] > 3) tile[id] = A[t];",
            "q[0] = 9; if (q[0] > 3) s += tile[id];"},
           {"int d[2] = {m, m}; int *q = d;", "if (d[0] > 3) tile[id] = A[t];",
            "q[0] = 9; if (d[0] > 3) s += tile[id];"},
           {"int d[2] = {m, m}; int *q = &d[1];", "if (d[0] > 3) tile[id] = A[t];",
            "q[-1] = 9; if (d[0] > 3) s += tile[id];"},
           {"int d[2][2] = {m, m}; int *q = d[0];", "if (d[0][0] > 3) tile[id] = A[t];",
            "q[0] = 9; if (d[0][0] > 3) s += tile[id];"},
           {"int d[2] = {m, m}; int &r = d[0];", "if (d[0] > 3) tile[id] = A[t];",
            "r = 9; if (d[0] > 3) s += tile[id];"},
           // members and elements
           {"int2 c; c.x = m; c.y = m;", "if (c.x > 3) tile[id] = A[t];",
            "c.x = I[t]; if (c.x > 3) s += tile[id];"},
           {"int c[2]; c[0] = m;", "if (c[0] > 3) tile[id] = A[t];",
            "c[0] = I[t]; if (c[0] > 3) s += tile[id];"},
           {"int2 c; c.x = m; c.y = m;", "if (c.x * c.x > 3) tile[id] = A[t];",
            "++c.x; if (c.x * c.x > 3) s += tile[id];"},
           {"int c[2]; c[0] = m;", "if (c[0] > 3) tile[id] = A[t];",
            "int (&r)[2] = c; r[0] = I[t]; if (c[0] > 3) s += tile[id];"},
           {"int2 c; c.x = m; c.y = m;", "if (c.x > 3) tile[id] = A[t];",
            "int2 e = make_int2(I[t], 0); c = e; if (c.x > 3) s += tile[id];"},
           // what was before the loop
           {"int c = m; const int b = c; c = 9;", "if (b > 3) tile[id] = A[t];",
            "if (c > 3) s += tile[id];"},
           {"int c = m; const int b = c;", "if (b * b > 3) tile[id] = A[t]; ",
            "c = I[t]; if (c * c > 3) s += tile[id];"},
           {"int c = m; const int b = c * c; c = 9;", "if (b > 3) tile[id] = A[t];",
            "if (c * c > 3) s += tile[id];"},
           {"int c = m; int d = c; c += 1; d += 1; const int b = d - c;",
            "if (b == 0) tile[id] = A[t];", "s += tile[id];"},
           // by a call
           {"int c = m;", Store, "bump(c); if (c > 3) s += tile[id];"},
           {"int c = m;", Store, "bumpBy(&c); if (c > 3) s += tile[id];"},
           {"int c = m;", Store, "bumpOften(c, n); if (c > 3) s += tile[id];"},
           // in a loop
           {"int c = m;", Store, "for (int i = 0; i < m; ++i) c += i; if (c > 3) s += tile[id];"},
           {"int c = m;", Store, "while (c < 9) c *= 2; if (c > 3) s += tile[id];"},
           {"int c = m;", Store, "if (n > 7) c = 5; if (c > 3) s += tile[id];"},
           {"int c = m;", Store, "n > 7 && (c = 5); if (c > 3) s += tile[id];"},
           {"int c = m;", Store, "int d = n > 7 ? c = 5 : 1; if (c > d) s += tile[id];"},
           {"int c = m;", "for (int i = 0; i < 2; ++i) { if (c * i > 3) tile[id] = A[t]; }",
            "if (c * 1 > 3) s += tile[id]; if (c * 0 > 3 || c * 2 > 3) s += tile[id];"}})
    EXPECT_NE(covered(Load, Compute, true, Header, Before), "yes")
        << Before << "   " << Load << "   " << Compute;
  // And where nothing changes it, it is.
  for (auto [Before, Load, Compute] : std::vector<std::array<const char *, 3>>{
           {"int c = m;", Store, "if (c > 3) s += tile[id];"},
           {"int2 c; c.x = m; c.y = m;", "if (c.x > 3) tile[id] = A[t];",
            "if (c.x > 3) s += tile[id];"},
           {"int c = m; const int b = c; c = 9;", "if (b > 3) tile[id] = A[t];",
            "c = 7; if (b > 3) s += tile[id];"},
           {"int c = m;", Store, "int d = c; bump(d); if (c > 3) s += tile[id];"}})
    EXPECT_EQ(covered(Load, Compute, true, Header, Before), "yes")
        << Before << "   " << Load << "   " << Compute;
}

// A function that is called twice, whose variables have other names.
TEST(Coverage, Calls) {
  const char *Load = "tile[id] = A[t + id];";
  for (const char *Compute :
       {"s += twice(tile, id);", "s += twice(tile, 0); s += twice(tile, tx);",
        "s += helper(tile, max(0, id - 4));",
        "s += helper(tile, 0); for (int j = 0; j < 64; ++j) s += helper(tile, j);"})
    EXPECT_EQ(covered(Load, Compute), "yes") << Compute;
  for (const char *Compute :
       {"s += twice(tile, 0); s += twice(tile, id + 1);",
        "s += helper(tile, id); s += helper(tile + 1, id);", "s += tile[last()];",
        "s += tile[lastToo()];", "s += tile[lastOf()];", "s += late(tile);",
        "s += helper(tile, id); s += f7(tile);", "s += tile[min(id + 1, id + 2)];"})
    EXPECT_NE(covered(Load, Compute), "yes") << Compute;
  // The load phase calls it first.
  EXPECT_NE(covered("tile[id] = A[t + id] + helper(A, 3);", "s += helper(tile, 64);"), "yes");
}

// Places in a tile are counted in the widest unit that all accesses respect.
TEST(Coverage, AccessesOfSeveralWidths) {
  const char *Wide =
      "for (int i = id; i < 16; i += 64) *(float4 *)&tile[i * 4] = *(const float4 *)&A[t + i * 4];";
  for (const char *Compute :
       {"s += tile[id];", "s += ((const float2 *)tile)[id / 2].y;",
        "s += ((const char *)tile)[id * 4 + 3];", "s += ((const short *)tile)[127];",
        "s += *(const short *)((const char *)tile + 127 - 2);"})
    EXPECT_EQ(covered(Wide, Compute), "yes") << Compute;
  for (const char *Compute :
       {"s += tile[id + 1];", "s += ((const float2 *)tile)[id / 2 + 1].x;",
        "s += ((const char *)tile)[id * 4 + 4];",
        "s += *(const short *)((const char *)tile + 255);",
        "s += ((const float4 *)(tile + 1))[15].x + ((const float4 *)(tile + 1))[15].w;"})
    EXPECT_NE(covered(Wide, Compute), "yes") << Compute;
  const char *Odd = "((char *)tile)[id + 1] = A[t];";
  EXPECT_EQ(covered(Odd, "s += ((const char *)tile)[id + 1];"), "yes");
  EXPECT_EQ(covered(Odd, "s += *(const short *)((const char *)tile + id / 2 * 2 + 1);"), "yes");
  EXPECT_NE(covered(Odd, "s += tile[0];"), "yes");
  EXPECT_EQ(covered(Odd, "s += tile[1];"), "yes");
  EXPECT_NE(covered(Odd, "s += ((const char *)tile)[id];"), "yes");
}

// Copies of half2 and half are copies of their bytes, although they have functions of their own for
// that.
TEST(Coverage, HalfNumbers) {
  const char *Load = "((half2 *)tile)[id] = ((const half2 *)A)[t + id];";
  for (const char *Compute :
       {"s += __half2float(((const half *)tile)[2 * id + 1]);",
        "s += __low2float(((const half2 *)tile)[63 - id]);",
        "half h = ((const half *)tile)[127]; s += __half2float(h);",
        "half2 h; h = ((const half2 *)tile)[id]; s += __low2float(h);",
        "s += __half2float(__hmul(((const half *)tile)[id], ((const half *)tile)[127 - id]));"})
    EXPECT_EQ(covered(Load, Compute), "yes") << Compute;
  for (const char *Compute : {"s += __half2float(((const half *)tile)[2 * id + 2]);",
                              "s += __low2float(((const half2 *)tile)[64 - id]);",
                              "half2 h; h = ((const half2 *)tile)[id + 1]; s += __low2float(h);"})
    EXPECT_NE(covered(Load, Compute), "yes") << Compute;
  const char *Part = "if (t < 64) ((half2 *)tile)[id] = ((const half2 *)A)[t + id]; else ((half "
                     "*)tile)[2 * id] = ((const half *)A)[id];";
  EXPECT_EQ(covered(Part, "s += __half2float(((const half *)tile)[2 * id]);"), "yes");
  EXPECT_NE(covered(Part, "s += __half2float(((const half *)tile)[2 * id + 1]);"), "yes");
}

// A min of the user's own.
TEST(Coverage, NotTheLibrarysMin) {
  ParsedFile F("__device__ int min(short a, short b) { return a + b; }\n"
               "__global__ void k(const float *A, float *C, int n) {\n  __shared__ float tile[96]; "
               "float s = 0;\n"
               "  for (int t = 0; t < n; t += 64) {\n    tile[threadIdx.x] = A[t + threadIdx.x];\n "
               "   __syncthreads();\n"
               "    s += tile[min((short)32, (short)31)]; s += tile[min((short)31, (short)33)];\n  "
               "  __syncthreads();\n  }\n  C[0] = s;\n}");
  TileModel M = F.model();
  LaunchShape Block;
  Block.X = 64;
  Block.Exact = true;
  Uniformity U(F.context(), *M.Facts->Collector, M.Loop->Function);
  SharedEffort Effort;
  SymbolicIteration Turn(M, F.context(), U, Block, Effort);
  ASSERT_TRUE(Turn.runAll());
  std::string Answers;
  for (const MappedAccess &A : Turn.accesses())
    if (A.Read && A.Segment == 1)
      Answers += Turn.coveredByLoad(A) == Answer::Yes ? "yes " : "no ";
  EXPECT_EQ(Answers, "yes no ");
}

// Memory that others can change is not one value; constants are.
TEST(Coverage, VariablesOutsideOfTheFunction) {
  EXPECT_NE(covered("if (G > 3) tile[id] = A[t];", "if (G > 3) s += tile[id];"), "yes");
  EXPECT_NE(covered("G = 3; if (G > 2) tile[id] = A[t];", "s += tile[id];"), "yes");
  EXPECT_NE(covered("if (G > 3) tile[id] = A[t];", "setG(9); if (G > 3) s += tile[id];"), "yes");
  EXPECT_EQ(covered("if (K[1] > 3) tile[id] = A[t];", "if (K[1] > 3) s += tile[id];"), "yes");
  EXPECT_EQ(covered("tile[id] = A[t];", "s += tile[Fixed];"), "yes");
  EXPECT_NE(covered("tile[id] = A[t];", "static int again = 3; s += tile[again];"), "yes");
}

// The counter of a loop, its first value and its step.
TEST(Coverage, InnerLoops) {
  const char *Every = "for (int j = 0; j < 96; ++j) s += tile[j];";
  for (const char *Load :
       {"int i = id; for (; i < 96; i += 64) tile[i] = A[t + i];",
        "int i; for (i = id; i < 96; i += 64) tile[i] = A[t + i];",
        "int i = id; while (i < 96) { tile[i] = A[t + i]; i += 64; }",
        "for (int i = id; i < 96; ) { tile[i] = A[t + i]; i += 64; }",
        "for (int i = 0, k = id; k < 96; ++i, k += 64) tile[k] = A[t + i];",
        "for (int i = 0, k = id; i < 2; ++i, k += 64) if (k < 96) tile[k] = A[t + i];",
        "int k = id; for (int i = 0; i < 2; ++i) { if (k < 96) tile[k] = A[t]; k += 64; }",
        "float *p = tile + id; for (int i = id; i < 96; i += 64) { *p = A[t]; p += 64; }",
        "float *p = tile + id; for (int i = id; i < 96; i += 64, p += 64) *p = A[t];",
        "int step = 64; for (int i = id; i < 96; i += step) tile[i] = A[t];",
        "for (unsigned i = id; i < 96; i += 64) tile[i] = A[t];",
        "for (unsigned short i = id; i < 96; i += 64) tile[i] = A[t];",
        "for (unsigned i = 0; i + 32 <= 96; i += 32) if (id < 32) tile[i + id] = A[t];",
        "for (int i = id; i < 96; i += 64) { if (I[i] > 3) { tile[i] = 0; continue; } tile[i] = "
        "A[t]; }",
        "for (int i = id; i < 96; i += 64) { switch (I[i]) { case 1: s += 1; break; default: s += "
        "2; } tile[i] = A[t]; }",
        "for (int i = id; i < 96; i += 64) { for (int j = 0; j < 9; ++j) if (I[j] == 5) break; "
        "tile[i] = A[t]; }"})
    EXPECT_EQ(covered(Load, Every), "yes") << Load;
  for (const char *Load :
       {"for (unsigned i = m; i + 32 <= 96; i += 32) if (id < 32) tile[i + id] = A[t];",
        "for (unsigned i = 0; i + 32 != 97; i += 32) if (id < 32 && i < 96) tile[i + id] = A[t];",
        "int i = id + 1; for (; i < 96; i += 64) tile[i] = A[t + i];",
        "int st = 64; for (int i = id; i < 96; i += st) { tile[i] = A[t]; st = 128; }",
        "int st = 64; for (int i = id; i < 96; i += st) { tile[i] = A[t]; st *= 2; }",
        "int i = id; while (i < 96) { tile[i] = A[t + i]; i += 65; }",
        "int i = id; while (i < 96) { i += 64; tile[i] = A[t + i]; }",
        "int i = id; while (i < 96) { if (I[i] > 0) continue; tile[i] = A[t + i]; i += 64; }",
        "int e = 96; for (int i = id; i < e; i += 64) { tile[i] = A[t + i]; e = I[i]; }",
        "for (int i = id; i < 96 && I[i] == i; i += 64) tile[i] = A[t + i];",
        "int k = id; for (int i = 0; i < 2; ++i) { k += 64; if (k < 96) tile[k] = A[t]; }",
        "int k = id; for (int i = 0; i < 2; ++i) { if (k < 96) tile[k] = A[t]; if (m > 3) k += 64; "
        "}",
        "int k = id; for (int i = 0; i < 2; ++i) { if (k < 96) tile[k] = A[t]; k += 64; k += m; }",
        "float *p = tile + id; for (int i = id; i < 96; i += 64) { p += 64; *p = A[t]; }",
        "for (int i = id; i < 96; i += 64) { if (I[i] > 3) continue; tile[i] = A[t]; }",
        "for (int i = id; i < 96; i += 64) { switch (I[i]) { case 1: continue; default: s += 2; } "
        "tile[i] = A[t]; }",
        "for (int i = id; i < 96; i += 64) { switch (I[i]) { case 1: tile[i] = A[t]; } }",
        "for (int i = id; i < 96; i += 64) { if (I[i] == 5) break; tile[i] = A[t]; }",
        "for (signed char i = id; i >= 0 && i < 96; i += 64) tile[i] = A[t];",
        "for (unsigned char i = 0; i < 96; i += 200) if (i + id < 96) tile[i + id] = A[t];"})
    EXPECT_NE(covered(Load, Every), "yes") << Load;
  // The condition of each turn is one of its own.
  EXPECT_NE(covered("tile[id] = A[t];", "for (int j = 60; j < 70 && I[j] == j; ++j) s += tile[j];"),
            "yes");
  EXPECT_NE(covered("tile[id] = A[t];", "for (int j = 60; j < 70 && V[j] == j; ++j) s += tile[j];"),
            "yes");
  EXPECT_NE(covered("for (int i = 0; i < 2; ++i) { if (I[i] > 3) { if (i == 0) tile[id] = A[t]; } "
                    "else if (i == 1) tile[id] = A[t]; }",
                    "s += tile[id];"),
            "yes");
  // Narrow and unsigned counters wrap.
  EXPECT_NE(covered("tile[id] = A[t];", "unsigned char j = 250; for (int i = 0; i < 9; ++i) { s += "
                                        "tile[j & 63]; j += 3u; s += tile[j]; }"),
            "yes");
  EXPECT_NE(covered("short k = id; for (int i = 0; i < 99; ++i) k += 30000; tile[id] = A[t];",
                    "s += tile[64 - id];"),
            "yes");
  EXPECT_NE(covered("int k = id; k += 4294967290u; if (k >= 0) tile[k] = A[t];",
                    "for (int j = 0; j < 58; ++j) s += tile[j + 1];"),
            "yes");
}

// What was before the loop is looked at for all threads, wherever it is needed first.
TEST(Coverage, LookedUpInABranch) {
  EXPECT_NE(covered("if (m > 3 && m < 9) tile[e & 1] = 0; if (e < 70) tile[id] = A[t];",
                    "if (m - 3 < 70) s += tile[id];", true, "int t = 0; t < n; t += 64",
                    "const unsigned u = m, e = u - 3;"),
            "yes");
  EXPECT_EQ(covered("if (m > 3 && m < 9) tile[e & 1] = 0; if (e < 70) tile[id] = A[t];",
                    "if (e < 70) s += tile[id];", true, "int t = 0; t < n; t += 64",
                    "const unsigned u = m, e = u - 3;"),
            "yes");
}

// A product of signed numbers is in the range of its type, where it has been computed.
TEST(Coverage, NoOverflow) {
  const char *Header = "int t = 0; t * 16 < n; ++t";
  EXPECT_EQ(covered("if (t * 16 + threadIdx.x < n) tile[threadIdx.x] = A[t];",
                    "for (int j = 0; j < 16; ++j) if (t * 16 + j < n) s += tile[j];", true, Header),
            "yes");
  EXPECT_NE(covered("if (t * 16u + threadIdx.x < n) tile[threadIdx.x] = A[t];",
                    "for (int j = 0; j < 16; ++j) if (t * 16 + j < n) s += tile[j];", true,
                    "int t = 0; t < n; ++t"),
            "yes");
  for (const char *Product :
       {"c += t * 1000000;", "if (m > 3) c += t * 1000000;",
        "if (m > 3 && t * 1000000 > 9) c += 1;", "c += m > 3 ? t * 1000000 : 5;",
        "for (int i = 0; i < m; ++i) c += t * 1000000;"}) {
    std::string Load = std::string("int c = 0; ") + Product +
                       " unsigned v = t; v *= 1000000u; if (v > 1000000000u) tile[id] = A[t] + c;";
    EXPECT_EQ(covered(Load, "if (t > 1000) s += tile[id];") == "yes",
              llvm::StringRef(Product).starts_with("c += t"))
        << Product;
  }
}

TEST(Coverage, OfAnyBlock) {
  // What does not depend on the extents of the block.
  EXPECT_EQ(covered("tile[0] = A[t];", "s += tile[0];", false), "yes");
  EXPECT_EQ(covered("tile[threadIdx.x] = A[t];", "s += tile[threadIdx.x];", false), "yes");
  EXPECT_EQ(covered("tile[threadIdx.x] = A[t];",
                    "for (int j = 0; j < blockDim.x; ++j) s += tile[j];", false),
            "yes");
  EXPECT_EQ(covered("if (t + threadIdx.x < n) tile[threadIdx.x] = A[t];",
                    "for (int j = 0; j < blockDim.x; ++j) if (t + j < n) s += tile[j];", false),
            "yes");
  EXPECT_EQ(
      covered("tile[threadIdx.x] = A[t];", "for (int j = 0; j < 16; ++j) s += tile[j];", false),
      "no");
  EXPECT_NE(covered("tile[id] = A[t];", ReadAll, false), "yes");
  EXPECT_NE(covered("if (threadIdx.x < 5) tile[threadIdx.x] = A[t];",
                    "for (int j = 0; j < 5; ++j) s += tile[j];", false),
            "yes");
}

TEST(Coverage, TheLoopsOwnCounter) {
  const char *Load = "if (t + threadIdx.x < n) tile[threadIdx.x] = A[t];";
  const char *Compute = "for (int j = 0; j < 16 && t + j < n; ++j) s += tile[j];";
  EXPECT_EQ(covered(Load, Compute, true, "int t = 0; t < n; t += 16"), "yes");
  EXPECT_EQ(covered(Load, Compute, true, "int t = 0; t < n; ++t"), "yes");
  // A counter below zero becomes a large unsigned number next to threadIdx.x.
  EXPECT_NE(covered(Load, Compute, true, "int t = m; t < n; t += 16"), "yes");
  EXPECT_NE(covered(Load, Compute, true, "int t = n; t > -3; t -= 16"), "yes");
  const char *Rows = "if (t * 16 + tx < n) tile[tx] = A[t];";
  const char *Sum = "for (int j = 0; j < 16; ++j) if (t * 16 + j < n) s += tile[j];";
  EXPECT_EQ(covered(Rows, Sum, true, "int t = 0; t < (n + 15) / 16; ++t"), "yes");
  EXPECT_EQ(covered(Rows, Sum, true, "int t = 0; t * 16 < n; ++t"), "yes");
  EXPECT_EQ(covered(Rows, ReadAll, true, "int t = 0; t < n / 64; ++t"), "no");
  // All tiles are full.
  EXPECT_EQ(
      covered("if (t * 64 + id < n) tile[id] = A[t];", ReadAll, true, "int t = 0; t < n / 64; ++t"),
      "yes");
  EXPECT_EQ(covered("if (t * 64 + id < n) tile[id] = A[t];", ReadAll, true,
                    "int t = 0; t * 64 + 63 < n; ++t"),
            "yes");
  EXPECT_EQ(covered("if (t * 64 + id < n) tile[id] = A[t];", ReadAll, true,
                    "int t = 0; t * 64 + 62 < n; ++t"),
            "no");
}
