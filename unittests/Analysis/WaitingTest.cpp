//===- WaitingTest.cpp - Tests of the search for spinning kernels -----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Waiting.h"
#include "../ParsedFile.h"

using namespace cuda_pipeline;

namespace {

std::optional<Waiting> waiting(const std::string &Body, const std::string &Before) {
  ParsedFile F(Before + "\n__global__ void k(volatile int *flag, int *p, int *y, int n) {\n" +
               Body + "\n}");
  return findWaiting(ReachedCode(F.function("k")));
}

bool waits(const std::string &Body, const std::string &Before = "") {
  const std::optional<Waiting> W = waiting(Body, Before);
  return W && W->isSeen();
}

std::string unseen(const std::string &Body, const std::string &Before = "") {
  const std::optional<Waiting> W = waiting(Body, Before);
  return W ? W->What : "";
}

/// It may as well go on until its own result is good enough.
bool mayWait(const std::string &Body) {
  const std::optional<Waiting> W = waiting(Body, "");
  return W && W->Is == Waiting::Kind::MaySpin;
}

} // namespace

TEST(Waiting, ConditionThatReadsAnew) {
  for (const char *Body :
       {"while (*flag == 0);", "while (((volatile int *)p)[3] == 0) {}",
        "while (atomicAdd(p, 0) < n);", "while (atomicCAS(p, 0, 1) != 0);",
        "while (atomicCAS(p, n, n) != n);", "while (__ldcg(p) == 0);", "for (; *flag != n;) {}",
        "do {} while (*flag);", "again: if (*flag == 0) goto again;",
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
        "int v; do { asm volatile(\"ld.acquire.gpu.global.u32 %0, [%1];\" : \"=r\"(v) : \"l\"(p)); "
        "} while (v == 0);",
        "auto get = [&] { return *flag; }; while (get() < n);",
        "bool done = false; auto get = [&] { done = *flag > 0; }; while (!done) get();"})
    EXPECT_TRUE(waits(Body)) << Body;
}

TEST(Waiting, WaysOutOfTheLoop) {
  for (const char *Body :
       {"while (true) { if (atomicAdd(p, 0) >= n) break; }", "for (;;) { if (*flag) return; }",
        "for (;;) { switch (*flag) { case 0: continue; default: goto out; } } out:;",
        "int v; again: v = *flag; if (v == 0) goto again;",
        "int v; again: v = *flag; if (v) return; goto again;",
        "int v; again: v = atomicAdd(p, 0); switch (v) { case 0: if (n) goto again; }",
        "for (int i = 0;; ++i) { __syncthreads(); if (i > 5 && *flag) break; }",
        "for (int i = 0; i < n; i += y[1]) __syncthreads();",
        "while (true) { int v = *flag; if (n > 2) { if (v > 3) { y[0] = 1; break; } } }"})
    EXPECT_TRUE(waits(Body)) << Body;
}

// What leaves an inner loop does not leave the one around it, but what is behind it in the inner
// one depends on it.
TEST(Waiting, WaysOutOfInnerLoops) {
  for (const char *Body :
       {"while (true) { do { if (*flag == 0) break; return; } while (0); }",
        "while (true) { for (int i = 0; i < 2; ++i) { if (*flag == 0) break; if (i == 1) return; } "
        "}",
        "while (true) { for (int i = 0; i < 2; ++i) { if (*flag == 0) continue; return; } }",
        "while (true) { switch (n) { case 3: if (*flag == 0) break; return; } }",
        "bool done = false; while (!done) { do { if (*flag == 0) break; done = true; } while (0); "
        "}",
        "int seen = 0; while (seen < n) { for (int i = 0; i < 9; ++i) { if (*flag == i) break; "
        "seen = i; } }",
        "while (true) { int i = 0; for (; i < 4; ++i) { for (int j = 0; j < 4; ++j) if (*flag == "
        "j) goto next; return; } next:; }",
        "again: for (int i = 0; i < 2; ++i) { if (*flag != 0) break; goto again; }",
        "bool b = true; again: b = false; for (int i = 0; i < 2; ++i) { switch (i) { case 1: if "
        "(*flag) break; b = true; } } if (b) goto again;",
        "bool out = false; while (true) { if (out) break; for (int i = 0; i < 3; ++i) { if "
        "(atomicAdd(p, 0) < 2) break; out = true; } }"})
    EXPECT_TRUE(waits(Body)) << Body;
  for (const char *Body : {"for (int t = 0; t < n; ++t) { int v = __ldcg(p + t); for (int j = 0; j "
                           "< 129; j += 6) { v += j; if (v > 4) break; } y[t] = v; }",
                           "int left = n; while (left-- != 0) { int v = atomicAdd(p, 1); for (int "
                           "j = 0; j < n; ++j) { if (v > 4) break; v += j; } y[left] = v; }",
                           "for (int t = 0; t < n; ++t) { int v = *flag; switch (n) { case 1: if "
                           "(v) break; y[t] = 1; default: y[t + 1] = v; } }",
                           "for (int t = 0; t < n; ++t) for (int j = 0; j < 3; ++j) { if "
                           "(atomicAdd(p, 1) > 4) continue; y[t] = j; }"})
    EXPECT_FALSE(waits(Body)) << Body;
}

