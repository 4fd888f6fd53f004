//===- LegalityTest.cpp - Overlap, uniformity, barriers, variants ---------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Each rule broken alone is in test/Legality. Here are the questions that the rules ask, with
/// answers that are wrong by one on either side.
///
//===----------------------------------------------------------------------===//
#include "cuda-pipeline/Legality.h"
#include "../ParsedFile.h"
#include "Analysis/SymbolicIteration.h"
#include "Analysis/Uniformity.h"

using namespace cuda_pipeline;

// --- Do two stores of one thread overlap?
// -----------------------------------------------------------

namespace {

std::string overlap(const std::string &Load, const std::string &Before = "") {
  ParsedFile F(
      "__global__ void __launch_bounds__(64) k(const float *__restrict__ A,\n"
      "    float *__restrict__ C, int n, int m) {\n"
      "  __shared__ float tile[1024]; const int tx = threadIdx.x; float s = 0;\n  " +
      Before + "\n  for (int t = 0; t < n; ++t) {\n    " + Load +
      "\n    __syncthreads();\n    s += tile[0];\n    __syncthreads();\n  }\n  C[tx] = s;\n}");
  TileModel M = F.model();
  if (!M.understood() || M.Buffers.size() != 1) {
    ADD_FAILURE() << Load << ": " << ids(M.Refusals);
    return "";
  }
  Uniformity U(F.context(), *M.Facts->Collector, M.Loop->Function);
  SharedEffort Effort;
  SymbolicIteration Turn(M, F.context(), U, LaunchShape(), Effort);
  if (!Turn.runLoad())
    return "gave up";
  switch (Turn.storedTwiceByOneThread(M.Buffers[0]->Decl)) {
  case Answer::No:
    return "no";
  case Answer::Yes:
    return "yes";
  case Answer::Unknown:
    return "unknown";
  }
  return "";
}

} // namespace

TEST(AccessMap, DifferentElements) {
  for (const char *Load :
       {"tile[tx] = A[t];", "tile[tx] = A[t]; tile[tx + 64] = A[t + 1];",
        "tile[tx] = A[t]; tile[63 - tx] = A[t + 1];",
        "for (int i = 0; i < 4; ++i) tile[tx + 64 * i] = A[t + i];",
        "for (int i = tx; i < 1024; i += 64) tile[i] = A[t + i];",
        "for (int i = 0; i < 4; ++i) for (int j = 0; j < 4; ++j) tile[i * 4 + j + 16 * tx] = A[t + "
        "i + j];",
        "for (int i = tx; i < 1024; i += 64) tile[i / 32 * 32 + i % 32] = A[t + i];",
        "for (int i = tx; i < 512; i += 64) { int r = i / 16, c = i & 15; tile[r * 17 + c] = A[t + "
        "i]; }",
        "if (t < m) tile[tx] = A[t]; else tile[tx] = 0;",
        "for (int i = 0; i < 4; ++i) if (i < m) tile[tx + 64 * i] = A[t + i]; else tile[tx + 64 * "
        "i] = 0;",
        "for (int i = 0; i < 4; ++i) *(float4 *)&tile[tx * 4 + 256 * i] = *(const float4 *)&A[t + "
        "4 * i];"})
    EXPECT_EQ(overlap(Load), "no") << Load;
}

