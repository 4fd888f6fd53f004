//===- RewriterTest.cpp - The facade: all of a loop's edits, or none ------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cuda-pipeline/Rewriter.h"
#include "cuda-pipeline/Edits.h"
#include "cuda-pipeline/PipelinedLoop.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;

namespace {

RewriteOptions options(std::optional<Variant> V = Variant::Ldg,
                       std::vector<std::string> Archs = {"sm_80"}) {
  RewriteOptions O;
  O.RequestedVariant = V;
  O.Archs = std::move(Archs);
  return O;
}

FileResult process(const std::string &Code, const RewriteOptions &O) {
  ParseRequest Request;
  Request.File = "not-on-disk.cu";
  Request.Contents = Code;
  return processFile(Request, O);
}

std::string statuses(const FileResult &R) {
  std::string Out;
  for (const LoopReport &L : R.Report.Loops)
    Out += (Out.empty() ? "" : " ") + L.Kernel + ":" + toString(L.Status).str();
  return Out;
}

std::string reasons(const FileResult &R) {
  std::string Out;
  for (const LoopReport &L : R.Report.Loops)
    for (const ReasonReport &Why : L.Reasons)
      Out += (Out.empty() ? "" : " ") + info(Why.Id).Id.str();
  return Out;
}

std::string kernel(const std::string &Name, const std::string &Load = "tile[tx] = A[t * 64 + tx];",
                   const std::string &Compute = "s += tile[63 - tx];") {
  return "__global__ void " + Name +
         "(const float *__restrict__ A, float *__restrict__ C, int n) {\n"
         "  __shared__ float tile[64];\n  const int tx = threadIdx.x;\n  float s = 0;\n"
         "  for (int t = 0; t < n; ++t) {\n    " +
         Load + "\n    __syncthreads();\n    " + Compute +
         "\n    __syncthreads();\n  }\n  C[tx] = s;\n}\n";
}

void unchanged(const FileResult &R, const std::string &Code) {
  EXPECT_FALSE(R.Changed);
  EXPECT_EQ(R.NewContents, Code);
}

// A text is read once, however many fixes are made of it: beside that, each text that is offered is
// read before anybody gets it.
TEST(Rewriter, EachTextIsReadOnce) {
  const std::string Code = "__device__ void fill(float *s, const float *g) { s[threadIdx.x] = "
                           "g[threadIdx.x]; }\n" +
                           kernel("called", "fill(tile, A + t * 64);") + kernel("plain");
  for (const std::vector<std::string> &Archs :
       {std::vector<std::string>{"sm_80"}, {"sm_80", "sm_86", "sm_90"}}) {
    RewriteOptions O = options(std::nullopt, Archs);
    O.CheckOnly = true;
    ParseRequest Request;
    Request.File = "not-on-disk.cu";
    Request.Contents = Code;
    Request.Reuse = makeParsedUnits(6);
    const unsigned Before = timesParsed();
    FileResult R = processFile(Request, O);
    EXPECT_EQ(statuses(R), "called:opportunity plain:opportunity");
    // The file, and the text with the call written out.
    EXPECT_EQ(timesParsed() - Before, 2 * Archs.size());
    FixWishes Wishes;
    Wishes.Alone = Wishes.Others = Wishes.Together = true;
    offerFixes(R, Request, O, Wishes);
    unsigned Offered = 0;
    for (const LoopReport &L : R.Report.Loops)
      Offered += L.Fixes.size();
    EXPECT_GE(Offered, 4u);
    EXPECT_LE(timesParsed() - Before, (2 + Offered) * Archs.size());
  }
}

// Loops of different functions are read together for their fixes; each fix is what comes of its
// loop where all others are left out. One wants another include than the others.
TEST(Rewriter, FixesAreOfOneLoopAlone) {
  const std::string Code =
      "#include <cstdio>\n__device__ void fill(float *s, const float *g) { s[threadIdx.x] = "
      "g[threadIdx.x]; }\n" +
      kernel("called", "fill(tile, A + t * 64);") + kernel("plain") +
      kernel("scaled", "tile[tx] = 2 * A[t * 64 + tx];") +
      "template <class T> __global__ void typed(const T *__restrict__ A, T *__restrict__ C, int n) "
      "{\n  __shared__ T tile[64];\n  T s = 0;\n  for (int t = 0; t < n; ++t) {\n"
      "    tile[threadIdx.x] = A[t * 64 + threadIdx.x];\n    __syncthreads();\n"
      "    s += tile[63 - threadIdx.x];\n    __syncthreads();\n  }\n  C[threadIdx.x] = s;\n}\n"
      "template __global__ void typed(const float *__restrict__, float *__restrict__, int);\n";
  // Two loops of one function are not apart.
  const std::string Twice = kernel("twice", "tile[tx] = A[t * 64 + tx];",
                                   "s += tile[63 - tx]; }\n  for (int t = 0; t < n; ++t) {\n    "
                                   "__syncthreads(); tile[tx] = A[t * 64 + tx]; __syncthreads(); "
                                   "s -= tile[63 - tx];");
  for (const std::string &Text : {Code, Code + Twice}) {
    ParseRequest Request;
    Request.File = "not-on-disk.cu";
    Request.Contents = Text;
    Request.Reuse = makeParsedUnits(8);
    const RewriteOptions O = options(std::nullopt);
    FileResult R = processFile(Request, O);
    FixWishes Wishes;
    Wishes.Alone = Wishes.Others = true;
    offerFixes(R, Request, O, Wishes);
    unsigned Compared = 0;
    for (const LoopReport &L : R.Report.Loops)
      for (const Fix &F : L.Fixes) {
        RewriteOptions Alone = options(variantFromString(F.Variant));
        Alone.Begins = {{L.Line, L.Line}};
        if (F.Stages != 2 && F.Variant == "cp-async")
          Alone.RequestedStages = F.Stages;
        EXPECT_EQ(applyEdits(Text, F.Edits, {}), process(Text, Alone).NewContents)
            << L.Kernel << " " << F.Variant;
        ++Compared;
      }
    EXPECT_GE(Compared, 11u);
  }
}

// No candidate of a loop is drafted twice: neither to choose one, nor to say what else could be
// had.
TEST(Rewriter, EachCandidateIsDraftedOnce) {
  struct Counter : LoopMutator {
    mutable std::map<std::string, unsigned> Drafts;
    void loop(PipelinedLoop &L, const TileModel &M, llvm::StringRef Variant) const override {
      ++Drafts[(M.Loop->Kernel + " " + Variant + " " + llvm::Twine(L.Stages)).str()];
    }
    std::string once() const {
      std::string Out;
      for (const auto &[Name, Times] : Drafts)
        Out += Name + (Times == 1 ? "; " : " " + std::to_string(Times) + " times; ");
      return Out;
    }
  };
  for (const auto &[Asked, Code, Status, Drafted] :
       {std::make_tuple(std::optional<Variant>(), kernel("plain"), "plain:rewritten",
                        "plain ldg 2; plain ldg-single 1; "),
        std::make_tuple(std::optional(Variant::Ldg), kernel("plain"), "plain:rewritten",
                        "plain ldg 2; "),
        // What is computed with cannot be copied by the hardware.
        std::make_tuple(std::optional(Variant::CpAsync),
                        kernel("scaled", "tile[tx] = 2 * A[t * 64 + tx];"), "scaled:refused",
                        "scaled ldg 2; scaled ldg-single 1; ")}) {
    Counter Count;
    MutatorOfTests = &Count;
    const FileResult R = process(Code, options(Asked));
    MutatorOfTests = nullptr;
    EXPECT_EQ(statuses(R), Status);
    EXPECT_EQ(Count.once(), Drafted);
  }
}

} // namespace

