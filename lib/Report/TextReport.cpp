//===- TextReport.cpp - The report as compiler diagnostics ---------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang's form, because every editor and build log viewer can already click on it:
//
//   gemm.cu:42:3: remark: pipelined with cp-async, 3 stages [cuda-pipeline]
//      42 |   for (int k0 = 0; k0 < K; k0 += BK) {
//         |   ^
//   gemm.cu:42:3: note: shared memory of 'gemm': 16384 -> 49152 of 49152 bytes
//
// On a terminal long lines are broken between words, and source is cut to what is around the caret,
// as Clang does; elsewhere a line stays a line. The bracket holds the check's name for loops as a
// whole and the reason's id for reasons.
//
//===----------------------------------------------------------------------===//

#include "../Support/Printable.h"
#include "Findings.h"
#include "cuda-pipeline/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Unicode.h"

using namespace llvm;

namespace cuda_pipeline {

namespace {

struct Place {
  unsigned Line = 0, Column = 0; // 0: unknown
};

class TextRenderer {
public:
  TextRenderer(const TextOptions &Options, SourceLines Lines, raw_ostream &OS)
      : Options(Options), Lines(Lines), OS(OS) {}

  void render(const Report &R);

private:
  void renderLoop(const LoopReport &L);
  void renderSummary(const Report &R);

  void diagnose(Severity S, const Place &P, const Twine &Message, StringRef Tag = "");
  void snippet(const Place &P);
  void wrapped(StringRef Text, unsigned Column);
  void renderFile();
  void line(const Twine &Text);
  void verification(const json::Object &V);
  void machineCode(const json::Object &Kernel);
  void timings(const json::Object &Bench);
  void color(raw_ostream::Colors C, bool Bold);
  void resetColor();