// "Unknown" would do as well: what matters is that it is not "no".
TEST(AccessMap, ElementsThatMayBeTheSame) {
  for (const char *Load :
       {"tile[tx] = A[t]; tile[tx] = A[t + 1];", "tile[tx] = A[t]; tile[m] = A[t + 1];",
        "tile[tx] = A[t]; tile[62 - tx] = A[t + 1];",
        "for (int i = 0; i < 4; ++i) tile[tx] = A[t + i];",
        "for (int i = 0; i < 4; ++i) tile[tx + i / 2] = A[t + i];",
        "for (int i = 0; i < 4; ++i) tile[tx + i % 3] = A[t + i];",
        "for (int i = 0; i < 4; ++i) for (int j = 0; j < 5; ++j) tile[i * 4 + j + 32 * tx] = A[t];",
        "for (int i = 0; i < 4; ++i) tile[tx + m * i] = A[t + i];",
        "for (int i = 0; i < 64; ++i) tile[tx + (i & 31)] = A[t + i];",
        "for (int i = 0; i < 2; ++i) *(float4 *)&tile[tx * 4 + 2 * i] = *(const float4 *)&A[t + 4 "
        "* i];",
        "*(float4 *)&tile[tx * 4] = *(const float4 *)&A[t * 4]; tile[tx * 4 + 3] = A[t];",
        "for (int i = 0; i < 4; ++i) { if (t < m) tile[tx + i] = A[t]; else tile[tx + 1] = 0; }",
        "for (int i = -2; i < 2; ++i) tile[tx + i * i] = A[t + 2 + i];",
        "for (int i = -1; i < 2; i += 2) tile[tx + i / 2 + 4] = A[t + 3 + i];", // 0 for both
        "for (int i = 0; i < 4; ++i) tile[(1u << 31) * 2 * i + tx] = A[t + i];"})
    EXPECT_NE(overlap(Load), "no") << Load;
}

// 32 * 8 is 0 again.
TEST(AccessMap, NarrowTypesWrap) {
  EXPECT_NE(overlap("for (int i = 0; i < 40; ++i) tile[(unsigned char)(i * 8)] = A[t + i];"), "no");
  EXPECT_NE(
      overlap("for (int i = 0; i < 40; ++i) { unsigned char at = i * 8; tile[at] = A[t + i]; }"),
      "no");
}

// Two arms of one if exclude each other only in the same turn of the loops around it.
TEST(AccessMap, Arms) {
  EXPECT_EQ(overlap("if (t < m) tile[tx] = A[t]; else tile[tx] = 0;"), "no");
  EXPECT_NE(overlap("for (int i = 0; i < 2; ++i) if (i < m) tile[tx + 1 - i] = A[t]; else tile[tx "
                    "+ i - 1 + 1] = 0;"),
            "no");
  EXPECT_NE(overlap("if (t < m) tile[tx] = A[t]; if (t >= m - 1) tile[tx] = A[t + 1];"), "no");
  EXPECT_EQ(overlap("if (t < m) tile[tx] = A[t]; if (t >= m) tile[tx] = A[t + 1];"), "no");
  EXPECT_EQ(overlap("for (int i = 0; i < 2; ++i) { if (A[i] > 0) tile[tx + 64 * i] = A[t]; else "
                    "tile[tx + 64 * i] = 0; }"),
            "no");
  EXPECT_NE(overlap("for (int i = 0; i < 2; ++i) { if (A[i] > 0) tile[tx + 64 * i] = A[t]; else "
                    "tile[tx + 64 - 64 * i] = 0; }"),
            "no");
}

// The step is known at run time only; all that is known is that it goes up.
TEST(AccessMap, StepsOfTheBlockSize) {
  EXPECT_EQ(overlap("for (int i = tx; i < 1024; i += blockDim.x) tile[i] = A[t + i];"), "no");
  EXPECT_NE(overlap("for (int i = tx; i < 1024; i += blockDim.x) tile[i / 2] = A[t + i];"), "no");
  EXPECT_NE(overlap("for (int i = tx; i < 1024; i += blockDim.x) tile[i % 512] = A[t + i];"), "no");
}

// The load phase's own state has several values within one phase.
TEST(AccessMap, StateSteppedInTheLoadPhase) {
  EXPECT_NE(overlap("tile[at] = A[t]; at ^= 1; at ^= 1; tile[at] = A[t + 1];", "int at = tx;"),
            "no");
  EXPECT_NE(
      overlap("for (int i = 0; i < 4; ++i) { tile[tx + at] = A[t]; at = 1 - at; }", "int at = 0;"),
      "no");
}

// --- Uniformity
// -------------------------------------------------------------------------------------

