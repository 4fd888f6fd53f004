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

enum class Severity { Warning, Remark, Note };

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
  void renderReason(const ReasonReport &R, const Place &Loop);
  void renderNumbers(const LoopReport &L, const Place &Loop);
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

static std::string stages(unsigned N) { return (Twine(N) + (N == 1 ? " stage" : " stages")).str(); }

static std::string plan(StringRef Variant, unsigned Stages) {
  return Stages == 0 ? Variant.str() : (Variant + ", " + stages(Stages)).str();
}

static StringRef limiterInWords(StringRef Limiter) {
  return Limiter == "shared-memory" ? StringRef("shared memory") : Limiter;
}

void TextRenderer::renderNumbers(const LoopReport &L, const Place &Loop) {
  bool HasPlan = L.Status == LoopStatus::Rewritten || L.Status == LoopStatus::Opportunity;
  auto Say = [&](const Twine &Message) { diagnose(Severity::Note, Loop, Message); };

  if (!L.Why.empty() && HasPlan)
    Say("chosen because " + Twine(L.Why));
  if (HasPlan && L.Smem.Limit != 0)
    Say("shared memory of '" + Twine(L.Kernel) + "': " + Twine(L.Smem.Before) + " -> " +
        Twine(L.Smem.After) + " of " + Twine(L.Smem.Limit) + " bytes");
  if (HasPlan && L.HasOccupancy) {
    std::string Message;
    raw_string_ostream M(Message);
    M << "occupancy: " << L.Occupancy.Before << " -> " << L.Occupancy.After << " blocks per SM";
    if (!Arch.empty())
      M << " of " << Arch;
    if (!L.Occupancy.Limiter.empty())
      M << ", limited by " << limiterInWords(L.Occupancy.Limiter);
    if (!L.BlockSize.empty())
      M << "; block size " << L.BlockSize;
    Say(Message);
  }
  if ((HasPlan || Options.Verbose) && L.HasRatio) {
    std::string Message;
    raw_string_ostream M(Message);
    M << "compute/load ratio: " << format("%.4g", L.Ratio.FlopsPerByte) << " FLOP per byte ("
      << L.Ratio.Flops << " FLOP, " << L.Ratio.Bytes << " bytes per block and iteration)";
    Say(Message);
  }
  if (HasPlan || Options.Verbose) {
    for (const CopyReport &C : L.Copies) {
      std::string Message;
      raw_string_ostream M(Message);
      M << "copy into '" << C.Buffer << "'";
      if (!C.Method.empty())
        M << " by " << C.Method;
      if (C.BytesPerThread != 0)
        M << ", " << C.BytesPerThread << (C.BytesPerThread == 1 ? " byte" : " bytes")
          << " at a time";
      diagnose(Severity::Note, C.Line != 0 ? Place{C.Line, 0} : Loop, Message);
    }
  }
  for (const std::string &Function : L.Inlined)
    Say("the text of '" + Function + "' takes the place of its call");
  for (const std::string &Said : L.Reworded)
    Say(Said);
  for (const std::string &Tile : L.Gathered)
    Say("the load of '" + Tile + "' moves into the load phase at the top of the iteration");
  if (L.Dynamic) {
    const StringRef Which = L.Dynamic->Beside ? "the stages behind the first" : "the stages";
    Say(Which + " are in dynamic shared memory: launches with less than " + Twine(L.Dynamic->Beside ? L.Stages - 1 : L.Stages) + " * (" + L.Dynamic->StageBytes +
        ") bytes of it run the loop as it was" +
        (L.Dynamic->Block.empty() ? "" : ", and so do those of another block than " + L.Dynamic->Block));
    for (const DynamicReport::Size &S : L.Dynamic->Sizes)
      diagnose(Severity::Note, Place{S.Line, 0}, "here it becomes " + Twine(S.Text));
    if (L.Dynamic->Sizes.empty())
      Say("no size in this file could be changed: give the kernel more where it is launched");
  }
  if (!L.AskedBlock.empty())
    Say("the registers are counted for one size of the block: unless " + Twine(L.AskedBlock) + ", the loop runs as it was");
  for (const std::string &A : L.Assumptions)
    Say("assumes: " + Twine(A));

  if (!Options.Verbose)
    return;
  for (const BufferReport &B : L.Buffers)
    Say("tile '" + Twine(B.Name) + "': " + Twine(B.Bytes) + " bytes per stage");
  for (const CandidateReport &C : L.Candidates) {
    std::string Message;
    raw_string_ostream M(Message);
    M << "candidate " << plan(C.Variant, C.Stages) << ": ";
    if (!C.Rejected.empty())
      M << "not chosen: " << C.Rejected;
    else
      M << "chosen";
    if (C.Score != 0)
      M << " (score " << format("%.3g", C.Score) << ')';
    Say(Message);
  }
}

