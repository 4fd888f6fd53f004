//===- EmitTest.cpp - What goes into each half, and edits of the text -----===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Whether the output computes the same is tested in test/Emit, by running it. Here: a statement
/// that is in no half, or in two where one was meant, and edits that do not fit together.
///
//===----------------------------------------------------------------------===//
#include "../ParsedFile.h"
#include "Emit/Emitter.h"

using namespace cuda_pipeline;

namespace {

std::string kernel(const std::string &Load, const std::string &Before = "",
                   const std::string &Behind = "") {
  return "__global__ void __launch_bounds__(64) k(const float *__restrict__ A, const float "
         "*__restrict__ B,\n"
         "                                        float *__restrict__ C, int n, int m) {\n"
         "  __shared__ float tile[256];\n  const int tx = threadIdx.x;\n  float s = 0;\n  " +
         Before + "\n  for (int t = 0; t < n; ++t) {\n" + Load +
         "    __syncthreads();\n    s += tile[63 - tx]; // compute\n"
         "    __syncthreads();\n" +
         Behind + "  }\n  C[tx] = s;\n}\n";
}

struct Emitted : ParsedFile {
  Emitted(const std::string &Code, Variant Kind, unsigned Stages = 2) : ParsedFile(Code) {
    TileModel M = model();
    if (!M.understood())
      llvm::report_fatal_error(llvm::Twine("refused: ") + ids(M.Refusals));
    Plan P;
    static_cast<Schedule &>(P) = makeSchedule(M, Kind, Kind == Variant::LdgSingle ? 1 : Stages);
    const SourceText Source = readSourceText(context());
    Result = draft(M, M.Registers, P, context(), *findPlaces(M, context(), Source), Source,
                   GivenNames());
    if (Result.Refusals.empty())
      Text = applyEdits(Code, Result.Result.List, Result.Result.Headers);
  }
  /// The text of the lambda \p Name.
  llvm::StringRef half(llvm::StringRef Name) const {
    llvm::StringRef T = Text;
    size_t Begin = T.find("auto " + Name.str() + " ");
    if (Begin == T.npos)
      return "";
    return T.substr(Begin, T.find("\n  };\n", Begin) - Begin);
  }
  Draft Result;
  std::string Text;
};

size_t times(llvm::StringRef Text, llvm::StringRef Part) { return Text.count(Part); }

} // namespace

// --- Halves
// -----------------------------------------------------------------------------------------

TEST(Slice, LoadsAreFetchedAndStoresStored) {
  for (Variant V : {Variant::Ldg, Variant::LdgSingle}) {
    Emitted E(kernel("    tile[tx] = A[t * 64 + tx];\n"), V);
    ASSERT_EQ(ids(E.Result.Refusals), "");
    EXPECT_EQ(times(E.half("fetch_tile"), "A["), 1u) << E.Text;
    EXPECT_EQ(times(E.half("fetch_tile"), "tile["), 0u) << E.Text;
    EXPECT_EQ(times(E.half("store_tile"), "A["), 0u) << E.Text;
    EXPECT_EQ(times(E.Text, "tile[tx] = tile_reg;"), 1u) << E.Text;
    EXPECT_EQ(times(E.Text, "A[t * 64 + tx]"), 1u) << E.Text;
  }
  Emitted E(kernel("    tile[tx] = A[t * 64 + tx];\n"), Variant::CpAsync, 3);
  EXPECT_EQ(times(E.half("load_tile"), "__pipeline_memcpy_async(&tile[tx], &A["), 1u) << E.Text;
}

TEST(Slice, WhatOnlyTheAddressNeedsIsNotInTheStore) {
  Emitted E(kernel("    const int from = t * 64 + tx;\n    const int to = tx ^ 1;\n    tile[to] = "
                   "A[from];\n"),
            Variant::Ldg);
  ASSERT_EQ(ids(E.Result.Refusals), "");
  EXPECT_EQ(times(E.half("fetch_tile"), "int from"), 1u) << E.Text;
  EXPECT_EQ(times(E.half("fetch_tile"), "int to"), 0u) << E.Text;
  EXPECT_EQ(times(E.half("store_tile"), "int from"), 0u) << E.Text;
  EXPECT_EQ(times(E.half("store_tile"), "int to"), 1u) << E.Text;
}

