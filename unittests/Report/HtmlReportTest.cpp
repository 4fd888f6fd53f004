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
  renderHTML(R, [&](StringRef) { return Before.str(); }, [&](StringRef) { return After.str(); }, OS);
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
  EXPECT_EQ(escaped("gr\xc3\xb6\xc3\x9f" "e \xe6\x97\xa5 \xf0\x9f\x98\x80"), "gr\xc3\xb6\xc3\x9f" "e \xe6\x97\xa5 \xf0\x9f\x98\x80");
  EXPECT_EQ(escaped("Latin-1 \xe9"), "Latin-1 \xef\xbf\xbd");
  EXPECT_EQ(escaped(StringRef("a\0b\x1b\x7f", 5)), "a\xef\xbf\xbd" "b\xef\xbf\xbd\xef\xbf\xbd");
  // What follows would be read backwards.
  EXPECT_EQ(escaped("a\xe2\x80\xae" "b\xef\xbb\xbf"), "a[U+202E]b[U+FEFF]");
}

TEST(HtmlReport, Numbers) {
  EXPECT_EQ(number(1), "1");
  EXPECT_EQ(number(1.5), "1.5");
  EXPECT_EQ(number(100), "100");
  EXPECT_EQ(number(-0.001), "0");
  EXPECT_EQ(number(12.34567, 3), "12.346");
  EXPECT_EQ(bytesInWords(0), "0 bytes");
  EXPECT_EQ(bytesInWords(1), "1 byte");
  EXPECT_EQ(bytesInWords(49152), "48 KiB");
}

// The steps are those of the table of GPUs, for all of them.
TEST(HtmlReport, StaircaseIsComputed) {
  for (const GpuTarget &Gpu : GpuTarget::all()) {
    LoopReport L = rewrittenLoop();
    L.BlockThreads = 256;
    std::string S;
    raw_string_ostream OS(S);
    HtmlIds Ids;
    drawStaircase(L, Gpu.Name, Ids, OS);
    for (unsigned Blocks = computeOccupancy(Gpu, 256, 0).Blocks; Blocks > 0; --Blocks) {
      const uint64_t Bytes = sharedMemoryCliff(Gpu, Blocks);
      if (double(Bytes) < 49152 * 1.08) {
        EXPECT_TRUE(contains(S, std::to_string(Blocks) + (Blocks == 1 ? " block" : " blocks") + " up to " + std::to_string(Bytes) + " bytes")) << Gpu.Name.str();
        // One byte more, and one block less.
        EXPECT_GE(computeOccupancy(Gpu, 256, Bytes).Blocks, Blocks);
        EXPECT_LT(computeOccupancy(Gpu, 256, Bytes + 1).Blocks, Blocks);
      }
    }
    EXPECT_TRUE(contains(S, "Before: 16384 bytes, " + std::to_string(computeOccupancy(Gpu, 256, 16384).Blocks) + " block"));
    EXPECT_TRUE(contains(S, "After: 49152 bytes, " + std::to_string(computeOccupancy(Gpu, 256, 49152).Blocks) + " block"));
  }
  // Nothing is made up for what is not known.
  std::string S;
  raw_string_ostream OS(S);
  HtmlIds Ids;
  drawStaircase(rewrittenLoop(), "sm_1", Ids, OS);
  EXPECT_EQ(S, "");
  LoopReport Unknown = rewrittenLoop();
  Unknown.BlockThreads = 0;
  drawStaircase(Unknown, "sm_90", Ids, OS);
  EXPECT_TRUE(contains(S, "blocks of a size that is not known")) << S;
}

TEST(HtmlReport, TimelineSaysWhatItIsDrawnFrom) {
  std::string S;
  raw_string_ostream OS(S);
  HtmlIds Ids;
  drawTimeline(rewrittenLoop(), std::nullopt, Ids, OS);
  EXPECT_TRUE(contains(S, "schematic, not measured"));
  EXPECT_TRUE(contains(S, "the loads of the next 2 are under way"));
  S.clear();
  drawTimeline(rewrittenLoop(), MeasuredParts{12.5, 40, "case x on a GPU"}, Ids, OS);
  EXPECT_FALSE(contains(S, "schematic"));
  EXPECT_TRUE(contains(S, "loads alone take 12.5 us, compute alone 40 us (case x on a GPU)"));
}

TEST(HtmlReport, SourceBeforeAndAfter) {
  LoopReport L = rewrittenLoop();
  L.Line = 2;
  L.EndLine = 3;
  L.Phases = {{"load", 3, 3}};
  L.NewPhases = {{"load", 2, 2}, {"compute", 4, 4}};
  const std::string S = page(reportOf(L), "first\nfor {\n<load>\n}\n", "first\nnew load\nfor {\ncompute\n}\n");
  EXPECT_TRUE(contains(S, "<span class=\"l load\" data-n=\"3\"><span class=\"s\">\xe2\x88\x92</span><span class=\"w\">l<i>oad</i></span>&lt;load&gt;\n"));
  EXPECT_TRUE(contains(S, "<span class=\"l load\" data-n=\"2\"><span class=\"s\">+</span><span class=\"w\">l<i>oad</i></span>new load\n"));
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
  for (StringRef Json : {R"({})", R"([])", R"(null)", R"({"engine":"sass"})", R"({"engine":"sass","archs":[{}]})",
                         R"({"engine":"sass","archs":[{"kernels":[{"old":{"loops":[{"excerpt":[{}]}]}}]}]})", R"({"engine":"emulate","cases":[{}]})",
                         R"({"engine":"emulate","cases":[{"fault":{},"difference":{},"run":{},"timing":{}}]})", R"({"command":"bench"})",
                         R"({"command":"bench","cases":[{}],"versions":[{}],"clocks":{},"ceilings":{}})", R"({"command":"bench","cases":[{"results":[{}]}]})",
                         R"({"command":"bench","cases":[{"results":[{"median_us":0}]}],"clocks":{"sm_mhz":null}})", R"({"files":3,"engine":7,"verdict":[]})"}) {
    const std::string S = page(Json);
    EXPECT_TRUE(contains(S, "</main>")) << Json.str();
    EXPECT_FALSE(contains(S, "null")) << Json.str();
  }
}

TEST(HtmlReport, MeasuredPartsOfTheKernel) {
  const json::Value Bench = cantFail(json::parse(
      R"({"gpu":"G","cases":[{"kernel":"a"},{"kernel":"ns::gemm<32>","case":"c","loads_only_us":2,"compute_only_us":3},{"kernel":"gemm","loads_only_us":9,"compute_only_us":9}]})"));
  std::optional<MeasuredParts> P = measuredParts(&Bench, "gemm");
  ASSERT_TRUE(P);
  EXPECT_EQ(P->LoadsMicroseconds, 2);
  EXPECT_EQ(P->ComputeMicroseconds, 3);
  EXPECT_EQ(P->Of, "c on G");
  EXPECT_FALSE(measuredParts(&Bench, "a"));
  EXPECT_FALSE(measuredParts(&Bench, "other"));
  EXPECT_FALSE(measuredParts(nullptr, "gemm"));
}

TEST(HtmlReport, EqualReportsGiveEqualBytes) {
  EXPECT_EQ(page(sampleReport()), page(sampleReport()));
  EXPECT_TRUE(contains(page(Report()), "no tile loops found"));
}

} // namespace
