//===- SassReport.cpp - The verdict on machine code as text and JSON ------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/Sass.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace cuda_pipeline {

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static StringRef inWords(Verdict V) {
  switch (V) {
  case Verdict::Pass:
    return "pass";
  case Verdict::Fail:
    return "FAIL";
  case Verdict::CannotTell:
    return "cannot tell";
  }
  llvm_unreachable("unknown verdict");
}

static std::string changed(StringRef What, uint64_t After, uint64_t Before) {
  return After == Before ? formatv("{0} {1}", What, After).str()
                         : formatv("{0} {1}, before {2}", What, After, Before).str();
}

static void writeExcerpt(const SassLoop &L, raw_ostream &OS) {
  OS << "      address  line  what\n";
  for (const SassExcerptLine &E : L.Excerpt)
    if (E.Skipped != 0)
      OS << formatv("                               ... {0}\n", E.Text);
    else
      OS << formatv("         {0}  {1,4}  {2,-8} {3}\n", format_hex_no_prefix(E.Address, 4),
                    E.Line == 0 ? "" : std::to_string(E.Line),
                    E.Mark == SassMark::Other ? "" : toString(E.Mark), E.Text);
}

static void writeLoop(const SassLoop &Old, const SassLoop &New, raw_ostream &OS) {
  auto Place = [](const SassLoop &L) {
    return L.Line == 0 ? std::string() : formatv(", line {0}", L.Line).str();
  };
  OS << formatv("    new{0}: {1}: {2}\n", Place(New), toString(New.Overlap), New.Why);
  OS << formatv("    old{0}: {1}: {2}\n", Place(Old), toString(Old.Overlap), Old.Why);
  writeExcerpt(New, OS);
}

