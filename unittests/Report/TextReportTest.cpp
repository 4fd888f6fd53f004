//===- TextReportTest.cpp - The report as diagnostics --------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Samples.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;
using namespace llvm;

namespace {

std::string render(const Report &R, TextOptions Options = {}, SourceLines Lines = nullptr) {
  std::string S;
  raw_string_ostream OS(S);
  renderText(R, Options, Lines, OS);
  return S;
}

std::string numbered(StringRef Path, unsigned Line) {
  return ("  text of line " + Twine(Line)).str();
}

TextOptions verbose() {
  TextOptions O;
  O.Verbose = true;
  return O;
}

TextOptions quiet() {
  TextOptions O;
  O.Quiet = true;
  return O;
}

// As wide as a terminal: between words, below the message.
TEST(TextReport, Width) {
  TextOptions O;
  O.Width = 50;
  const std::string Text = render(reportOf(rewrittenLoop()), O, numbered);
  EXPECT_TRUE(StringRef(Text).contains(R"(
a.cu:42:3: note: occupancy: 6 -> 2 blocks per SM,
      limited by shared memory; block size 256x1x1
      (launch bounds, upper bound)
)")) << Text;
  for (StringRef Rest = Text; !Rest.empty(); Rest = Rest.split('\n').second)
    EXPECT_LE(Rest.split('\n').first.size(), 50u) << Rest.split('\n').first.str();
  // What is longer than a line stays whole.
  LoopReport L = rewrittenLoop();
  L.Why = std::string(90, 'x');
  EXPECT_TRUE(StringRef(render(reportOf(L), O)).contains("\n      " + L.Why + "\n"));
  O.Width = 0;
  EXPECT_EQ(render(reportOf(rewrittenLoop()), O, numbered), render(reportOf(rewrittenLoop()), {}, numbered));
}

TEST(TextReport, WidthOfSource) {
  TextOptions O;
  O.Width = 48; // 40 beside the number
  LoopReport L = rewrittenLoop();
  auto At = [&](unsigned Column, std::string Source) {
    L.Column = Column;
    const std::string Text = render(reportOf(L), O, [&](StringRef, unsigned) { return Source; });
    return StringRef(Text).split("   42 | ").second.split("\na.cu").first.str();
  };
  EXPECT_EQ(At(1, "short"), "short\n      | ^");
  EXPECT_EQ(At(1, std::string(60, 'a')), std::string(37, 'a') + "...\n      | ^");
  const std::string Far = At(50, std::string(49, 'a') + "b" + std::string(30, 'c'));
  EXPECT_EQ(Far, "..." + std::string(13, 'a') + "b" + std::string(20, 'c') + "...\n      | " + std::string(16, ' ') + "^");
  // Characters are not cut apart.
  std::string Wide;
  for (unsigned I = 0; I < 60; ++I)
    Wide += "\xc3\xb6";
  EXPECT_TRUE(json::isUTF8(At(81, Wide)));
  EXPECT_TRUE(json::isUTF8(At(1, Wide)));
}

TEST(TextReport, Found) {
  Report R = reportOf(rewrittenLoop());
  R.Verify = cantFail(json::parse(R"({"verdict":"pass","files":[{"engine":"emulate","old":"a.cu","new":"b.cu","verdict":"pass","cases":[{}, {}]},{"engine":"sass","old":"a.cu","new":"b.cu","verdict":"cannot-tell"}]})"));
  R.Bench = cantFail(json::parse(R"({"gpu":"G","cases":[{"kernel":"k","case":"c","results":[{"version":"v","median_us":2.5,"ratio":1.5,"ratio_low":1.25,"ratio_high":1.75},{}]}]})"));
  const std::string Text = render(R, {}, numbered);
  EXPECT_TRUE(StringRef(Text).contains(R"(
verified 'a.cu' against 'b.cu' (emulate): pass, 2 cases
verified 'a.cu' against 'b.cu' (sass): cannot-tell
measured k, c, v: 2.500 us, 1.500 times as fast (1.250 to 1.750) on G
1 loop: )")) << Text;
}

TEST(TextReport, Rewritten) {
  EXPECT_EQ(render(reportOf(rewrittenLoop()), {}, numbered), R"(
a.cu:42:3: remark: pipelined with cp-async, 3 stages [cuda-pipeline]
   42 |   text of line 42
      |   ^
a.cu:42:3: note: chosen because copies of 16 bytes feed a tensor-core loop
a.cu:42:3: note: shared memory of 'gemm': 16384 -> 49152 of 49152 bytes
a.cu:42:3: note: occupancy: 6 -> 2 blocks per SM, limited by shared memory; block size 256x1x1 (launch bounds, upper bound)
a.cu:42:3: note: compute/load ratio: 31.5 FLOP per byte (1048576 FLOP, 33288 bytes per block and iteration)
a.cu:44: note: copy into 'As' by cp.async, 16 bytes at a time
   44 |   text of line 44
a.cu:42:3: note: copy into 'Bs' by registers, 4 bytes at a time
a.cu:42:3: note: assumes: registers: 64 per thread are enough
1 loop: 1 rewritten, 0 refused
)" + 1);
}

TEST(TextReport, VerboseNamesTheCandidates) {
  std::string S = render(reportOf(rewrittenLoop()), verbose());
  EXPECT_NE(S.find("note: tile 'As': 8192 bytes per stage\n"), std::string::npos);
  EXPECT_NE(S.find("note: candidate cp-async, 3 stages: chosen (score 1.35)\n"), std::string::npos);
  EXPECT_NE(
      S.find("note: candidate ldg, 2 stages: not chosen: cp-async scores higher (score 1.1)\n"),
      std::string::npos);
  EXPECT_EQ(render(reportOf(rewrittenLoop())).find("candidate"), std::string::npos);
}

TEST(TextReport, Refused) {
  EXPECT_EQ(render(reportOf(refusedLoop(), "b.cu"), {}, numbered), R"(
b.cu:10:1: warning: tile loop of kernel 'stencil' is not pipelined [cuda-pipeline]
   10 |   text of line 10
      | ^
b.cu:12:5: note: not every element of 'tile' is shown to be rewritten in every iteration: elements 1024 to 1151 [stale-tile]
   12 |   text of line 12
      |     ^
b.cu:11:7: note: the guard is here
   11 |   text of line 11
      |       ^
b.cu:12:5: note: no place of its own
b.cu:12:5: note: to make it possible: Fill the rest with an else branch (zero fill), or let the compute phase read only what is stored (maybe --block-size with --assume=block-size shows that it does).
b.cu:10:1: note: the compute phase writes through 'out', which may overlap what the next tile is loaded from ('in') [may-alias]
b.cu:10:1: note: to make it possible: Declare the pointers __restrict__, or grant --assume=no-alias.
1 loop: 0 rewritten, 1 refused
)" + 1);
}

TEST(TextReport, Opportunity) {
  LoopReport L = rewrittenLoop();
  L.Status = LoopStatus::Opportunity;
  std::string S = render(reportOf(L));
  EXPECT_EQ(
      S.find("a.cu:42:3: warning: pipeline this tile loop with cp-async, 3 stages "
             "(predicted 1.35x) [cuda-pipeline]\n"),
      0u);
  EXPECT_TRUE(StringRef(S).ends_with("\n1 loop: 1 can be pipelined, 0 refused\n"));
  L.MachineApplicable = false;
  EXPECT_NE(render(reportOf(L)).find("3 stages (predicted 1.35x), if what it assumes is true ["), std::string::npos);
}

TEST(TextReport, OtherStatuses) {
  LoopReport L;
  L.Line = 7;
  L.Status = LoopStatus::Unprofitable;
  L.Why = "the loop is bound by compute";
  EXPECT_EQ(render(reportOf(L)),
            "a.cu:7: remark: left as it is, pipelining would not pay: the loop is bound by compute "
            "[cuda-pipeline]\n1 loop: 0 rewritten, 0 refused, 1 unprofitable\n");
  L.Status = LoopStatus::AlreadyPipelined;
  L.Why = "";
  EXPECT_EQ(render(reportOf(L)), "a.cu:7: remark: already pipelined [cuda-pipeline]\n"
                                 "1 loop: 0 rewritten, 0 refused, 1 already pipelined\n");
  L.Status = LoopStatus::NotSelected;
  EXPECT_EQ(render(reportOf(L)), "1 loop: 0 rewritten, 0 refused, 1 not selected\n");
  EXPECT_NE(render(reportOf(L), verbose()).find("remark: not selected [cuda-pipeline]"),
            std::string::npos);
  L.Status = LoopStatus::Suppressed;
  EXPECT_EQ(render(reportOf(L)), "1 loop: 0 rewritten, 0 refused, 1 suppressed\n");
}

TEST(TextReport, Summary) {
  Report R = sampleReport();
  std::string S = render(R);
  EXPECT_TRUE(
      StringRef(S).ends_with("\nwrote dir/a.pipelined.cu\n2 loops: 1 rewritten, 1 refused\n"));
  S = render(R, quiet());
  EXPECT_EQ(S.find("wrote"), std::string::npos);
  EXPECT_EQ(S.find("2 loops"), std::string::npos);
  EXPECT_NE(S.find("remark: pipelined"), std::string::npos);
  R.Files[0].Output = "-";
  EXPECT_EQ(render(R).find("wrote"), std::string::npos);
  EXPECT_EQ(render(Report()), "no tile loops found\n");
  EXPECT_EQ(render(Report(), quiet()), "");
}

// Each loop displays its places, also when another one has displayed them before.
TEST(TextReport, EveryLoopShowsItsSource) {
  Report R = reportOf(rewrittenLoop());
  R.Files[0].Loops.push_back(rewrittenLoop());
  std::string S = render(R, {}, numbered);
  EXPECT_EQ(StringRef(S).count("   42 |   text of line 42\n      |   ^\n"), 2u);
}

TEST(TextReport, OccupancyNamesTheArchitecture) {
  EXPECT_NE(render(sampleReport()).find("6 -> 2 blocks per SM of sm_86, limited by shared memory"),
            std::string::npos);
}

// The caret stands below its letter, whatever comes before it.
TEST(TextReport, Caret) {
  LoopReport L;
  L.Line = 1;
  L.Status = LoopStatus::AlreadyPipelined;
  auto Snippet = [&](unsigned Column, std::string Line) {
    L.Column = Column;
    std::string S = render(reportOf(L), quiet(), [&](StringRef, unsigned) { return Line; });
    return StringRef(S).split('\n').second.str();
  };
  EXPECT_EQ(Snippet(2, "\tfor"), "    1 |         for\n      |         ^\n");
  EXPECT_EQ(Snippet(3, "a\tfor"), "    1 | a       for\n      |         ^\n");
  // Two bytes, one column; three bytes, two columns.
  EXPECT_EQ(Snippet(3, "\xc3\xa9x"), "    1 | \xc3\xa9x\n      |  ^\n");
  EXPECT_EQ(Snippet(4, "\xe4\xb8\xadx"), "    1 | \xe4\xb8\xadx\n      |   ^\n");
  EXPECT_EQ(Snippet(2, "\xe9x"), "    1 | \xe9x\n      |  ^\n");
  // Behind the end, at the end, and past it.
  EXPECT_EQ(Snippet(4, "for"), "    1 | for\n      |    ^\n");
  EXPECT_EQ(Snippet(9, "for"), "    1 | for\n");
  EXPECT_EQ(Snippet(0, "for"), "    1 | for\n");
  // Nothing acts on the terminal.
  EXPECT_EQ(Snippet(2, "\x1b[2Jx\r\n"), "    1 | ?[2Jx\n      |  ^\n");
  EXPECT_EQ(Snippet(1, ""), "");
}

TEST(TextReport, Color) {
  TextOptions Options;
  Options.Color = true;
  std::string S = render(reportOf(rewrittenLoop()), Options, numbered);
  EXPECT_NE(S.find("\x1b["), std::string::npos);
  // Without the escapes it is the same text.
  std::string Plain;
  for (size_t I = 0; I < S.size(); ++I) {
    if (S[I] == '\x1b')
      I = S.find('m', I);
    else
      Plain += S[I];
  }
  EXPECT_EQ(Plain, render(reportOf(rewrittenLoop()), {}, numbered));
  EXPECT_EQ(Plain.find('\x1b'), std::string::npos);
}

} // namespace