TEST(Waiting, InCalledFunctions) {
  EXPECT_TRUE(
      waits("wait(flag, n);", "__device__ void wait(volatile int *f, int n) { while (*f < n); }"));
  EXPECT_TRUE(
      waits("while (get(flag) < n);", "__device__ int get(volatile int *f) { return *f; }"));
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
        "if (atomicAdd(p, 1) == n) y[3] = 1;", "if (*flag == 0) goto out; y[0] = 1; out:;",
        "volatile int z = 0; while (z < n) z = z + 1;",
        "int old = *p, expected; do { expected = old; old = atomicCAS(p, expected, expected + n); "
        "} "
        "while (old != expected);",
        "for (int i = 0; i < n; ++i) y[i] = *flag;", "for (int i = *flag; i < n; ++i) y[i] = i;",
        "long long begin = clock64(); while (clock64() - begin < n);",
        "__shared__ int w; while (true) { if (threadIdx.x == 0) w = atomicAdd(p, 1); "
        "__syncthreads(); "
        "if (w >= n) break; __syncthreads(); y[w] = 0; }"})
    EXPECT_FALSE(waits(Body)) << Body;
  EXPECT_FALSE(
      waits("for (int i = 0; i < n; ++i) y[i] = walk(p, i);",
            "__device__ int walk(const int *p, int i) { while (p[i] > i) i = p[i]; return i; }"));
}

// It ends as soon as nobody interferes, or goes on to another place in each turn.
TEST(Waiting, LoopsThatEndByThemselves) {
  for (const char *Body :
       {"float *f = (float *)y; int old = *p, assumed; do { assumed = old; old = atomicCAS(p, "
        "assumed, __float_as_int(fmaxf(f[0], "
        "__int_as_float(assumed)))); } while (assumed != old);",
        "float old = *(float *)p, assumed; do { assumed = old; old = __int_as_float(atomicCAS(p, "
        "__float_as_int(assumed), "
        "__float_as_int(assumed + n))); } while (assumed != old);",
        "union U { float f; int i; }; U old, assumed, wanted; old.i = *p; do { assumed.i = old.i; "
        "wanted.f = assumed.f + 1; old.i = "
        "atomicCAS(p, assumed.i, wanted.i); } while (assumed.i != old.i);",
        "struct S { int f, g; } *s = (S *)p; int e; do { e = s->f; } while (atomicCAS(&s->f, e, e "
        "+ 1) != e);",
        "struct S { int f, g; } *s = (S *)p; S e; do { e.g = s[n].f; } while (atomicCAS(&s[n].f, "
        "e.g, e.g + 1) != e.g);",
        "int old; do { old = *p; if (old >= n) break; } while (atomicCAS(p, old, old + 1) != old);",
        "for (;;) { int old = *p; if (old > n) return; if (atomicCAS(p, old, old + 1) == old) "
        "break; }",
        "for (int b = p[0]; b >= 0; b = p[b]) { __syncthreads(); y[b] = n; }",
        "for (int i = 0; i < y[n]; i += 2, ++i) __syncthreads();",
        "for (int i = n; i >= y[n]; i -= blockDim.x) __syncthreads();",
        "int s = n; while (s > 0 && s > y[0]) { s >>= 1; __syncthreads(); }",
        "for (int i = 0;; ++i) { const int at = i * 64 + n; __syncthreads(); if (at >= y[at]) "
        "break; }",
        "int i = 0; while (true) { __syncthreads(); ++i; if (!(i < y[n])) break; }",
        "int i = 0; while (true) { __syncthreads(); if (++i >= y[n]) break; }",
        "for (int i = n;; --i) { __syncthreads(); if (n < 2 || i < y[n]) { y[0] = 1; break; } }",
        "for (int i = 0;; ++i) { __syncthreads(); if (i < y[n]) y[0] = i; else break; }",
        "for (int i = 0; i < n; i += y[1]) n += i;"})
    EXPECT_FALSE(waits(Body) || mayWait(Body)) << Body;
}

