//===- HtmlReport.cpp - The report as a page ------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the order of the JSON report: files, in each its loops, in each what became of it, why, the text before and after, pictures,
// candidates and facts; then what verification and bench have found. The words are those of Messages.cpp.
//
//===----------------------------------------------------------------------===//
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

/// Lines of a file, without their ends.
std::vector<StringRef> linesOf(StringRef Text) {
  std::vector<StringRef> Lines;
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    Lines.push_back(Line.rtrim('\r'));
    Text = Rest;
  }
  return Lines;
}

/// A line before and what stands for it after; 0: nothing does.
struct Row {
  unsigned Old = 0, New = 0;
  bool Changed = false;
};

std::vector<Row> rowsOf(StringRef Before, StringRef After) {
  std::vector<Row> Rows;
  unsigned Old = 1, New = 1;
  size_t At = 0;
  auto Same = [&](size_t To) {
    StringRef Kept = Before.slice(At, To);
    const size_t Count = Kept.count('\n') + (!Kept.empty() && !Kept.ends_with("\n"));
    for (size_t I = 0; I < Count; ++I)
      Rows.push_back({Old++, New++, false});
    At = To;
  };
  auto Count = [](StringRef Text) { return Text.count('\n') + (!Text.empty() && !Text.ends_with("\n")); };
  for (const Edit &E : lineEdits(Before, After)) {
    Same(E.Offset);
    const size_t Gone = Count(Before.substr(E.Offset, E.Length)), Come = Count(E.Text);
    for (size_t I = 0; I < std::max(Gone, Come); ++I)
      Rows.push_back({I < Gone ? Old++ : 0, I < Come ? New++ : 0, true});
    At = E.Offset + E.Length;
  }
  Same(Before.size());
  return Rows;
}

/// The phases of a line, in order; "" for none.
std::vector<std::string> phasesAt(ArrayRef<PhaseReport> Phases, unsigned Line) {
  std::vector<std::string> Kinds;
  for (const PhaseReport &P : Phases)
    if (P.Line <= Line && Line <= P.EndLine && !is_contained(Kinds, P.Kind))
      Kinds.push_back(P.Kind);
  return Kinds;
}

StringRef classOf(LoopStatus S) {
  switch (S) {
  case LoopStatus::Rewritten:
  case LoopStatus::Opportunity:
    return " good";
  case LoopStatus::Refused:
    return " bad";
  default:
    return "";
  }
}

std::string statusInWords(LoopStatus S) {
  std::string Words = toString(S).str();
  llvm::replace(Words, '-', ' ');
  return Words;
}

class Page {
public:
  Page(const Report &R, FileContents Before, FileContents After) : R(R), Before(Before), After(After), OS(Body) {
    if (!R.Archs.empty())
      Arch = R.Archs.front();
  }

  void write(raw_ostream &To);

private:
  void head();
  void file(const FileReport &F);
  void loop(const FileReport &F, const LoopReport &L, StringRef Id);
  void reasons(const LoopReport &L);
  void source(const FileReport &F, const LoopReport &L);
  void candidates(const LoopReport &L);
  void facts(const LoopReport &L);
  void block(StringRef Caption, StringRef Label, ArrayRef<StringRef> Lines, ArrayRef<std::pair<unsigned, bool>> Shown,
             ArrayRef<PhaseReport> Phases, StringRef Sign, const std::map<unsigned, std::string> &Said);

  const Report &R;
  FileContents Before, After;
  std::string Body;
  raw_string_ostream OS;
  StringRef Arch;
  HtmlIds Ids;

  // Of the file that is written.
  std::string Old, New;
  std::vector<StringRef> OldLines, NewLines;
  std::vector<Row> Rows;
};

} // namespace

static std::string plural(size_t N, StringRef One, StringRef Several) { return (Twine(N) + " " + (N == 1 ? One : Several)).str(); }

