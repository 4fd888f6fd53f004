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
      (launch bounds, upper bound); registers are
      not counted
)")) << Text;
  for (StringRef Rest = Text; !Rest.empty(); Rest = Rest.split('\n').second)
    EXPECT_LE(Rest.split('\n').first.size(), 50u) << Rest.split('\n').first.str();
  // What is longer than a line stays whole.
  LoopReport L = rewrittenLoop();
  L.Why = std::string(90, 'x');
  EXPECT_TRUE(StringRef(render(reportOf(L), O)).contains("\n      " + L.Why + "\n"));
  O.Width = 0;
  EXPECT_EQ(render(reportOf(rewrittenLoop()), O, numbered),
            render(reportOf(rewrittenLoop()), {}, numbered));
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
  EXPECT_EQ(Far, "..." + std::string(13, 'a') + "b" + std::string(20, 'c') + "...\n      | " +
                     std::string(16, ' ') + "^");
  // Characters are not cut apart.
  std::string Wide;
  for (unsigned I = 0; I < 60; ++I)
    Wide += "\xc3\xb6";
  EXPECT_TRUE(json::isUTF8(At(81, Wide)));
  EXPECT_TRUE(json::isUTF8(At(1, Wide)));
}

TEST(TextReport, Found) {
  Report R = reportOf(rewrittenLoop());
  R.Verify = cantFail(json::parse(
      R"({"verdict":"pass","files":[{"engine":"emulate","old":"a.cu","new":"b.cu","verdict":"pass","cases":[{}, {}]},{"engine":"sass","old":"a.cu","new":"b.cu","verdict":"cannot-tell"}]})"));
  R.Bench = cantFail(json::parse(
      R"({"gpu":"G","cases":[{"kernel":"k","case":"c","results":[{"version":"v","median_us":2.5,"ratio":1.5,"ratio_low":1.25,"ratio_high":1.75},{}]}]})"));
  const std::string Text = render(R, {}, numbered);
  EXPECT_TRUE(StringRef(Text).contains(R"(
verified 'a.cu' against 'b.cu' (emulate): pass, 2 cases
verified 'a.cu' against 'b.cu' (sass): cannot-tell
measured k, c, v: 2.500 us, 1.500 times as fast (1.250 to 1.750) on G
1 loop: )"))
      << Text;
}

TEST(TextReport, Rewritten) {
  EXPECT_EQ(render(reportOf(rewrittenLoop()), {}, numbered), &R"(
a.cu:42:3: remark: pipelined with cp-async, 3 stages [cuda-pipeline]
   42 |   text of line 42
      |   ^
a.cu:42:3: note: chosen because copies of 16 bytes feed a tensor-core loop
a.cu:42:3: note: shared memory of 'gemm': 16384 -> 49152 of 49152 bytes
a.cu:42:3: note: occupancy: 6 -> 2 blocks per SM, limited by shared memory; block size 256x1x1 (launch bounds, upper bound); registers are not counted
a.cu:42:3: note: compute/load ratio: 31.5 FLOP per byte (1048576 FLOP, 33288 bytes per block and iteration)
a.cu:44: note: copy into 'As' by cp.async, 16 bytes at a time
   44 |   text of line 44
a.cu:42:3: note: copy into 'Bs' by registers, 4 bytes at a time
a.cu:42:3: note: assumes: registers: 64 per thread are enough
1 loop: 1 rewritten, 0 refused
)"[1]);
}

// What nvcc says takes the place of what is assumed; and what does not run any more is no note.
TEST(TextReport, Registers) {
  LoopReport L = rewrittenLoop();
  L.Assumptions = {"registers"};
  EXPECT_NE(
      render(reportOf(L)).find("note: assumes: registers (not counted; 'explain registers')\n"),
      std::string::npos);
  RegisterReport R;
  R.Arch = "sm_86";
  R.Before = 40;
  R.After = 56;
  R.LargestBefore = R.LargestAfter = 1024;
  R.Needed = 256;
  L.Registers = R;
  L.Assumptions.clear();
  std::string S = render(reportOf(L));
  EXPECT_NE(S.find("note: registers per thread: 40 -> 56 by nvcc for sm_86, in blocks of up to "
                   "1024 threads\n"),
            std::string::npos)
      << S;
  EXPECT_EQ(S.find("not counted"), std::string::npos) << S;
  EXPECT_EQ(S.find("warning"), std::string::npos) << S;
  L.Registers->Before = 64;
  L.Registers->After = 72;
  L.Registers->SpillAfter = 24;
  L.Registers->LargestAfter = 896;
  L.Registers->Needed = 1024;
  S = render(reportOf(L));
  EXPECT_NE(S.find("64 -> 72 by nvcc for sm_86, in blocks of up to 896 threads, before 1024; 0 -> "
                   "24 bytes of spilled registers are stored and loaded\n"),
            std::string::npos)
      << S;
  EXPECT_NE(S.find("warning: a block of 1024 threads does not launch any more, with 72 registers "
                   "per thread, before 64: "),
            std::string::npos)
      << S;
}

// Dynamic shared memory of launches that is not known stands in no number.
TEST(TextReport, NotAllOfTheMemoryIsKnown) {
  LoopReport L = rewrittenLoop();
  L.Smem.Complete = false;
  EXPECT_NE(render(reportOf(L))
                .find("of 49152 bytes; what its launches give in dynamic shared memory comes on "
                      "top, and is not known\n"),
            std::string::npos);
}

// With all that is known, whatever became of the loop.
TEST(TextReport, VerboseIsComplete) {
  LoopReport L = rewrittenLoop();
  L.InFile = "/x/tile.cuh";
  L.MachineApplicable = false;
  std::string S = render(reportOf(L), verbose());
  for (StringRef Line : {"the loop is in lines 42 to 60, its function in lines 30 to 70\n",
                         "the loop is in '/x/tile.cuh'\n", "applicability: maybe-incorrect\n",
                         "phases, by line: load 43 to 45, barrier 46 to 47\n",
                         "phases, by line of the output: compute 80 to 90\n"})
    EXPECT_TRUE(StringRef(S).contains(("a.cu:42:3: note: " + Line).str())) << S;
  L.Status = LoopStatus::Unprofitable;
  L.Variant.clear();
  L.Stages = 0;
  S = render(reportOf(L), verbose());
  for (StringRef Line :
       {"shared memory of 'gemm': 16384 of 49152 bytes\n",
        "occupancy: 6 blocks per SM, limited by shared memory; block size 256x1x1 (launch bounds, "
        "upper bound); registers are not counted\n",
        "compute/load ratio: 31.5 FLOP per byte", "tile 'As': 8192 bytes per stage\n",
        "candidate cp-async, 3 stages: not rejected"})
    EXPECT_TRUE(StringRef(S).contains(("a.cu:42:3: note: " + Line).str())) << S;
  EXPECT_FALSE(StringRef(S).contains("applicability"));
  L.HasOccupancy = false;
  EXPECT_TRUE(StringRef(render(reportOf(L), verbose()))
                  .contains("note: block size 256x1x1 (launch bounds, upper bound)\n"));
  L.Status = LoopStatus::Refused;
  L.Why = "no variant is legal";
  EXPECT_TRUE(StringRef(render(reportOf(L), verbose())).contains("note: no variant is legal\n"));
}

TEST(TextReport, ProblemsAreNamed) {
  Report R = reportOf(refusedLoop());
  R.Files.push_back({"b\x1b[2J.cu",
                     "",
                     "sm_90",
                     {},
                     {"main.cu", "other.cu"},
                     {},
                     {},
                     FileProblem::DoesNotParse,
                     "b.cu:1:1: error: no"});
  const StringRef Named = "\nb<U+001B>[2J.cu: error: not analysed: does-not-parse\n";
  EXPECT_TRUE(StringRef(render(R)).contains(Named));
  EXPECT_TRUE(StringRef(render(R, quiet())).contains(Named));
  const std::string S = render(R, verbose());
  EXPECT_TRUE(StringRef(S).contains(Named.drop_back().str() + ": b.cu:1:1: error: no\n")) << S;
  EXPECT_TRUE(StringRef(S).contains("included, as these files read it: main.cu, other.cu\n")) << S;
}

TEST(TextReport, Withheld) {
  Report R = reportOf(rewrittenLoop());
  R.Withheld = "it is Sunday";
  R.Files[0].Loops[0].Withheld = true;
  const std::string S = render(R);
  EXPECT_EQ(S.find("a.cu:42:3: remark: would be pipelined with cp-async, 3 stages; it was not "
                   "written [cuda-pipeline]\n"),
            0u)
      << S;
  EXPECT_TRUE(StringRef(S).ends_with(
      "\nnothing was written: it is Sunday\n1 loop: 0 rewritten, 1 not written, 0 refused\n"))
      << S;
}

TEST(TextReport, FoundInFull) {
  Report R = reportOf(rewrittenLoop());
  R.Verify = cantFail(json::parse(
      R"({"verdict":"fail","files":[{"engine":"emulate","old":"a.cu","new":"b.cu","verdict":"fail","launch":"l.yaml","seeds":[1,2],
    "passed":1,"failed":1,"cannot_tell":0,"not_covered":["j"],"cases":[{"kernel":"k","case":"n=1","verdict":"pass","runs":8,"accesses":100,"async_copies":3},
    {"kernel":"k","case":"n=2","verdict":"fail","reason":"they differ","runs":1,"accesses":5,"async_copies":0,
     "difference":{"buffer":"out","index":3,"count":1,"old_value":"1","old_bits":"0x1","new_value":"2","new_bits":"0x2"}}]},
    {"engine":"sass","old":"a.cu","new":"b.cu","verdict":"fail","archs":[{"arch":"sm_90","verdict":"fail","compiler":"nvcc 13","disassembler":"built-in","differences":1,
     "kernels":[{"kernel":"k","symbol":"_Z1k","verdict":"fail","reason":"no overlap","remedies":["do it"],"compute":"equal",
      "old":{"registers":40,"loops":[]},"new":{"registers":48,"loops":[{"overlap":"serialized","why":"a barrier","instructions":9,"compute":4,"reads_per_compute":1.5,"loads":2,"overlapping_loads":1,
       "unrolled":true,"unroll":4,"barrier_between":true,"wait_between":false,"counts":{"LDG":2,"BAR":1},"line":5,"end_line":9,
       "excerpt":[{"address":496,"class":"LDG","mark":"load","text":"LDG R1","line":6},{"class":"FFMA","mark":"other","text":"FFMA","skipped":2}]}]}}]}]}]})"));
  // What did not pass is said in any case.
  std::string S = render(R);
  for (StringRef Line : {"  k, n=2: fail\n    they differ\n    'out' differs in 1 element, first "
                         "in 3: 1 (0x1) became 2 (0x2)\n",
                         "  j: not run, because no launch is described.\n", "  sm_90: fail\n",
                         "    k: fail\n      no overlap\n      to make it better: do it\n"})
    EXPECT_TRUE(StringRef(S).contains(Line)) << S;
  EXPECT_FALSE(StringRef(S).contains("n=1"));
  S = render(R, verbose());
  for (StringRef Line :
       {"  Old: a.cu, new: b.cu, launched as l.yaml says.\n  1 passed, 1 failed, 0 without a "
        "verdict; seeds 1, 2.\n",
        "  k, n=1: pass; 8 runs, 100 accesses, 3 asynchronous copies\n",
        "  k, n=2: fail; 1 runs, 5 accesses, 0 asynchronous copies\n    they differ\n",
        "    Compiled by nvcc 13, read without a disassembler.\n    1 instruction is classified by "
        "what the disassembler prints, and not as this program reads it.\n",
        "      in the machine code it is _Z1k; the compute is equal\n      Registers per thread: "
        "40 -> 48\n",
        "      new, lines 5 to 9: serialized, a barrier\n",
        "        9 instructions, 4 of them compute, 1.5 reads of shared memory for each of these, "
        "2 loads of the next tile, 1 under way during compute, unrolled 4 times, a barrier between "
        "the loads and the compute\n"
        "        1 BAR, 2 LDG\n        01f0      6  load     LDG R1\n        ... 2 instructions "
        "left out: FFMA\n"})
    EXPECT_TRUE(StringRef(S).contains(Line)) << Line.str() << "\nin\n" << S;
}