// Recursion ends.
TEST(Waiting, FunctionsThatCallThemselves) {
  EXPECT_FALSE(
      waits("y[0] = f(n);",
            "__device__ int f(int n) { for (int i = 0; i < n; ++i) n = f(n - 1); return n; }"));
  EXPECT_TRUE(waits("while (f(flag, n) > 0);",
                    "__device__ int f(volatile int *p, int n) { return n ? f(p, n - 1) : *p; }"));
  EXPECT_TRUE(waits("auto f = [&](auto self, int i) -> int { return i ? self(self, i - 1) : *flag; "
                    "}; while (f(f, n) == 0);"));
}

TEST(Waiting, WhatComesRoundAgain) {
  for (const char *Body :
       {"for (int i = 0; !p[i]; i = (i + 1) % n) __threadfence();",
        "for (int i = 0; i < n; i++) { if (!p[i]) --i; __threadfence(); }",
        "for (int i = 0; i < n; i += p[i] != 0) __threadfence();",
        "for (int i = 0; !p[i]; i ^= 1) __threadfence();",
        "for (int i = 0; i < n; i = p[i] ? i + 1 : i) __threadfence();",
        "for (int i = 0; !p[i & 3]; ++i) { const int at = i & 3; if (p[at]) break; "
        "__threadfence(); }",
        "for (int t = 0;; ++t) { const int at = t % 4; __threadfence(); if (p[at]) break; }",
        "for (int i = 0; i < n; i += 0) { if (p[i]) break; __threadfence(); }",
        "int i = 0; while (p[i & 3] == 0 || i < 0) { ++i; __threadfence(); }",
        "int i = 0; while (p[i & 3]) { ++i; __threadfence(); }",
        "unsigned turns = 0; while (*p == 0) { ++turns; __threadfence(); }",
        "int s = n; while (s > p[0]) { s >>= 1; __threadfence(); }"})
    EXPECT_TRUE(waits(Body)) << Body;
}

TEST(Waiting, SwapsThatWait) {
  for (const char *Body :
       {"int e; do { e = *flag & ~1; } while (atomicCAS(p, e, e | 1) != e);",
        "while (true) { int c = *flag; if (c > 0 && atomicCAS(p, c, c - 1) == c) break; }",
        "for (;;) { int old = *p; if (old & 1) continue; if (atomicCAS(p, old, old | 1) == old) "
        "break; }",
        "int h = *p; while (h < 0 || atomicCAS(p, h, h + 1) != h) h = *flag;",
        "int e; do { e = *flag; e = e > 0 ? e : 1; } while (atomicCAS(p, e, e - 1) != e);"})
    EXPECT_TRUE(waits(Body)) << Body;
}

TEST(Waiting, ByOtherNames) {
  for (const char *Body :
       {"int v = 0; int &r = v; while (!r) v = *flag;",
        "int v = 0; const int *r = &v; while (!*r) v = *flag;",
        "struct S { int v, w; } st = {}; auto &[v, w] = st; while (v == 0) st.v = atomicAdd(p, 0);",
        "struct S { int v, w; }; bool go = true; while (go) { auto [v, w] = S{*flag, 1}; go = v == "
        "0; }",
        "int seen[2] = {}; int *s = seen; while (s[1] == 0) seen[1] = *flag;",
        "__shared__ int f[2]; int *s = f + 1; do { if (threadIdx.x == 0) *s = *flag; "
        "__syncthreads(); } while (*s == 0);"})
    EXPECT_TRUE(waits(Body)) << Body;
}

TEST(Waiting, LoopsThatWriteMemory) {
  for (const char *Body : {"while (p[blockIdx.x] < n) { ++p[blockIdx.x]; __syncthreads(); }",
                           "do { __syncthreads(); y[n] = p[n]; } while (y[n] < 7);",
                           "for (;;) { y[0] += 2; __threadfence(); if (*p >= n) return; }"})
    EXPECT_TRUE(mayWait(Body)) << Body;
  // What it writes is not where others look; or it looks at what is no ordinary load.
  for (const char *Body : {"int z = 0; while (p[n] < n) { z += 1; __syncthreads(); }",
                           "__shared__ int z; while (p[n] < n) { z += 1; __syncthreads(); }",
                           "while (*flag == 0) y[0] = 1;", "while (atomicAdd(p, 0) < n) y[0] = 1;",
                           "while (p[n] < n) { y[0] = 1; while (*flag == 0); __syncthreads(); }"})
    EXPECT_TRUE(waits(Body)) << Body;
}

