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
// On a terminal long lines are broken between words, and source is cut to what is around the caret, as Clang does; elsewhere a line
// stays a line. The bracket holds the check's name for loops as a whole and the reason's id for reasons.
//
//===----------------------------------------------------------------------===//

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
  void found(const Report &R);
  void color(raw_ostream::Colors C, bool Bold);
  void resetColor();

  const TextOptions &Options;
  SourceLines Lines;
  raw_ostream &OS;
  const FileReport *File = nullptr;
  StringRef Arch;           // of the occupancy
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

/// \p Text, which begins in \p Column, with line ends where the terminal would put some in the middle of words.
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
  auto IsInside = [&](size_t At) { return At < Shown.size() && (Shown[At] & 0xc0) == 0x80; }; // of a character
  size_t Begin = 0;
  if (CaretAt != StringRef::npos && widthOf(StringRef(Shown).take_front(CaretAt)) + Dots.size() + 8 > Room) {
    // The caret at a third of the width.
    Begin = CaretAt;
    while (Begin > 0 && (IsInside(Begin) || widthOf(StringRef(Shown).slice(Begin, CaretAt)) < Room / 3))
      --Begin;
  }
  const unsigned Left = Room - (Begin ? Dots.size() : 0);
  size_t End = Begin;
  while (End < Shown.size()) {
    size_t Next = End + 1;
    while (IsInside(Next))
      ++Next;
    if (widthOf(StringRef(Shown).slice(Begin, Next)) + (Next < Shown.size() ? Dots.size() : 0) > Left)
      break;
    End = Next;
  }
  if (CaretAt != StringRef::npos)
    CaretAt = CaretAt - Begin + (Begin ? Dots.size() : 0);
  Shown = (Begin ? Dots.str() : "") + Shown.substr(Begin, End - Begin) + (End < Shown.size() ? Dots.str() : "");
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
  for (size_t I = 0; I <= Text.size(); ++I) {
    if (P.Column != 0 && I + 1 == P.Column)
      CaretAt = Shown.size();
    if (I == Text.size())
      break;
    unsigned char C = Text[I];
    if (C == '\t') {
      int Width = std::max(sys::unicode::columnWidthUTF8(Shown), 0);
      Shown.append(TabStop - Width % TabStop, ' ');
    } else {
      // A control character would act on the terminal.
      Shown += C < 0x20 || C == 0x7f ? '?' : static_cast<char>(C);
    }
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
  std::string Head = File->Path + ":";
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
  wrapped((Message + (Tag.empty() ? "" : " [" + Tag + "]")).str(), widthOf(Head) + 1 + Kind);
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
  for (const Message &M : messagesOf(L, Arch, Options.Verbose))
    diagnose(M.Kind, {M.Line, M.Column}, M.Text, M.Tag);
}

/// What verification and bench have found, one line each.
void TextRenderer::found(const Report &R) {
  auto Say = [&](const std::string &Line) {
    wrapped(Line, 0);
    OS << '\n';
  };
  auto Text = [](const json::Object &O, StringRef Key) { return O.getString(Key).value_or("").str(); };
  const json::Object *Verify = R.Verify ? R.Verify->getAsObject() : nullptr;
  const json::Array *Files = Verify ? Verify->getArray("files") : nullptr;
  if (Files)
    for (const json::Value &V : *Files)
      if (const json::Object *F = V.getAsObject()) {
        std::string Line = "verified '" + Text(*F, "old") + "' against '" + Text(*F, "new") + "' (" + Text(*F, "engine") + "): " + Text(*F, "verdict");
        if (const json::Array *Cases = F->getArray("cases"))
          Line += ", " + std::to_string(Cases->size()) + (Cases->size() == 1 ? " case" : " cases");
        Say(Line);
      }
  const json::Object *Bench = R.Bench ? R.Bench->getAsObject() : nullptr;
  const json::Array *Cases = Bench ? Bench->getArray("cases") : nullptr;
  if (!Cases)
    return;
  for (const json::Value &V : *Cases) {
    const json::Object *C = V.getAsObject();
    const json::Array *Results = C ? C->getArray("results") : nullptr;
    if (!Results)
      continue;
    for (const json::Value &W : *Results)
      if (const json::Object *X = W.getAsObject(); X && X->getNumber("median_us")) {
        std::string Line = formatv("measured {0}, {1}, {2}: {3:F3} us", Text(*C, "kernel"), Text(*C, "case"), Text(*X, "version"), *X->getNumber("median_us"));
        if (const auto Ratio = X->getNumber("ratio"), Low = X->getNumber("ratio_low"), High = X->getNumber("ratio_high"); Ratio && Low && High)
          Line += formatv(", {0:F3} times as fast ({1:F3} to {2:F3})", *Ratio, *Low, *High);
        if (const std::string Gpu = Text(*Bench, "gpu"); !Gpu.empty())
          Line += " on " + Gpu;
        Say(Line);
      }
  }
}

void TextRenderer::renderSummary(const Report &R) {
  found(R);
  for (const FileReport &F : R.Files)
    if (!F.Output.empty() && F.Output != "-")
      OS << "wrote " << F.Output << '\n';
  wrapped(summaryOf(R), 0);
  OS << '\n';
}

void TextRenderer::render(const Report &R) {
  if (!R.Archs.empty())
    Arch = R.Archs.front();
  for (const FileReport &F : R.Files) {
    File = &F;
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