  const TextOptions &Options;
  SourceLines Lines;
  raw_ostream &OS;
  const FileReport *File = nullptr;
  SmallVector<Place> Shown; // of the current loop
};

} // namespace

void TextRenderer::color(raw_ostream::Colors C, bool Bold) {
  if (Options.Color)
    OS.changeColor(C, Bold);
}

void TextRenderer::resetColor() {
  if (Options.Color)
    OS.resetColor();
}

/// Columns on the screen.
static unsigned widthOf(StringRef Text) {
  const int Width = sys::unicode::columnWidthUTF8(Text);
  return Width < 0 ? unsigned(Text.size()) : unsigned(Width); // not UTF-8
}

/// \p Text, which begins in \p Column, with line ends where the terminal would put some in the
/// middle of words.
void TextRenderer::wrapped(StringRef Text, unsigned Column) {
  constexpr unsigned Indent = 6; // Clang's
  if (Options.Width <= Indent + 20) {
    OS << Text;
    return;
  }
  for (bool First = true; First || !Text.empty(); First = false) {
    auto [Word, Rest] = Text.split(' ');
    const unsigned Width = widthOf(Word);
    if (!First && Column + 1 + Width > Options.Width && Column > Indent) {
      OS << '\n';
      OS.indent(Indent);
      Column = Indent;
    } else if (!First) {
      OS << ' ';
      ++Column;
    }
    OS << Word;
    Column += Width;
    Text = Rest;
  }
}

/// The part of a line of source that fits beside its number, with the caret in it.
static void cutToWidth(std::string &Shown, size_t &CaretAt, unsigned Room) {
  constexpr StringLiteral Dots = "...";
  if (widthOf(Shown) <= Room || Room < 30)
    return;
  auto IsInside = [&](size_t At) {
    return At < Shown.size() && (Shown[At] & 0xc0) == 0x80;
  }; // of a character
  size_t Begin = 0;
  if (CaretAt != StringRef::npos &&
      widthOf(StringRef(Shown).take_front(CaretAt)) + Dots.size() + 8 > Room) {
    // The caret at a third of the width.
    Begin = CaretAt;
    while (Begin > 0 &&
           (IsInside(Begin) || widthOf(StringRef(Shown).slice(Begin, CaretAt)) < Room / 3))
      --Begin;
  }
  const unsigned Left = Room - (Begin ? Dots.size() : 0);
  size_t End = Begin;
  while (End < Shown.size()) {
    size_t Next = End + 1;
    while (IsInside(Next))
      ++Next;
    if (widthOf(StringRef(Shown).slice(Begin, Next)) + (Next < Shown.size() ? Dots.size() : 0) >
        Left)
      break;
    End = Next;
  }
  if (CaretAt != StringRef::npos)
    CaretAt = CaretAt - Begin + (Begin ? Dots.size() : 0);
  Shown = (Begin ? Dots.str() : "") + Shown.substr(Begin, End - Begin) +
          (End < Shown.size() ? Dots.str() : "");
}

// Prints "   42 | text" and the caret below it. Tabs are shown as blanks up to the next multiple of
// eight, as Clang does; the column counts bytes, the caret columns on the screen.
void TextRenderer::snippet(const Place &P) {
  if (P.Line == 0 || !Lines)
    return;
  std::string Source = Lines(File->Path, P.Line);
  StringRef Text = StringRef(Source).rtrim("\r\n");
  if (Text.trim().empty())
    return;

  constexpr unsigned TabStop = 8;
  std::string Shown;
  size_t CaretAt = StringRef::npos; // in bytes of Shown
  unsigned Width =
      0; // of Shown, counted along: a line of tabs would be measured as often as it has tabs
  auto Append = [&](StringRef Part) {
    while (true) {
      const size_t Tab = Part.find('\t');
      const std::string Stretch = printable(Part.take_front(Tab));
      Shown += Stretch;
      Width += widthOf(Stretch);
      if (Tab == StringRef::npos)
        return;
      const unsigned Blanks = TabStop - Width % TabStop;
      Shown.append(Blanks, ' ');
      Width += Blanks;
      Part = Part.drop_front(Tab + 1);
    }
  };
  const size_t Caret =
      P.Column != 0 && P.Column - 1 <= Text.size() ? P.Column - 1 : StringRef::npos;
  Append(Text.take_front(Caret));
  if (Caret != StringRef::npos) {
    CaretAt = Shown.size();
    Append(Text.drop_front(Caret));
  }

  if (Options.Width > 8)
    cutToWidth(Shown, CaretAt, Options.Width - 8);
  OS << format("%5u", P.Line) << " | " << Shown << '\n';
  if (CaretAt == StringRef::npos)
    return;
  OS << "      | ";
  OS.indent(widthOf(StringRef(Shown).take_front(CaretAt)));
  color(raw_ostream::GREEN, /*Bold=*/true);
  OS << '^';
  resetColor();
  OS << '\n';
}

void TextRenderer::diagnose(Severity S, const Place &P, const Twine &Message, StringRef Tag) {
  color(raw_ostream::SAVEDCOLOR, /*Bold=*/true);
  std::string Head = printable(File->Path) + ":";
  if (P.Line != 0)
    Head += std::to_string(P.Line) + ":" + (P.Column != 0 ? std::to_string(P.Column) + ":" : "");
  OS << Head << ' ';
  switch (S) {
  case Severity::Warning:
    color(raw_ostream::MAGENTA, true);
    OS << "warning: ";
    break;
  case Severity::Remark:
    color(raw_ostream::BLUE, true);
    OS << "remark: ";
    break;
  case Severity::Note:
    color(raw_ostream::CYAN, true);
    OS << "note: ";
    break;
  }
  resetColor();
  if (S != Severity::Note)
    color(raw_ostream::SAVEDCOLOR, true);
  const unsigned Kind = S == Severity::Warning ? 9 : S == Severity::Remark ? 8 : 6;
  wrapped(printable((Message + (Tag.empty() ? "" : " [" + Tag + "]")).str()),
          widthOf(Head) + 1 + Kind);
  resetColor();
  OS << '\n';

  // Each place is displayed once per loop; a note without a column needs its line only.
  auto Same = [&](const Place &O) {
    return O.Line == P.Line && (O.Column == P.Column || P.Column == 0);
  };
  if (none_of(Shown, Same)) {
    snippet(P);
    Shown.push_back(P);
  }
}

void TextRenderer::renderLoop(const LoopReport &L) {
  Shown.clear();
  for (const Message &M : messagesOf(L, File->Arch, Options.Verbose))
    diagnose(M.Kind, {M.Line, M.Column}, M.Text, M.Tag);
}

void TextRenderer::line(const Twine &Text) {
  wrapped(printable(Text.str()), 0);
  OS << '\n';
}

/// What a file is, ahead of its loops.
void TextRenderer::renderFile() {
  if (File->Problem != FileProblem::None && Options.Problems) {
    color(raw_ostream::SAVEDCOLOR, /*Bold=*/true);
    const std::string Head = printable(File->Path) + ": ";
    OS << Head;
    color(raw_ostream::RED, true);
    OS << "error: ";
    resetColor();
    color(raw_ostream::SAVEDCOLOR, true);
    // On a terminal, and in the output of a build, the messages stand above it already.
    wrapped(printable(("not analysed: " + toString(File->Problem) +
                       (Options.Verbose ? ": " + File->ProblemText : ""))
                          .str()),
            widthOf(Head) + 7);
    resetColor();
    OS << '\n';
  }
  if (Options.Verbose && !File->ReadBy.empty())
    line(File->Path + ": included, as these files read it: " + join(File->ReadBy, ", "));
  if (Options.Verbose && !File->Configurations.empty())
    line(File->Path + ": looked at for " + join(File->Configurations, "; "));
  if (Options.Verbose && !File->LeftOut.empty())
    line(File->Path + ": too old to be looked at: " + join(File->LeftOut, ", "));
}

/// One old version against one new version. What did not pass is always named, what did where all
/// is asked for.
void TextRenderer::verification(const json::Object &V) {
  const json::Array &Cases = listOf(V, "cases");
  line("verified '" + textOf(V, "old") + "' against '" + textOf(V, "new") + "' (" +
       textOf(V, "engine") + "): " + textOf(V, "verdict") +
       (V.getArray("cases")
            ? ", " + std::to_string(Cases.size()) + (Cases.size() == 1 ? " case" : " cases")
            : ""));
  auto AllOf = [&](StringRef Indent, ArrayRef<std::string> Sentences) {
    for (const std::string &S : Sentences)
      line(Indent + S);
  };
  const std::string Engine = textOf(V, "engine");
  if (Options.Verbose) {
    line("  " + comparedInWords(V));
    if (const std::string Counts = countsInWords(V); !Counts.empty())
      line("  " + Counts);
  }
  eachObject(Cases, [&](const json::Object &C) {
    const std::string Verdict = textOf(C, "verdict");
    if (!Options.Verbose && (Verdict.empty() || Verdict == "pass"))
      return;
    std::string Text =
        "  " + textOf(C, "kernel") + ", " + textOf(C, "case") + ": " + verdictInWords(Verdict);
    if (Options.Verbose)
      Text += "; " + valueOf(C, "runs") + " runs, " + valueOf(C, "accesses") + " accesses, " +
              valueOf(C, "async_copies") + " asynchronous copies";
    if (const json::Object *T = C.getObject("timing"); T && Options.Verbose)
      Text += "; " + numberOf(*T, "old_microseconds", 2) + " us -> " +
              numberOf(*T, "new_microseconds", 2) + " us, " + valueOf(*T, "rounds") + " rounds";
    line(Text);
    AllOf("    ", faultsOf(C));
  });
  AllOf("  ", notCovered(V));
  eachObject(listOf(V, "archs"), [&](const json::Object &A) {
    const bool Passed = textOf(A, "verdict") == "pass";
    if (Passed && !Options.Verbose)
      return;
    line("  " + textOf(A, "arch") + ": " + verdictInWords(textOf(A, "verdict")));
    AllOf("    ", readersOf(A));
    eachObject(listOf(A, "kernels"), [&](const json::Object &K) { machineCode(K); });
  });
  if (const std::string Repeat = textOf(V, "repeat"); Options.Verbose && !Repeat.empty())
    line("  repeat with: " + Repeat);
}

void TextRenderer::machineCode(const json::Object &K) {
  const std::string Verdict = textOf(K, "verdict"), Symbol = textOf(K, "symbol");
  if (Verdict == "pass" && !Options.Verbose)
    return;
  line("    " + (textOf(K, "kernel").empty() ? Symbol : textOf(K, "kernel")) + ": " +
       verdictInWords(Verdict));
  if (const std::string Why = textOf(K, "reason"); !Why.empty())
    line("      " + Why);
  for (const json::Value &R : listOf(K, "remedies"))
    line("      to make it better: " + R.getAsString().value_or(""));
  if (!Options.Verbose)
    return;
  line("      in the machine code it is " + Symbol + "; the compute is " + textOf(K, "compute"));
  const json::Object *Old = K.getObject("old"), *New = K.getObject("new");
  for (const SassResource &Each : sassResources())
    line("      " + Each.Words.str() + ": " + (Old ? valueOf(*Old, Each.Key) : "") + " -> " +
         (New ? valueOf(*New, Each.Key) : ""));
  for (const json::Object *Side : {Old, New})
    if (Side)
      eachObject(listOf(*Side, "loops"), [&](const json::Object &Loop) {
        line("      " + std::string(Side == Old ? "old, " : "new, ") + sassVerdict(Loop));
        for (const std::string &S : sassNumbers(Loop))
          line("        " + S);
        eachObject(listOf(Loop, "excerpt"), [&](const json::Object &E) {
          if (const auto Skipped = E.getInteger("skipped")) {
            line("        ... " + Twine(*Skipped) +
                 (*Skipped == 1 ? " instruction" : " instructions") + " left out: " +
                 (textOf(E, "text").empty() ? textOf(E, "class") : textOf(E, "text")));
            return;
          }
          const std::string Mark = textOf(E, "mark");
          line(formatv("        {0:x-4}  {1,5}  {2,-8} {3}", E.getInteger("address").value_or(0),
                       valueOf(E, "line"), Mark == "other" ? "" : Mark, textOf(E, "text"))
                   .str());
        });
      });
}

/// What was measured: a line for each time; all that is known of it where all is asked for.
void TextRenderer::timings(const json::Object &B) {
  if (Options.Verbose)
    for (const std::string &S : benchHead(B))
      line(S);
  if (Options.Verbose)
    eachObject(listOf(B, "versions"), [&](const json::Object &V) {
      const auto Auto = V.getBoolean("auto");
      line("version '" + textOf(V, "name") + "' of '" + textOf(V, "file") +
           "': " + textOf(V, "kind") + ", " +
           (textOf(V, "made").empty() ? "the file as it is" : textOf(V, "made")) +
           (Auto && *Auto ? ", which --variant=auto gives" : ""));
    });
  eachObject(listOf(B, "cases"), [&](const json::Object &C) {
    const std::string Name = textOf(C, "kernel") + ", " + textOf(C, "case");
    if (const std::string Why = textOf(C, "reason"); !Why.empty())
      line("measured " + Name + ": " + verdictInWords(textOf(C, "verdict")) + ", " + Why);
    eachObject(listOf(C, "results"), [&](const json::Object &X) {
      const std::string Head = "measured " + Name + ", " + textOf(X, "version") + ": ";
      if (const std::string Why = textOf(X, "reason"); !Why.empty())
        line(Head + verdictInWords(textOf(X, "verdict")) + ", " + Why);
      if (!X.getNumber("median_us"))
        return;
      std::string Text = formatv("{0}{1:F3} us", Head, *X.getNumber("median_us"));
      if (const auto Ratio = X.getNumber("ratio"), Low = X.getNumber("ratio_low"),
          High = X.getNumber("ratio_high");
          Ratio && Low && High)
        Text += formatv(", {0:F3} times as fast ({1:F3} to {2:F3})", *Ratio, *Low, *High);
      if (const std::string Gpu = textOf(B, "gpu"); !Gpu.empty())
        Text += " on " + Gpu;
      line(Text);
      if (!Options.Verbose)
        return;
      Text = "  quartiles " + numberOf(X, "q1_us", 3) + " to " + numberOf(X, "q3_us", 3) +
             " us, least " + numberOf(X, "min_us", 3) + " us, " + valueOf(X, "n") + " rounds of " +
             valueOf(X, "launches_per_round") + " launches";
      for (auto [Key, Unit] :
           {std::pair<StringRef, StringRef>("gbps", " GB/s"), {"gflops", " GFLOP/s"}})
        if (const std::string V = numberOf(X, Key, 1); !V.empty())
          Text += ", " + V + Unit.str() + partOfCeiling(B, C, X, Key);
      if (const std::string V = numberOf(X, "overlap_efficiency", 3); !V.empty())
        Text += ", overlap efficiency " + V;
      if (const std::string V = valueOf(X, "dynamic_shared_bytes"); !V.empty())
        Text += ", " + V + " bytes of dynamic shared memory";
      line(Text);
      if (const std::string Stalls = stallsInWords(X); !Stalls.empty())
        line("  " + Stalls);
    });
    if (Options.Verbose)
      for (const std::string &S : caseSentences(C))
        line("  " + S);
  });
  if (!Options.Verbose)
    return;
  for (const json::Value &Line : listOf(B, "not_made"))
    line("not made: " + Line.getAsString().value_or(""));
  if (const std::string Repeat = textOf(B, "repeat"); !Repeat.empty())
    line("repeat with: " + Repeat);
}

void TextRenderer::renderSummary(const Report &R) {
  const json::Object *Verify = R.Verify ? R.Verify->getAsObject() : nullptr;
  if (Verify)
    eachObject(listOf(*Verify, "files"), [&](const json::Object &V) { verification(V); });
  if (const json::Object *Bench = R.Bench ? R.Bench->getAsObject() : nullptr)
    timings(*Bench);
  for (const FileReport &F : R.Files)
    if (!F.Output.empty() && F.Output != "-")
      line("wrote " + F.Output);
  if (!R.Withheld.empty())
    line("nothing was written: " + R.Withheld);
  line(summaryOf(R) +
       (Options.Verbose && !R.Archs.empty() ? ", for " + join(R.Archs, ", ") : std::string()));
}

void TextRenderer::render(const Report &R) {
  for (const FileReport &F : R.Files) {
    File = &F;
    renderFile();
    for (const LoopReport &L : F.Loops)
      renderLoop(L);
  }
  if (!Options.Quiet)
    renderSummary(R);
}

void renderText(const Report &R, const TextOptions &Options, SourceLines Lines, raw_ostream &OS) {
  bool ColorsBefore = OS.colors_enabled();
  OS.enable_colors(Options.Color);
  TextRenderer(Options, Lines, OS).render(R);
  OS.enable_colors(ColorsBefore);
}

} // namespace cuda_pipeline
