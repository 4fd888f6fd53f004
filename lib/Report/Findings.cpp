//===- Findings.cpp - What verification and bench have found, in words ----===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Findings.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace cuda_pipeline {

std::string number(double Value, unsigned Digits) {
  std::string Text = Digits == 0   ? formatv("{0:F0}", Value).str()
                     : Digits == 1 ? formatv("{0:F1}", Value).str()
                     : Digits == 2 ? formatv("{0:F2}", Value).str()
                                   : formatv("{0:F3}", Value).str();
  if (StringRef(Text).contains('.'))
    Text = StringRef(Text).rtrim('0').rtrim('.').str();
  return Text == "-0" ? "0" : Text;
}

std::string textOf(const json::Object &O, StringRef Key) {
  return O.getString(Key).value_or("").str();
}

std::string valueOf(const json::Object &O, StringRef Key) {
  const json::Value *V = O.get(Key);
  if (!V || V->kind() == json::Value::Null)
    return "";
  if (std::optional<StringRef> S = V->getAsString())
    return S->str();
  return formatv("{0}", *V).str();
}

std::string numberOf(const json::Object &O, StringRef Key, unsigned Digits) {
  const std::optional<double> V = O.getNumber(Key);
  return V ? number(*V, Digits) : "";
}

const json::Array &listOf(const json::Object &O, StringRef Key) {
  static const json::Array None;
  const json::Array *A = O.getArray(Key);
  return A ? *A : None;
}

void eachObject(const json::Array &List, function_ref<void(const json::Object &)> Do) {
  for (const json::Value &V : List)
    if (const json::Object *O = V.getAsObject())
      Do(*O);
}

std::string verdictInWords(StringRef Verdict) {
  return Verdict == "cannot-tell" ? "cannot tell" : Verdict.str();
}

std::string engineInWords(StringRef Engine) {
  return Engine == "sass"      ? "Machine code"
         : Engine == "gpu"     ? "On a GPU"
         : Engine == "emulate" ? "In the emulator"
                               : Engine.str();
}

static std::string placeOf(const json::Object *Place) {
  if (!Place)
    return "";
  std::string Text = textOf(*Place, "file");
  for (StringRef Key : {"line", "column"})
    if (const auto N = Place->getInteger(Key); N && *N != 0)
      Text += ":" + std::to_string(*N);
  return Text;
}

static std::string counted(const json::Object &O, StringRef Key, StringRef One, StringRef Several) {
  const std::string N = valueOf(O, Key);
  return N.empty() ? "" : N + " " + (N == "1" ? One : Several).str();
}

//===--- verification -----------------------------------------------------------===//

std::string comparedInWords(const json::Object &V) {
  std::string Text = "Old: " + textOf(V, "old") + ", new: " + textOf(V, "new");
  if (const std::string Device = textOf(V, "device"); !Device.empty())
    Text += ", on " + Device;
  if (const std::string Launch = textOf(V, "launch"); !Launch.empty())
    Text += ", launched as " + Launch + " says";
  return Text + ".";
}

std::vector<std::string> faultsOf(const json::Object &Case) {
  std::vector<std::string> Said;
  const json::Object *Fault = Case.getObject("fault"), *Difference = Case.getObject("difference"),
                     *Run = Case.getObject("run");
  const std::string Why = textOf(Case, "reason");
  if (!Why.empty())
    Said.push_back(Why);
  if (Fault) {
    std::string Text = textOf(*Fault, "kind");
    if (const std::string What = textOf(*Fault, "what"); What != Why)
      Text += ": " + What;
    if (const std::string At = placeOf(Fault->getObject("at")); !At.empty())
      Text += ", at " + At;
    if (const std::string Other = placeOf(Fault->getObject("other")); !Other.empty())
      Text += ", the other one at " + Other;
    if (const std::string Thread = textOf(*Fault, "thread"); !Thread.empty())
      Text += ", in " + Thread;
    Said.push_back(Text);
  }
  if (Difference)
    Said.push_back("'" + textOf(*Difference, "buffer") + "' differs in " +
                   counted(*Difference, "count", "element", "elements") + ", first in " +
                   valueOf(*Difference, "index") + ": " + textOf(*Difference, "old_value") + " (" +
                   textOf(*Difference, "old_bits") + ") became " +
                   textOf(*Difference, "new_value") + " (" + textOf(*Difference, "new_bits") + ")");
  if (Run) {
    std::string Text =
        "in the " + textOf(*Run, "version") + " version, seed " + valueOf(*Run, "seed");
    if (const std::string Schedule = textOf(*Run, "schedule"); !Schedule.empty())
      Text += ", threads " + Schedule + ", copies land " + textOf(*Run, "landing") +
              ", undefined bytes of seed " + valueOf(*Run, "poison");
    Said.push_back(Text);
  }
  return Said;
}