namespace {

/// A file and what is uniform in its kernel `k`.
struct Uniform : ParsedFile {
  explicit Uniform(const std::string &Code)
      : ParsedFile(Code), Collector(context(), function("k")),
        U(context(), Collector, function("k")) {}
  /// As a reader of the variable sees it behind everything.
  bool operator()(const std::string &Name) const {
    auto *Var = const_cast<clang::VarDecl *>(var(Name));
    auto *Ref = clang::DeclRefExpr::Create(context(), {}, {}, Var, false, Var->getLocation(),
                                           Var->getType(), clang::VK_LValue);
    return U.isUniform(clang::ImplicitCastExpr::Create(
        context(), Var->getType(), clang::CK_LValueToRValue, Ref, nullptr, clang::VK_PRValue, {}));
  }
  EffectCollector Collector;
  Uniformity U;
};

} // namespace

TEST(Uniformity, OfVariables) {
  Uniform U(
      "__device__ int lane() { return threadIdx.x & 31; }\n__device__ int twice(int x) { return 2 "
      "* x; }\n"
      "__device__ int setting; __constant__ int table[4]; struct Args { int n; };\n"
      "__global__ void k(const int *__restrict__ in, const int *may, int *out, int n, Args args) "
      "{\n"
      "  __shared__ int box[4]; int x = threadIdx.x;\n"
      "  int u1 = n, u2 = blockIdx.x * blockDim.y, u3 = twice(n + 1), u4 = args.n, u5 = table[n],\n"
      "      u6 = in[n], u7 = warpSize, u10 = box[n & 3];\n"
      "  int d1 = x, d2 = n + x % 2, d3 = lane(), d4 = in[x], d5 = may[n], d6 = box[x & 3], d7 = "
      "setting,\n"
      "      d8 = __shfl_sync(~0u, n, 0), d9 = atomicAdd(out, 1), d10 = clock();\n"
      "  int d11 = 0; if (x > 3) d11 = 1; int d12 = 0; while (d12 < x) ++d12;\n"
      "  int d13 = 0; for (int i = 0; i < n; ++i) { if (i == x) break; ++d13; }\n"
      "  int d14 = 0; int &r = d14; r = x; int d15 = 0; int *p = &d15; *p = x;\n"
      "  int d16 = 0; auto set = [&] { d16 = x; }; set(); int d17 = n; asm(\"\" : \"+r\"(d17));\n"
      "  int d18 = 0; switch (x) { case 1: d18 = 2; } int d19 = x ? n : 2; int d20 = 0; (x ? d20 : "
      "d18) = 1;\n"
      "  int d21 = n; d21 += x; int d22 = 0; d22 = d21 * 0 + 1; int d23 = x && (d23 = n);\n"
      "  int u8 = 0; for (int i = 0; i < n; ++i) u8 += i; int u9; u9 = n; if (n > 2) u9 = 3;\n"
      "}\n");
  for (int I = 1; I <= 23; ++I)
    EXPECT_FALSE(U("d" + std::to_string(I))) << "d" << I;
  for (int I = 1; I <= 10; ++I)
    EXPECT_TRUE(U("u" + std::to_string(I))) << "u" << I;
}

// Where only a part of the block meets, the threads of another part may read before it, or behind
// it.
TEST(Uniformity, SharedMemoryOfPartsOfTheBlock) {
  auto Read = [](const std::string &Before) {
    return Uniform("__global__ void k(int n) { __shared__ int box; __shared__ volatile int bell; "
                   "if (threadIdx.x == 0) box = bell = n; " +
                   Before + " int a = box; int b = bell; }");
  };
  EXPECT_TRUE(Read("__syncthreads();")("a"));
  EXPECT_FALSE(Read("__syncthreads();")("b"));
  EXPECT_TRUE(Read("__syncwarp();")("a"));
  EXPECT_FALSE(Read("asm volatile(\"bar.sync 1, 64;\" ::: \"memory\");")("a"));
}

TEST(Uniformity, WhatCallersPassIsNotKnown) {
  Uniform U("__device__ void k(int n) { int a = n, b = 3; }");
  EXPECT_FALSE(U("a"));
  EXPECT_TRUE(U("b"));
}

// --- Legality
// ---------------------------------------------------------------------------------------