TEST(TextReport, MeasuredInFull) {
  Report R = reportOf(rewrittenLoop());
  R.Bench = cantFail(json::parse(
      R"({"gpu":"G\u001b[2J","driver":"13.0","cuda":"13.0","arch":"sm_90","tool_version":"1.0","compute_capability":"9.0",
    "clocks":{"sm_mhz":1980,"mem_mhz":2619,"sm_mhz_min":null,"sm_mhz_max":null,"source":"attribute"},"l2":"cold","ncu_problem":"no ncu",
    "ceilings":{"copy_gbps":1000,"ffma_gflops":null,"tensor_gflops":null,"dfma_gflops":500,"imma_gops":2000},
    "versions":[{"name":"o","file":"a.cu","kind":"old","made":null,"auto":false},{"name":"n","file":"a.cu","kind":"new","made":"ldg","auto":true}],
    "cases":[{"kernel":"k","case":"c","unit":"fp64","loads_only_us":2,"compute_only_us":3,"overlap_efficiency":0.5,"not_ablated":null,
     "results":[{"version":"n","median_us":2.5,"q1_us":2.25,"q3_us":2.75,"min_us":2,"n":20,"launches_per_round":4,"ratio":1.5,"ratio_low":1.25,"ratio_high":1.75,
      "gbps":250,"gflops":50,"overlap_efficiency":0.75,"dynamic_shared_bytes":4096,"stalls":{"barrier":0.5,"long_scoreboard":1.25}}]}],
    "not_made":["ldg-single: no"],"repeat":"bench a.cu"})"));
  const std::string S = render(R, verbose());
  for (StringRef Line :
       {"Measured on G<U+001B>[2J (compute capability 9.0), driver 13.0, CUDA 13.0, compiled for "
        "sm_90, by cuda-pipeline-rewrite 1.0.\n",
        "SM clock: at most 1980 MHz, memory clock: 2619 MHz; not measured, this is what the device "
        "may have.\n",
        "L2 cache: cold, overwritten before every launch.\n",
        "What this GPU was seen to reach: 1000 GB/s copying, 500 GFLOP/s of fp64 multiply-adds, "
        "2000 GOP/s of int8 tensor cores.\n",
        "No stall reasons: no ncu\n", "version 'o' of 'a.cu': old, the file as it is\n",
        "version 'n' of 'a.cu': new, ldg, which --variant=auto gives\n",
        "measured k, c, n: 2.500 us, 1.500 times as fast (1.250 to 1.750) on G<U+001B>[2J\n"
        "  quartiles 2.25 to 2.75 us, least 2 us, 20 rounds of 4 launches, 250 GB/s (25 %), 50 "
        "GFLOP/s (10 %), overlap efficiency 0.75, 4096 bytes of dynamic shared memory\n"
        "  n, warps by what they wait for, per issued instruction: long_scoreboard 1.25, barrier "
        "0.5.\n"
        "  Its operations are measured by the ceiling of fp64.\n  The loads alone take 2 us, the "
        "compute alone takes 3 us.\n  Overlap efficiency of the old version: 0.5.\n",
        "not made: ldg-single: no\n", "repeat with: bench a.cu\n"})
    EXPECT_TRUE(StringRef(S).contains(Line)) << Line.str() << "\nin\n" << S;
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
  EXPECT_EQ(render(reportOf(refusedLoop(), "b.cu"), {}, numbered), &R"(
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
)"[1]);
}

TEST(TextReport, Opportunity) {
  LoopReport L = rewrittenLoop();
  L.Status = LoopStatus::Opportunity;
  std::string S = render(reportOf(L));
  EXPECT_EQ(S.find("a.cu:42:3: warning: pipeline this tile loop with cp-async, 3 stages "
                   "(predicted 1.35x) [cuda-pipeline]\n"),
            0u);
  EXPECT_TRUE(StringRef(S).ends_with("\n1 loop: 1 can be pipelined, 0 refused\n"));
  L.MachineApplicable = false;
  EXPECT_NE(render(reportOf(L)).find("3 stages (predicted 1.35x), if what it assumes is true ["),
            std::string::npos);
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

// That of the file, whatever others are for.
TEST(TextReport, OccupancyNamesTheArchitecture) {
  EXPECT_NE(render(sampleReport()).find("6 -> 2 blocks per SM of sm_86, limited by shared memory"),
            std::string::npos);
  Report R = sampleReport();
  R.Files[0].Arch = "sm_90";
  EXPECT_NE(render(R).find("6 -> 2 blocks per SM of sm_90, limited by shared memory"),
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
  EXPECT_EQ(Snippet(2, "\x1b[2Jx\r\n"), "    1 | <U+001B>[2Jx\n      |         ^\n");
  EXPECT_EQ(Snippet(2, "\t\ta"), "    1 |                 a\n      |         ^\n");
  EXPECT_EQ(Snippet(5, "\xe4\xb8\xad\ta"), "    1 | \xe4\xb8\xad      a\n      |         ^\n");
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