TEST(Waiting, BarriersOfTheGrid) {
  const std::optional<Waiting> W =
      waiting("cooperative_groups::this_grid().sync();", "#include <cooperative_groups.h>");
  ASSERT_TRUE(W);
  EXPECT_EQ(W->Is, Waiting::Kind::Grid);
}

TEST(Waiting, OrdinaryLoads) {
  for (const char *Body : {"while (*p < n) __threadfence();", "while (p[blockIdx.x] < n);",
                           "int v; do { __threadfence(); v = p[n]; } while (v == 0);",
                           "while (true) { if (*p < n) continue; break; }",
                           "for (;;) { __syncthreads(); if (*p >= n) return; }",
                           "int b = 0; while (b < n) { if (p[b] > 0) ++b; __threadfence(); }",
                           "while (true) { int b = 0; for (; b < n; ++b) if (p[b] == 0) break; "
                           "__threadfence(); if (b == n) break; }",
                           "int v; do { memcpy(&v, p, 4); __threadfence(); } while (v < n);",
                           "while (get(p) < n) __threadfence();",
                           "Pair q; do { __threadfence(); q = *(Pair *)p; } while (q.a < n);",
                           "while (ready < n) __syncthreads();"})
    EXPECT_TRUE(waits(Body,
                      "#include <string.h>\nstruct Pair { int a, b; }; __device__ int ready;\n"
                      "__device__ int get(int *p) { return *p; }"))
        << Body;
  for (const char *Body :
       {"for (int i = p[n]; i < p[n + 1]; ++i) atomicAdd(y, i);",
        "int i = 0; while (i < p[n]) { y[i] = 0; __syncthreads(); i += 32; }",
        "int lo = 0, hi = n; while (lo < hi) { int m = (lo + hi) / 2; if (p[m] < n) lo = m + 1; "
        "else hi = m; } y[0] = lo;",
        "int i = n; while (i != -1) { atomicAdd(y + i, 1); i = p[i]; }",
        "for (int s = n; s > 0; s >>= 1) { if (threadIdx.x < s) y[threadIdx.x] += y[threadIdx.x + "
        "s]; __syncthreads(); }",
        "for (int i = 0; i < n; ++i) { if (p[i] < 0) break; y[i] = p[i]; }",
        "for (int i = 0; i < n; ++i) { if (p[n] < 0) break; y[i] = i; __syncthreads(); }",
        "__shared__ int s[32]; s[threadIdx.x] = n; __syncthreads(); int i = 0; while (s[i] > 0) "
        "++i; y[0] = i;"})
    EXPECT_FALSE(waits(Body)) << Body;
}

TEST(Waiting, CompareAndSwap) {
  for (const char *Body :
       {"while (true) { int e = gridDim.x; if (atomicCAS(p, e, e) == e) break; }",
        "while (true) { int e = n; if (atomicCAS(p, e, 0) == e) break; }",
        "int v = *p, e; do { e = v; v = atomicCAS(p, e, e); } while (v < n);",
        "int v = *p, e; do { e = v; v = atomicCAS(p, e, e + 0); } while (v < n);",
        "for (int e = n; atomicCAS(p, e, e) != e;);"})
    EXPECT_TRUE(waits(Body)) << Body;
  for (const char *Body : {"while (true) { int e = *p; if (atomicCAS(p, e, e + n) == e) break; }",
                           "int old = *p; while (n > old) { int e = old; old = atomicCAS(p, e, n); "
                           "if (e == old) break; }",
                           "while (n > *p) { int e = *p; if (atomicCAS(p, e, n) == e) break; }",
                           "int e, old = p[n]; do { e = old; old = atomicCAS(&p[n], e, max(e, n)); "
                           "} while (e != old);"})
    EXPECT_FALSE(waits(Body)) << Body;
}

TEST(Waiting, ThroughSharedMemory) {
  EXPECT_TRUE(waits("__shared__ int s; do { if (threadIdx.x == 0) s = atomicAdd(p, 0); "
                    "__syncthreads(); } while (s < n);"));
  EXPECT_TRUE(waits("__shared__ bool go; while (true) { if (threadIdx.x == 0) go = *flag > 0; "
                    "__syncthreads(); if (go) break; }"));
}

