//===- HtmlReportTest.cpp - Pages, from values -----------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/HtmlParts.h"
#include "Samples.h"
#include "cuda-pipeline/GpuTarget.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;
using namespace llvm;

namespace {

std::string page(const Report &R, StringRef Before = "", StringRef After = "") {
  std::string S;
  raw_string_ostream OS(S);
  renderHTML(
      R, [&](StringRef) { return Before.str(); }, [&](StringRef) { return After.str(); }, OS);
  return S;
}

std::string page(StringRef Json) {
  Expected<json::Value> V = json::parse(Json);
  if (!V) {
    ADD_FAILURE() << toString(V.takeError());
    return "";
  }
  std::string S;
  raw_string_ostream OS(S);
  renderHTML(*V, OS);
  return S;
}

bool contains(const std::string &Page, StringRef Text) { return StringRef(Page).contains(Text); }

TEST(HtmlReport, Escaped) {
  EXPECT_EQ(escaped("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(escaped("gr\xc3\xb6\xc3\x9f"
                    "e \xe6\x97\xa5 \xf0\x9f\x98\x80"),
            "gr\xc3\xb6\xc3\x9f"
            "e \xe6\x97\xa5 \xf0\x9f\x98\x80");
  EXPECT_EQ(escaped("Latin-1 \xe9"), "Latin-1 \xef\xbf\xbd");
  EXPECT_EQ(escaped(StringRef("a\0b\x1b\x7f", 5)), "a\xef\xbf\xbd"
                                                   "b\xef\xbf\xbd\xef\xbf\xbd");
  // What follows would be read backwards.
  EXPECT_EQ(escaped("a\xe2\x80\xae"
                    "b\xef\xbb\xbf"),
            "a[U+202E]b[U+FEFF]");
  // Characters that HTML does not have: the last ones of a plane, and those of the block U+FDD0
  // (but for its neighbours).
  EXPECT_EQ(escaped("\xef\xbf\xbe\xf0\x9f\xbf\xbf\xef\xb7\x90\xef\xb7\xaf"),
            "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(escaped("\xef\xb7\x8f\xef\xb7\xb0"), "\xef\xb7\x8f\xef\xb7\xb0");
}

TEST(HtmlReport, Numbers) {
  EXPECT_EQ(number(1), "1");
  EXPECT_EQ(number(1.5), "1.5");
  EXPECT_EQ(number(100), "100");
  EXPECT_EQ(number(-0.001), "0");
  EXPECT_EQ(number(12.34567, 3), "12.346");
}

// The steps are those of the table of GPUs, for all of them.
TEST(HtmlReport, StaircaseIsComputed) {
  for (const GpuTarget &Gpu : GpuTarget::all()) {
    LoopReport L = rewrittenLoop();
    L.BlockThreads = 256;
    std::string S;
    raw_string_ostream OS(S);
    HtmlIds Ids;
    drawStaircase(L, {16384, 49152, 1, 32768}, Gpu.Name, Ids, OS);
    for (unsigned Blocks = computeOccupancy(Gpu, 256, 0).Blocks; Blocks > 0; --Blocks) {
      const uint64_t Bytes = sharedMemoryCliff(Gpu, Blocks);
      if (double(Bytes) < 49152 * 1.08) {
        EXPECT_TRUE(contains(S, std::to_string(Blocks) + (Blocks == 1 ? " block" : " blocks") +
                                    " up to " + std::to_string(Bytes) + " bytes"))
            << Gpu.Name.str();
        // One byte more, and one block less.
        // No label says more or less than that.
        EXPECT_FALSE(contains(S, ">" + number(double(Bytes) / 1024, 1) + " KiB<"));
        EXPECT_GE(computeOccupancy(Gpu, 256, Bytes).Blocks, Blocks);
        EXPECT_LT(computeOccupancy(Gpu, 256, Bytes + 1).Blocks, Blocks);
      }
    }
    EXPECT_TRUE(contains(S, "Before: 16384 bytes, " +
                                std::to_string(computeOccupancy(Gpu, 256, 16384).Blocks) +
                                " block"));
    EXPECT_TRUE(contains(S, "After: 49152 bytes, " +
                                std::to_string(computeOccupancy(Gpu, 256, 49152).Blocks) +
                                " block"));
  }
  // Nothing is made up for what is not known.
  std::string S;
  raw_string_ostream OS(S);
  HtmlIds Ids;
  drawStaircase(rewrittenLoop(), {16384, 49152, 1, 32768}, "sm_1", Ids, OS);
  EXPECT_EQ(S, "");
  LoopReport Unknown = rewrittenLoop();
  Unknown.BlockThreads = 0;
  drawStaircase(Unknown, {16384, 49152, 1, 32768}, "sm_90", Ids, OS);
  EXPECT_TRUE(contains(S, "blocks of a size that is not known")) << S;
}

// To the byte: one more, and a block less fits.
TEST(HtmlReport, StepsAreExact) {
  std::string S;
  raw_string_ostream OS(S);
  HtmlIds Ids;
  drawStaircase(rewrittenLoop(), {10001, 45568, 1, 0}, "sm_90", Ids, OS);
  EXPECT_TRUE(contains(S, ">37888</text>")) << S;
  EXPECT_TRUE(contains(S, ">before: 10001 bytes, ")) << S;
  EXPECT_TRUE(contains(S, ">limit 49152 bytes</text>")) << S;
}

// 1024 -> 1536 and 1536 -> 2048: what a block needs is 2048.
TEST(HtmlReport, SeveralLoopsOfAKernel) {
  FileReport F;
  F.Path = "a.cu";
  F.Loops = {rewrittenLoop(), rewrittenLoop(), refusedLoop()};
  F.Loops[0].Smem = {1024, 1536, 49152};
  F.Loops[1].Smem = {1536, 2048, 49152};
  for (unsigned I : {0, 1}) {
    const KernelMemory M = memoryOf(F, F.Loops[I]);
    EXPECT_EQ(M.Before, 1024u);
    EXPECT_EQ(M.After, 2048u);
    EXPECT_EQ(M.Loops, 2u);
    EXPECT_EQ(M.Share, 512u);
    std::string S;
    raw_string_ostream OS(S);
    HtmlIds Ids;
    drawBudget(F.Loops[I], M, Ids, OS);
    drawStaircase(F.Loops[I], M, "sm_90", Ids, OS);
    EXPECT_TRUE(contains(S, "Before: 1024 bytes. After: 2048 bytes."));
    EXPECT_EQ(
        StringRef(S).count(
            "After is the kernel with all 2 loops rewritten: this one adds 512 of 1024 bytes."),
        2u)
        << S;
  }
  const KernelMemory Alone = memoryOf(F, F.Loops[2]);
  EXPECT_EQ(Alone.Loops, 0u);
  F.Loops[1].FunctionLine = 7; // another overload
  EXPECT_EQ(memoryOf(F, F.Loops[0]).Loops, 1u);
  EXPECT_EQ(memoryOf(F, F.Loops[0]).After, 1536u);
}

TEST(HtmlReport, TimelineSaysWhatItIsDrawnFrom) {
  std::string S;
  raw_string_ostream OS(S);
  HtmlIds Ids;
  drawTimeline(rewrittenLoop(), std::nullopt, "the GPU was out", Ids, OS);
  EXPECT_TRUE(contains(S, "schematic, not measured"));
  EXPECT_TRUE(contains(S, "equally long, because the GPU was out."));
  EXPECT_TRUE(contains(S, "the loads of the next 2 are under way"));
  S.clear();
  drawTimeline(rewrittenLoop(), MeasuredParts{12.5, 40, "case x on a GPU"}, "", Ids, OS);
  EXPECT_FALSE(contains(S, "schematic"));
  EXPECT_TRUE(contains(S, "loads alone take 12.5 us, compute alone 40 us (case x on a GPU)"));
}

TEST(HtmlReport, SourceBeforeAndAfter) {
  LoopReport L = rewrittenLoop();
  L.Line = 2;
  L.EndLine = 3;
  L.Phases = {{"load", 3, 3}};
  L.NewPhases = {{"load", 2, 2}, {"compute", 4, 4}};
  const std::string S =
      page(reportOf(L), "first\nfor {\n<load>\n}\n", "first\nnew load\nfor {\ncompute\n}\n");
  EXPECT_TRUE(
      contains(S, "<span class=\"l load\" data-n=\"3\"><span class=\"s\">\xe2\x88\x92</span><span "
                  "class=\"w\">l<i>oad</i></span>&lt;load&gt;\n"));
  EXPECT_TRUE(contains(S, "<span class=\"l load\" data-n=\"2\"><span class=\"s\">+</span><span "
                          "class=\"w\">l<i>oad</i></span>new load\n"));
  EXPECT_TRUE(contains(S, "<span class=\"l compute\" data-n=\"4\">"));
  // No text, no source; and lines that are not there are no crash.
  EXPECT_FALSE(contains(page(reportOf(L)), "<pre>"));
  L.Line = 70;
  L.EndLine = 80;
  L.NewPhases = {{"load", 70, 90}};
  page(reportOf(L), "one line", "one line");
}

// A report of another version may say less, or something else.
TEST(HtmlReport, FindingsWithoutKeys) {
  for (StringRef Json :
       {R"({})", R"([])", R"(null)", R"({"engine":"sass"})", R"({"engine":"sass","archs":[{}]})",
        R"({"engine":"sass","archs":[{"kernels":[{"old":{"loops":[{"excerpt":[{}]}]}}]}]})",
        R"({"engine":"emulate","cases":[{}]})",
        R"({"engine":"emulate","cases":[{"fault":{},"difference":{},"run":{},"timing":{}}]})",
        R"({"command":"bench"})",
        R"({"command":"bench","cases":[{}],"versions":[{}],"clocks":{},"ceilings":{}})",
        R"({"command":"bench","cases":[{"results":[{}]}]})",
        R"({"command":"bench","cases":[{"results":[{"median_us":0}]}],"clocks":{"sm_mhz":null}})",
        R"({"files":3,"engine":7,"verdict":[]})"}) {
    const std::string S = page(Json);
    EXPECT_TRUE(contains(S, "</main>")) << Json.str();
    EXPECT_FALSE(contains(S, "null")) << Json.str();
  }
}

// Lines are those that Clang counts, and the mark in front of a file is no part of its text.
TEST(HtmlReport, LinesOfAllKinds) {
  LoopReport L = rewrittenLoop();
  L.Line = 3;
  L.EndLine = 5;
  L.Phases = {{"load", 4, 4}};
  L.NewPhases = {{"load", 4, 4}};
  const std::string S = page(reportOf(L),
                             "\xef\xbb\xbf"
                             "first\rsecond\r\nfor {\rthe load\r\r\n}\n",
                             "\xef\xbb\xbf"
                             "first\rsecond\r\nfor {\ranother load\r\r\n}\n");
  EXPECT_TRUE(contains(
      S,
      "<span class=\"l\" data-n=\"1\"><span class=\"s\"> </span><span class=\"w\"></span>first\n"))
      << S;
  EXPECT_TRUE(
      contains(S, "<span class=\"l load\" data-n=\"4\"><span class=\"s\">\xe2\x88\x92</span><span "
                  "class=\"w\">l<i>oad</i></span>the load\n"))
      << S;
  EXPECT_TRUE(contains(S, "<span class=\"l load\" data-n=\"4\"><span class=\"s\">+</span><span "
                          "class=\"w\">l<i>oad</i></span>another load\n"))
      << S;
}

// What is new for one loop is not shown with another one, comments included; a declaration above
// both is shown with both.
TEST(HtmlReport, WhatIsForAnotherLoop) {
  FileReport F;
  F.Path = "a.cu";
  for (unsigned I : {0, 1}) {
    LoopReport L = rewrittenLoop();
    L.FunctionLine = 1;
    L.FunctionEndLine = 6;
    L.Line = L.EndLine = I == 0 ? 3 : 4;
    L.Phases.clear();
    L.NewPhases = I == 0 ? std::vector<PhaseReport>{{"load", 4, 4}, {"compute", 5, 5}}
                         : std::vector<PhaseReport>{{"load", 7, 7}, {"compute", 8, 8}};
    F.Loops.push_back(L);
  }
  Report R;
  R.Files = {F};
  const std::string S = page(
      R, "void f() {\ntiles\nfor 1\nfor 2\nrest\n}\n",
      "void f() {\nstages\n// of one\nload 1\ncompute 1\n// of two\nload 2\ncompute 2\nrest\n}\n");
  auto [Before, First] = StringRef(S).split("aria-label=\"Source after, gemm, line 3\"");
  const StringRef After1 = First.split("</pre>").first;
  const StringRef After2 =
      First.split("aria-label=\"Source after, gemm, line 4\"").second.split("</pre>").first;
  EXPECT_TRUE(After1.contains("// of one") && After1.contains("compute 1") &&
              After1.contains("stages"))
      << After1.str();
  EXPECT_FALSE(After1.contains("// of two") || After1.contains("load 2")) << After1.str();
  EXPECT_TRUE(After2.contains("// of two") && After2.contains("compute 2") &&
              After2.contains("stages"))
      << After2.str();
  EXPECT_FALSE(After2.contains("// of one") || After2.contains("load 1")) << After2.str();
}

// What is said below a line has room on the other side, so that lines stay beside each other.
TEST(HtmlReport, RoomForWhatIsSaid) {
  LoopReport L = rewrittenLoop();
  L.Reasons = refusedLoop().Reasons;
  L.Reasons[0].Line = 2;
  L.AlthoughRefused = true;
  L.Line = 1;
  L.EndLine = 3;
  const std::string S = page(reportOf(L), "for {\n  load\n}\n", "for {\n  load\n}\n");
  EXPECT_TRUE(contains(S, "  load\n</span><span class=\"said\">\xe2\x86\x91 stale-tile\n</span>"))
      << S;
  EXPECT_TRUE(contains(S, "  load\n</span><span class=\"said fill\" aria-hidden=\"true\"></span>"))
      << S;
  // And nothing about it is good.
  EXPECT_TRUE(contains(S, "<span class=\"status above bad\">not sound</span>")) << S;
  EXPECT_FALSE(contains(S, "status good"));
}

TEST(HtmlReport, Withheld) {
  Report R = reportOf(rewrittenLoop());
  R.Withheld = "it is Sunday";
  R.Files[0].Loops[0].Withheld = true;
  const std::string S = page(R, "x\n", "y\n");
  EXPECT_TRUE(contains(S, "<strong>Nothing was written: it is Sunday.</strong>"));
  EXPECT_TRUE(contains(S, "<span class=\"status above\">not written</span>"));
  EXPECT_TRUE(contains(S, "<p>would be pipelined with cp-async, 3 stages; it was not written</p>"));
  EXPECT_TRUE(
      contains(S, "<title>Tile loops: 1 loop: 0 rewritten, 1 not written, 0 refused</title>"));
  EXPECT_FALSE(contains(S, "status good"));
}

TEST(HtmlReport, LongNamesOfVersions) {
  std::string Name(100, 'v');
  const std::string S =
      page(R"({"command":"bench","cases":[{"kernel":"k","results":[{"version":")" + Name +
           R"(","median_us":2},{"version":"b","median_us":1}]}]})");
  // In lines that fit, with the number beside the first.
  EXPECT_TRUE(contains(S, ">" + std::string(36, 'v') + "</text>")) << S;
  EXPECT_TRUE(contains(S, ">" + std::string(28, 'v') + "</text>")) << S;
  EXPECT_FALSE(contains(S, std::string(37, 'v') + "</text>"));
}