static std::string idOf(size_t File, size_t Loop) { return formatv("loop-{0}-{1}", File + 1, Loop + 1).str(); }

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
  OS << "<header>\n<p class=\"eyebrow\">cuda-pipeline-rewrite</p>\n<h1>Tile loops</h1>\n<p class=\"lede\">" << escaped(summaryOf(R));
  if (!R.Archs.empty())
    OS << ", for " << escaped(join(R.Archs, ", "));
  OS << ".</p>\n";
  size_t Loops = 0;
  for (const FileReport &F : R.Files)
    Loops += F.Loops.size();
  if (Loops != 0)
    OS << "<p>A tile loop brings a tile of data from global to shared memory, waits at a barrier, and computes on the tile. Pipelined, the next "
          "tile is on its way while this one is computed on. In the source these are the phases of an iteration:</p>\n"
          "<ul class=\"key\">\n"
          "<li><span class=\"k load\">load</span> brings the tile to shared memory</li>\n"
          "<li><span class=\"k barrier\">barrier</span> waits for the block, or for copies</li>\n"
          "<li><span class=\"k compute\">compute</span> works on the tile</li>\n"
          "<li><span class=\"k advance\">advance</span> goes on to the next tile</li>\n"
          "</ul>\n";
  OS << "</header>\n";
  if (Loops == 0)
    return;
  OS << "<nav aria-label=\"Loops\">\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"All loops\"><table>\n<caption><span>"
     << plural(Loops, "loop", "loops") << " in " << plural(R.Files.size(), "file", "files")
     << ", in the order of the files.</span></caption>\n<thead><tr><th scope=\"col\">Loop</th><th scope=\"col\">Status</th><th scope=\"col\">Plan</th><th "
        "scope=\"col\" class=\"n\">Predicted</th><th scope=\"col\" class=\"n\">Line</th><th scope=\"col\">File</th></tr></thead>\n<tbody>\n";
  for (size_t I = 0; I < R.Files.size(); ++I)
    for (size_t K = 0; K < R.Files[I].Loops.size(); ++K) {
      const LoopReport &L = R.Files[I].Loops[K];
      OS << "<tr><th scope=\"row\"><a href=\"#" << idOf(I, K) << "\">" << (L.Kernel.empty() ? "loop" : escaped(L.Kernel)) << "</a></th><td><span class=\"status"
         << classOf(L.Status) << "\">" << statusInWords(L.Status) << "</span></td><td>" << escaped(planInWords(L.Variant, L.Stages))
         << "</td><td class=\"n\">" << (L.Variant.empty() || !chosen(L) ? "" : score(chosen(L)->Score)) << "</td><td class=\"n\">"
         << (L.Line ? std::to_string(L.Line) : "") << "</td><td>" << escaped(R.Files[I].Path) << "</td></tr>\n";
    }
  OS << "</tbody></table></div>\n</nav>\n";
}

void Page::reasons(const LoopReport &L) {
  if (L.Reasons.empty())
    return;
  OS << "<h4>" << (L.AlthoughRefused ? "Why it is not sound" : "Why, and what would make it possible") << "</h4>\n";
  for (const ReasonReport &Why : L.Reasons) {
    OS << "<div class=\"reason\">\n<p><strong>" << escaped(Why.Message) << "</strong></p>\n<p class=\"muted\"><code>" << info(Why.Id).Id
       << "</code>, rule " << info(Why.Id).Rule;
    if (Why.Line)
      OS << ", line " << Why.Line;
    OS << "</p>\n";
    for (const Note &N : Why.Notes)
      OS << "<p>" << (N.Line ? "Line " + std::to_string(N.Line) + ": " : std::string()) << escaped(N.Message) << "</p>\n";
    if (!Why.Remedy.empty())
      OS << "<p class=\"remedy\">To make it possible: " << escaped(Why.Remedy) << "</p>\n";
    OS << "</div>\n";
  }
}