namespace {

struct Judged : ParsedFile {
  explicit Judged(const std::string &Code, std::initializer_list<llvm::StringRef> Granted = {})
      : ParsedFile(Code), Model(model()) {
    llvm::StringSet<> Set;
    for (llvm::StringRef G : Granted)
      Set.insert(G);
    Result = checkLegality(Model, context(), Set);
  }
  std::string all() const {
    std::string Out = ids(Result.common());
    for (Variant V : {Variant::CpAsync, Variant::Ldg, Variant::LdgSingle})
      Out += " | " + ids(Result.of(V));
    return Out;
  }
  TileModel Model;
  Legality Result;
};

/// Every schedule that \p Blocks takes away, alone.
std::string blockedBy(Needs Blocks) {
  const std::vector<Finding> Findings = {
      {{Reason::NotYet, clang::SourceLocation(), {}, {}}, Blocks}};
  std::string Out;
  for (Variant V : allVariants())
    for (unsigned Stages = info(V).Least; Stages <= std::min(info(V).Most, 3u); ++Stages)
      if (!allows(V, Stages, Findings))
        Out += (Out.empty() ? "" : " ") + toString(V).str() + ":" + std::to_string(Stages);
  return Out;
}

Finding finding(const char *Word, Needs Blocks, bool Repeats = false) {
  return {{Reason::NotYet, clang::SourceLocation(), {Word}, {}}, Blocks, Repeats};
}

std::string words(const std::vector<Refusal> &Refusals) {
  std::string Out;
  for (const Refusal &R : Refusals)
    Out += (Out.empty() ? "" : " ") + R.Args.front();
  return Out;
}

/// What stands behind the loop decides whether its last barrier may go.
bool finalBarrier(
    const std::string &Compute, const std::string &Behind,
    const std::string &Parameters = "const float *__restrict__ A, float *__restrict__ C") {
  Judged J("__device__ float global[64];\n__global__ void __launch_bounds__(64) k(" + Parameters +
           ", float *D, int n) {\n  __shared__ float tile[64], box[64]; const int tx = "
           "threadIdx.x; float s = 0;\n"
           "  for (int t = 0; t < n; ++t) {\n    tile[tx] = A[t * 64 + tx];\n    "
           "__syncthreads();\n    " +
           Compute + "\n    __syncthreads();\n  }\n  " + Behind + "\n}");
  EXPECT_TRUE(J.Result.legal(Variant::Ldg)) << J.all() << ": " << Compute;
  return J.Result.NeedsFinalBarrier;
}

} // namespace

TEST(Findings, EachNeedBlocksTheSchedulesThatHaveIt) {
  EXPECT_EQ(blockedBy(Needs::Everything), "cp-async:2 cp-async:3 ldg:2 ldg-single:1 mixed:2");
  EXPECT_EQ(blockedBy(Needs::SeveralBuffers), "cp-async:2 cp-async:3 ldg:2 mixed:2");
  EXPECT_EQ(blockedBy(Needs::Registers), "ldg:2 ldg-single:1");
  EXPECT_EQ(blockedBy(Needs::AsyncBytes), "cp-async:2 cp-async:3");
  EXPECT_EQ(blockedBy(Needs::Mixing), "mixed:2");
  EXPECT_EQ(blockedBy(Needs::AheadOfBarrier), "cp-async:3");
  EXPECT_EQ(blockedBy(Needs::AsyncBytes | Needs::Mixing), "cp-async:2 cp-async:3 mixed:2");
  EXPECT_EQ(blockedBy(Needs()), "");
}

// What blocks everything comes first, what blocks only so many buffers last; in between the order
// is that of the rules.
TEST(Findings, Order) {
  Legality L;
  L.Findings = {finding("ahead", Needs::AheadOfBarrier),  finding("buffers", Needs::SeveralBuffers),
                finding("all", Needs::Everything),        finding("registers", Needs::Registers),
                finding("again", Needs::Registers, true), finding("bytes", Needs::AsyncBytes),
                finding("mixing", Needs::Mixing)};
  EXPECT_EQ(words(L.common()), "all");
  EXPECT_EQ(words(L.of(Variant::CpAsync)), "buffers bytes");
  EXPECT_EQ(words(L.of(Variant::CpAsync, 2)), "all buffers bytes");
  EXPECT_EQ(words(L.of(Variant::CpAsync, 3)), "all buffers bytes ahead");
  EXPECT_EQ(words(L.of(Variant::Ldg, 2)), "all buffers registers");
  EXPECT_EQ(words(L.of(Variant::LdgSingle, 1)), "all registers again");
  EXPECT_EQ(words(L.of(Variant::Mixed, 2)), "all buffers mixing");
}