TEST(Slice, GuardsAreInBothHalves) {
  const std::string Load =
      "    if (t * 64 + tx < m)\n      tile[tx] = A[t * 64 + tx];\n    else\n      tile[tx] = 0;\n";
  Emitted E(kernel(Load), Variant::Ldg);
  ASSERT_EQ(ids(E.Result.Refusals), "");
  // No speculation: the load stays behind its condition.
  llvm::StringRef Fetch = E.half("fetch_tile");
  EXPECT_LT(Fetch.find("< m)"), Fetch.find("A[")) << E.Text;
  EXPECT_EQ(times(E.half("store_tile"), "< m)") + times(Fetch, ": 0") + times(Fetch, "= 0"), 1u)
      << E.Text;
}

// State that the load phase steps is stepped once for each tile, in one of the halves.
TEST(Slice, StepsHappenOnce) {
  for (Variant V : {Variant::Ldg, Variant::LdgSingle, Variant::CpAsync}) {
    Emitted E(kernel("    tile[tx] = A[at + tx];\n    at += 64;\n", "int at = 0;"), V);
    ASSERT_EQ(ids(E.Result.Refusals), "") << int(V);
    EXPECT_EQ(times(E.Text, "at += 64;"), 1u) << E.Text;
    Emitted Behind(kernel("    tile[tx] = A[at + tx];\n", "int at = 0;", "    at += 64;\n"), V);
    ASSERT_EQ(ids(Behind.Result.Refusals), "") << int(V);
    EXPECT_EQ(times(Behind.Text, "at += 64;"), 1u) << Behind.Text;
  }
}

TEST(Slice, TheComputePhaseIsNotCopied) {
  for (Variant V : {Variant::Ldg, Variant::LdgSingle, Variant::CpAsync}) {
    Emitted E(kernel("    tile[tx] = A[t * 64 + tx];\n"), V, 4);
    EXPECT_EQ(times(E.Text, "    s += tile[63 - tx]; // compute\n"), 1u) << E.Text;
    EXPECT_EQ(times(E.Text, "// Prologue"), 1u);
    EXPECT_EQ(times(E.Text, "// Epilogue"), 1u);
  }
}

TEST(Slice, RegistersOfCopyLoopsAreAsManyAsTurns) {
  Emitted E(kernel("    for (int i = tx; i < 256; i += 64)\n      tile[i] = A[t * 256 + i];\n"),
            Variant::Ldg);
  ASSERT_EQ(ids(E.Result.Refusals), "");
  EXPECT_EQ(times(E.Text, "[4];"), 1u) << E.Text;
  Emitted Ragged(
      kernel("    for (int i = tx; i < 250; i += 64)\n      tile[i] = A[t * 250 + i];\n"),
      Variant::Ldg);
  ASSERT_EQ(ids(Ragged.Result.Refusals), "");
  EXPECT_EQ(times(Ragged.Text, "[4];"), 1u) << Ragged.Text;
}

// --- Names
// ------------------------------------------------------------------------------------------

TEST(Names, AreFresh) {
  Emitted E(
      kernel(
          "    tile[tx] = A[t * 64 + tx];\n",
          "int stage = m, fetch_tile = 1, tile_stages = 2; s += stage + fetch_tile + tile_stages;"),
      Variant::Ldg);
  ASSERT_EQ(ids(E.Result.Refusals), "");
  for (const char *Name : {"int stage = 0", "auto fetch_tile ", " tile_stages["})
    EXPECT_EQ(times(E.Text, Name), 0u) << E.Text;
}

TEST(Names, OfMacrosAndOtherFunctionsAreInUse) {
  ParsedFile F("#define stage 3\nint fetch_tile();\n__global__ void k(int loaded) {}");
  std::set<std::string> Used = readSourceText(F.context()).Names;
  for (const char *Name : {"stage", "fetch_tile", "loaded", "k"})
    EXPECT_TRUE(Used.count(Name)) << Name;
}

// --- Edits
// ------------------------------------------------------------------------------------------

TEST(Edits, DoNotOverlapAndAreInOrder) {
  // Statements that move take their comments along, those of their neighbours stay.
  for (const char *Behind :
       {"    at += 64;\n", "    // one tile on\n    at += 64; // to the right\n",
        "    // first\n    at += 32;\n    // second\n    at += 32;\n",
        "    at += 32; /* half */ at += 32; // all\n"})
    for (Variant V : {Variant::Ldg, Variant::LdgSingle, Variant::CpAsync})
      for (bool InFront : {false, true}) {
        std::string Code = kernel("    float v = A[at + tx];\n    tile[tx] = v;\n", "int at = 0;",
                                  InFront ? "" : Behind);
        if (InFront)
          Code.insert(Code.find("    s += tile"), Behind);
        Emitted E(Code, V);
        ASSERT_FALSE(E.Result.Result.List.empty()) << ids(E.Result.Refusals);
        unsigned End = 0;
        for (const Edit &Change : E.Result.Result.List) {
          EXPECT_GE(Change.Offset, End) << Code << int(V);
          End = Change.Offset + Change.Length;
        }
      }
}