TEST(Rewriter, WhatDoesNotParseGivesNothing) {
  for (const char *Code :
       {"__global__ void k() { undeclared(); }", "#error no\n", "#include \"missing.h\"\n"}) {
    FileResult R = process(kernel("first") + Code, options());
    EXPECT_FALSE(R.Parsed);
    EXPECT_FALSE(R.Changed);
    EXPECT_EQ(R.NewContents, "");
    EXPECT_TRUE(R.Report.Loops.empty());
    EXPECT_NE(R.Diagnostics.find("error"), std::string::npos) << R.Diagnostics;
  }
}

// An error for the second architecture is an error, though the first was fine.
TEST(Rewriter, EveryArchitectureMustParse) {
  FileResult R = process("#if __CUDA_ARCH__ == 900\n#error no\n#endif\n" + kernel("k"),
                         options(Variant::Ldg, {"sm_80", "sm_90"}));
  EXPECT_FALSE(R.Parsed);
  EXPECT_FALSE(R.Changed);
  EXPECT_EQ(R.NewContents, "");
}

TEST(Rewriter, RefusedLoopsKeepTheirBytes) {
  const std::string Bad =
      kernel("bad", "tile[tx] = A[t * 64 + tx];", "tile[tx] += 1; s += tile[63 - tx];");
  FileResult R = process(Bad, options());
  EXPECT_EQ(statuses(R), "bad:refused");
  EXPECT_TRUE(R.RequestedVariantRefused);
  unchanged(R, Bad);

  // Beside one that is rewritten.
  R = process(kernel("good") + Bad + kernel("fine"), options());
  EXPECT_EQ(statuses(R), "good:rewritten bad:refused fine:rewritten");
  EXPECT_TRUE(R.RequestedVariantRefused);
  EXPECT_TRUE(R.Changed);
  EXPECT_NE(R.NewContents.find(Bad), std::string::npos);

  // A refusal is no failure where nothing in particular was asked for.
  EXPECT_FALSE(process(Bad, options(std::nullopt)).RequestedVariantRefused);
}