TEST(HtmlReport, MeasuredPartsOfTheLoop) {
  FileReport F;
  F.Path = "dir/a.cu";
  F.Arch = "sm_90";
  F.Loops = {rewrittenLoop(), refusedLoop()};
  F.Loops[0].Kernel = "ns::gemm";
  std::string Why;
  auto Parts = [&](StringRef Cases, StringRef Arch = "sm_90", StringRef File = "a.cu") {
    const json::Value Bench =
        cantFail(json::parse((R"({"gpu":"G","compute_capability":"9.0","arch":")" + Arch +
                              R"(","versions":[{"name":"o","kind":"old","file":")" + File +
                              R"("}],"cases":[)" + Cases + "]}")
                                 .str()));
    return measuredParts(&Bench, F, F.Loops[0], Why);
  };
  const StringRef Gemm =
      R"({"kernel":"ns::gemm<32>","case":"c","loads_only_us":2,"compute_only_us":3})";
  std::optional<MeasuredParts> P = Parts((R"({"kernel":"ns::gemm<32>","case":"b"},)" + Gemm).str());
  ASSERT_TRUE(P) << Why;
  EXPECT_EQ(P->LoadsMicroseconds, 2);
  EXPECT_EQ(P->ComputeMicroseconds, 3);
  EXPECT_EQ(P->Of, "ns::gemm<32>, c on G, one of 2 cases");
  EXPECT_TRUE(Parts(Gemm, "native"));
  // Where a description leaves the namespace out.
  EXPECT_TRUE(Parts(R"({"kernel":"gemm","loads_only_us":2,"compute_only_us":3})"));
  F.ReadBy = {"main.cu"};
  EXPECT_TRUE(Parts(Gemm, "sm_90", "elsewhere/main.cu"));

  // What is somebody else's.
  EXPECT_FALSE(Parts(R"({"kernel":"other::gemm","loads_only_us":2,"compute_only_us":3})"));
  EXPECT_EQ(Why, "this kernel was not measured");
  EXPECT_FALSE(Parts(Gemm, "sm_90", "b.cu"));
  EXPECT_EQ(Why, "what was measured is 'b.cu'");
  EXPECT_FALSE(Parts(Gemm, "sm_80"));
  EXPECT_EQ(Why, "what was measured is for sm_80, and this is for sm_90");
  EXPECT_FALSE(Parts((R"({"kernel":"ns::gemm<16>","case":"c"},)" + Gemm).str()));
  EXPECT_EQ(Why, "several instantiations of the kernel were measured: ns::gemm<16>, ns::gemm<32>");
  EXPECT_FALSE(Parts(R"({"kernel":"ns::gemm"})"));
  EXPECT_EQ(Why, "loads and compute were not timed alone");
  F.Loops[1].Kernel = "ns::gemm";
  EXPECT_FALSE(Parts(Gemm));
  EXPECT_EQ(Why, "the kernel has several tile loops, and it was measured as a whole");
  EXPECT_FALSE(measuredParts(nullptr, F, F.Loops[0], Why));
  EXPECT_EQ(Why, "nothing was measured");
}

TEST(HtmlReport, EqualReportsGiveEqualBytes) {
  EXPECT_EQ(page(sampleReport()), page(sampleReport()));
  EXPECT_TRUE(contains(page(Report()), "no tile loops found"));
}

} // namespace