TEST(Edits, NothingOutsideOfTheFunctionChanges) {
  const std::string Front = "// Über die Kacheln.\nint before; /* } */\n",
                    Back = "\nint after; // no newline at the end";
  Emitted E(Front + kernel("    tile[tx] = A[t * 64 + tx];\n") + Back, Variant::Ldg);
  EXPECT_TRUE(llvm::StringRef(E.Text).starts_with(Front)) << E.Text;
  EXPECT_TRUE(llvm::StringRef(E.Text).ends_with("  C[tx] = s;\n}\n" + Back)) << E.Text;
}

TEST(Edits, RefusedAsAWhole) {
  // The macro holds half of the loop: no part of it may be edited.
  Emitted E("#define BEGIN for (int t = 0; t < n; ++t) {\n"
            "__global__ void k(const float *__restrict__ A, float *__restrict__ C, int n) {\n"
            "  __shared__ float tile[64]; const int tx = threadIdx.x; float s = 0;\n  BEGIN\n"
            "    tile[tx] = A[t * 64 + tx]; __syncthreads();\n    s += tile[0]; __syncthreads(); "
            "}\n  C[tx] = s;\n}",
            Variant::Ldg);
  EXPECT_EQ(ids(E.Result.Refusals), "macro-text");
}

TEST(ApplyEdits, ReplacesByOffset) {
  EXPECT_EQ(applyEdits("abcdef", {{1, 2, "XYZ"}, {4, 0, "-"}, {5, 1, ""}}, {}), "aXYZd-e");
  EXPECT_EQ(applyEdits("abc", {}, {}), "abc");
  EXPECT_EQ(applyEdits("abc", {{0, 0, "<"}, {3, 0, ">"}}, {}), "<abc>");
}

TEST(ApplyEdits, Headers) {
  auto Include = [](llvm::StringRef Text) { return applyEdits(Text, {}, {"cuda_pipeline.h"}); };
  const std::string Line = "#include <cuda_pipeline.h>";
  for (const char *Text :
       {"int x;\n", "// comment\n#include <vector>\nint x;\n", "#pragma once\nint x;\n", "",
        "#include <vector>", "/* a\n   b */\n\nint x;\n"})
    EXPECT_EQ(times(Include(Text), Line), 1u) << Text;
  // Once is enough.
  const std::string There = "#include <cuda_pipeline.h>\nint x;\n";
  EXPECT_EQ(times(applyEdits(There, {}, {"cuda_pipeline.h"}), Line), 1u);
  // The one that includes the other is enough; a name that ends alike is not.
  const std::vector<std::string> Primitives = {"cuda_pipeline_primitives.h"};
  for (const char *Text : {"#include <cuda_pipeline.h>\n", "#include \"cuda/cuda_pipeline.h\"\n",
                           "#include <cuda_pipeline_primitives.h>\n"})
    EXPECT_EQ(applyEdits(Text, {}, Primitives), Text);
  EXPECT_EQ(times(applyEdits("#include \"my_cuda_pipeline.h\"\n", {}, Primitives), "primitives.h"),
            1u);
  EXPECT_EQ(applyEdits("int x;\n", {}, {}), "int x;\n");
  // Not inside of a comment, and with the file's own line ends.
  EXPECT_NE(Include("/*\n#include <vector>\n*/\nint x;\n").find("*/\n"), std::string::npos);
  std::string Windows = Include("#include <vector>\r\nint x;\r\n");
  EXPECT_EQ(times(Windows, "\n"), times(Windows, "\r\n")) << Windows;
}

TEST(Patches, TheOutermostOfNestedOnesWins) {
  Patches P;
  P.replace({2, 8}, "outer");
  P.replace({3, 5}, "inner");
  P.replace({9, 9}, "+");
  EXPECT_EQ(P.apply("0123456789", {0, 10}), "01outer8+9");
  EXPECT_EQ(P.apply("0123456789", {8, 10}), "8+9");
}
