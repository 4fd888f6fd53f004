//===- HtmlReport.cpp - The report as a page ------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the order of the JSON report: files, in each its loops, in each what became of it, why, the
// text before and after, pictures, candidates and facts; then what verification and bench have
// found. The words are those of Messages.cpp.
//
//===----------------------------------------------------------------------===//
#include "../Support/Lines.h"
#include "HtmlParts.h"
#include "UnifiedDiff.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <set>

using namespace llvm;

namespace cuda_pipeline {

namespace {

/// A line before and what stands for it after; 0: nothing does.
struct Row {
  unsigned Old = 0, New = 0;
  bool Changed = false;
  unsigned At = 0; ///< the line before that it is in, or stands behind
  int OfOld = -1,
      OfNew =
          -1; ///< the loop (FileReport::Loops) that each side is there for; -1: none, or several
};

std::vector<Row> rowsOf(StringRef Before, StringRef After) {
  std::vector<Row> Rows;
  unsigned Old = 1, New = 1;
  size_t At = 0;
  auto Add = [&](bool HasOld, bool HasNew, bool Changed) {
    Rows.push_back({HasOld ? Old++ : 0, HasNew ? New++ : 0, Changed});
    Rows.back().At = Old - 1;
  };
  auto Same = [&](size_t To) {
    for (unsigned I = 0, Count = lineCount(Before.slice(At, To)); I < Count; ++I)
      Add(true, true, false);
    At = To;
  };
  for (const Edit &E : lineEdits(Before, After)) {
    Same(E.Offset);
    const unsigned Gone = lineCount(Before.substr(E.Offset, E.Length)), Come = lineCount(E.Text);
    for (unsigned I = 0; I < std::max(Gone, Come); ++I)
      Add(I < Gone, I < Come, true);
    At = E.Offset + E.Length;
  }
  Same(Before.size());
  return Rows;
}

/// Says for every row for which loop it is there: found once for the file, because there may be
/// hundreds of loops. An old line is that of the innermost loop around it. A new one is that of the
/// loop whose phase it has, and without one (comments) that of the next one in the same change; but
/// what takes the place of a line outside of all loops (a declaration) is there for all of the
/// function.
void assignRows(std::vector<Row> &Rows, const FileReport &F, unsigned OldLines, unsigned NewLines) {
  std::vector<int> OfOld(OldLines + 1, -1), OfNew(NewLines + 1, -1);
  for (size_t I = 0; I < F.Loops.size(); ++I) {
    const LoopReport &L = F.Loops[I];
    for (const PhaseReport &P : L.NewPhases)
      for (unsigned Line = P.Line; Line <= std::min(P.EndLine, NewLines); ++Line)
        OfNew[Line] = int(I);
    auto LengthOf = [&](int Loop) {
      return F.Loops[size_t(Loop)].EndLine - F.Loops[size_t(Loop)].Line;
    };
    if (L.Line != 0)
      for (unsigned Line = L.Line; Line <= std::min(std::max(L.Line, L.EndLine), OldLines); ++Line)
        if (OfOld[Line] < 0 || LengthOf(int(I)) < LengthOf(OfOld[Line]))
          OfOld[Line] = int(I);
  }
  auto OfText = [&](const Row &R) { return R.New != 0 && R.New <= NewLines ? OfNew[R.New] : -1; };
  for (size_t Begin = 0, End; Begin < Rows.size(); Begin = End) {
    for (End = Begin + 1; End < Rows.size() && Rows[Begin].Changed && Rows[End].Changed; ++End)
      ;
    int Next = -1;
    for (size_t I = End; I-- > Begin;) {
      Row &R = Rows[I];
      Next = OfText(R) >= 0 ? OfText(R) : Next;
      R.OfOld = R.Old != 0 && R.Old <= OldLines ? OfOld[R.Old] : -1;
      R.OfNew = !R.Changed ? R.OfOld : R.Old == 0 || R.OfOld >= 0 ? Next : OfText(R);
    }
    // Behind all that has a phase.
    int Last = -1;
    for (size_t I = Begin; I < End; ++I) {
      Row &R = Rows[I];
      Last = OfText(R) >= 0 ? OfText(R) : Last;
      if (R.OfNew < 0 && R.Changed && (R.Old == 0 || R.OfOld >= 0))
        R.OfNew = Last >= 0 ? Last : R.At != 0 && R.At <= OldLines ? OfOld[R.At] : -1;
    }
  }
}

/// The phases of a line, in order; "" for none.
std::vector<std::string> phasesAt(ArrayRef<PhaseReport> Phases, unsigned Line) {
  std::vector<std::string> Kinds;
  for (const PhaseReport &P : Phases)
    if (P.Line <= Line && Line <= P.EndLine && !is_contained(Kinds, P.Kind))
      Kinds.push_back(P.Kind);
  return Kinds;
}

StringRef classOf(const LoopReport &L) {
  if (L.AlthoughRefused)
    return " bad";
  if (L.Withheld)
    return "";
  switch (L.Status) {
  case LoopStatus::Rewritten:
  case LoopStatus::Opportunity:
    return " good";
  case LoopStatus::Refused:
    return " bad";
  default:
    return "";
  }
}

std::string statusInWords(const LoopReport &L) {
  if (L.AlthoughRefused)
    return "not sound";
  if (L.Withheld)
    return "not written";
  std::string Words = toString(L.Status).str();
  llvm::replace(Words, '-', ' ');
  return Words;
}

/// In front of its name; empty where it was not run.
std::string selfCheckBadge(const LoopReport &L) {
  if (!L.SelfCheck)
    return "";
  using Verdict = SelfCheckReport::Verdict;
  switch (L.SelfCheck->Result) {
  case Verdict::Off:
    return "";
  case Verdict::Pass:
    return "<span class=\"status above good\">run, the same</span> ";
  case Verdict::Fail:
    return "<span class=\"status above bad\">run, not the same</span> ";
  case Verdict::CannotTell:
    return "<span class=\"status above\">not run</span> ";
  }
  llvm_unreachable("unknown verdict");
}

/// A line of a block of source, as it is shown.
struct Shown {
  unsigned Line = 0; ///< 0: a place that the other side fills; ~0: what is left out
  bool Changed = false;
  std::string Said;    ///< below it
  bool Beside = false; ///< something is said on the other side
};

class Page {
public:
  Page(const Report &R, FileContents Before, FileContents After)
      : R(R), Before(Before), After(After), OS(Body) {}