/// \p Shown: lines, 0 for a place that the other side fills, ~0 for what is left out; and whether it is changed.
void Page::block(StringRef Caption, StringRef Label, ArrayRef<StringRef> Lines, ArrayRef<std::pair<unsigned, bool>> Shown,
                 ArrayRef<PhaseReport> Phases, StringRef Sign, const std::map<unsigned, std::string> &Said) {
  OS << "<figure>\n<figcaption>" << escaped(Caption) << "</figcaption>\n<div class=\"code\" tabindex=\"0\" role=\"group\" aria-label=\"" << escaped(Label)
     << "\"><pre><code>";
  std::string Last;
  unsigned LastLine = 0;
  for (auto [Line, Changed] : Shown) {
    if (Line == 0) {
      OS << "<span class=\"l fill\" aria-hidden=\"true\"></span>";
      Last.clear();
      continue;
    }
    if (Line == ~0u) {
      OS << "<span class=\"gap\">\xe2\x8b\xaf</span>";
      Last.clear();
      continue;
    }
    const std::vector<std::string> Kinds = phasesAt(Phases, Line);
    OS << "<span class=\"l" << (Kinds.empty() ? "" : " " + Kinds.front()) << "\" data-n=\"" << Line << "\"><span class=\"s\">"
       << (Changed ? Sign : " ") << "</span><span class=\"w\">";
    // Once per run: every line of it would say the same.
    const std::string Word = join(Kinds, "+");
    if (!Word.empty() && (Word != Last || LastLine + 1 != Line)) {
      ListSeparator Plus("+");
      for (const std::string &K : Kinds)
        OS << Plus << K[0] << "<i>" << StringRef(K).drop_front() << "</i>";
    }
    Last = Word;
    LastLine = Line;
    OS << "</span>" << (Line <= Lines.size() ? escaped(Lines[Line - 1]) : "") << "\n</span>";
    if (auto It = Said.find(Line); It != Said.end())
      OS << "<span class=\"said\">\xe2\x86\x91 " << escaped(It->second) << "\n</span>";
  }
  OS << "</code></pre></div>\n</figure>\n";
}

void Page::source(const FileReport &F, const LoopReport &L) {
  if (Old.empty() || L.Line == 0)
    return;
  const bool Planned = L.Status == LoopStatus::Rewritten || L.Status == LoopStatus::Opportunity;
  const unsigned End = std::max(L.Line, L.EndLine);
  std::map<unsigned, std::string> Said;
  for (const ReasonReport &Why : L.Reasons)
    if (Why.Line)
      Said[Why.Line] += (Said[Why.Line].empty() ? "" : ", ") + info(Why.Id).Id.str();

  // What is looked at: the loop, and what is changed for it in its function or outside of all functions.
  auto Inside = [](unsigned Line, unsigned First, unsigned Last) { return First <= Line && Line <= Last; };
  std::vector<bool> Keep(Rows.size());
  constexpr unsigned LongLoop = 160;
  unsigned At = 0; // the line before
  for (size_t I = 0; I < Rows.size(); ++I) {
    const Row &Here = Rows[I];
    At = Here.Old ? Here.Old : At;
    bool Wanted = Here.Old != 0 && Inside(Here.Old, L.Line, End);
    if (Wanted && !Planned && End - L.Line > LongLoop) // beginning and end, and what is spoken of
      Wanted = Here.Old < L.Line + 60 || Here.Old + 10 > End || any_of(Said, [&](const auto &S) { return Inside(Here.Old, S.first - std::min(S.first, 3u), S.first + 3); });
    if (Planned && Here.Changed) {
      Wanted |= Here.New && any_of(L.NewPhases, [&](const PhaseReport &P) { return Inside(Here.New, P.Line, P.EndLine); });
      auto OfOther = [&](const LoopReport &O) {
        return &O != &L && O.Line && Inside(At, O.Line, std::max(O.Line, O.EndLine)) && !Inside(L.Line, O.Line, std::max(O.Line, O.EndLine));
      };
      auto OfOthersText = [&](const LoopReport &O) {
        return &O != &L && Here.New && any_of(O.NewPhases, [&](const PhaseReport &P) { return Inside(Here.New, P.Line, P.EndLine); }) &&
               none_of(L.NewPhases, [&](const PhaseReport &P) { return Inside(Here.New, P.Line, P.EndLine); });
      };
      auto OfOtherFunction = [&](const LoopReport &O) {
        return O.FunctionLine && O.FunctionLine != L.FunctionLine && Inside(At, O.FunctionLine, O.FunctionEndLine);
      };
      const bool InFunction = L.FunctionLine == 0 || Inside(At, L.FunctionLine, L.FunctionEndLine);
      const bool Include = Here.New && Here.New <= NewLines.size() && NewLines[Here.New - 1].starts_with("#include");
      Wanted |= none_of(F.Loops, OfOther) && none_of(F.Loops, OfOthersText) && (InFunction || (Include && none_of(F.Loops, OfOtherFunction)));
    }
    Keep[I] = Wanted;
  }
  std::vector<bool> Near = Keep;
  constexpr size_t Context = 2;
  for (size_t I = 0; I < Rows.size(); ++I)
    if (Keep[I])
      for (size_t K = I - std::min(I, Context); K <= std::min(I + Context, Rows.size() - 1); ++K)
        Near[K] = Near[K] || !Rows[K].Changed;

  std::vector<std::pair<unsigned, bool>> ShownOld, ShownNew;
  bool Gap = false;
  for (size_t I = 0; I < Rows.size(); ++I) {
    if (!Near[I]) {
      Gap = true;
      continue;
    }
    if (Gap && !ShownOld.empty()) {
      ShownOld.push_back({~0u, false});
      ShownNew.push_back({~0u, false});
    }
    Gap = false;
    ShownOld.push_back({Rows[I].Old, Rows[I].Changed});
    ShownNew.push_back({Rows[I].New, Rows[I].Changed});
  }

  const std::string Unknown = L.Phases.empty() && L.Status != LoopStatus::NotSelected && L.Status != LoopStatus::Suppressed ? " What belongs to which phase is not known." : "";
  OS << "<h4>" << (Planned ? "Source, before and after" : "Source") << "</h4>\n";
  if (Planned)
    OS << "<p class=\"muted\">A minus is a line that goes, a plus one that is new.</p>\n";
  OS << "<div class=\"pair" << (Planned ? " two" : "") << "\">\n";
  block((Planned ? "Before: " : "") + F.Path + ", from line " + std::to_string(L.Line) + "." + Unknown, (Planned ? "Source before, " : "Source, ") + L.Kernel, OldLines,
        ShownOld, L.Phases, "\xe2\x88\x92", Said);
  if (Planned)
    block((F.Output.empty() || F.Output == "-" ? std::string("After, as it would be") : "After: " + F.Output) + ".",
          "Source after, " + L.Kernel, NewLines, ShownNew, L.NewPhases, "+", {});
  OS << "</div>\n";
}