// With one buffer both loads of the copy loop are named, with two the loop is named once.
TEST(Findings, TheSamePlaceIsSaidOnceForSeveralBuffers) {
  Judged J("__global__ void k(const float *__restrict__ A, const float *__restrict__ B,\n"
           "    float *__restrict__ C, int n) {\n  __shared__ float a[2][2500], b[2][2500];\n"
           "  const int tx = threadIdx.x; float s = 0;\n  for (int t = 0; t < n; ++t) {\n"
           "    int at = t * 5000 + tx;\n    for (int h = 0; h < 2; ++h)\n"
           "    for (int i = tx; i < 2500; i += blockDim.x) {\n"
           "      a[h][i] = A[at]; b[h][i] = B[at]; at += blockDim.x; }\n"
           "    __syncthreads();\n    s += a[0][tx] * b[1][tx];\n    __syncthreads();\n  }\n"
           "  C[tx] = s;\n}");
  const auto Named = [&](Variant V) {
    std::string Out;
    for (const Refusal &R : J.Result.of(V))
      Out += info(R.Why).Id.str() + "(" + R.Args.front() + ")";
    return Out;
  };
  EXPECT_EQ(Named(Variant::Ldg), "block-size-needed(a)");
  EXPECT_EQ(Named(Variant::LdgSingle), "block-size-needed(a)block-size-needed(b)");
  EXPECT_TRUE(J.Result.legal(Variant::CpAsync)) << J.all();
}

TEST(Legality, FinalBarrier) {
  EXPECT_FALSE(finalBarrier("s += tile[63 - tx];", "C[tx] = s;"));
  // It orders other shared memory, and global memory that the compute phase reads.
  EXPECT_TRUE(finalBarrier("s += tile[63 - tx] * box[63 - tx];",
                           "box[tx] = s; __syncthreads(); C[tx] = box[0];"));
  EXPECT_TRUE(finalBarrier("s += tile[63 - tx] * D[63 - tx];", "D[tx] = s;"));
  EXPECT_TRUE(finalBarrier("s += tile[63 - tx] * global[63 - tx];", "global[tx] = s;"));
}

TEST(Legality, FeedbackThroughMemory) {
  auto Alias = [](const std::string &Parameters, const std::string &Compute,
                  std::initializer_list<llvm::StringRef> Granted = {}) {
    Judged J(
        "__device__ float table[4096];\n__global__ void __launch_bounds__(64) k(" + Parameters +
            ", int n) {\n  __shared__ float tile[64]; const int tx = threadIdx.x; float s = 0;\n"
            "  for (int t = 0; t < n; ++t) {\n    tile[tx] = A[t * 64 + tx];\n    "
            "__syncthreads();\n    " +
            Compute + "\n    __syncthreads();\n  }\n  C[tx] = s;\n}",
        Granted);
    return J.all();
  };
  const std::string None = " |  |  | ";
  EXPECT_EQ(Alias("const float *__restrict__ A, float *__restrict__ C", "C[t] = tile[0];"), None);
  EXPECT_EQ(Alias("const float *A, float *C", "s += tile[0];"), None);
  EXPECT_NE(Alias("const float *A, float *C", "C[t] = tile[0];"), None);
  EXPECT_NE(Alias("float *__restrict__ A, float *__restrict__ C", "A[t + 64] = tile[0];"), None);
  // What a later turn loads lies behind it.
  EXPECT_EQ(Alias("float *__restrict__ A, float *__restrict__ C", "A[t] = tile[0];"), None);
  EXPECT_EQ(Alias("float *__restrict__ A, float *__restrict__ C", "A[t * 64 + 63] = tile[0];"),
            None);
  EXPECT_NE(Alias("float *__restrict__ A, float *__restrict__ C", "A[t * 64 + 64] = tile[0];"),
            None);
  EXPECT_NE(Alias("const float *A, float *C", "atomicAdd(C, tile[0]);"), None);
  EXPECT_NE(Alias("const float *A, float *C", "table[t] = tile[0];"), None);
  EXPECT_EQ(Alias("const float *A, float *C", "C[t] = tile[0];", {"no-alias"}), None);
  // The user cannot grant away what is the same pointer.
  EXPECT_NE(Alias("float *A, float *C", "A[t + 64] = tile[0];", {"no-alias"}), None);
}

