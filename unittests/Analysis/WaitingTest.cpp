//===- WaitingTest.cpp - Tests of the search for spinning kernels -----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ParsedFile.h"
#include "Analysis/Waiting.h"

using namespace cuda_pipeline;

namespace {

bool waits(const std::string &Body, const std::string &Before = "") {
  ParsedFile F(Before + "\n__global__ void k(volatile int *flag, int *p, int *y, int n) {\n" + Body + "\n}");
  return findWaiting(F.function("k")).isValid();
}

} // namespace

TEST(Waiting, ConditionThatReadsAnew) {
  for (const char *Body :
       {"while (*flag == 0);", "while (((volatile int *)p)[3] == 0) {}", "while (atomicAdd(p, 0) < n);",
        "while (atomicCAS(p, 0, 1) != 0);", "while (atomicCAS(p, n, n) != n);", "while (__ldcg(p) == 0);",
        "for (; *flag != n;) {}", "do {} while (*flag);", "again: if (*flag == 0) goto again;",
        "while (int v = *flag) { if (v == 7) break; }", "while (!(n > 3 && flag[n] > 0));"})
    EXPECT_TRUE(waits(Body)) << Body;
  EXPECT_TRUE(waits("S *s = (S *)p; while (s->f == 0);", "struct S { volatile int f; };"));
}

TEST(Waiting, ThroughVariables) {
  for (const char *Body :
       {"int v; do { v = *flag; } while (v == 0);", "int v = 0; for (; v < n; v = *flag);",
        "int v = 0; while (v < n) v = atomicAdd(p, 0);",
        "bool done = false; while (!done) { int v = *flag; int w = v + 1; done = w > n; }",
        "bool done = false; while (!done) { if (*flag == n) done = true; }",
        "int a[2] = {}; while (a[1] < n) { a[1] = *flag; }",
        "int v; do { asm volatile(\"ld.acquire.gpu.global.u32 %0, [%1];\" : \"=r\"(v) : \"l\"(p)); } while (v == 0);",
        "auto get = [&] { return *flag; }; while (get() < n);",
        "bool done = false; auto get = [&] { done = *flag > 0; }; while (!done) get();"})
    EXPECT_TRUE(waits(Body)) << Body;
}

TEST(Waiting, WaysOutOfTheLoop) {
  for (const char *Body : {"while (true) { if (atomicAdd(p, 0) >= n) break; }", "for (;;) { if (*flag) return; }",
                           "for (;;) { switch (*flag) { case 0: continue; default: goto out; } } out:;",
                           "int v; again: v = *flag; if (v == 0) goto again;",
                           "int v; again: v = *flag; if (v) return; goto again;",
                           "int v; again: v = atomicAdd(p, 0); switch (v) { case 0: if (n) goto again; }",
                           "while (true) { int v = *flag; if (n > 2) { if (v > 3) { y[0] = 1; break; } } }"})
    EXPECT_TRUE(waits(Body)) << Body;
}

TEST(Waiting, InCalledFunctions) {
  EXPECT_TRUE(waits("wait(flag, n);", "__device__ void wait(volatile int *f, int n) { while (*f < n); }"));
  EXPECT_TRUE(waits("while (get(flag) < n);", "__device__ int get(volatile int *f) { return *f; }"));
  EXPECT_TRUE(waits("int v; do get(flag, v); while (v < n);",
                    "__device__ void get(volatile int *f, int &v) { v = *f; }"));
  EXPECT_TRUE(waits("int v; do get(flag, &v); while (v < n);",
                    "__device__ void get(volatile int *f, int *v) { *v = *f; }"));
  EXPECT_TRUE(waits("outer(flag);", "__device__ void wait(volatile int *f) { while (*f == 0); }\n"
                                    "__device__ void outer(volatile int *f) { wait(f); }"));
  EXPECT_TRUE(waits("Flag f{flag}; f.wait();",
                    "struct Flag { volatile int *f; __device__ void wait() { while (!*f); } };"));
  EXPECT_TRUE(waits("pause();", "__device__ void pause() { __nanosleep(100); }"));
  EXPECT_TRUE(waits("cooperative_groups::this_grid().sync();", "#include <cooperative_groups.h>"));
}

TEST(Waiting, NotWaiting) {
  for (const char *Body :
       {"for (int i = 0; i < n; ++i) atomicAdd(p + i, 1);",
        "for (int i = 0; i < n; ++i) { int v = atomicAdd(p + i, 1); y[i] = v; }",
        "if (atomicAdd(p, 1) == n) y[3] = 1;", "if (*flag == 0) goto out; y[0] = 1; out:;", "volatile int z = 0; while (z < n) z = z + 1;",
        "int old = *p, expected; do { expected = old; old = atomicCAS(p, expected, expected + n); } "
        "while (old != expected);",
        "for (int i = 0; i < n; ++i) y[i] = *flag;", "for (int i = *flag; i < n; ++i) y[i] = i;",
        "long long begin = clock64(); while (clock64() - begin < n);",
        "__shared__ int w; while (true) { if (threadIdx.x == 0) w = atomicAdd(p, 1); __syncthreads(); "
        "if (w >= n) break; __syncthreads(); y[w] = 0; }"})
    EXPECT_FALSE(waits(Body)) << Body;
  EXPECT_FALSE(waits("for (int i = 0; i < n; ++i) y[i] = walk(p, i);",
                     "__device__ int walk(const int *p, int i) { while (p[i] > i) i = p[i]; return i; }"));
}

// Recursion ends.
TEST(Waiting, FunctionsThatCallThemselves) {
  EXPECT_FALSE(waits("y[0] = f(n);",
                     "__device__ int f(int n) { for (int i = 0; i < n; ++i) n = f(n - 1); return n; }"));
  EXPECT_TRUE(waits("while (f(flag, n) > 0);",
                    "__device__ int f(volatile int *p, int n) { return n ? f(p, n - 1) : *p; }"));
  EXPECT_TRUE(waits("auto f = [&](auto self, int i) -> int { return i ? self(self, i - 1) : *flag; }; while (f(f, n) == 0);"));
}