std::string countsInWords(const json::Object &V) {
  std::string Text;
  for (auto [Key, Words] : {std::pair<StringRef, StringRef>("passed", "passed"),
                            {"failed", "failed"},
                            {"cannot_tell", "without a verdict"}})
    if (const std::string N = valueOf(V, Key); !N.empty())
      Text += (Text.empty() ? "" : ", ") + N + " " + Words.str();
  std::string Seeds;
  for (const json::Value &S : listOf(V, "seeds"))
    Seeds += (Seeds.empty() ? "" : ", ") + formatv("{0}", S).str();
  if (!Seeds.empty())
    Text += (Text.empty() ? "seeds " : "; seeds ") + Seeds;
  return Text.empty() ? "" : Text + ".";
}

std::vector<std::string> notCovered(const json::Object &V) {
  std::vector<std::string> Said;
  for (const json::Value &K : listOf(V, "not_covered"))
    Said.push_back(K.getAsString().value_or("").str() +
                   ": not run, because no launch is described.");
  return Said;
}

std::vector<std::string> readersOf(const json::Object &A) {
  std::vector<std::string> Said;
  const std::string Compiler = textOf(A, "compiler"), Reader = textOf(A, "disassembler");
  if (!Compiler.empty())
    Said.push_back("Compiled by " + Compiler +
                   (Reader.empty()         ? ""
                    : Reader == "built-in" ? ", read without a disassembler"
                                           : ", read by " + Reader) +
                   ".");
  if (const auto N = A.getInteger("differences"); N && *N != 0)
    Said.push_back(std::to_string(*N) + (*N == 1 ? " instruction is" : " instructions are") +
                   " classified by what the disassembler prints, and not as this program reads " +
                   (*N == 1 ? "it." : "them."));
  if (listOf(A, "kernels").empty())
    Said.push_back(
        "No kernel of both versions has a tile loop (a template counts where it is instantiated).");
  return Said;
}

ArrayRef<SassResource> sassResources() {
  static const SassResource All[] = {{"registers", "Registers per thread"},
                                     {"stack_bytes", "Stack, bytes"},
                                     {"spill_store_bytes", "Spill stores, bytes"},
                                     {"spill_load_bytes", "Spill loads, bytes"},
                                     {"smem_bytes", "Static shared memory, bytes"}};
  return All;
}

std::string sassVerdict(const json::Object &Loop) {
  std::string Text;
  if (const std::string Line = valueOf(Loop, "line"), End = valueOf(Loop, "end_line");
      !Line.empty())
    Text = (End.empty() || End == Line ? "line " + Line : "lines " + Line + " to " + End) + ": ";
  Text += verdictInWords(textOf(Loop, "overlap"));
  if (const std::string Why = textOf(Loop, "why"); !Why.empty())
    Text += ", " + Why;
  return Text;
}

