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
// The bracket holds the check's name for loops as a whole and the reason's id for reasons.
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
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

  OS << format("%5u", P.Line) << " | " << Shown << '\n';
  if (CaretAt == StringRef::npos)
    return;
  int Indent = sys::unicode::columnWidthUTF8(StringRef(Shown).take_front(CaretAt));
  if (Indent < 0) // not UTF-8
    Indent = static_cast<int>(CaretAt);
  OS << "      | ";
  OS.indent(Indent);
  color(raw_ostream::GREEN, /*Bold=*/true);
  OS << '^';
  resetColor();
  OS << '\n';
}

void TextRenderer::diagnose(Severity S, const Place &P, const Twine &Message, StringRef Tag) {
  color(raw_ostream::SAVEDCOLOR, /*Bold=*/true);
  OS << File->Path << ':';
  if (P.Line != 0) {
    OS << P.Line << ':';
    if (P.Column != 0)
      OS << P.Column << ':';
  }
  OS << ' ';
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
  OS << Message;
  if (!Tag.empty())
    OS << " [" << Tag << ']';
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

void TextRenderer::renderSummary(const Report &R) {
  for (const FileReport &F : R.Files)
    if (!F.Output.empty() && F.Output != "-")
      OS << "wrote " << F.Output << '\n';
  OS << summaryOf(R) << '\n';
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
