//===- HtmlFindings.cpp - Verification, machine code and timings as HTML --===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From their JSON, so that a result of another machine or another run looks the same. A key that is not there is not spoken of.
//
//===----------------------------------------------------------------------===//
#include "HtmlParts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace cuda_pipeline {

namespace {

std::string textOf(const json::Object &O, StringRef Key) { return O.getString(Key).value_or("").str(); }

/// As JSON has it; empty where it is not there.
std::string valueOf(const json::Object &O, StringRef Key) {
  const json::Value *V = O.get(Key);
  if (!V || V->kind() == json::Value::Null)
    return "";
  if (std::optional<StringRef> S = V->getAsString())
    return S->str();
  return formatv("{0}", *V).str();
}

/// Rounded for reading, with the number as it is beside it.
std::string measured(const json::Object &O, StringRef Key, unsigned Digits) {
  const std::optional<double> V = O.getNumber(Key);
  if (!V)
    return "";
  return "<data value=\"" + escaped(valueOf(O, Key)) + "\">" + number(*V, Digits) + "</data>";
}

const json::Array &listOf(const json::Object &O, StringRef Key) {
  static const json::Array None;
  const json::Array *A = O.getArray(Key);
  return A ? *A : None;
}

template <typename Fn> void eachObject(const json::Array &List, Fn Do) {
  for (const json::Value &V : List)
    if (const json::Object *O = V.getAsObject())
      Do(*O);
}

/// "pass", "fail" and "cannot tell" with their sign.
std::string verdict(StringRef V) {
  const StringRef Class = V == "pass" ? " good" : V == "fail" ? " bad" : "";
  return ("<span class=\"status" + Class + "\">" + escaped(V == "cannot-tell" ? "cannot tell" : V) + "</span>").str();
}

/// \p Head: columns; those that begin with '#' hold numbers.
void openTable(StringRef Caption, StringRef Label, ArrayRef<StringRef> Head, raw_ostream &OS) {
  OS << "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"" << escaped(Label) << "\"><table>\n<caption><span>" << escaped(Caption)
     << "</span></caption>\n<thead><tr>";
  for (StringRef Column : Head) {
    const bool Number = Column.consume_front("#");
    OS << "<th scope=\"col\"" << (Number ? " class=\"n\"" : "") << ">" << escaped(Column) << "</th>";
  }
  OS << "</tr></thead>\n<tbody>\n";
}
void closeTable(raw_ostream &OS) { OS << "</tbody></table></div>\n"; }

std::string placeOf(const json::Object *Place) {
  if (!Place)
    return "";
  std::string Text = textOf(*Place, "file");
  for (StringRef Key : {"line", "column"})
    if (const auto N = Place->getInteger(Key); N && *N != 0)
      Text += ":" + std::to_string(*N);
  return Text;
}

//===--- old against new on data ---------------------------------------------===//

void whatFailed(const json::Object &Case, raw_ostream &OS) {
  const json::Object *Fault = Case.getObject("fault"), *Difference = Case.getObject("difference"), *Run = Case.getObject("run");
  if (const std::string Why = textOf(Case, "reason"); !Why.empty())
    OS << escaped(Why);
  if (Fault) {
    OS << "<br>" << escaped(textOf(*Fault, "kind"));
    if (const std::string What = textOf(*Fault, "what"); What != textOf(Case, "reason"))
      OS << ": " << escaped(What);
    if (const std::string At = placeOf(Fault->getObject("at")); !At.empty())
      OS << ", at " << escaped(At);
    if (const std::string Other = placeOf(Fault->getObject("other")); !Other.empty())
      OS << ", the other one at " << escaped(Other);
    if (const std::string Thread = textOf(*Fault, "thread"); !Thread.empty())
      OS << ", in " << escaped(Thread);
  }
  if (Difference)
    OS << "<br>'" << escaped(textOf(*Difference, "buffer")) << "' differs in " << escaped(valueOf(*Difference, "count")) << " elements, first in "
       << escaped(valueOf(*Difference, "index")) << ": " << escaped(textOf(*Difference, "old_value")) << " (" << escaped(textOf(*Difference, "old_bits"))
       << ") became " << escaped(textOf(*Difference, "new_value")) << " (" << escaped(textOf(*Difference, "new_bits")) << ")";
  if (Run)
    OS << "<br>in the " << escaped(textOf(*Run, "version")) << " version, threads " << escaped(textOf(*Run, "schedule")) << ", copies land "
       << escaped(textOf(*Run, "landing")) << ", seed " << escaped(valueOf(*Run, "seed"));
}

void ranOnData(const json::Object &V, raw_ostream &OS) {
  const bool Timed = any_of(listOf(V, "cases"), [](const json::Value &C) { return C.getAsObject() && C.getAsObject()->getObject("timing"); });
  auto Found = [](const json::Value &V) {
    const json::Object *C = V.getAsObject();
    return C && (!textOf(*C, "reason").empty() || C->getObject("fault") || C->getObject("difference"));
  };
  const bool Failed = any_of(listOf(V, "cases"), Found);
  std::vector<StringRef> Head = {"Kernel", "Case", "Verdict", "#Runs"};
  if (Failed)
    Head.push_back("What was found");
  if (Timed)
    Head.insert(Head.end(), {"#Old, us", "#New, us"});
  std::string Seeds;
  for (const json::Value &S : listOf(V, "seeds"))
    Seeds += (Seeds.empty() ? "" : ", ") + formatv("{0}", S).str();
  openTable("Both versions on the same data, compared bit for bit" + (Seeds.empty() ? "" : "; seeds " + Seeds) + ".", "Cases", Head, OS);
  eachObject(listOf(V, "cases"), [&](const json::Object &C) {
    OS << "<tr><th scope=\"row\">" << escaped(textOf(C, "kernel")) << "</th><td>" << escaped(textOf(C, "case")) << "</td><td>" << verdict(textOf(C, "verdict"))
       << "</td><td class=\"n\">" << escaped(valueOf(C, "runs")) << "</td>";
    if (Failed) {
      OS << "<td class=\"words\">";
      whatFailed(C, OS);
      OS << "</td>";
    }
    if (Timed) {
      const json::Object *T = C.getObject("timing");
      for (StringRef Key : {"old_microseconds", "new_microseconds"})
        OS << "<td class=\"n\">" << (T ? measured(*T, Key, 2) : "") << "</td>";
    }
    OS << "</tr>\n";
  });
  closeTable(OS);
  for (const json::Value &K : listOf(V, "not_covered"))
    OS << "<p>" << escaped(K.getAsString().value_or("")) << ": not run, because no launch is described.</p>\n";
}

//===--- machine code ----------------------------------------------------------===//

/// The phase that a mark of the excerpt looks like; the word stays the mark's own.
StringRef phaseOf(StringRef Mark) {
  if (Mark == "load" || Mark == "store")
    return " load";
  if (Mark == "barrier" || Mark == "wait")
    return " barrier";
  if (Mark == "compute" || Mark == "read")
    return " compute";
  return "";
}

void excerpt(const json::Object &Loop, StringRef Which, StringRef Kernel, raw_ostream &OS) {
  OS << "<figure>\n<figcaption>" << Which << ": " << escaped(textOf(Loop, "overlap"));
  if (const std::string Why = textOf(Loop, "why"); !Why.empty())
    OS << ", " << escaped(Why);
  OS << "</figcaption>\n";
  std::string Counts;
  if (const json::Object *Of = Loop.getObject("counts")) {
    std::vector<StringRef> Keys;
    for (const auto &Entry : *Of)
      Keys.push_back(Entry.getFirst());
    llvm::sort(Keys);
    for (StringRef Key : Keys)
      Counts += (Counts.empty() ? "" : ", ") + valueOf(*Of, Key) + " " + Key.str();
  }
  if (!listOf(Loop, "excerpt").empty()) {
    OS << "<div class=\"code words\" tabindex=\"0\" role=\"group\" aria-label=\"Machine code, " << escaped(Which) << ", " << escaped(Kernel) << "\"><pre><code>";
    eachObject(listOf(Loop, "excerpt"), [&](const json::Object &Line) {
      if (const auto Skipped = Line.getInteger("skipped"); Skipped && *Skipped > 0) {
        const std::string What = textOf(Line, "text").empty() ? textOf(Line, "class") : textOf(Line, "text");
        OS << "<span class=\"gap\">\xe2\x8b\xaf " << *Skipped << (*Skipped == 1 ? " instruction" : " instructions") << " left out"
           << (What.empty() ? "" : ": " + escaped(What)) << "\n</span>";
        return;
      }
      const std::string Mark = textOf(Line, "mark");
      const bool Plain = Mark.empty() || Mark == "other";
      OS << "<span class=\"l" << phaseOf(Mark) << "\" data-n=\"" << escaped(valueOf(Line, "line")) << "\"><span class=\"s\"> </span><span class=\"w\">";
      if (!Plain)
        OS << escaped(StringRef(Mark).take_front(1)) << "<i>" << escaped(StringRef(Mark).drop_front(1)) << "</i>";
      OS << "</span>" << escaped(textOf(Line, "text")) << "\n</span>";
    });
    OS << "</code></pre></div>\n";
  }
  if (!Counts.empty())
    OS << "<p class=\"muted\">" << escaped(Counts) << "</p>\n";
  OS << "</figure>\n";
}

void machineCode(const json::Object &V, raw_ostream &OS) {
  OS << "<p>Read from what nvcc makes of both versions: is the load of the next tile under way while this one is computed on? In the excerpts the "
        "number is the line of the source, and the word says what the instruction is to the loop.</p>\n";
  eachObject(listOf(V, "archs"), [&](const json::Object &A) {
    OS << "<h3>" << escaped(textOf(A, "arch")) << ' ' << verdict(textOf(A, "verdict")) << "</h3>\n";
    if (const std::string By = textOf(A, "compiler"); !By.empty())
      OS << "<p class=\"muted\">Compiled by " << escaped(By) << (textOf(A, "disassembler").empty() ? "" : textOf(A, "disassembler") == "built-in" ? std::string(", read without a disassembler") : ", read by " + escaped(textOf(A, "disassembler"))) << ".</p>\n";
    if (const auto Differences = A.getInteger("differences"); Differences && *Differences != 0)
      OS << "<p>" << *Differences << " instructions are classified by what the disassembler prints, and not as this program reads them.</p>\n";
    if (listOf(A, "kernels").empty())
      OS << "<p>No kernel of both versions has a tile loop (a template counts where it is instantiated).</p>\n";
    eachObject(listOf(A, "kernels"), [&](const json::Object &K) {
      const std::string Name = textOf(K, "kernel");
      OS << "<h4>" << escaped(Name.empty() ? textOf(K, "symbol") : Name) << ' ' << verdict(textOf(K, "verdict")) << "</h4>\n";
      if (const std::string Why = textOf(K, "reason"); !Why.empty())
        OS << "<p>" << escaped(Why) << "</p>\n";
      for (const json::Value &R : listOf(K, "remedies"))
        OS << "<p class=\"remedy\">To make it better: " << escaped(R.getAsString().value_or("")) << "</p>\n";
      const json::Object *Sides[] = {K.getObject("old"), K.getObject("new")};
      if (Sides[0] || Sides[1]) {
        openTable("What the compiler needs for it; the compute is " + textOf(K, "compute") + ".", "Resources, " + Name, {"", "#Old", "#New"}, OS);
        const std::pair<StringRef, StringRef> Kinds[] = {{"registers", "Registers per thread"}, {"stack_bytes", "Stack, bytes"}, {"spill_store_bytes", "Spill stores, bytes"},
                                                         {"spill_load_bytes", "Spill loads, bytes"}, {"smem_bytes", "Static shared memory, bytes"}};
        for (auto [Key, Words] : Kinds) {
          OS << "<tr><th scope=\"row\">" << Words << "</th>";
          for (const json::Object *Side : Sides)
            OS << "<td class=\"n\">" << (Side ? escaped(valueOf(*Side, Key)) : "") << "</td>";
          OS << "</tr>\n";
        }
        closeTable(OS);
      }
      size_t Most = 0;
      for (const json::Object *Side : Sides)
        Most = Side ? std::max(Most, listOf(*Side, "loops").size()) : Most;
      for (size_t I = 0; I < Most; ++I) {
        OS << "<div class=\"pair two\">\n";
        for (unsigned S : {0, 1}) {
          const json::Array *Loops = Sides[S] ? &listOf(*Sides[S], "loops") : nullptr;
          const json::Object *Loop = Loops && I < Loops->size() ? (*Loops)[I].getAsObject() : nullptr;
          if (!Loop)
            continue;
          const std::string Lines = valueOf(*Loop, "line").empty() ? "" : ", lines " + valueOf(*Loop, "line") + " to " + valueOf(*Loop, "end_line");
          excerpt(*Loop, (S == 0 ? "Old" : "New") + Lines, Name, OS);
        }
        OS << "</div>\n";
      }
    });
  });
}

void repeatWith(const json::Object &V, raw_ostream &OS) {
  if (const std::string Repeat = textOf(V, "repeat"); !Repeat.empty())
    OS << "<p>Repeat with:</p>\n<div class=\"code\" tabindex=\"0\" role=\"group\" aria-label=\"Command\"><pre><code> " << escaped(Repeat) << "</code></pre></div>\n";
}

void oneVerification(const json::Object &V, raw_ostream &OS) {
  const std::string Engine = textOf(V, "engine");
  const StringRef How = Engine == "sass"      ? StringRef("Machine code")
                        : Engine == "gpu"     ? StringRef("On a GPU")
                        : Engine == "emulate" ? StringRef("In the emulator")
                                              : StringRef(Engine);
  OS << "<article>\n<h3>" << escaped(How) << ' ' << verdict(textOf(V, "verdict")) << "</h3>\n<p>Old: <code>" << escaped(textOf(V, "old")) << "</code>, new: <code>"
     << escaped(textOf(V, "new")) << "</code>";
  if (const std::string Device = textOf(V, "device"); !Device.empty())
    OS << ", on " << escaped(Device);
  if (const std::string Launch = textOf(V, "launch"); !Launch.empty())
    OS << ", launched as <code>" << escaped(Launch) << "</code> says";
  OS << ".</p>\n";
  if (Engine == "sass")
    machineCode(V, OS);
  else
    ranOnData(V, OS);
  repeatWith(V, OS);
  OS << "</article>\n";
}

//===--- timings -----------------------------------------------------------------===//

/// Median and quartiles of every version, on one axis that begins at zero.
void drawCase(const json::Object &Case, HtmlIds &Ids, raw_ostream &OS) {
  struct Bar {
    std::string Name;
    double Low, Middle, High;
  };
  std::vector<Bar> Bars;
  double Most = 0;
  eachObject(listOf(Case, "results"), [&](const json::Object &R) {
    const std::optional<double> Median = R.getNumber("median_us");
    if (!Median)
      return;
    Bars.push_back({textOf(R, "version"), R.getNumber("q1_us").value_or(*Median), *Median, R.getNumber("q3_us").value_or(*Median)});
    Most = std::max(Most, Bars.back().High);
  });
  if (Bars.empty() || Most <= 0)
    return;
  const std::string T = Ids.next("title"), D = Ids.next("desc");
  const size_t Height = 30 + 32 * Bars.size();
  OS << "<figure class=\"picture\">\n<svg viewBox=\"0 0 360 " << Height << "\" role=\"img\" aria-labelledby=\"" << T << ' ' << D << "\">\n<title id=\"" << T
     << "\">Time of each version, microseconds</title>\n<desc id=\"" << D << "\">";
  for (const Bar &B : Bars)
    OS << escaped(B.Name) << ": median " << number(B.Middle, 3) << ", quartiles " << number(B.Low, 3) << " to " << number(B.High, 3) << ". ";
  OS << "</desc>\n";
  const double Scale = 352 / (Most * 1.02);
  double Y = 4;
  for (const Bar &B : Bars) {
    OS << formatv("<text x=\"0\" y=\"{0:F1}\">{1}</text>\n", Y + 9, escaped(B.Name));
    OS << formatv("<text class=\"quiet\" x=\"352\" y=\"{0:F1}\" text-anchor=\"end\">{1} us</text>\n", Y + 9, number(B.Middle, 3));
    OS << formatv("<rect class=\"plain\" x=\"0\" y=\"{0:F1}\" width=\"{1:F1}\" height=\"9\"/>\n", Y + 14, B.Middle * Scale);
    OS << formatv("<path class=\"step\" d=\"M{0:F1} {1:F1}H{2:F1}\"/>\n", B.Low * Scale, Y + 18.5, std::max(B.High * Scale, B.Low * Scale + 1));
    Y += 32;
  }
  OS << formatv("<path class=\"axis\" d=\"M0 {0:F1}H352\"/>\n<text class=\"quiet\" x=\"0\" y=\"{1:F1}\">0</text>\n", Y, Y + 13);
  OS << formatv("<text class=\"quiet\" x=\"352\" y=\"{0:F1}\" text-anchor=\"end\">microseconds, less is better</text>\n</svg>\n", Y + 13);
  OS << "<figcaption>The bar ends at the median of the launches; the thick line goes from the first to the third quartile.</figcaption>\n</figure>\n";
}

} // namespace