std::vector<std::string> sassNumbers(const json::Object &Loop) {
  std::vector<std::string> Said;
  std::string Text = counted(Loop, "instructions", "instruction", "instructions");
  auto Add = [&](const std::string &More) {
    if (!More.empty())
      Text += (Text.empty() ? "" : ", ") + More;
  };
  if (const std::string N = valueOf(Loop, "compute"); !N.empty())
    Add(N + " of them compute");
  if (const std::string Reads = numberOf(Loop, "reads_per_compute", 2); !Reads.empty())
    Add(Reads + " reads of shared memory for each of these");
  if (const std::string N = counted(Loop, "loads", "load", "loads"); !N.empty())
    Add(N + " of the next tile, " + valueOf(Loop, "overlapping_loads") +
        " under way during compute");
  if (const auto Unrolled = Loop.getBoolean("unrolled"); Unrolled && *Unrolled)
    Add("unrolled" +
        (valueOf(Loop, "unroll").empty() ? "" : " " + valueOf(Loop, "unroll") + " times"));
  else if (const std::string Steps = valueOf(Loop, "unroll"); !Steps.empty())
    Add(Steps + (Steps == "1" ? " iteration a turn" : " iterations a turn"));
  if (const auto Barrier = Loop.getBoolean("barrier_between"); Barrier && *Barrier)
    Add("a barrier between the loads and the compute");
  if (const auto Wait = Loop.getBoolean("wait_between"); Wait && *Wait)
    Add("a wait between the loads and the compute");
  if (!Text.empty())
    Said.push_back(Text);
  std::string Counts;
  if (const json::Object *Of = Loop.getObject("counts")) {
    std::vector<StringRef> Keys;
    for (const auto &Entry : *Of)
      Keys.push_back(Entry.getFirst());
    llvm::sort(Keys);
    for (StringRef Key : Keys)
      Counts += (Counts.empty() ? "" : ", ") + valueOf(*Of, Key) + " " + Key.str();
  }
  if (!Counts.empty())
    Said.push_back(Counts);
  return Said;
}

//===--- timings -------------------------------------------------------------------===//

namespace {
struct Ceiling {
  StringRef Unit, Key, Words;
};
} // namespace

/// \p Unit of a case: which of them its operations are measured by.
static ArrayRef<Ceiling> ceilings() {
  static const Ceiling All[] = {{"", "copy_gbps", "GB/s copying"},
                                {"fp32", "ffma_gflops", "GFLOP/s of fp32 multiply-adds"},
                                {"fp64", "dfma_gflops", "GFLOP/s of fp64 multiply-adds"},
                                {"tensor", "tensor_gflops", "GFLOP/s of tensor cores"},
                                {"int8", "imma_gops", "GOP/s of int8 tensor cores"}};
  return All;
}

std::vector<std::string> benchHead(const json::Object &B) {
  std::vector<std::string> Said;
  const std::string Gpu = textOf(B, "gpu");
  std::string Text = "Measured on " + (Gpu.empty() ? "a GPU that is not named" : Gpu);
  if (const std::string Capability = valueOf(B, "compute_capability"); !Capability.empty())
    Text += " (compute capability " + Capability + ")";
  for (auto [Key, Words] : {std::pair<StringRef, StringRef>("driver", ", driver "),
                            {"cuda", ", CUDA "},
                            {"arch", ", compiled for "},
                            {"tool_version", ", by cuda-pipeline-rewrite "}})
    if (const std::string V = valueOf(B, Key); !V.empty())
      Text += Words.str() + V;
  Said.push_back(Text + ".");
  if (const json::Object *Clocks = B.getObject("clocks")) {
    const std::string Source = valueOf(*Clocks, "source");
    const bool Measured = Source != "attribute";
    Text.clear();
    if (const std::string Sm = valueOf(*Clocks, "sm_mhz"); !Sm.empty())
      Text += (Measured ? "SM clock while kernels ran: " : "SM clock: at most ") + Sm + " MHz";
    if (const std::string Least = valueOf(*Clocks, "sm_mhz_min"),
        Most = valueOf(*Clocks, "sm_mhz_max");
        Measured && !Least.empty() && !Most.empty())
      Text += " (" + Least + " to " + Most + ")";
    if (const std::string Memory = valueOf(*Clocks, "mem_mhz"); !Memory.empty())
      Text += (Text.empty() ? "Memory clock: " : ", memory clock: ") + Memory + " MHz";
    if (!Text.empty())
      Said.push_back(Text +
                     (Measured ? Source.empty() ? "" : ", by " + Source
                               : "; not measured, this is what the device may have") +
                     ".");
  }
  if (const std::string L2 = textOf(B, "l2"); !L2.empty())
    Said.push_back("L2 cache: " + L2 +
                   (L2 == "cold"   ? ", overwritten before every launch."
                    : L2 == "warm" ? ", as the launch before has left it."
                                   : "."));
  Text.clear();
  if (const json::Object *C = B.getObject("ceilings"))
    for (const Ceiling &Each : ceilings())
      if (const std::string Value = numberOf(*C, Each.Key, 1); !Value.empty())
        Text += (Text.empty() ? "" : ", ") + Value + " " + Each.Words.str();
  if (!Text.empty())
    Said.push_back("What this GPU was seen to reach: " + Text + ".");
  if (const std::string Problem = textOf(B, "ncu_problem"); !Problem.empty())
    Said.push_back("No stall reasons: " + Problem);
  return Said;
}

