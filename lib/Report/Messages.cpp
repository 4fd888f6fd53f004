//===- Messages.cpp - What is said of a loop ------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words of the text report, of clang-tidy, of an editor and of SARIF are the same: they come
// from here.
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace cuda_pipeline {

/// "8-way", "2.5-way": as many wavefronts as without conflicts.
static std::string ways(double Wavefronts, double Least) {
  std::string Text;
  raw_string_ostream(Text) << format("%.3g", Wavefronts / Least) << "-way";
  return Text;
}

static std::string inBytes(uint64_t N) { return std::to_string(N) + (N == 1 ? " byte" : " bytes"); }

/// What becomes of the width of copies, in a sentence, with its line; 0: none.
static std::pair<unsigned, std::string> widthInWords(const WidthReport &W) {
  std::string Tiles;
  for (const std::string &Tile : W.Buffers)
    Tiles += (Tiles.empty() ? "'" : ", '") + Tile + "'";
  if (!W.WhyNot.empty())
    return {W.WhyLine,
            "copies into " + Tiles + " stay at " + inBytes(W.BytesBefore) + ": " + W.WhyNot};
  if (W.BytesAfter == W.BytesBefore)
    return {0, ""};
  return {W.Line, "copies into " + Tiles + ": " + inBytes(W.BytesAfter) + " at a time instead of " +
                      inBytes(W.BytesBefore) +
                      (W.Test.empty() ? "" : ", where " + W.Test + "; else as they were")};
}

/// What the banks say of one tile, in sentences, each with its line; 0: none.
static std::vector<std::pair<unsigned, std::string>> layoutInWords(const LayoutReport &L) {
  std::vector<std::pair<unsigned, std::string>> Out;
  const bool Changes = L.PitchAfter != L.PitchBefore;
  if (Changes)
    Out.push_back({0, formatv("rows of '{0}' are {1} bytes apart instead of {2}", L.Buffer,
                              L.PitchAfter, L.PitchBefore)
                          .str()});
  const auto AreMany = [](double Wavefronts, double Least) { return Wavefronts > 1.05 * Least; };
  for (const ConflictReport &A : L.Accesses) {
    if (A.Least == 0 || (!AreMany(A.Before, A.Least) && !AreMany(A.After, A.Least)))
      continue;
    const StringRef Kind = A.Write ? "store" : "read";
    std::string Text = formatv("bank conflicts in '{0}': {1} on {2:F0} {3}{4} of {5} {6} per tile",
                               L.Buffer, ways(A.Before, A.Least), A.Times, Kind,
                               A.Times == 1 ? "" : "s", A.Bytes, A.Bytes == 1 ? "byte" : "bytes");
    if (Changes)
      Text += AreMany(A.After, A.Least) ? ", now " + ways(A.After, A.Least) : ", none any more";
    Out.push_back({A.Line, std::move(Text)});
  }
  if (!L.WhyNot.empty())
    Out.push_back({L.Line, "rows of '" + L.Buffer + "' stay as they are: " + L.WhyNot});
  return Out;
}

namespace {

struct Place {
  unsigned Line = 0, Column = 0; // 0: unknown
};

class Speaker {
public:
  Speaker(const LoopReport &L, StringRef Arch, bool Verbose) : L(L), Arch(Arch), Verbose(Verbose) {}
  void loop();
  void numbers(const Place &Loop);
  void phases(const Place &Loop);
  void candidates(const Place &Loop);
  std::vector<Message> Said;

private:
  void reason(const ReasonReport &R, const Place &Loop);
  void say(Severity S, const Place &P, const Twine &Text, StringRef Tag = "") {
    Said.push_back({S, P.Line, P.Column, Text.str(), Tag.str()});
  }
  const LoopReport &L;
  const StringRef Arch; // of the occupancy
  const bool Verbose;
};

} // namespace

static std::string stages(unsigned N) { return (Twine(N) + (N == 1 ? " stage" : " stages")).str(); }

std::string planInWords(StringRef Variant, unsigned Stages) {
  return Stages == 0 ? Variant.str() : (Variant + ", " + stages(Stages)).str();
}

static StringRef limiterInWords(StringRef Limiter) {
  return Limiter == "shared-memory" ? StringRef("shared memory") : Limiter;
}

/// "load 43 to 45, barrier 46"
static std::string phasesInWords(ArrayRef<PhaseReport> Phases) {
  std::string Text;
  for (const PhaseReport &P : Phases) {
    Text += (Text.empty() ? "" : ", ") + P.Kind + " " + std::to_string(P.Line);
    if (P.EndLine != P.Line)
      Text += " to " + std::to_string(P.EndLine);
  }
  return Text;
}

static std::string linesInWords(unsigned First, unsigned Last) {
  return First == Last ? "line " + std::to_string(First)
                       : "lines " + std::to_string(First) + " to " + std::to_string(Last);
}

static std::string registersInWords(const RegisterReport &R) {
  std::string Text =
      formatv("registers per thread: {0} -> {1} by nvcc for {2}, in blocks of up to {3} threads",
              R.Before, R.After, R.Arch, R.LargestAfter)
          .str();
  if (R.LargestAfter < R.LargestBefore)
    Text += formatv(", before {0}", R.LargestBefore).str();
  if (R.SpillBefore != 0 || R.SpillAfter != 0)
    Text += formatv("; {0} -> {1} bytes of spilled registers are stored and loaded", R.SpillBefore,
                    R.SpillAfter)
                .str();
  return Text;
}

static std::string noLaunchInWords(const RegisterReport &R) {
  return formatv("a block of {0} threads does not launch any more, with {1} registers per thread, "
                 "before {2}: declare the kernel with "
                 "__launch_bounds__ for the largest block that is launched, launch smaller ones, "
                 "or take another variant",
                 R.Needed, R.After, R.Before)
      .str();
}

void Speaker::numbers(const Place &Loop) {
  bool HasPlan = L.Status == LoopStatus::Rewritten || L.Status == LoopStatus::Opportunity;
  auto Say = [&](const Twine &Message) { say(Severity::Note, Loop, Message); };

  if (Verbose && L.Line != 0 && L.EndLine > L.Line)
    Say("the loop is in " + linesInWords(L.Line, L.EndLine) +
        (L.FunctionLine ? ", its function in " + linesInWords(L.FunctionLine, L.FunctionEndLine)
                        : std::string()));
  if (Verbose && !L.InFile.empty())
    Say("the loop is in '" + Twine(L.InFile) + "'");
  if (!L.Why.empty() && HasPlan)
    Say("chosen because " + Twine(L.Why));
  if (!L.Why.empty() && Verbose && L.Status == LoopStatus::Refused)
    Say(L.Why);
  if (Verbose && HasPlan)
    Say("applicability: " + Twine(L.MachineApplicable ? "machine-applicable" : "maybe-incorrect"));
  if ((HasPlan || Verbose) && L.Smem.Limit != 0)
    Say("shared memory of '" + Twine(L.Kernel) + "': " + Twine(L.Smem.Before) +
        (HasPlan ? " -> " + Twine(L.Smem.After).str() : std::string()) + " of " +
        Twine(L.Smem.Limit) + " bytes" +
        (L.Smem.Complete
             ? ""
             : "; what its launches give in dynamic shared memory comes on top, and is not known"));
  if ((HasPlan || Verbose) && L.HasOccupancy) {
    std::string Message;
    raw_string_ostream M(Message);
    M << "occupancy: " << L.Occupancy.Before;
    if (HasPlan)
      M << " -> " << L.Occupancy.After;
    M << " blocks per SM";
    if (!Arch.empty())
      M << " of " << Arch;
    if (!L.Occupancy.Limiter.empty())
      M << ", limited by " << limiterInWords(L.Occupancy.Limiter);
    if (!L.BlockSize.empty())
      M << "; block size " << L.BlockSize;
    if (!L.Registers)
      M << "; registers are not counted";
    Say(Message);
  } else if (Verbose && !L.BlockSize.empty()) {
    Say("block size " + Twine(L.BlockSize));
  }
  if (L.Registers)
    Say(registersInWords(*L.Registers));
  if (L.Registers && !L.Registers->launches()) // what was made does not run
    say(Severity::Warning, Loop, noLaunchInWords(*L.Registers));
  if ((HasPlan || Verbose) && L.HasRatio) {
    std::string Message;
    raw_string_ostream M(Message);
    M << "compute/load ratio: " << format("%.4g", L.Ratio.FlopsPerByte) << " FLOP per byte ("
      << L.Ratio.Flops << " FLOP, " << L.Ratio.Bytes << " bytes per block and iteration)";
    Say(Message);
  }
  if (HasPlan || Verbose) {
    for (const CopyReport &C : L.Copies) {
      std::string Message;
      raw_string_ostream M(Message);
      M << "copy into '" << C.Buffer << "'";
      if (!C.Method.empty())
        M << " by " << C.Method;
      if (C.BytesPerThread != 0)
        M << ", " << C.BytesPerThread << (C.BytesPerThread == 1 ? " byte" : " bytes")
          << " at a time";
      say(Severity::Note, C.Line != 0 ? Place{C.Line, 0} : Loop, Message);
    }
  }
  for (const WidthReport &W : L.Widths)
    if (const auto [Line, Said] = widthInWords(W); !Said.empty())
      say(Severity::Note, Line != 0 ? Place{Line, 0} : Loop, Said);
  for (const LayoutReport &Layout : L.Layouts)
    for (const auto &[Line, Said] : layoutInWords(Layout))
      say(Severity::Note, Line != 0 ? Place{Line, 0} : Loop, Said);
  if (HasPlan && L.StagedRegisters != 0)
    Say("the next tile takes " + Twine(L.StagedRegisters) +
        (L.StagedRegisters == 1 ? " register" : " registers") +
        " per thread while this one is computed on");
  for (const std::string &Function : L.Inlined)
    Say("the text of '" + Function + "' takes the place of its call");
  for (const std::string &Said : L.Reworded)
    Say(Said);
  for (const std::string &Hint : L.Hints)
    Say(Hint + " keeps the compiler from undoing it");
  for (const std::string &Tile : L.Gathered)
    Say("the load of '" + Tile + "' moves into the load phase at the top of the iteration");
  if (L.Dynamic) {
    const StringRef Which = L.Dynamic->Beside ? "the stages behind the first" : "the stages";
    Say(Which + " are in dynamic shared memory: launches with less than " +
        (L.Dynamic->InFront ? std::to_string(L.Dynamic->InFront) + " + " : "") +
        Twine(L.Dynamic->Beside ? L.Stages - 1 : L.Stages) + " * (" + L.Dynamic->StageBytes +
        ") bytes of it run the loop as it was" +
        (L.Dynamic->Block.empty() ? "" : ", and so do those without " + L.Dynamic->Block));
    for (const DynamicReport::Size &S : L.Dynamic->Sizes)
      say(Severity::Note, Place{S.Line, 0}, "here it becomes " + Twine(S.Text));
    if (L.Dynamic->Sizes.empty())
      Say("no size in this file could be changed: give the kernel more where it is launched");
  }
  if (!L.AskedBlock.empty())
    Say("what is written holds for " +
        Twine(L.AsksAtLeast ? "blocks that are not small" : "one size of the block") + ": unless " +
        Twine(L.AskedBlock) + ", the loop runs as it was");
  if (L.SelfCheck && L.SelfCheck->Result != SelfCheckReport::Verdict::Off &&
      HasPlan) // else the reason says it
    Say(selfCheckInWords(*L.SelfCheck));
  for (const std::string &A : L.Assumptions)
    Say("assumes: " + Twine(A) +
        (A == "registers" && !L.Registers ? " (not counted; 'explain registers')" : ""));

  if (!Verbose)
    return;
  for (const BufferReport &B : L.Buffers)
    Say("tile '" + Twine(B.Name) + "': " +
        (B.Bytes ? Twine(B.Bytes).str() + " bytes per stage"
                 : std::string("of a size that is not known")));
}

void Speaker::phases(const Place &Loop) {
  if (!L.Phases.empty())
    say(Severity::Note, Loop, "phases, by line: " + phasesInWords(L.Phases));
  if (!L.NewPhases.empty())
    say(Severity::Note, Loop, "phases, by line of the output: " + phasesInWords(L.NewPhases));
}

void Speaker::candidates(const Place &Loop) {
  for (const CandidateReport &C : L.Candidates) {
    std::string Message;
    raw_string_ostream M(Message);
    M << "candidate " << planInWords(C.Variant, C.Stages) << ": ";
    if (!C.Rejected.empty())
      M << "not chosen: " << C.Rejected;
    else
      M << (L.Variant.empty() ? "not rejected" : "chosen");
    if (C.Score != 0)
      M << " (score " << format("%.3g", C.Score) << ')';
    say(Severity::Note, Loop, Message);
  }
}

void Speaker::reason(const ReasonReport &R, const Place &Loop) {
  Place P = R.Line != 0 ? Place{R.Line, R.Column} : Loop;
  say(Severity::Note, P, R.Message, info(R.Id).Id);
  for (const Note &N : R.Notes)
    say(Severity::Note, N.Line != 0 ? Place{N.Line, N.Column} : P, N.Message);
  if (!R.Remedy.empty())
    say(Severity::Note, P, "to make it possible: " + Twine(R.Remedy));
}

std::string selfCheckInWords(const SelfCheckReport &S) {
  switch (S.Result) {
  case SelfCheckReport::Verdict::Off:
    return "self-check: off";
  case SelfCheckReport::Verdict::Fail:
    return "self-check: FAILED: " + S.Why;
  case SelfCheckReport::Verdict::CannotTell:
    return "self-check: cannot tell: " + S.Why;
  case SelfCheckReport::Verdict::Pass:
    break;
  }
  std::string Text =
      formatv("self-check: run against the original in {0} launch{1}, the same bit for bit: ",
              S.Launches, S.Launches == 1 ? "" : "es")
          .str();
  auto List = [](const auto &Of) {
    std::string All;
    for (const auto &One : Of)
      All += (All.empty() ? "" : ", ") + formatv("{0}", One).str();
    return All;
  };
  Text += "blocks " + List(S.Blocks);
  if (!S.Turns.empty())
    Text += "; turns " + List(S.Turns);
  if (S.Guards != 0)
    Text += formatv("; {0} of {1} condition{2} both ways", S.BothWays, S.Guards,
                    S.Guards == 1 ? "" : "s")
                .str();
  Text +=
      S.Order.empty() ? "; in every schedule" : "; in the schedules that were run, for " + S.Order;
  Text += S.Data.empty() ? "; for all data" : "; " + S.Data;
  return Text;
}

/// " (predicted 1.08x)" of what was chosen; empty where nothing is predicted.
static std::string predicted(const LoopReport &L) {
  for (const CandidateReport &C : L.Candidates)
    if (C.Variant == L.Variant && C.Stages == L.Stages && C.Score != 0)
      return formatv(" (predicted {0:F2}x)", C.Score).str();
  return "";
}

void Speaker::loop() {
  Place Loop{L.Line, L.Column};
  constexpr StringLiteral Tag = "cuda-pipeline";
  std::string In =
      L.Kernel.empty() ? "" : (L.IsKernel ? " of kernel '" : " of function '") + L.Kernel + "'";
  std::string Because = L.Why.empty() ? "" : ": " + L.Why;

  switch (L.Status) {
  case LoopStatus::Rewritten:
    if (L.AlthoughRefused)
      say(Severity::Warning, Loop,
          "NOT SOUND, for tests only: pipelined with " + planInWords(L.Variant, L.Stages) +
              " although it is refused",
          Tag);
    else if (L.Withheld)
      say(Severity::Remark, Loop,
          "would be pipelined with " + planInWords(L.Variant, L.Stages) + "; it was not written",
          Tag);
    else
      say(Severity::Remark, Loop, "pipelined with " + planInWords(L.Variant, L.Stages), Tag);
    break;
  case LoopStatus::Opportunity:
    say(Severity::Warning, Loop,
        "pipeline this tile loop with " + planInWords(L.Variant, L.Stages) + predicted(L) +
            (L.MachineApplicable ? "" : ", if what it assumes is true"),
        Tag);
    break;
  case LoopStatus::Refused:
    say(Severity::Warning, Loop, "tile loop" + In + " is not pipelined", Tag);
    break;
  case LoopStatus::Unprofitable:
    say(Severity::Remark, Loop, "left as it is, pipelining would not pay" + Because, Tag);
    break;
  case LoopStatus::AlreadyPipelined:
    say(Severity::Remark, Loop, "already pipelined" + Because, Tag);
    break;
  case LoopStatus::NotSelected:
  case LoopStatus::Suppressed:
    if (!Verbose)
      return;
    say(Severity::Remark, Loop,
        (L.Status == LoopStatus::Suppressed ? "suppressed in the source" : "not selected") +
            Because,
        Tag);
    break;
  }
  for (const ReasonReport &R : L.Reasons)
    reason(R, Loop);
  numbers(Loop);
  if (Verbose) {
    phases(Loop);
    candidates(Loop);
  }
}

std::vector<Message> messagesOf(const LoopReport &L, StringRef Arch, bool Verbose) {
  Speaker S(L, Arch, Verbose);
  S.loop();
  return std::move(S.Said);
}

std::vector<Message> factsOf(const LoopReport &L, StringRef Arch) {
  Speaker S(L, Arch, /*Verbose=*/true);
  S.numbers({L.Line, L.Column});
  return std::move(S.Said);
}

std::string summaryOf(const Report &R) {
  unsigned Count[static_cast<unsigned>(LoopStatus::Suppressed) + 1] = {};
  unsigned Loops = 0, Withheld = 0;
  for (const FileReport &F : R.Files)
    for (const LoopReport &L : F.Loops) {
      ++Loops;
      if (L.Withheld)
        ++Withheld;
      else
        ++Count[static_cast<unsigned>(L.Status)];
    }
  std::string Text;
  raw_string_ostream OS(Text);
  const size_t NotRead =
      count_if(R.Files, [](const FileReport &F) { return F.Problem != FileProblem::None; });
  auto Unread = [&] {
    if (NotRead != 0)
      OS << "; " << NotRead << " of " << R.Files.size()
         << (R.Files.size() == 1 ? " file" : " files") << " not analysed";
  };
  if (Loops == 0) {
    OS << "no tile loops found";
    Unread();
    return Text;
  }

  auto Of = [&](LoopStatus S) { return Count[static_cast<unsigned>(S)]; };
  OS << Loops << (Loops == 1 ? " loop: " : " loops: ");
  ListSeparator Comma;
  if (unsigned N = Of(LoopStatus::Opportunity))
    OS << Comma << N << " can be pipelined";
  // "0 rewritten" is an answer too, except in check mode.
  if (Of(LoopStatus::Rewritten) != 0 || Of(LoopStatus::Opportunity) == 0)
    OS << Comma << Of(LoopStatus::Rewritten) << " rewritten";
  if (Withheld != 0)
    OS << Comma << Withheld << " not written";
  OS << Comma << Of(LoopStatus::Refused) << " refused";
  if (unsigned N = Of(LoopStatus::Unprofitable))
    OS << Comma << N << " unprofitable";
  if (unsigned N = Of(LoopStatus::AlreadyPipelined))
    OS << Comma << N << " already pipelined";
  if (unsigned N = Of(LoopStatus::NotSelected))
    OS << Comma << N << " not selected";
  if (unsigned N = Of(LoopStatus::Suppressed))
    OS << Comma << N << " suppressed";
  Unread();
  return Text;
}

} // namespace cuda_pipeline