TEST(Waiting, WhereNothingIsWritten) {
  const std::string Spin =
      "struct Spin { volatile int *f; __device__ Spin(volatile int *f) : f(f) {} "
      "__device__ ~Spin() { while (*f == 0); } };\n"
      "struct Start { __device__ Start(volatile int *f) { while (*f == 0); } };\n"
      "struct Has { Spin s; }; struct Is : Spin { using Spin::Spin; };\n"
      "struct Value { volatile int *f; __device__ operator int() const { while (*f == 0); return "
      "1; } };\n"
      "struct Probe { int v; __device__ Probe(volatile int *f) : v(*f) {} };\n"
      "struct Tell { volatile int *f; bool &done; __device__ ~Tell() { done = *f > 0; } };\n"
      "__device__ void cleanup(volatile int **f) { while (**f == 0); }\n"
      "__device__ volatile int start; __device__ int wait() { while (start == 0); return 0; }\n"
      "__device__ int with(int v = wait()) { return v; }";
  for (const char *Body :
       {"Spin s(flag);", "Start s(flag);", "Has s{flag};", "Is s(flag);", "Spin s[1] = {flag};",
        "y[0] = (Spin(flag), 1);", "const Spin &s = Spin(flag);", "y[0] = Value{flag};",
        "while (Probe(flag).v == 0);", "bool done = false; while (!done) Tell{flag, done};",
        "__attribute__((cleanup(cleanup))) volatile int *f = flag;", "y[0] = with();",
        "auto f = [=] { while (*flag == 0); }; f();",
        "auto f = [=](auto v) { while (*flag == v); }; f(0);",
        "void (*f)() = [] { while (start == 0); }; f();"})
    EXPECT_TRUE(waits(Body, Spin)) << Body;
}

TEST(Waiting, Recursion) {
  EXPECT_TRUE(waits("wait(flag, n);",
                    "__device__ void wait(volatile int *f, int n) { if (*f < n) wait(f, n); }"));
  EXPECT_TRUE(waits(
      "wait(p, n);",
      "__device__ bool wait(int *f, int n) { __threadfence(); return *f >= n || wait(f, n); }"));
  EXPECT_TRUE(waits("a(p, n);",
                    "__device__ void b(int *f, int n);\n"
                    "__device__ void a(int *f, int n) { if (atomicAdd(f, 0) < n) b(f, n); }\n"
                    "__device__ void b(int *f, int n) { a(f, n); }"));
  EXPECT_FALSE(waits("y[0] = sum(p, n);", "__device__ int sum(const int *t, int i) { return t[i] < "
                                          "0 ? 0 : sum(t, 2 * i) + sum(t, 2 * i + 1); }"));
}

TEST(Waiting, Assembly) {
  for (const char *Body :
       {"asm volatile(\"{ .reg .pred p; .reg .u32 v; W: ld.acquire.gpu.u32 v, [%0]; setp.lt.u32 p, "
        "v, %1; @p bra W; }\" :: \"l\"(p), \"r\"(n));",
        "asm volatile(\"nanosleep.u32 100;\");",
        "int v; do { asm volatile(\"ld.u32 %0, [%1];\" : \"=r\"(v) : \"l\"(p)); } while (v == 0);"})
    EXPECT_TRUE(waits(Body)) << Body;
  EXPECT_FALSE(
      waits("int v; asm volatile(\"ld.global.u32 %0, [%1];\" : \"=r\"(v) : \"l\"(p)); y[0] = v;"));
}

TEST(Waiting, NotSeen) {
  const std::string Before =
      "extern __device__ void other(int); struct Base { __device__ virtual void f(); };\n"
      "struct Guard { __device__ Guard(); __device__ ~Guard(); }; __device__ void "
      "(*table[2])(int);\n"
      "__device__ void seen(int) {}";
  for (const char *Body : {"other(n);", "Guard g;", "table[n](n);", "Base *b = (Base *)p; b->f();",
                           "void (*f)(int) = other; f(n);",
                           "void (*f)(int) = seen; void (**g)(int) = &f; *g = table[0]; f(n);"})
    EXPECT_NE(unseen(Body, Before), "") << Body;
  for (const char *Body : {"seen(n);", "void (*f)(int) = seen; f(n);",
                           "void (*f)(int) = n > 2 ? seen : [](int) {}; f(n);",
                           "y[0] = sinf(n); printf(\"%d\", n); atomicAdd(p, 1); __syncthreads();",
                           "y[0] = sizeof(Guard{});"})
    EXPECT_EQ(unseen(Body, Before), "") << Body;
}