void writeVerification(const json::Object &Verify, StringRef Heading, raw_ostream &OS) {
  OS << "<section aria-labelledby=\"verification\">\n<h2 id=\"verification\">" << Heading << ' ' << verdict(textOf(Verify, "verdict")) << "</h2>\n";
  if (Verify.getArray("files")) {
    if (listOf(Verify, "files").empty())
      OS << "<p>Nothing was rewritten, so there was nothing to verify.</p>\n";
    eachObject(listOf(Verify, "files"), [&](const json::Object &V) { oneVerification(V, OS); });
  } else {
    oneVerification(Verify, OS);
  }
  OS << "</section>\n";
}

void writeBench(const json::Object &B, HtmlIds &Ids, raw_ostream &OS) {
  OS << "<section aria-labelledby=\"timings\">\n<h2 id=\"timings\">Measured times</h2>\n<p>";
  const std::string Gpu = textOf(B, "gpu"), Driver = textOf(B, "driver"), Cuda = valueOf(B, "cuda");
  OS << "Measured on " << (Gpu.empty() ? "a GPU that is not named" : escaped(Gpu));
  if (const std::string Capability = valueOf(B, "compute_capability"); !Capability.empty())
    OS << " (compute capability " << escaped(Capability) << ")";
  if (!Driver.empty())
    OS << ", driver " << escaped(Driver);
  if (!Cuda.empty())
    OS << ", CUDA " << escaped(Cuda);
  if (const json::Object *Clocks = B.getObject("clocks")) {
    if (const std::string Sm = valueOf(*Clocks, "sm_mhz"); !Sm.empty())
      OS << ", SM clock " << escaped(Sm) << " MHz";
    const std::string Least = valueOf(*Clocks, "sm_mhz_min"), Most = valueOf(*Clocks, "sm_mhz_max");
    if (!Least.empty() && !Most.empty())
      OS << " (" << escaped(Least) << " to " << escaped(Most) << ")";
    if (const std::string Memory = valueOf(*Clocks, "mem_mhz"); !Memory.empty())
      OS << ", memory clock " << escaped(Memory) << " MHz";
    if (const std::string Source = valueOf(*Clocks, "source"); !Source.empty())
      OS << ", by " << escaped(Source);
  }
  if (const std::string L2 = valueOf(B, "l2"); !L2.empty())
    OS << "; L2: " << escaped(L2);
  OS << ".</p>\n";
  if (const json::Object *C = B.getObject("ceilings")) {
    std::vector<std::string> Said;
    for (auto [Key, Words] : {std::pair<StringRef, StringRef>("copy_gbps", "GB/s copying"), {"ffma_gflops", "GFLOP/s of fused multiply-adds"}, {"tensor_gflops", "GFLOP/s of tensor cores"}})
      if (const std::string Value = measured(*C, Key, 1); !Value.empty())
        Said.push_back(Value + " " + Words.str());
    if (!Said.empty())
      OS << "<p>What this GPU was seen to reach: " << join(Said, ", ") << ".</p>\n";
  }
  if (!listOf(B, "versions").empty()) {
    openTable("The versions that were timed.", "Versions", {"Version", "File", "Kind"}, OS);
    eachObject(listOf(B, "versions"), [&](const json::Object &V) {
      OS << "<tr><th scope=\"row\">" << escaped(textOf(V, "name")) << "</th><td>" << escaped(textOf(V, "file")) << "</td><td>" << escaped(textOf(V, "kind")) << "</td></tr>\n";
    });
    closeTable(OS);
  }
  eachObject(listOf(B, "cases"), [&](const json::Object &C) {
    const std::string Name = textOf(C, "kernel") + (textOf(C, "case").empty() ? "" : ", " + textOf(C, "case"));
    OS << "<article>\n<h3>" << escaped(Name);
    if (const std::string V = textOf(C, "verdict"); !V.empty())
      OS << ' ' << verdict(V);
    OS << "</h3>\n";
    if (const std::string Why = textOf(C, "reason"); !Why.empty())
      OS << "<p>" << escaped(Why) << "</p>\n";
    openTable("Time of one launch, microseconds. Ratio is the old version's time over this one's, with its interval: more than 1 is faster; n is "
              "the number of timings. Overlap efficiency is the longer one of loads alone and compute alone, over the time: 1 is all that "
              "pipelining can give.",
              "Timings, " + Name, {"Version", "#Median", "#Quartiles", "#Least", "#n", "#Ratio", "#Interval", "#GB/s", "#GFLOP/s", "#Overlap efficiency"}, OS);
    std::vector<std::string> Without; // a time, and why
    eachObject(listOf(C, "results"), [&](const json::Object &R) {
      auto Range = [&](StringRef Low, StringRef High, unsigned Digits) {
        const std::string From = measured(R, Low, Digits), To = measured(R, High, Digits);
        return From.empty() || To.empty() ? std::string() : From + " to " + To;
      };
      OS << "<tr><th scope=\"row\">" << escaped(textOf(R, "version")) << "</th><td class=\"n\">" << measured(R, "median_us", 3) << "</td><td class=\"n\">"
         << Range("q1_us", "q3_us", 3) << "</td><td class=\"n\">" << measured(R, "min_us", 3) << "</td><td class=\"n\">" << escaped(valueOf(R, "n"))
         << "</td><td class=\"n\">" << measured(R, "ratio", 3) << "</td><td class=\"n\">" << Range("ratio_low", "ratio_high", 3) << "</td><td class=\"n\">"
         << measured(R, "gbps", 1) << "</td><td class=\"n\">" << measured(R, "gflops", 1) << "</td><td class=\"n\">" << measured(R, "overlap_efficiency", 3)
         << "</td></tr>\n";
      if (const std::string Why = textOf(R, "reason"); !Why.empty())
        Without.push_back(escaped(textOf(R, "version")) + ' ' + verdict(textOf(R, "verdict")) + ": " + escaped(Why));
    });
    closeTable(OS);
    for (const std::string &Line : Without)
      OS << "<p>" << Line << "</p>\n";
    std::vector<std::string> Parts;
    if (const std::string V = measured(C, "loads_only_us", 3); !V.empty())
      Parts.push_back("the loads alone take " + V + " us");
    if (const std::string V = measured(C, "compute_only_us", 3); !V.empty())
      Parts.push_back("the compute alone takes " + V + " us");
    if (const std::string Why = textOf(C, "not_ablated"); !Why.empty())
      Parts.push_back("loads and compute were not timed alone: " + escaped(Why));
    if (!Parts.empty()) {
      std::string Text = join(Parts, "; ");
      Text[0] = toUpper(Text[0]);
      OS << "<p>" << Text << ".</p>\n";
    }
    OS << "<div class=\"pictures\">\n";
    drawCase(C, Ids, OS);
    OS << "</div>\n</article>\n";
  });
  for (const json::Value &Line : listOf(B, "not_made"))
    OS << "<p>Not made: " << escaped(Line.getAsString().value_or("")) << "</p>\n";
  if (const std::string Problem = textOf(B, "ncu_problem"); !Problem.empty())
    OS << "<p>" << escaped(Problem) << "</p>\n";
  repeatWith(B, OS);
  OS << "</section>\n";
}

std::optional<MeasuredParts> measuredParts(const json::Value *Bench, StringRef Kernel) {
  const json::Object *B = Bench ? Bench->getAsObject() : nullptr;
  if (!B)
    return std::nullopt;
  auto Plain = [](StringRef Name) {
    Name = Name.split('<').first;
    return Name.substr(Name.rfind(':') + 1);
  };
  std::optional<MeasuredParts> Out;
  eachObject(listOf(*B, "cases"), [&](const json::Object &C) {
    const std::optional<double> Loads = C.getNumber("loads_only_us"), Compute = C.getNumber("compute_only_us");
    if (Out || !Loads || !Compute || *Loads <= 0 || *Compute <= 0 || Plain(textOf(C, "kernel")) != Plain(Kernel))
      return;
    Out = {*Loads, *Compute, textOf(C, "case") + (textOf(*B, "gpu").empty() ? "" : " on " + textOf(*B, "gpu"))};
  });
  return Out;
}

} // namespace cuda_pipeline
