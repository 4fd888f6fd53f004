//===- HtmlFindings.cpp - Verification, machine code and timings as HTML --===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sentences are those of Findings.cpp; here is what is a table, an excerpt or a picture.
//
//===----------------------------------------------------------------------===//
#include "HtmlParts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace llvm;

namespace cuda_pipeline {

namespace {

/// Rounded for reading, with the number as it is beside it.
std::string measured(const json::Object &O, StringRef Key, unsigned Digits) {
  const std::string Rounded = numberOf(O, Key, Digits);
  return Rounded.empty()
             ? ""
             : "<data value=\"" + escaped(valueOf(O, Key)) + "\">" + Rounded + "</data>";
}

/// "pass", "fail" and "cannot tell" with their sign.
std::string verdict(StringRef V) {
  const StringRef Class = V == "pass" ? " good" : V == "fail" ? " bad" : "";
  return ("<span class=\"status" + Class + "\">" + escaped(verdictInWords(V)) + "</span>").str();
}

void paragraphs(ArrayRef<std::string> Sentences, raw_ostream &OS, StringRef Class = "") {
  for (const std::string &S : Sentences)
    OS << (Class.empty() ? "<p>" : ("<p class=\"" + Class + "\">").str()) << escaped(S) << "</p>\n";
}

/// \p Head: columns; those that begin with '#' hold numbers. \p Label: of the region that it
/// scrolls in; empty for one that fits everywhere, and is no stop of the keyboard.
void openTable(StringRef Caption, StringRef Label, ArrayRef<StringRef> Head, raw_ostream &OS) {
  if (!Label.empty())
    OS << "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"" << escaped(Label)
       << "\">";
  OS << "<table>\n<caption><span>" << escaped(Caption) << "</span></caption>\n<thead><tr>";
  for (StringRef Column : Head) {
    const bool Number = Column.consume_front("#");
    OS << "<th scope=\"col\"" << (Number ? " class=\"n\"" : "") << ">" << escaped(Column)
       << "</th>";
  }
  OS << "</tr></thead>\n<tbody>\n";
}
void closeTable(StringRef Label, raw_ostream &OS) {
  OS << "</tbody></table>" << (Label.empty() ? "" : "</div>") << "\n";
}

//===--- old against new on data ---------------------------------------------===//

void ranOnData(const json::Object &V, raw_ostream &OS) {
  const bool Timed = any_of(listOf(V, "cases"), [](const json::Value &C) {
    return C.getAsObject() && C.getAsObject()->getObject("timing");
  });
  const bool Failed = any_of(listOf(V, "cases"), [](const json::Value &C) {
    return C.getAsObject() && !faultsOf(*C.getAsObject()).empty();
  });
  if (const std::string Counts = countsInWords(V); !Counts.empty())
    OS << "<p>" << escaped(Counts) << "</p>\n";
  if (!listOf(V, "cases").empty()) {
    std::vector<StringRef> Head = {"Kernel", "Case",      "Verdict",
                                   "#Runs",  "#Accesses", "#Asynchronous copies"};
    if (Failed)
      Head.push_back("What was found");
    if (Timed)
      Head.insert(Head.end(), {"#Old, us", "#New, us", "#Rounds"});
    openTable("Both versions on the same data, compared bit for bit.", "Cases", Head, OS);
    eachObject(listOf(V, "cases"), [&](const json::Object &C) {
      OS << "<tr><th scope=\"row\">" << escaped(textOf(C, "kernel")) << "</th><td>"
         << escaped(textOf(C, "case")) << "</td><td>" << verdict(textOf(C, "verdict")) << "</td>";
      for (StringRef Key : {"runs", "accesses", "async_copies"})
        OS << "<td class=\"n\">" << escaped(valueOf(C, Key)) << "</td>";
      if (Failed) {
        OS << "<td class=\"words\">";
        ListSeparator Break("<br>");
        for (const std::string &S : faultsOf(C))
          OS << Break << escaped(S);
        OS << "</td>";
      }
      if (Timed) {
        const json::Object *T = C.getObject("timing");
        for (StringRef Key : {"old_microseconds", "new_microseconds"})
          OS << "<td class=\"n\">" << (T ? measured(*T, Key, 2) : "") << "</td>";
        OS << "<td class=\"n\">" << (T ? escaped(valueOf(*T, "rounds")) : "") << "</td>";
      }
      OS << "</tr>\n";
    });
    closeTable("Cases", OS);
  }
  paragraphs(notCovered(V), OS);
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
  OS << "<figure>\n<figcaption>" << escaped(Which) << "</figcaption>\n<div>\n";
  if (!listOf(Loop, "excerpt").empty()) {
    OS << "<div class=\"code words\" tabindex=\"0\" role=\"group\" aria-label=\"Machine code, "
       << escaped(Which.split(':').first) << ", " << escaped(Kernel) << "\"><pre><code>";
    eachObject(listOf(Loop, "excerpt"), [&](const json::Object &Line) {
      if (const auto Skipped = Line.getInteger("skipped"); Skipped && *Skipped > 0) {
        const std::string What =
            textOf(Line, "text").empty() ? textOf(Line, "class") : textOf(Line, "text");
        OS << "<span class=\"gap\">\xe2\x8b\xaf " << *Skipped
           << (*Skipped == 1 ? " instruction" : " instructions") << " left out"
           << (What.empty() ? "" : ": " + escaped(What)) << "\n</span>";
        return;
      }
      const std::string Mark = textOf(Line, "mark");
      const bool Plain = Mark.empty() || Mark == "other";
      const auto Address = Line.getInteger("address");
      OS << "<span class=\"l" << phaseOf(Mark) << "\" data-n=\"" << escaped(valueOf(Line, "line"))
         << "\"><span class=\"a\">"
         << (Address ? formatv("{0:x-4}", *Address).str() : std::string())
         << "</span><span class=\"w\">";
      if (!Plain)
        OS << escaped(StringRef(Mark).take_front(1)) << "<i>"
           << escaped(StringRef(Mark).drop_front(1)) << "</i>";
      OS << "</span>" << escaped(textOf(Line, "text")) << "\n</span>";
    });
    OS << "</code></pre></div>\n";
  }
  paragraphs(sassNumbers(Loop), OS, "muted");
  OS << "</div>\n</figure>\n";
}

void machineCode(const json::Object &V, raw_ostream &OS) {
  OS << "<p>Read from what nvcc makes of both versions: is the load of the next tile under way "
        "while this one is computed on? In the excerpts the "
        "number in front is the line of the source, the next one the address, and the word says "
        "what the instruction is to the loop.</p>\n";
  eachObject(listOf(V, "archs"), [&](const json::Object &A) {
    OS << "<h4>" << escaped(textOf(A, "arch")) << ' ' << verdict(textOf(A, "verdict")) << "</h4>\n";
    paragraphs(readersOf(A), OS, "muted");
    eachObject(listOf(A, "kernels"), [&](const json::Object &K) {
      const std::string Symbol = textOf(K, "symbol"),
                        Name = textOf(K, "kernel").empty() ? Symbol : textOf(K, "kernel");
      OS << "<h5>" << escaped(Name) << ' ' << verdict(textOf(K, "verdict")) << "</h5>\n";
      if (!Symbol.empty())
        OS << "<p class=\"muted\">In the machine code it is <code>" << escaped(Symbol)
           << "</code>.</p>\n";
      if (const std::string Why = textOf(K, "reason"); !Why.empty())
        OS << "<p>" << escaped(Why) << "</p>\n";
      for (const json::Value &R : listOf(K, "remedies"))
        OS << "<p class=\"remedy\">To make it better: " << escaped(R.getAsString().value_or(""))
           << "</p>\n";
      const json::Object *Sides[] = {K.getObject("old"), K.getObject("new")};
      if (Sides[0] || Sides[1]) {
        openTable("What the compiler needs for it; the compute is " + textOf(K, "compute") + ".",
                  /*Label=*/"", {"", "#Old", "#New"}, OS);
        for (const SassResource &Each : sassResources()) {
          OS << "<tr><th scope=\"row\">" << Each.Words << "</th>";
          for (const json::Object *Side : Sides)
            OS << "<td class=\"n\">" << (Side ? escaped(valueOf(*Side, Each.Key)) : "") << "</td>";
          OS << "</tr>\n";
        }
        closeTable("", OS);
      }
      size_t Most = 0;
      for (const json::Object *Side : Sides)
        Most = Side ? std::max(Most, listOf(*Side, "loops").size()) : Most;
      for (size_t I = 0; I < Most; ++I) {
        OS << "<div class=\"pair two\">\n";
        for (unsigned S : {0, 1}) {
          const json::Array *Loops = Sides[S] ? &listOf(*Sides[S], "loops") : nullptr;
          const json::Object *Loop =
              Loops && I < Loops->size() ? (*Loops)[I].getAsObject() : nullptr;
          if (!Loop)
            continue;
          excerpt(*Loop, (S == 0 ? "Old, " : "New, ") + sassVerdict(*Loop), Name, OS);
        }
        OS << "</div>\n";
      }
    });
  });
}

void repeatWith(const json::Object &V, raw_ostream &OS) {
  if (const std::string Repeat = textOf(V, "repeat"); !Repeat.empty())
    OS << "<p>Repeat with:</p>\n<div class=\"code\" tabindex=\"0\" role=\"group\" "
          "aria-label=\"Command\"><pre><code> "
       << escaped(Repeat) << "</code></pre></div>\n";
}

void oneVerification(const json::Object &V, StringRef Id, raw_ostream &OS) {
  const std::string Engine = textOf(V, "engine");
  OS << "<article aria-labelledby=\"" << Id << "\">\n<h3 id=\"" << Id << "\">"
     << escaped(engineInWords(Engine)) << ' ' << verdict(textOf(V, "verdict")) << "</h3>\n<p>"
     << escaped(comparedInWords(V)) << "</p>\n";
  if (Engine == "sass")
    machineCode(V, OS);
  else
    ranOnData(V, OS);
  repeatWith(V, OS);
  OS << "</article>\n";
}

//===--- timings -----------------------------------------------------------------===//

/// A name in lines that fit into \p Letters; characters stay whole.
std::vector<std::string> inLines(StringRef Name, size_t Letters) {
  std::vector<std::string> Lines(1);
  size_t Count = 0;
  for (size_t I = 0; I < Name.size();) {
    size_t Next = I + 1;
    while (Next < Name.size() && (Name[Next] & 0xc0) == 0x80)
      ++Next;
    if (Count++ == Letters) {
      Lines.push_back("");
      Count = 1;
    }
    Lines.back() += Name.slice(I, Next);
    I = Next;
  }
  return Lines;
}

/// Median and quartiles of every version, on one axis that begins at zero.
void drawCase(const json::Object &Case, HtmlIds &Ids, raw_ostream &OS) {
  struct Bar {
    std::string Name;
    double Low, Middle, High;
    std::vector<std::string> Lines;
  };
  std::vector<Bar> Bars;
  double Most = 0;
  eachObject(listOf(Case, "results"), [&](const json::Object &R) {
    const std::optional<double> Median = R.getNumber("median_us");
    if (!Median)
      return;
    // Seven units are room for a letter of most, beside the number.
    Bars.push_back({textOf(R, "version"), R.getNumber("q1_us").value_or(*Median), *Median,
                    R.getNumber("q3_us").value_or(*Median), inLines(textOf(R, "version"), 36)});
    Most = std::max(Most, Bars.back().High);
  });
  if (Bars.empty() || Most <= 0)
    return;
  const std::string T = Ids.next("title"), D = Ids.next("desc");
  constexpr double LineHeight = 13;
  double Height = 30;
  for (const Bar &B : Bars)
    Height += 32 + LineHeight * double(B.Lines.size() - 1);
  OS << "<figure class=\"picture\">\n<svg viewBox=\"0 0 360 " << number(Height, 0)
     << "\" role=\"img\" aria-labelledby=\"" << T << ' ' << D << "\">\n<title id=\"" << T
     << "\">Time of each version, microseconds</title>\n<desc id=\"" << D << "\">";
  for (const Bar &B : Bars)
    OS << escaped(B.Name) << ": median " << number(B.Middle, 3) << ", quartiles "
       << number(B.Low, 3) << " to " << number(B.High, 3) << ". ";
  OS << "</desc>\n";
  const double Scale = 352 / (Most * 1.02);
  double Y = 4;
  for (const Bar &B : Bars) {
    OS << formatv(
        "<text class=\"quiet\" x=\"352\" y=\"{0:F1}\" text-anchor=\"end\">{1} us</text>\n", Y + 9,
        number(B.Middle, 3));
    for (const auto &[I, Line] : enumerate(B.Lines)) {
      Y += I == 0 ? 0 : LineHeight;
      OS << formatv("<text x=\"0\" y=\"{0:F1}\">{1}</text>\n", Y + 9, escaped(Line));
    }
    OS << formatv("<rect class=\"plain\" x=\"0\" y=\"{0:F1}\" width=\"{1:F1}\" height=\"9\"/>\n",
                  Y + 14, B.Middle * Scale);
    OS << formatv("<path class=\"step\" d=\"M{0:F1} {1:F1}H{2:F1}\"/>\n", B.Low * Scale, Y + 18.5,
                  std::max(B.High * Scale, B.Low * Scale + 1));
    Y += 32;
  }
  OS << formatv("<path class=\"axis\" d=\"M0 {0:F1}H352\"/>\n<text class=\"quiet\" x=\"0\" "
                "y=\"{1:F1}\">0</text>\n",
                Y, Y + 13);
  OS << formatv("<text class=\"quiet\" x=\"352\" y=\"{0:F1}\" text-anchor=\"end\">microseconds, "
                "less is better</text>\n</svg>\n",
                Y + 13);
  OS << "<figcaption>The bar ends at the median of the launches; the thick line goes from the "
        "first to the third quartile.</figcaption>\n</figure>\n";
}

void timings(const json::Object &B, const json::Object &C, StringRef Name, raw_ostream &OS) {
  openTable("Time of one launch, microseconds, of n rounds of so many launches. Ratio is the old "
            "version's time over this one's, with the quartiles "
            "of the rounds: more than 1 is faster. In brackets is the part of what this GPU was "
            "seen to reach. Overlap efficiency is the longer one of "
            "loads alone and compute alone, over the time: 1 is all that pipelining can give.",
            "Timings, " + Name.str(),
            {"Version", "#Median", "#Quartiles", "#Least", "#n", "#Launches", "#Ratio",
             "#Quartiles of the ratio", "#GB/s", "#GFLOP/s", "#Overlap efficiency",
             "#Dynamic shared memory, bytes"},
            OS);
  eachObject(listOf(C, "results"), [&](const json::Object &R) {
    auto Range = [&](StringRef Low, StringRef High) {
      const std::string From = measured(R, Low, 3), To = measured(R, High, 3);
      return From.empty() || To.empty() ? std::string() : From + " to " + To;
    };
    OS << "<tr><th scope=\"row\">" << escaped(textOf(R, "version")) << "</th>";
    for (const std::string &Cell :
         {measured(R, "median_us", 3), Range("q1_us", "q3_us"), measured(R, "min_us", 3),
          escaped(valueOf(R, "n")), escaped(valueOf(R, "launches_per_round")),
          measured(R, "ratio", 3), Range("ratio_low", "ratio_high"),
          measured(R, "gbps", 1) + partOfCeiling(B, C, R, "gbps"),
          measured(R, "gflops", 1) + partOfCeiling(B, C, R, "gflops"),
          measured(R, "overlap_efficiency", 3), escaped(valueOf(R, "dynamic_shared_bytes"))})
      OS << "<td class=\"n\">" << Cell << "</td>";
    OS << "</tr>\n";
  });
  closeTable("Timings", OS);
  eachObject(listOf(C, "results"), [&](const json::Object &R) {
    if (const std::string Why = textOf(R, "reason"); !Why.empty())
      OS << "<p>" << escaped(textOf(R, "version")) << ' ' << verdict(textOf(R, "verdict")) << ": "
         << escaped(Why) << "</p>\n";
  });
}

/// A row for each reason, what most warps wait for first, and a column for each version.
void stalls(const json::Object &C, StringRef Name, raw_ostream &OS) {
  std::map<std::string, double> Most;
  std::vector<const json::Object *> Of;
  std::vector<std::string> Head = {"Waits for"};
  eachObject(listOf(C, "results"), [&](const json::Object &R) {
    const json::Object *Stalls = R.getObject("stalls");
    if (!Stalls)
      return;
    Of.push_back(Stalls);
    Head.push_back("#" + textOf(R, "version"));
    for (const auto &Entry : *Stalls)
      if (const std::optional<double> Warps = Entry.getSecond().getAsNumber()) {
        double &So = Most.try_emplace(Entry.getFirst().str(), *Warps).first->second;
        So = std::max(So, *Warps);
      }
  });
  if (Most.empty())
    return;
  std::vector<std::pair<double, std::string>> Rows;
  for (const auto &[What, Warps] : Most)
    Rows.push_back({-Warps, What});
  llvm::sort(Rows);
  // Something to scroll with, and a stop of the keyboard, only where it may be wider than a phone:
  // in characters, with names that break at blanks.
  size_t Width = 15;
  for (StringRef Column : ArrayRef(Head).drop_front()) {
    size_t Longest = 5;
    SmallVector<StringRef> Words;
    Column.drop_front().split(Words, ' ');
    for (StringRef Word : Words)
      Longest = std::max(Longest, Word.size());
    Width += Longest + 2;
  }
  const std::string Label = Width > 36 ? "Waits, " + Name.str() : "";
  openTable("What warps wait for: so many of them, on average, when an instruction is issued.",
            Label, std::vector<StringRef>(Head.begin(), Head.end()), OS);
  for (const auto &[Unused, What] : Rows) {
    OS << "<tr><th scope=\"row\">" << escaped(What) << "</th>";
    for (const json::Object *Stalls : Of)
      OS << "<td class=\"n\">" << measured(*Stalls, What, 3) << "</td>";
    OS << "</tr>\n";
  }
  closeTable(Label, OS);
}

} // namespace

void writeVerification(const json::Object &Verify, StringRef Heading, HtmlIds &Ids,
                       raw_ostream &OS) {
  OS << "<section aria-labelledby=\"verification\">\n<h2 id=\"verification\">" << Heading << ' '
     << verdict(textOf(Verify, "verdict")) << "</h2>\n";
  if (Verify.getArray("files")) {
    if (listOf(Verify, "files").empty())
      OS << "<p>Nothing was rewritten, so there was nothing to verify.</p>\n";
    eachObject(listOf(Verify, "files"),
               [&](const json::Object &V) { oneVerification(V, Ids.next("verified"), OS); });
  } else {
    oneVerification(Verify, Ids.next("verified"), OS);
  }
  OS << "</section>\n";
}

void writeBench(const json::Object &B, HtmlIds &Ids, raw_ostream &OS) {
  OS << "<section aria-labelledby=\"timings\">\n<h2 id=\"timings\">Measured times";
  if (const std::string V = textOf(B, "verdict"); !V.empty())
    OS << ' ' << verdict(V);
  OS << "</h2>\n";
  paragraphs(benchHead(B), OS);
  if (!listOf(B, "versions").empty()) {
    openTable("The versions that were timed.", "Versions",
              {"Version", "File", "Kind", "How it was made"}, OS);
    eachObject(listOf(B, "versions"), [&](const json::Object &V) {
      const auto Auto = V.getBoolean("auto");
      const std::string Made = textOf(V, "made");
      OS << "<tr><th scope=\"row\">" << escaped(textOf(V, "name")) << "</th><td>"
         << escaped(textOf(V, "file")) << "</td><td>" << escaped(textOf(V, "kind")) << "</td><td>"
         << escaped(Made.empty() ? "the file as it is" : Made)
         << (Auto && *Auto ? ", which --variant=auto gives" : "") << "</td></tr>\n";
    });
    closeTable("Versions", OS);
  }
  eachObject(listOf(B, "cases"), [&](const json::Object &C) {
    const std::string Name = textOf(C, "kernel") +
                             (textOf(C, "case").empty() ? "" : ", " + textOf(C, "case")),
                      Id = Ids.next("case");
    OS << "<article aria-labelledby=\"" << Id << "\">\n<h3 id=\"" << Id << "\">" << escaped(Name);
    if (const std::string V = textOf(C, "verdict"); !V.empty())
      OS << ' ' << verdict(V);
    OS << "</h3>\n";
    if (const std::string Why = textOf(C, "reason"); !Why.empty())
      OS << "<p>" << escaped(Why) << "</p>\n";
    timings(B, C, Name, OS);
    stalls(C, Name, OS);
    paragraphs(caseSentences(C), OS);
    OS << "<div class=\"pictures\">\n";
    drawCase(C, Ids, OS);
    OS << "</div>\n</article>\n";
  });
  for (const json::Value &Line : listOf(B, "not_made"))
    OS << "<p>Not made: " << escaped(Line.getAsString().value_or("")) << "</p>\n";
  repeatWith(B, OS);
  OS << "</section>\n";
}

//===--- what the timeline is drawn from ------------------------------------------===//

/// The architecture that the versions were compiled for.
static std::string archOf(const json::Object &B) {
  const std::string Arch = textOf(B, "arch");
  if (Arch != "native")
    return Arch;
  std::string Capability = textOf(B, "compute_capability");
  erase_if(Capability, [](char C) { return C == '.'; });
  return Capability.empty() ? "" : "sm_" + Capability;
}

static StringRef lastOf(StringRef Path) { return Path.substr(Path.find_last_of("/\\") + 1); }

std::optional<MeasuredParts> measuredParts(const json::Value *Bench, const FileReport &F,
                                           const LoopReport &L, std::string &WhyNot) {
  WhyNot = "nothing was measured";
  const json::Object *B = Bench ? Bench->getAsObject() : nullptr;
  if (!B)
    return std::nullopt;
  // "ns::gemm" of "ns::gemm<32>(..)"; who describes a launch may leave namespaces out.
  auto IsOfKernel = [&](StringRef Measured) {
    Measured = Measured.split('<').first;
    const StringRef Kernel = StringRef(L.Kernel).split('<').first;
    return Measured == Kernel ||
           (!Measured.contains("::") && Kernel.ends_with(("::" + Measured).str()));
  };
  std::vector<const json::Object *> Cases;
  std::vector<std::string> Instantiations;
  eachObject(listOf(*B, "cases"), [&](const json::Object &C) {
    const std::string Kernel = textOf(C, "kernel");
    if (!IsOfKernel(Kernel))
      return;
    Cases.push_back(&C);
    if (!is_contained(Instantiations, Kernel))
      Instantiations.push_back(Kernel);
  });
  if (Cases.empty()) {
    WhyNot = "this kernel was not measured";
    return std::nullopt;
  }
  // The halves are those of the old version.
  std::string Old;
  eachObject(listOf(*B, "versions"), [&](const json::Object &V) {
    if (textOf(V, "kind") == "old")
      Old = textOf(V, "file");
  });
  auto IsOld = [&](StringRef Path) { return lastOf(Path) == lastOf(Old); };
  if (!IsOld(F.Path) && none_of(F.ReadBy, IsOld)) {
    WhyNot = "what was measured is '" + Old + "'";
    return std::nullopt;
  }
  if (const std::string Arch = archOf(*B); Arch != F.Arch) {
    WhyNot = Arch.empty() ? "what was measured does not say for which architecture it was compiled"
                          : "what was measured is for " + Arch +
                                (F.Arch.empty() ? std::string() : ", and this is for " + F.Arch);
    return std::nullopt;
  }
  if (count_if(F.Loops, [&](const LoopReport &O) { return O.Kernel == L.Kernel; }) > 1) {
    WhyNot = "the kernel has several tile loops, and it was measured as a whole";
    return std::nullopt;
  }
  if (Instantiations.size() > 1) {
    WhyNot = "several instantiations of the kernel were measured: " + join(Instantiations, ", ");
    return std::nullopt;
  }
  for (const json::Object *C : Cases) {
    const std::optional<double> Loads = C->getNumber("loads_only_us"),
                                Compute = C->getNumber("compute_only_us");
    if (!Loads || !Compute || *Loads <= 0 || *Compute <= 0)
      continue;
    const std::string Gpu = textOf(*B, "gpu"), Case = textOf(*C, "case");
    return MeasuredParts{
        *Loads, *Compute,
        textOf(*C, "kernel") + (Case.empty() ? "" : ", " + Case) +
            (Gpu.empty() ? "" : " on " + Gpu) +
            (Cases.size() > 1 ? ", one of " + std::to_string(Cases.size()) + " cases" : "")};
  }
  WhyNot = "loads and compute were not timed alone";
  return std::nullopt;
}

} // namespace cuda_pipeline