void writeText(const SassReport &Report, raw_ostream &OS) {
  unsigned Kernels = 0, Passed = 0, Failed = 0;
  for (const SassArch &A : Report.Archs) {
    OS << formatv("{0} ({1}, {2})\n", A.Arch, A.Compiler,
                  A.Disassembler == "built-in" ? "read without a disassembler" : A.Disassembler);
    if (A.Differences != 0)
      OS << formatv("  note: {0} instructions are classified by what the disassembler prints, and "
                    "not as this program reads them\n",
                    A.Differences);
    if (A.Kernels.empty()) {
      OS << "  no kernel of both versions has a tile loop (a template counts where it is "
            "instantiated): cannot tell\n";
      ++Kernels;
    }
    for (const SassKernel &K : A.Kernels) {
      ++Kernels;
      Passed += K.Result == Verdict::Pass ? 1 : 0;
      Failed += K.Result == Verdict::Fail ? 1 : 0;
      OS << formatv("  {0}  {1}", K.Kernel, inWords(K.Result));
      OS << (K.Reason.empty() ? "" : "  ") << K.Reason << '\n';
      for (const std::string &R : K.Remedies)
        OS << "    remedy: " << R << '\n';
      for (auto [Old, New] : zip(K.Old.Loops, K.New.Loops))
        writeLoop(Old, New, OS);
      if (K.New.Loops.empty())
        continue; // there is no code
      const SassResources &B = K.Old.Resources, &R = K.New.Resources;
      OS << "    " << changed("registers", R.Registers, B.Registers) << "; "
         << changed("static shared memory", R.SharedBytes, B.SharedBytes) << "; "
         << changed("stack", R.StackBytes, B.StackBytes) << "; "
         << changed("spilled", R.SpillStoreBytes + R.SpillLoadBytes,
                    B.SpillStoreBytes + B.SpillLoadBytes)
         << '\n';
      OS << "    compute per tile: "
         << (K.Compute == SassCompute::Equal     ? "as many instructions as before"
             : K.Compute == SassCompute::Differs ? "another number of instructions than before"
                                                 : "cannot be compared, for loops in it or around "
                                                   "it have been unrolled differently");
      if (K.New.Loops.size() == 1 && K.Old.Loops.size() == 1) {
        const SassLoop &N = K.New.Loops.front(), &O = K.Old.Loops.front();
        if (K.Compute != SassCompute::NotComparable)
          OS << formatv(" ({0})", changed("", N.Compute / N.Steps, O.Compute / O.Steps).substr(1));
      }
      OS << '\n';
    }
  }
  OS << formatv("{0} kernel{1} (sass): {2} passed, {3} failed", Kernels, Kernels == 1 ? "" : "s",
                Passed, Failed);
  if (Kernels != Passed + Failed)
    OS << formatv(", {0} without a verdict", Kernels - Passed - Failed);
  OS << '\n';
  if (!Report.Repeat.empty())
    OS << "repeat with: " << Report.Repeat << '\n';
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static json::Value toJSON(const SassLoop &L) {
  json::Object Counts;
  for (auto [Class, N] : L.Counts)
    Counts[toString(Class)] = N;
  json::Array Excerpt;
  for (const SassExcerptLine &E : L.Excerpt) {
    json::Object Line{{"class", toString(E.Class)}, {"mark", toString(E.Mark)}};
    Line["text"] = json::fixUTF8(E.Text);
    if (E.Skipped != 0) {
      Line["skipped"] = E.Skipped;
    } else {
      Line["address"] = int64_t(E.Address);
      if (E.Line != 0)
        Line["line"] = E.Line;
    }
    Excerpt.push_back(std::move(Line));
  }
  json::Object Out{{"overlap", toString(L.Overlap)},
                   {"why", json::fixUTF8(L.Why)},
                   {"unrolled", L.Unrolled},
                   {"instructions", L.Instructions},
                   {"compute", L.Compute},
                   {"reads_per_compute",
                    L.ReadsPerCompute ? json::Value(*L.ReadsPerCompute) : json::Value(nullptr)},
                   {"loads", L.Loads},
                   {"overlapping_loads", L.OverlappingLoads},
                   {"barrier_between", L.BarrierBetween},
                   {"wait_between", L.WaitBetween},
                   {"counts", std::move(Counts)},
                   {"excerpt", std::move(Excerpt)}};
  if (L.Line != 0) {
    Out["line"] = L.Line;
    Out["end_line"] = L.EndLine;
  }
  if (L.Steps != 0)
    Out["unroll"] = L.Steps;
  return Out;
}

static json::Value toJSON(const SassSide &S) {
  json::Array Loops;
  for (const SassLoop &L : S.Loops)
    Loops.push_back(toJSON(L));
  return json::Object{{"registers", S.Resources.Registers},
                      {"stack_bytes", int64_t(S.Resources.StackBytes)},
                      {"spill_store_bytes", int64_t(S.Resources.SpillStoreBytes)},
                      {"spill_load_bytes", int64_t(S.Resources.SpillLoadBytes)},
                      {"smem_bytes", int64_t(S.Resources.SharedBytes)},
                      {"loops", std::move(Loops)}};
}

json::Value toJSON(const SassReport &Report) {
  json::Array Archs;
  for (const SassArch &A : Report.Archs) {
    json::Array Kernels;
    for (const SassKernel &K : A.Kernels) {
      json::Array Remedies;
      for (const std::string &R : K.Remedies)
        Remedies.push_back(json::fixUTF8(R));
      Kernels.push_back(json::Object{{"kernel", json::fixUTF8(K.Kernel)},
                                     {"symbol", json::fixUTF8(K.Symbol)},
                                     {"verdict", toString(K.Result)},
                                     {"reason", json::fixUTF8(K.Reason)},
                                     {"remedies", std::move(Remedies)},
                                     {"compute", toString(K.Compute)},
                                     {"old", toJSON(K.Old)},
                                     {"new", toJSON(K.New)}});
    }
    Archs.push_back(json::Object{{"arch", A.Arch},
                                 {"verdict", toString(A.verdict())},
                                 {"compiler", A.Compiler},
                                 {"disassembler", A.Disassembler},
                                 {"differences", A.Differences},
                                 {"kernels", std::move(Kernels)}});
  }
  json::Object Out{{"engine", "sass"},
                   {"old", json::fixUTF8(Report.Old)},
                   {"new", json::fixUTF8(Report.New)},
                   {"verdict", toString(Report.verdict())},
                   {"archs", std::move(Archs)}};
  if (!Report.Repeat.empty())
    Out["repeat"] = json::fixUTF8(Report.Repeat);
  return Out;
}

} // namespace cuda_pipeline