void TextRenderer::renderReason(const ReasonReport &R, const Place &Loop) {
  Place P = R.Line != 0 ? Place{R.Line, R.Column} : Loop;
  diagnose(Severity::Note, P, R.Message, info(R.Id).Id);
  for (const Note &N : R.Notes)
    diagnose(Severity::Note, N.Line != 0 ? Place{N.Line, N.Column} : P, N.Message);
  if (!R.Remedy.empty())
    diagnose(Severity::Note, P, "to make it possible: " + Twine(R.Remedy));
}

void TextRenderer::renderLoop(const LoopReport &L) {
  Place Loop{L.Line, L.Column};
  constexpr StringLiteral Tag = "cuda-pipeline";
  std::string In = L.Kernel.empty() ? "" : (L.IsKernel ? " of kernel '" : " of function '") + L.Kernel + "'";
  std::string Because = L.Why.empty() ? "" : ": " + L.Why;
  Shown.clear();

  switch (L.Status) {
  case LoopStatus::Rewritten:
    if (L.AlthoughRefused)
      diagnose(Severity::Warning, Loop,
               "NOT SOUND, for tests only: pipelined with " + plan(L.Variant, L.Stages) +
                   " although it is refused",
               Tag);
    else
      diagnose(Severity::Remark, Loop, "pipelined with " + plan(L.Variant, L.Stages), Tag);
    break;
  case LoopStatus::Opportunity:
    diagnose(Severity::Warning, Loop,
             "tile loop can be software-pipelined with " + plan(L.Variant, L.Stages) +
                 (L.MachineApplicable ? "" : ", if what it assumes is true"),
             Tag);
    break;
  case LoopStatus::Refused:
    diagnose(Severity::Warning, Loop, "tile loop" + In + " is not pipelined", Tag);
    break;
  case LoopStatus::Unprofitable:
    diagnose(Severity::Remark, Loop, "left as it is, pipelining would not pay" + Because, Tag);
    break;
  case LoopStatus::AlreadyPipelined:
    diagnose(Severity::Remark, Loop, "already pipelined" + Because, Tag);
    break;
  case LoopStatus::NotSelected:
  case LoopStatus::Suppressed:
    if (!Options.Verbose)
      return;
    diagnose(Severity::Remark, Loop,
             (L.Status == LoopStatus::Suppressed ? "suppressed in the source" : "not selected") +
                 Because,
             Tag);
    break;
  }
  for (const ReasonReport &R : L.Reasons)
    renderReason(R, Loop);
  renderNumbers(L, Loop);
}

void TextRenderer::renderSummary(const Report &R) {
  unsigned Count[static_cast<unsigned>(LoopStatus::Suppressed) + 1] = {};
  unsigned Loops = 0;
  for (const FileReport &F : R.Files) {
    for (const LoopReport &L : F.Loops) {
      ++Count[static_cast<unsigned>(L.Status)];
      ++Loops;
    }
    if (!F.Output.empty() && F.Output != "-")
      OS << "wrote " << F.Output << '\n';
  }
  if (Loops == 0) {
    OS << "no tile loops found\n";
    return;
  }

  auto Of = [&](LoopStatus S) { return Count[static_cast<unsigned>(S)]; };
  OS << Loops << (Loops == 1 ? " loop: " : " loops: ");
  ListSeparator Comma;
  if (unsigned N = Of(LoopStatus::Opportunity))
    OS << Comma << N << " can be pipelined";
  // "0 rewritten" is an answer too, except in check mode.
  if (Of(LoopStatus::Rewritten) != 0 || Of(LoopStatus::Opportunity) == 0)
    OS << Comma << Of(LoopStatus::Rewritten) << " rewritten";
  OS << Comma << Of(LoopStatus::Refused) << " refused";
  if (unsigned N = Of(LoopStatus::Unprofitable))
    OS << Comma << N << " unprofitable";
  if (unsigned N = Of(LoopStatus::AlreadyPipelined))
    OS << Comma << N << " already pipelined";
  if (unsigned N = Of(LoopStatus::NotSelected))
    OS << Comma << N << " not selected";
  if (unsigned N = Of(LoopStatus::Suppressed))
    OS << Comma << N << " suppressed";
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