void Page::candidates(const LoopReport &L) {
  if (L.Candidates.empty())
    return;
  OS << "<h4>Candidates</h4>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Candidates, " << escaped(L.Kernel)
     << "\"><table>\n<caption><span>Every way that was considered. Predicted is the time of the loop as it is over the time of the candidate: more "
        "than 1 is faster.</span></caption>\n<thead><tr><th scope=\"col\">Variant</th><th scope=\"col\" class=\"n\">Stages</th><th scope=\"col\" "
        "class=\"n\">Predicted</th><th scope=\"col\">Outcome</th></tr></thead>\n<tbody>\n";
  for (const CandidateReport &C : L.Candidates) {
    const bool Chosen = C.Rejected.empty() && !L.Variant.empty();
    OS << "<tr" << (Chosen ? " class=\"chosen\"" : "") << "><th scope=\"row\">" << escaped(C.Variant) << "</th><td class=\"n\">" << C.Stages << "</td><td class=\"n\">"
       << score(C.Score) << "</td><td class=\"words\">" << (C.Rejected.empty() ? (Chosen ? "chosen" : "") : escaped("not chosen: " + C.Rejected)) << "</td></tr>\n";
  }
  OS << "</tbody></table></div>\n";
}

void Page::facts(const LoopReport &L) {
  const std::vector<Message> Facts = factsOf(L, Arch);
  const bool Planned = L.Status == LoopStatus::Rewritten || L.Status == LoopStatus::Opportunity;
  if (!Planned && L.Smem.Limit != 0)
    OS << "<p class=\"muted\">Shared memory of '" << escaped(L.Kernel) << "': " << L.Smem.Before << " of " << L.Smem.Limit << " bytes."
       << (L.HasOccupancy ? " Occupancy: " + plural(L.Occupancy.Before, "block", "blocks") + " per SM." : std::string()) << "</p>\n";
  if (Facts.empty())
    return;
  OS << "<h4>What it is, and what it rests on</h4>\n<ul class=\"facts\">\n";
  for (const Message &M : Facts)
    OS << "<li>" << (M.Line && M.Line != L.Line ? "Line " + std::to_string(M.Line) + ": " : std::string()) << escaped(M.Text) << "</li>\n";
  OS << "</ul>\n";
}