TEST(Legality, VariantsDiffer) {
  auto Load = [](const std::string &Text) {
    return Judged(
               "__global__ void __launch_bounds__(64) k(const float *__restrict__ A, const char "
               "*__restrict__ B,\n"
               "    float *__restrict__ C, int n, int m) {\n  __shared__ float tile[64]; "
               "__shared__ char small[64];\n"
               "  const int tx = threadIdx.x; float s = 0;\n  for (int t = 0; t < n; ++t) {\n    " +
               Text +
               "\n    __syncthreads();\n    s += tile[63 - tx] + small[0];\n    __syncthreads();\n "
               " }\n"
               "  C[tx] = s;\n}")
        .all();
  };
  EXPECT_EQ(Load("tile[tx] = A[t * 64 + tx];"), " |  |  | ");
  EXPECT_EQ(Load("tile[tx] = 2 * A[t * 64 + tx];"), " | copy-converted |  | ");
  EXPECT_EQ(Load("small[tx] = B[t * 64 + tx];"), " | copy-width |  | ");
  // What an iteration leaves out is another iteration's with two buffers, and the last one's with
  // one.
  EXPECT_EQ(Load("if (t < m) tile[tx] = A[t * 64 + tx];"), " | stale-tile | stale-tile | ");
}

// A jump in front of the loop is taken for an exit, so nobody asks what it jumps over.
TEST(Legality, JumpsInFrontOfTheLoop) {
  auto Jump = [](const std::string &Condition) {
    return Judged("__global__ void k(const float *__restrict__ A, float *__restrict__ C, int n) {\n"
                  "  __shared__ float tile[64]; const int tx = threadIdx.x; float s = 0; int extra "
                  "= 0;\n"
                  "  if (" +
                  Condition +
                  ") goto skip;\n  extra = 1;\nskip:\n  for (int t = 0; t < n + extra; ++t) {\n"
                  "    tile[tx] = A[t * 64 + tx]; __syncthreads(); s += tile[0]; __syncthreads(); "
                  "}\n  C[tx] = s;\n}")
        .all();
  };
  EXPECT_NE(Jump("tx > 3").find("divergent-loop"), std::string::npos) << Jump("tx > 3");
}

TEST(Legality, AssumptionsAreRecordedOnlyWhenNeeded) {
  const char *Head =
      "__global__ void k(const float *__restrict__ A, float *__restrict__ C, int n) {\n"
      "  __shared__ float tile[64]; const int tx = threadIdx.x; float s = 0;\n";
  const char *Rest =
      " {\n    tile[tx] = A[t * 64 + tx]; __syncthreads(); s += tile[0]; __syncthreads(); }\n"
      "  __syncthreads(); C[tx] = s;\n}";
  Judged Plain(std::string(Head) + "for (int t = 0; t < n; ++t)" + Rest, {"uniform", "no-alias"});
  EXPECT_TRUE(Plain.Result.Assumptions.empty());
  Judged Needed(std::string(Head) + "for (int t = 0; t < n + tx / 64; ++t)" + Rest, {"uniform"});
  EXPECT_EQ(Needed.Result.Assumptions, std::vector<std::string>({"uniform"}));
  Judged Refused(std::string(Head) + "for (int t = 0; t < n + tx / 64; ++t)" + Rest);
  EXPECT_EQ(ids(Refused.Result.common()), "divergent-loop");
}