std::string partOfCeiling(const json::Object &B, const json::Object &Case,
                          const json::Object &Result, StringRef Key) {
  const json::Object *C = B.getObject("ceilings");
  const std::string Unit = Key == "gbps" ? "" : textOf(Case, "unit");
  const std::optional<double> Value = Result.getNumber(Key);
  if (!C || !Value || (Key != "gbps" && Unit.empty()))
    return "";
  for (const Ceiling &Each : ceilings())
    if (Each.Unit == Unit)
      if (const std::optional<double> Most = C->getNumber(Each.Key); Most && *Most > 0)
        return " (" + number(100 * *Value / *Most, 1) + " %)";
  return "";
}

std::string stallsInWords(const json::Object &Result) {
  const json::Object *Stalls = Result.getObject("stalls");
  std::vector<std::pair<double, StringRef>> Waits;
  if (Stalls)
    for (const auto &Entry : *Stalls)
      if (const std::optional<double> Warps = Entry.getSecond().getAsNumber())
        Waits.push_back({*Warps, Entry.getFirst()});
  if (Waits.empty())
    return "";
  llvm::sort(Waits, [](const auto &A, const auto &B) {
    return std::tie(B.first, A.second) < std::tie(A.first, B.second);
  });
  std::string Text =
      textOf(Result, "version") + ", warps by what they wait for, per issued instruction: ";
  ListSeparator Comma;
  for (const auto &[Warps, What] : Waits)
    Text += std::string(StringRef(Comma)) + What.str() + " " + number(Warps, 3);
  return Text + ".";
}

std::vector<std::string> caseSentences(const json::Object &C) {
  std::vector<std::string> Said;
  if (const std::string Unit = textOf(C, "unit"); !Unit.empty())
    Said.push_back("Its operations are measured by the ceiling of " + Unit + ".");
  std::string Text;
  if (const std::string V = numberOf(C, "loads_only_us", 3); !V.empty())
    Text = "The loads alone take " + V + " us";
  if (const std::string V = numberOf(C, "compute_only_us", 3); !V.empty())
    Text += (Text.empty() ? "The compute alone takes " : ", the compute alone takes ") + V + " us";
  if (!Text.empty())
    Said.push_back(Text + ".");
  if (const std::string V = numberOf(C, "overlap_efficiency", 3); !V.empty())
    Said.push_back("Overlap efficiency of the old version: " + V + ".");
  if (const std::string Why = textOf(C, "not_ablated"); !Why.empty())
    Said.push_back("Loads and compute were not timed alone: " + Why + ".");
  return Said;
}

} // namespace cuda_pipeline