void Page::loop(const FileReport &F, const LoopReport &L, StringRef Id) {
  OS << "<article id=\"" << Id << "\" aria-labelledby=\"" << Id << "-name\">\n<h3 id=\"" << Id << "-name\"><span class=\"status above" << classOf(L.Status) << "\">"
     << statusInWords(L.Status) << "</span> " << (L.Kernel.empty() ? "Loop" : escaped(L.Kernel)) << (L.Line ? ", line " + std::to_string(L.Line) : "") << "</h3>\n";
  const std::vector<Message> All = messagesOf(L, Arch, /*Verbose=*/true);
  if (!All.empty())
    OS << "<p>" << escaped(All.front().Text) << "</p>\n";
  if (!L.InFile.empty())
    OS << "<p class=\"muted\">The loop is in <code>" << escaped(L.InFile) << "</code>.</p>\n";
  reasons(L);
  facts(L);
  source(F, L);
  const bool Planned = L.Status == LoopStatus::Rewritten || L.Status == LoopStatus::Opportunity;
  std::string Drawn;
  raw_string_ostream Pictures(Drawn);
  if (Planned) {
    drawTimeline(L, measuredParts(R.Bench ? &*R.Bench : nullptr, L.Kernel), Ids, Pictures);
    drawBudget(L, Ids, Pictures);
    drawStaircase(L, Arch, Ids, Pictures);
  }
  if (!Drawn.empty())
    OS << "<h4>Pictures</h4>\n<div class=\"pictures\">\n" << Drawn << "</div>\n";
  candidates(L);
  OS << "</article>\n";
}

void Page::file(const FileReport &F) {
  Old = Before ? Before(F.Path) : "";
  New = After ? After(F.Path) : "";
  if (New.empty())
    New = Old;
  OldLines = linesOf(Old);
  NewLines = linesOf(New);
  Rows = F.Loops.empty() ? std::vector<Row>() : rowsOf(Old, New);

  const size_t Number = size_t(&F - R.Files.data());
  OS << "<section aria-labelledby=\"file-" << Number + 1 << "\">\n<h2 id=\"file-" << Number + 1 << "\">" << escaped(F.Path) << "</h2>\n";
  if (F.Problem != FileProblem::None)
    OS << "<div class=\"reason\"><p><strong>Not analysed: " << toString(F.Problem) << "</strong></p>\n<p>" << escaped(F.ProblemText) << "</p></div>\n";
  if (!F.ReadBy.empty())
    OS << "<p>A header, as these files read it: " << escaped(join(F.ReadBy, ", ")) << ".</p>\n";
  if (!F.Output.empty() && F.Output != "-")
    OS << "<p>Written to <code>" << escaped(F.Output) << "</code>.</p>\n";
  if (F.Loops.empty() && F.Problem == FileProblem::None)
    OS << "<p>No tile loop: no loop of a kernel here fills shared memory from global memory around a barrier.</p>\n";
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
      writeVerification(*V, "Verification", OS);
  if (R.Bench)
    if (const json::Object *B = R.Bench->getAsObject())
      writeBench(*B, Ids, OS);
  OS << "</main>\n";
  writePage("Tile loops: " + summaryOf(R), Body, To);
}

void renderHTML(const Report &R, FileContents Before, FileContents After, raw_ostream &OS) { Page(R, Before, After).write(OS); }

void renderHTML(const json::Value &Found, raw_ostream &OS) {
  std::string Body;
  raw_string_ostream To(Body);
  HtmlIds Ids;
  const json::Object *O = Found.getAsObject();
  const bool Bench = O && O->getString("command").value_or("") == "bench";
  const StringRef Title = Bench ? "Benchmark" : "Verification";
  To << "<header>\n<p class=\"eyebrow\">cuda-pipeline-rewrite</p>\n<h1>" << Title << "</h1>\n</header>\n<main id=\"main\">\n";
  if (Bench)
    writeBench(*O, Ids, To);
  else if (O)
    writeVerification(*O, "Result", To);
  To << "</main>\n";
  writePage(Title, Body, OS);
}

} // namespace cuda_pipeline