// What only the emitter finds out is a refusal like any other, and no half of an edit stays behind.
TEST(Rewriter, TextThatCannotBeEdited) {
  const std::string Macro =
      "#define HEAD for (int t = 0; t < n; ++t) {\n"
      "__global__ void k(const float *__restrict__ A, float *__restrict__ C, int n) {\n"
      "  __shared__ float tile[64]; float s = 0;\n  HEAD\n"
      "    tile[threadIdx.x] = A[t * 64 + threadIdx.x]; __syncthreads();\n"
      "    s += tile[0]; __syncthreads(); }\n  C[threadIdx.x] = s;\n}\n";
  for (std::optional<Variant> V :
       {std::optional<Variant>(), std::optional<Variant>(Variant::Ldg),
        std::optional<Variant>(Variant::CpAsync), std::optional<Variant>(Variant::LdgSingle)}) {
    FileResult R = process(Macro, options(V));
    if (V) {
      EXPECT_EQ(statuses(R), "k:refused");
      EXPECT_NE(reasons(R).find("macro-text"), std::string::npos) << reasons(R);
    }
    unchanged(R, Macro);
  }
}

TEST(Rewriter, InstantiationsMustAgree) {
  const std::string Code =
      "template <class T, int N> __global__ void k(const T *__restrict__ A, T *__restrict__ C, int "
      "n) {\n"
      "  __shared__ T tile[256]; T s = 0;\n  for (int t = 0; t < n; ++t) {\n"
      "    for (int i = 0; i < N; ++i) tile[threadIdx.x + i * 64] = A[t * 256 + threadIdx.x + i * "
      "64];\n"
      "    __syncthreads(); s += tile[threadIdx.x]; __syncthreads(); }\n  C[threadIdx.x] = s;\n}\n";
  const std::string Two = "template __global__ void k<float, 2>(const float *, float *, int);\n",
                    Three = "template __global__ void k<float, 3>(const float *, float *, int);\n",
                    Double =
                        "template __global__ void k<double, 2>(const double *, double *, int);\n";
  EXPECT_EQ(statuses(process(Code + Two, options())), "k:rewritten");
  // Either a text that is right for all of them, or none.
  for (const std::string &Both : {Two + Three, Two + Double}) {
    FileResult R = process(Code + Both, options());
    ASSERT_EQ(R.Report.Loops.size(), 1u);
    if (R.Changed) {
      for (const char *Fixed :
           {"_reg[2]", "_reg[3]", "float tile_reg", "double tile_reg", "float tile_stages"})
        EXPECT_EQ(R.NewContents.find(Fixed), std::string::npos) << R.NewContents;
    } else {
      unchanged(R, Code + Both);
    }
  }
  FileResult R = process(Code, options());
  EXPECT_EQ(reasons(R), "not-instantiated");
  unchanged(R, Code);
}

TEST(Rewriter, ArchitecturesMustAgree) {
  const std::string Extra =
      "\n#if __CUDA_ARCH__ >= 900\n    tile[tx] = 2 * A[t * 64 + tx];\n#else\n"
      "    tile[tx] = A[t * 64 + tx];\n#endif\n";
  const std::string Code = kernel("k", Extra);
  FileResult R = process(Code, options(Variant::CpAsync, {"sm_80", "sm_90"}));
  EXPECT_EQ(statuses(R), "k:refused");
  unchanged(R, Code);
  // A kernel that only one of them has is not passed over in silence.
  const std::string Only = "#if __CUDA_ARCH__ >= 900\n" + kernel("late") + "#endif\n";
  for (const std::vector<std::string> &Archs :
       {std::vector<std::string>{"sm_80", "sm_90"}, std::vector<std::string>{"sm_90", "sm_80"}}) {
    R = process(Only, options(Variant::Ldg, Archs));
    EXPECT_EQ(statuses(R), "late:refused");
    EXPECT_EQ(reasons(R), "archs-disagree");
    unchanged(R, Only);
  }
}