  void write(raw_ostream &To);

private:
  void head();
  void file(const FileReport &F);
  void loop(const FileReport &F, const LoopReport &L, StringRef Id);
  void reasons(const LoopReport &L);
  void source(const FileReport &F, const LoopReport &L);
  void candidates(const LoopReport &L);
  void facts(const FileReport &F, const LoopReport &L);
  void block(StringRef Caption, StringRef Label, const LineTable &Lines, ArrayRef<Shown> ToShow,
             ArrayRef<PhaseReport> Phases, StringRef Sign);

  const Report &R;
  FileContents Before, After;
  std::string Body;
  raw_string_ostream OS;
  HtmlIds Ids;

  // Of the file that is written.
  std::string Old, New;
  LineTable OldLines{""}, NewLines{""};
  std::vector<Row> Rows;
};

} // namespace

static std::string plural(size_t N, StringRef One, StringRef Several) {
  return (Twine(N) + " " + (N == 1 ? One : Several)).str();
}

/// "gemm, line 12"
static std::string nameOf(const LoopReport &L) {
  return (L.Kernel.empty() ? "Loop" : L.Kernel) +
         (L.Line ? ", line " + std::to_string(L.Line) : "");
}

static std::string idOf(size_t File, size_t Loop) {
  return formatv("loop-{0}-{1}", File + 1, Loop + 1).str();
}

/// "predicted 1.08x" of what was chosen, with the number as it is.
static const CandidateReport *chosen(const LoopReport &L) {
  for (const CandidateReport &C : L.Candidates)
    if (C.Variant == L.Variant && C.Stages == L.Stages)
      return &C;
  return nullptr;
}

static std::string score(double Score) {
  if (Score == 0)
    return "";
  return formatv("<data value=\"{0}\">{1:F2}x</data>", json::Value(Score), Score).str();
}

void Page::head() {
  OS << "<header>\n<p class=\"eyebrow\">cuda-pipeline-rewrite</p>\n<h1>Tile loops</h1>\n<p "
        "class=\"lede\">"
     << escaped(summaryOf(R));
  if (!R.Archs.empty())
    OS << ", for " << escaped(join(R.Archs, ", "));
  OS << ".</p>\n";
  if (!R.Withheld.empty())
    OS << "<p><strong>Nothing was written: " << escaped(R.Withheld) << ".</strong></p>\n";
  size_t Loops = 0;
  for (const FileReport &F : R.Files)
    Loops += F.Loops.size();
  if (Loops != 0)
    OS << "<p>A tile loop brings a tile of data from global to shared memory, waits at a barrier, "
          "and computes on the tile. Pipelined, the next "
          "tile is on its way while this one is computed on. In the source these are the phases of "
          "an iteration:</p>\n"
          "<ul class=\"key\">\n"
          "<li><span class=\"k load\">load</span> brings the tile to shared memory</li>\n"
          "<li><span class=\"k barrier\">barrier</span> waits for the block, or for copies</li>\n"
          "<li><span class=\"k compute\">compute</span> works on the tile</li>\n"
          "<li><span class=\"k advance\">advance</span> goes on to the next tile</li>\n"
          "</ul>\n";
  OS << "</header>\n";
  if (Loops == 0)
    return;
  OS << "<nav id=\"loops\" aria-label=\"Loops\">\n<div class=\"scroll\" tabindex=\"0\" "
        "role=\"group\" aria-label=\"All loops\"><table>\n<caption><span>"
     << plural(Loops, "loop", "loops") << " in " << plural(R.Files.size(), "file", "files")
     << ", in the order of the files.</span></caption>\n<thead><tr><th scope=\"col\">Loop</th><th "
        "scope=\"col\">Status</th><th scope=\"col\">Plan</th><th "
        "scope=\"col\" class=\"n\">Predicted</th><th "
        "scope=\"col\">File</th></tr></thead>\n<tbody>\n";
  for (size_t I = 0; I < R.Files.size(); ++I)
    for (size_t K = 0; K < R.Files[I].Loops.size(); ++K) {
      const LoopReport &L = R.Files[I].Loops[K];
      // Where a kernel has several, and a kernel of another file the same name, a link still says
      // where it leads.
      const std::string Name = nameOf(L);
      OS << "<tr><th scope=\"row\"><a href=\"#" << idOf(I, K) << "\" aria-label=\""
         << escaped(Name + ", " + R.Files[I].Path) << "\">" << escaped(Name)
         << "</a></th><td><span class=\"status" << classOf(L) << "\">" << statusInWords(L)
         << "</span></td><td>" << escaped(planInWords(L.Variant, L.Stages))
         << "</td><td class=\"n\">"
         << (L.Variant.empty() || !chosen(L) ? "" : score(chosen(L)->Score)) << "</td><td>"
         << escaped(R.Files[I].Path) << "</td></tr>\n";
    }
  OS << "</tbody></table></div>\n</nav>\n";
}

void Page::reasons(const LoopReport &L) {
  if (L.Reasons.empty())
    return;
  OS << "<h4>"
     << (L.AlthoughRefused ? "Why it is not sound" : "Why, and what would make it possible")
     << "</h4>\n";
  for (const ReasonReport &Why : L.Reasons) {
    OS << "<div class=\"reason\">\n<p><strong>" << escaped(Why.Message)
       << "</strong></p>\n<p class=\"muted\"><code>" << info(Why.Id).Id << "</code>, rule "
       << info(Why.Id).Rule;
    if (Why.Line)
      OS << ", line " << Why.Line;
    OS << "</p>\n";
    for (const Note &N : Why.Notes)
      OS << "<p>" << (N.Line ? "Line " + std::to_string(N.Line) + ": " : std::string())
         << escaped(N.Message) << "</p>\n";
    if (!Why.Remedy.empty())
      OS << "<p class=\"remedy\">To make it possible: " << escaped(Why.Remedy) << "</p>\n";
    OS << "</div>\n";
  }
}

void Page::block(StringRef Caption, StringRef Label, const LineTable &Lines, ArrayRef<Shown> ToShow,
                 ArrayRef<PhaseReport> Phases, StringRef Sign) {
  OS << "<figure>\n<figcaption>" << escaped(Caption)
     << "</figcaption>\n<div class=\"code\" tabindex=\"0\" role=\"group\" aria-label=\""
     << escaped(Label) << "\"><pre><code>";
  std::string Last;
  unsigned LastLine = 0;
  for (const Shown &S : ToShow) {
    if (S.Line == 0) {
      OS << "<span class=\"l fill\" aria-hidden=\"true\"></span>";
      Last.clear();
    } else if (S.Line == ~0u) {
      OS << "<span class=\"gap\">\xe2\x8b\xaf</span>";
      Last.clear();
    } else {
      const std::vector<std::string> Kinds = phasesAt(Phases, S.Line);
      OS << "<span class=\"l" << (Kinds.empty() ? "" : " " + Kinds.front()) << "\" data-n=\""
         << S.Line << "\"><span class=\"s\">" << (S.Changed ? Sign : " ")
         << "</span><span class=\"w\">";
      // Once per run: every line of it would say the same.
      const std::string Word = join(Kinds, "+");
      if (!Word.empty() && (Word != Last || LastLine + 1 != S.Line)) {
        ListSeparator Plus("+");
        for (const std::string &K : Kinds)
          OS << Plus << K[0] << "<i>" << StringRef(K).drop_front() << "</i>";
      }
      Last = Word;
      LastLine = S.Line;
      StringRef Text = Lines.line(S.Line);
      if (S.Line == 1)
        Text.consume_front("\xef\xbb\xbf"); // of the file, not of its text
      OS << "</span>" << escaped(Text) << "\n</span>";
    }
    if (!S.Said.empty())
      OS << "<span class=\"said\">\xe2\x86\x91 " << escaped(S.Said) << "\n</span>";
    else if (S.Beside)
      OS << "<span class=\"said fill\" aria-hidden=\"true\"></span>";
  }
  OS << "</code></pre></div>\n</figure>\n";
}

void Page::source(const FileReport &F, const LoopReport &L) {
  if (Old.empty() || L.Line == 0)
    return;
  const bool Planned = L.Status == LoopStatus::Rewritten || L.Status == LoopStatus::Opportunity;
  const unsigned End = std::max(L.Line, L.EndLine);
  const int Self = int(&L - F.Loops.data());
  std::map<unsigned, std::string> Said;
  for (const ReasonReport &Why : L.Reasons)
    if (Why.Line)
      Said[Why.Line] += (Said[Why.Line].empty() ? "" : ", ") + info(Why.Id).Id.str();

  // What is looked at: the loop, and what is changed for it in its function or outside of all
  // functions.
  auto Inside = [](unsigned Line, unsigned First, unsigned Last) {
    return First <= Line && Line <= Last;
  };
  auto IsWithin = [&](const LoopReport &O) {
    return Inside(O.Line, L.Line, End) && O.EndLine <= End;
  };
  std::vector<bool> KeepOld(Rows.size()), KeepNew(Rows.size());
  constexpr unsigned LongLoop = 160;
  for (size_t I = 0; I < Rows.size(); ++I) {
    const Row &Here = Rows[I];
    bool InLoop = Here.Old != 0 && Inside(Here.Old, L.Line, End);
    if (InLoop && !Planned && End - L.Line > LongLoop) // beginning and end, and what is spoken of
      InLoop = Here.Old < L.Line + 60 || Here.Old + 10 > End || any_of(Said, [&](const auto &S) {
                 return Inside(Here.Old, S.first - std::min(S.first, 3u), S.first + 3);
               });
    KeepOld[I] = KeepNew[I] = InLoop;
    if (!Planned || !Here.Changed)
      continue;
    auto OfFunction = [&] {
      if (L.FunctionLine == 0 || Inside(Here.At, L.FunctionLine, L.FunctionEndLine))
        return true;
      return Here.New && NewLines.line(Here.New).starts_with("#include") &&
             none_of(F.Loops, [&](const LoopReport &O) {
               return O.FunctionLine && O.FunctionLine != L.FunctionLine &&
                      Inside(Here.At, O.FunctionLine, O.FunctionEndLine);
             });
    };
    auto Wanted = [&](int Of) {
      return Of < 0 ? OfFunction() : Of == Self || IsWithin(F.Loops[size_t(Of)]);
    };
    KeepOld[I] = InLoop || (Here.Old != 0 && Wanted(Here.OfOld));
    KeepNew[I] = Here.New != 0 && Wanted(Here.OfNew);
  }
  std::vector<bool> Near(Rows.size());
  constexpr size_t Context = 2;
  for (size_t I = 0; I < Rows.size(); ++I)
    if (KeepOld[I] || KeepNew[I])
      for (size_t K = I - std::min(I, Context); K <= std::min(I + Context, Rows.size() - 1); ++K)
        Near[K] = Near[K] || K == I || !Rows[K].Changed;

  std::vector<Shown> ShownOld, ShownNew;
  bool Gap = false;
  for (size_t I = 0; I < Rows.size(); ++I) {
    if (!Near[I]) {
      Gap = true;
      continue;
    }
    if (Gap && !ShownOld.empty()) {
      ShownOld.push_back({~0u, false, std::string(), false});
      ShownNew.push_back({~0u, false, std::string(), false});
    }
    Gap = false;
    const Row &Here = Rows[I];
    const unsigned OldLine = Here.Changed && !KeepOld[I] ? 0 : Here.Old,
                   NewLine = Here.Changed && !KeepNew[I] ? 0 : Here.New;
    const auto It = OldLine ? Said.find(OldLine) : Said.end();
    ShownOld.push_back(
        {OldLine, Here.Changed, It != Said.end() ? It->second : std::string(), false});
    ShownNew.push_back({NewLine, Here.Changed, std::string(), It != Said.end()});
  }

  const std::string Unknown =
      L.Phases.empty() && L.Status != LoopStatus::NotSelected && L.Status != LoopStatus::Suppressed
          ? " What belongs to which phase is not known."
          : "";
  OS << "<h4>" << (Planned ? "Source, before and after" : "Source") << "</h4>\n";
  if (Planned)
    OS << "<p class=\"muted\">A minus is a line that goes, a plus one that is new.</p>\n";
  OS << "<div class=\"pair" << (Planned ? " two" : "") << "\">\n";
  const std::string Name = nameOf(L);
  block((Planned ? "Before: " : "") + F.Path + ", from line " + std::to_string(L.Line) + "." +
            Unknown,
        (Planned ? "Source before, " : "Source, ") + Name, OldLines, ShownOld, L.Phases,
        "\xe2\x88\x92");
  if (Planned)
    block((F.Output.empty() || F.Output == "-" ? std::string("After, as it would be")
                                               : "After: " + F.Output) +
              ".",
          "Source after, " + Name, NewLines, ShownNew, L.NewPhases, "+");
  OS << "</div>\n";
}

void Page::candidates(const LoopReport &L) {
  if (L.Candidates.empty())
    return;
  OS << "<h4>Candidates</h4>\n<table>\n<caption><span>Every way that was considered. Predicted is "
        "the time of the loop as it is over the time of the candidate: more "
        "than 1 is faster.</span></caption>\n<thead><tr><th scope=\"col\">Variant</th><th "
        "scope=\"col\" class=\"n\">Stages</th><th scope=\"col\" "
        "class=\"n\">Predicted</th><th scope=\"col\">Outcome</th></tr></thead>\n<tbody>\n";
  for (const CandidateReport &C : L.Candidates) {
    const bool Chosen = C.Rejected.empty() && !L.Variant.empty();
    OS << "<tr" << (Chosen ? " class=\"chosen\"" : "") << "><th scope=\"row\">"
       << escaped(C.Variant) << "</th><td class=\"n\">" << C.Stages << "</td><td class=\"n\">"
       << score(C.Score) << "</td><td class=\"words\">"
       << (C.Rejected.empty() ? (Chosen ? "chosen" : "not rejected")
                              : escaped("not chosen: " + C.Rejected))
       << "</td></tr>\n";
  }
  OS << "</tbody></table>\n";
}

void Page::facts(const FileReport &F, const LoopReport &L) {
  const std::vector<Message> Facts = factsOf(L, F.Arch);
  if (Facts.empty())
    return;
  OS << "<h4>What it is, and what it rests on</h4>\n<ul class=\"facts\">\n";
  for (const Message &M : Facts)
    OS << "<li>"
       << (M.Line && M.Line != L.Line ? "Line " + std::to_string(M.Line) + ": " : std::string())
       << escaped(M.Text) << "</li>\n";
  OS << "</ul>\n";
}

void Page::loop(const FileReport &F, const LoopReport &L, StringRef Id) {
  OS << "<article id=\"" << Id << "\" aria-labelledby=\"" << Id << "-name\">\n<h3 id=\"" << Id
     << "-name\"><span class=\"status above" << classOf(L) << "\">" << statusInWords(L)
     << "</span> " << selfCheckBadge(L) << escaped(nameOf(L)) << "</h3>\n";
  const std::vector<Message> All = messagesOf(L, F.Arch, /*Verbose=*/true);
  if (!All.empty())
    OS << "<p>" << escaped(All.front().Text) << "</p>\n";
  reasons(L);
  facts(F, L);
  source(F, L);
  const bool Planned = L.Status == LoopStatus::Rewritten || L.Status == LoopStatus::Opportunity;
  std::string Drawn;
  raw_string_ostream Pictures(Drawn);
  if (Planned) {
    const KernelMemory Memory = memoryOf(F, L);
    std::string WhyNot;
    const std::optional<MeasuredParts> Measured =
        measuredParts(R.Bench ? &*R.Bench : nullptr, F, L, WhyNot);
    drawTimeline(L, Measured, WhyNot, Ids, Pictures);
    drawBudget(L, Memory, Ids, Pictures);
    drawStaircase(L, Memory, F.Arch, Ids, Pictures);
  }
  if (!Drawn.empty())
    OS << "<h4>Pictures</h4>\n<div class=\"pictures\">\n" << Drawn << "</div>\n";
  candidates(L);
  OS << "<p class=\"back\"><a href=\"#loops\">To the table of all loops</a></p>\n</article>\n";
}

void Page::file(const FileReport &F) {
  Old = Before ? Before(F.Path) : "";
  New = After ? After(F.Path) : "";
  if (New.empty())
    New = Old;
  OldLines = LineTable(Old);
  NewLines = LineTable(New);
  Rows.clear();
  if (!F.Loops.empty()) {
    Rows = rowsOf(Old, New);
    assignRows(Rows, F, OldLines.size(), NewLines.size());
  }

  const size_t Number = size_t(&F - R.Files.data());
  OS << "<section aria-labelledby=\"file-" << Number + 1 << "\">\n<h2 id=\"file-" << Number + 1
     << "\">" << escaped(F.Path) << "</h2>\n";
  if (F.Problem != FileProblem::None)
    OS << "<div class=\"reason\"><p><strong>Not analysed: " << toString(F.Problem)
       << "</strong></p>\n<p>" << escaped(F.ProblemText) << "</p></div>\n";
  if (!F.ReadBy.empty())
    OS << "<p>Included, as these files read it: " << escaped(join(F.ReadBy, ", ")) << ".</p>\n";
  if (!F.Configurations.empty())
    OS << "<p>Looked at for " << escaped(join(F.Configurations, "; ")) << ".</p>\n";
  if (!F.LeftOut.empty())
    OS << "<p>Too old to be looked at: " << escaped(join(F.LeftOut, ", ")) << ".</p>\n";
  if (!F.Output.empty())
    OS << "<p>Written to "
       << (F.Output == "-" ? "standard output" : "<code>" + escaped(F.Output) + "</code>")
       << ".</p>\n";
  if (R.Archs.size() > 1 && !F.Arch.empty())
    OS << "<p>Occupancy is that of " << escaped(F.Arch) << ".</p>\n";
  if (F.Loops.empty() && F.Problem == FileProblem::None)
    OS << "<p>No tile loop: no loop of a kernel here fills shared memory from global memory around "
          "a barrier.</p>\n";
  for (size_t K = 0; K < F.Loops.size(); ++K)
    loop(F, F.Loops[K], idOf(Number, K));
  OS << "</section>\n";
}

void Page::write(raw_ostream &To) {
  head();
  OS << "<main id=\"main\">\n";
  if (R.Files.empty())
    OS << "<p>No file was looked at.</p>\n";
  for (const FileReport &F : R.Files)
    file(F);
  if (R.Verify)
    if (const json::Object *V = R.Verify->getAsObject())
      writeVerification(*V, "Verification", Ids, OS);
  if (R.Bench)
    if (const json::Object *B = R.Bench->getAsObject())
      writeBench(*B, Ids, OS);
  OS << "</main>\n";
  writePage("Tile loops: " + summaryOf(R), Body, To);
}

void renderHTML(const Report &R, FileContents Before, FileContents After, raw_ostream &OS) {
  Page(R, Before, After).write(OS);
}

void renderHTML(const json::Value &Found, raw_ostream &OS) {
  std::string Body;
  raw_string_ostream To(Body);
  HtmlIds Ids;
  const json::Object *O = Found.getAsObject();
  const bool Bench = O && O->getString("command").value_or("") == "bench";
  const StringRef Title = Bench ? "Benchmark" : "Verification";
  To << "<header>\n<p class=\"eyebrow\">cuda-pipeline-rewrite</p>\n<h1>" << Title
     << "</h1>\n</header>\n<main id=\"main\">\n";
  if (Bench)
    writeBench(*O, Ids, To);
  else if (O)
    writeVerification(*O, "Result", Ids, To);
  To << "</main>\n";
  writePage(Title, Body, OS);
}

} // namespace cuda_pipeline