TEST(Rewriter, Selection) {
  const std::string Code = kernel("one") + kernel("two");
  RewriteOptions O = options();
  O.KernelRegex = "^two$";
  FileResult R = process(Code, O);
  EXPECT_EQ(statuses(R), "one:not-selected two:rewritten");
  EXPECT_EQ(R.NewContents.substr(0, kernel("one").size()), kernel("one"));
  O = options();
  O.Lines = {{1, 4}};
  R = process(Code, O);
  EXPECT_EQ(statuses(R), "one:not-selected two:not-selected");
  EXPECT_FALSE(R.RequestedVariantRefused);
  unchanged(R, Code);
  O.Lines = {{5, 5}};
  EXPECT_EQ(statuses(process(Code, O)), "one:rewritten two:not-selected");
}

TEST(Rewriter, ItsOwnOutputIsLeftAlone) {
  for (Variant V : {Variant::Ldg, Variant::LdgSingle, Variant::CpAsync}) {
    FileResult First = process(kernel("k"), options(V));
    ASSERT_TRUE(First.Changed);
    for (Variant Again : {Variant::Ldg, Variant::LdgSingle, Variant::CpAsync}) {
      FileResult R = process(First.NewContents, options(Again));
      EXPECT_EQ(statuses(R), "k:already-pipelined");
      EXPECT_FALSE(R.RequestedVariantRefused);
      unchanged(R, First.NewContents);
    }
  }
}

// The second loop's copies of the tile come on top of the first one's.
TEST(Rewriter, LoopsOfOneKernelShareItsBudget) {
  const char *Loop =
      "  for (int t = 0; t < n; ++t) {\n    NAME[tx] = A[t * 64 + tx];\n    __syncthreads();\n"
      "    s += NAME[63 - tx];\n    __syncthreads();\n  }\n";
  auto Named = [&](const std::string &Name) {
    std::string L = Loop;
    for (size_t At; (At = L.find("NAME")) != std::string::npos;)
      L.replace(At, 4, Name);
    return L;
  };
  auto Code = [&](unsigned Floats, const std::string &Behind = "") {
    return "__global__ void k(const float *__restrict__ A, float *__restrict__ C, int n) {\n  "
           "__shared__ float x[" +
           std::to_string(Floats) + "];\n  __shared__ float y[" + std::to_string(Floats) +
           "];\n  const int tx = threadIdx.x;\n  float s = 0;\n" + Named("x") + Named("y") +
           Behind + "  C[tx] = s;\n}\n";
  };
  EXPECT_EQ(statuses(process(Code(3072), options())), "k:rewritten k:rewritten"); // 4 * 12 KB
  // The second one's stages are in dynamic shared memory, where they may be.
  EXPECT_EQ(statuses(process(Code(3073), options())), "k:rewritten k:rewritten");
  EXPECT_EQ(statuses(process(Code(3073, "  s += y[tx];\n"), options())), "k:rewritten k:refused");
  EXPECT_EQ(statuses(process(Code(3072, "  s += y[tx];\n"), options())), "k:rewritten k:rewritten");
}

TEST(Rewriter, PrintStepsDoNotChangeTheResult) {
  for (PrintStep Step : {PrintStep::None, PrintStep::Tiles, PrintStep::Legality, PrintStep::Budget,
                         PrintStep::Plan, PrintStep::Edits}) {
    RewriteOptions O = options();
    O.Print = Step;
    FileResult R = process(kernel("k"), O);
    EXPECT_EQ(R.NewContents, process(kernel("k"), options()).NewContents);
    EXPECT_EQ(R.Printed.empty(), Step == PrintStep::None);
  }
}

TEST(Rewriter, WritesNoFile) {
  process(kernel("k"), options());
  EXPECT_FALSE(llvm::sys::fs::exists("not-on-disk.cu"));
  EXPECT_FALSE(llvm::sys::fs::exists("not-on-disk.pipelined.cu"));
}
