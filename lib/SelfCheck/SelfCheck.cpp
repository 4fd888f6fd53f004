//===- SelfCheck.cpp - A rewrite is run before it is handed out ------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
///   1. compile   both texts to device code, for each configuration
///   2. run       each kernel that has changed, under launches that are searched for
///   3. judge     each loop by the kernels that have it: their loops are known by their lines in
///   the new text
///   4. withdraw  what failed, and begin again with what is left
///
//===----------------------------------------------------------------------===//
#include "cuda-pipeline/SelfCheck.h"
#include "../Report/UnifiedDiff.h"
#include "../Rewriter/ResultRecord.h"
#include "../Support/Isolate.h"
#include "../Support/Messages.h"
#include "Versions.h"
#include "cuda-pipeline/CompileDevice.h"
#include "cuda-pipeline/Verify.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <chrono>
#include <map>
#include <set>
#include <tuple>

using namespace llvm;

namespace cuda_pipeline {
namespace {

using Clock = std::chrono::steady_clock;
using Outcome = SelfCheckReport::Verdict;

/// Of one loop in one configuration; none: no kernel has it there.
using Judgement = std::optional<SelfCheckReport>;

SelfCheckReport undecided(const Twine &Why) {
  SelfCheckReport R;
  R.Result = Outcome::CannotTell;
  R.Why = Why.str();
  return R;
}

class Ceiling {
public:
  explicit Ceiling(double Seconds)
      : Seconds(Seconds),
        End(Clock::now() + std::chrono::milliseconds(static_cast<int64_t>(Seconds * 1000))) {}
  double left() const { return std::chrono::duration<double>(End - Clock::now()).count(); }
  std::string why() const {
    return formatv("time: {0:F0} seconds were not enough (--self-check-budget)", Seconds).str();
  }

private:
  double Seconds;
  Clock::time_point End;
};

//===--- 1. and 2. ------------------------------------------------------------===//

/// Of Clang's messages about what the emulator reads.
std::string firstError(StringRef Messages, Error E) {
  const std::string Text = toString(std::move(E)), Telling = tellingLine(Messages);
  const auto [Place, What] = StringRef(Telling).split("error: ");
  return What.empty() ? Text : What.str();
}

/// The same code, launched in the same way, is run once, whatever it is compiled for.
bool sameDevice(const DeviceModule &A, const DeviceModule &B) {
  return std::equal(A.Code.begin(), A.Code.end(), B.Code.begin(), B.Code.end(),
                    [](const auto &X, const auto &Y) {
                      return X.first == Y.first && X.second.Text == Y.second.Text;
                    }) &&
         std::equal(A.Launches.begin(), A.Launches.end(), B.Launches.begin(), B.Launches.end(),
                    [](const KernelLaunch &X, const KernelLaunch &Y) {
                      return std::tie(X.Mangled, X.Grid, X.Block, X.SharedBytes) ==
                             std::tie(Y.Mangled, Y.Grid, Y.Block, Y.SharedBytes);
                    });
}

/// Loops that may be in \p Kernel, by the name of their function: one that is no kernel may be
/// called by any.
bool mayHave(const KernelSignature &Kernel, const LoopReport &L) {
  return L.InNewText.First != 0 && (!L.IsKernel || plainName(L.Kernel) == plainName(Kernel.Name));
}

VerifyReport run(const std::vector<DeviceModule> &Versions, ArrayRef<LoopReport> Loops,
                 const VerifyOptions &Options, const Ceiling &Time, bool &OutOfTime) {
  VerifyReport R;
  std::vector<VerifyKernel> Kernels = kernelsToSearch(Versions, {}, /*OnlyChanged=*/true);
  std::vector<VerifyCase> NotRun;
  compareLaunches(Versions[0], Versions[1], Kernels, NotRun);
  // What changed and is not run may have any loop.
  for (const KernelSignature &K : Versions[1].Kernels)
    if (none_of(Kernels, [&](const VerifyKernel &V) { return V.New.Mangled == K.Mangled; }) &&
        !sameCode(Versions[0], Versions[1], K.Mangled)) {
      VerifyCase C;
      C.Kernel = K.launchName();
      C.Result = Verdict::CannotTell;
      C.Reason = K.launchName() + " is not given what it was given in the original";
      NotRun.push_back(std::move(C));
    }
  for (VerifyKernel &K : Kernels) {
    VerifyOptions Of = Options;
    Of.TimeoutSeconds = std::max(Time.left(), 0.01);
    for (const LoopReport &L : Loops)
      if (mayHave(K.New, L)) {
        if (L.AskedExtents[0] != 0 && !K.Asked) {
          K.Asked = L.AskedExtents;
          K.AsksAtLeast = L.AsksAtLeast;
        }
        Of.Aliases &= !is_contained(L.Assumptions, "no-alias");
        Of.CoResident |= is_contained(L.Assumptions, "co-resident");
      }
    for (VerifyCase &C : emulate(Versions[0], Versions[1], K, Of)) {
      if (C.Fault && C.Fault->Kind == "timeout") {
        OutOfTime = true;
        C.Reason = Time.why();
      }
      R.Cases.push_back(std::move(C));
    }
  }
  append_range(R.Cases, NotRun);
  return R;
}

//===--- 3. judge -------------------------------------------------------------===//

class Judge {
public:
  /// \p File: the name of the file that has the loop. \p OnlyKept: what was run never takes the
  /// pipelined version.
  Judge(const VerifyReport &Report, const LoopReport &Loop, StringRef File, bool OnlyKept = false)
      : Report(Report), Lines(Loop.InNewText), Name(sys::path::filename(File)), OnlyKept(OnlyKept) {
  }

  /// As run(), but whatever becomes of the loop as it was.
  Judgement withoutKept() {
    AskKept = false;
    return run();
  }
  /// The loop as it was stays beside the pipelined one, and nobody has come to it.
  bool keptIsLeft() const {
    return Lines.Kept != 0 && none_of(Cases, [&](const VerifyCase *C) {
             return any_of(C->Loops, [&](const VerifyLoop &L) {
               return isHere(L) && L.At.Line >= Lines.Kept && L.Made >= 1;
             });
           });
  }

  Judgement run() {
    findKernels();
    if (Cases.empty())
      return std::nullopt;
    SelfCheckReport R = summary();
    auto Cannot = [&](const Twine &Why) {
      R.Result = Outcome::CannotTell;
      R.Why = Why.str();
      return R;
    };
    R.Result = Outcome::Fail;
    for (const VerifyCase *C : Cases)
      if (C->Result == Verdict::Fail) {
        R.Why = (C->Kernel + ", " + C->Case + ": " + C->Reason);
        return R;
      }
    for (const VerifyCase *C : Cases)
      if (C->Result == Verdict::CannotTell)
        return Cannot(C->Reason);
    for (const std::string &Kernel : OnlyKept ? std::set<std::string>() : Kernels)
      if (std::string Why = notShown(Kernel); !Why.empty())
        return Cannot(Why);
    if (AskKept && keptIsLeft())
      return Cannot("no launch was found for which the loop runs as it was, as it does where the "
                    "kernel is not given what its new text asks for");
    R.Result = Outcome::Pass;
    return R;
  }

private:
  const VerifyReport &Report;
  const NewLines &Lines;
  const StringRef Name;
  const bool OnlyKept;
  bool AskKept = true;
  std::set<std::string> Kernels;         ///< that have the loop
  std::vector<const VerifyCase *> Cases; ///< of these, and of what may be one of them

  bool isHere(const VerifyLoop &L) const {
    return Lines.First <= L.At.Line && L.At.Line <= Lines.Last &&
           sys::path::filename(L.At.File) == Name;
  }

  void findKernels() {
    std::set<std::string> Known; // kernels whose loops are known
    for (const VerifyCase &C : Report.Cases)
      if (!C.Loops.empty()) {
        Known.insert(C.Kernel);
        if (any_of(C.Loops, [&](const VerifyLoop &L) { return isHere(L); }))
          Kernels.insert(C.Kernel);
      }
    for (const VerifyCase &C : Report.Cases)
      if (Kernels.count(C.Kernel) || !Known.count(C.Kernel))
        Cases.push_back(&C);
  }

  SelfCheckReport summary() const {
    std::vector<const VerifyCase *> Passed;
    copy_if(Cases, std::back_inserter(Passed),
            [](const VerifyCase *C) { return C->Result == Verdict::Pass && C->Found; });
    const VerifyCoverage V = coverageOf(Passed, [&](const VerifyLoop &L) { return isHere(L); });
    SelfCheckReport R;
    R.Launches = static_cast<unsigned>(Passed.size());
    R.Turns.assign(V.Turns.begin(), V.Turns.end());
    R.Guards = V.Guards;
    R.BothWays = V.BothWays;
    R.Order = V.Order;
    R.Data = V.Data;
    for (const auto &[X, Y, Z] : V.Blocks)
      R.Blocks.push_back(formatv("{0}x{1}x{2}", X, Y, Z));
    return R;
  }

  /// Why a pass of all its cases shows nothing of the loop; empty: it does.
  std::string notShown(const std::string &Kernel) const {
    std::vector<const VerifyCase *> Of;
    copy_if(Cases, std::back_inserter(Of),
            [&](const VerifyCase *C) { return C->Kernel == Kernel && C->Found; });
    if (std::string Why = neverShown(Of); !Why.empty())
      return Why;
    // What turns twice, whatever it is given, has been seen to.
    if (any_of(Of, [](const VerifyCase *C) { return C->AlwaysTurns && *C->AlwaysTurns < 3; }))
      return "";
    std::vector<VerifyLoop> Main = furthestOf(Of);
    erase_if(Main, [&](const VerifyLoop &L) {
      return !isHere(L) || (Lines.Kept != 0 && L.At.Line >= Lines.Kept);
    });
    if (none_of(Main, [](const VerifyLoop &L) { return L.Made >= 2; }) ||
        !all_of(Main, [](const VerifyLoop &L) { return L.steady(); }))
      return formatv("no launch of {0} was found in which its main loop gets going", Kernel).str();
    return "";
  }
};

/// \p Text with the pipelined version of \p Loops never taken; lines stay where they are.
std::string neverPipelined(std::string Text, std::vector<const LoopReport *> Loops) {
  llvm::sort(Loops, [](const LoopReport *A, const LoopReport *B) {
    return A->InNewText.TestBegin > B->InNewText.TestBegin;
  });
  for (const LoopReport *L : Loops) {
    const auto &[First, Last, Kept, Begin, End] = L->InNewText;
    const std::string Lines(StringRef(Text).slice(Begin, End).count('\n'), '\n');
    Text.replace(Begin, End - Begin, "if (false" + Lines + ") {");
  }
  return Text;
}

/// Of several configurations: one that fails is enough, and so is one that nobody knows anything
/// of.
void join(Judgement &To, Judgement Other) {
  auto Rank = [](const Judgement &J) {
    return !J ? 0 : J->Result == Outcome::Pass ? 1 : J->Result == Outcome::CannotTell ? 2 : 3;
  };
  if (Rank(Other) > Rank(To)) {
    To = std::move(Other);
  } else if (Rank(Other) == 1 && Rank(To) == 1) {
    To->Launches += Other->Launches;
    if (To->Order.empty())
      To->Order = Other->Order;
    To->Guards = std::max(To->Guards, Other->Guards);
    To->BothWays = std::min(To->BothWays, Other->BothWays);
    for (uint64_t Turns : Other->Turns)
      if (!is_contained(To->Turns, Turns))
        To->Turns.push_back(Turns);
    llvm::sort(To->Turns);
    for (std::string &Block : Other->Blocks)
      if (!is_contained(To->Blocks, Block))
        To->Blocks.push_back(std::move(Block));
  }
}

/// All loops of the report; those that are not rewritten stay empty.
std::vector<Judgement> check(const FileResult &Result, ArrayRef<ParseRequest> Units,
                             const RewriteOptions &Options, const Ceiling &Time) {
  const std::vector<LoopReport> &Loops = Result.Report.Loops;
  std::vector<Judgement> Found(Loops.size());
  auto OfAll = [&](function_ref<Judgement(const LoopReport &)> Of) {
    for (auto [L, To] : zip(Loops, Found))
      if (L.InNewText.First != 0)
        join(To, Of(L));
  };
  VerifyOptions Verify;
  if (Options.BlockSize.known())
    Verify.Block = {Options.BlockSize.X, Options.BlockSize.Y, Options.BlockSize.Z};
  std::vector<std::vector<DeviceModule>> Done;
  for (const ParseRequest &Unit : Units)
    for (const Configuration &C : configurationsOf(Unit, Options.Archs)) {
      const StringRef File = Unit.Edited ? Unit.Edited->Path : Unit.File;
      std::string Problem;
      auto Compile = [&](const std::string &Text, StringRef What) -> std::optional<DeviceModule> {
        ParseRequest R = Unit;
        R.Flags = *C.Flags;
        R.Arch = C.Arch;
        R.KeepGoing = Options.KeepGoing;
        (R.Edited ? R.EditedContents : R.Contents) = Text;
        std::string Messages;
        if (Time.left() <= 0) {
          Problem = Time.why();
          return std::nullopt;
        }
        Expected<DeviceModule> M = compileDevice(R, {}, Messages);
        if (M)
          return std::move(*M);
        Problem = (What + " cannot be compiled for the emulator: ").str() +
                  firstError(Messages, M.takeError());
        return std::nullopt;
      };
      auto Undecided = [&](const LoopReport &) {
        SelfCheckReport R = undecided(Problem);
        R.OutOfTime = Time.left() <= 0;
        return R;
      };
      std::optional<DeviceModule> Old = Compile(Result.Original, "the original");
      std::optional<DeviceModule> New =
          Old ? Compile(Result.NewContents, "the new text") : std::nullopt;
      if (!New) {
        OfAll(Undecided);
        continue;
      }
      std::vector<DeviceModule> Versions;
      Versions.push_back(std::move(*Old));
      Versions.push_back(std::move(*New));
      if (any_of(Done, [&](const auto &D) {
            return sameDevice(D[0], Versions[0]) && sameDevice(D[1], Versions[1]);
          }))
        continue;
      Verify.Arch = C.Arch;
      bool OutOfTime = false;
      const VerifyReport Report = run(Versions, Loops, Verify, Time, OutOfTime);
      std::vector<Judgement> Here(Loops.size());
      std::map<size_t, Judgement> Kept; // loops of which only the one that stays beside was not run
      for (size_t I = 0; I != Loops.size(); ++I) {
        if (Loops[I].InNewText.First == 0)
          continue;
        Here[I] = Judge(Report, Loops[I], File).run();
        if (Here[I] && Here[I]->Result == Outcome::CannotTell && Loops[I].InNewText.TestEnd != 0)
          if (Judgement Main = Judge(Report, Loops[I], File).withoutKept();
              Main && Main->Result == Outcome::Pass)
            Kept[I] = std::move(Main);
      }
      // Where no launch is to be had that takes the loop as it was, the kernel takes it all the
      // same: what it asks for is never true.
      if (!Kept.empty()) {
        std::vector<const LoopReport *> Of;
        for (const auto &[I, Main] : Kept)
          Of.push_back(&Loops[I]);
        if (std::optional<DeviceModule> Other =
                Compile(neverPipelined(Result.NewContents, Of),
                        "the new text without its pipelined loops")) {
          std::vector<DeviceModule> With;
          With.push_back(Versions[0]);
          With.push_back(std::move(*Other));
          const VerifyReport OfKept = run(With, Loops, Verify, Time, OutOfTime);
          for (auto &[I, Main] : Kept) {
            Judgement K = Judge(OfKept, Loops[I], File, /*OnlyKept=*/true).run();
            // None: then it is the original's code.
            Here[I] = !K || K->Result == Outcome::Pass ? std::move(Main) : std::move(K);
          }
        }
      }
      for (auto [L, To, J] : zip(Loops, Found, Here))
        if (L.InNewText.First != 0) {
          if (J)
            J->OutOfTime = OutOfTime;
          join(To, std::move(J));
        }
      Done.push_back(std::move(Versions));
    }
  for (auto [L, To] : zip(Loops, Found))
    if (L.InNewText.First != 0 && !To)
      To = undecided(L.IsKernel
                         ? "no kernel of the file has the loop: nothing instantiates its template"
                         : "no kernel of the file has the loop: none calls its function, or "
                           "nothing instantiates its template");
  return Found;
}

/// As it crosses from one process to another.
struct Judgements {
  std::vector<Judgement> All;
};
template <class Archive> void fields(Archive &A, Judgements &V) { A(V.All); }

std::vector<Judgement> checkApart(const FileResult &Result, ArrayRef<ParseRequest> Units,
                                  const RewriteOptions &Options, const Ceiling &Time) {
  constexpr double ToEnd = 10; // seconds, for what is not counted
  const IsolatedRun Run = isolate(
      [&](EmitText Emit) { Emit(toBytes(Judgements{check(Result, Units, Options, Time)})); },
      std::max(Time.left(), 0.0) + ToEnd);
  if (Run.End == IsolatedRun::Finished)
    if (std::optional<Judgements> Found = fromBytes<Judgements>(Run.Output);
        Found && Found->All.size() == Result.Report.Loops.size())
      return std::move(Found->All);
  SelfCheckReport R = undecided(Run.End == IsolatedRun::TimedOut
                                    ? Time.why()
                                    : "the check itself did not come to an end: " + Run.Problem);
  R.OutOfTime = Run.End == IsolatedRun::TimedOut;
  return std::vector<Judgement>(Result.Report.Loops.size(), R);
}

} // namespace

void selfCheck(FileResult &Result, ArrayRef<ParseRequest> Units, RewriteOptions &Options) {
  auto IsWritten = [](const LoopReport &L) { return L.Status == LoopStatus::Rewritten; };
  // What is not handed out as a rewrite, or is wrong on purpose, is not run.
  if (Options.CheckOnly || Options.Print != PrintStep::None || Options.Ablate != Ablation::None)
    return;
  if (Options.SelfCheck == SelfCheckMode::Off || Options.EmitRefused) {
    for (LoopReport &L : Result.Report.Loops)
      if (IsWritten(L))
        L.SelfCheck.emplace();
    return;
  }
  const Ceiling Time(Options.SelfCheckSeconds);
  std::map<std::pair<unsigned, unsigned>, SelfCheckReport> Failed;
  while (Result.Changed) {
    std::vector<Judgement> Found = checkApart(Result, Units, Options, Time);
    bool Again = false;
    for (auto [L, J] : zip(Result.Report.Loops, Found)) {
      if (!IsWritten(L))
        continue;
      // None: nobody knows which lines of the new text are its own.
      L.SelfCheck = J ? std::move(*J) : undecided("its place in the new text is not known");
      L.SelfCheck->Variant = L.Variant;
      L.SelfCheck->Stages = L.Stages;
      const SelfCheckReport &R = *L.SelfCheck;
      const bool Fails = R.Result == Outcome::Fail;
      if (!Fails && (Options.SelfCheck != SelfCheckMode::Require || R.Result == Outcome::Pass))
        continue;
      Options.Withheld.push_back(
          {L.Line, L.Column, Fails ? Reason::SelfCheckFailed : Reason::SelfCheckUndecided, R.Why});
      Failed[{L.Line, L.Column}] = R;
      Again = true;
    }
    if (!Again)
      break;
    Result = processFile(Units, Options);
  }
  for (LoopReport &L : Result.Report.Loops)
    if (auto It = Failed.find({L.Line, L.Column}); It != Failed.end())
      L.SelfCheck = It->second;
}

SelfCheckReport selfCheckFix(ArrayRef<ParseRequest> Units, const RewriteOptions &Options,
                             unsigned Line, unsigned Column, const Fix &Offered) {
  RewriteOptions Of = Options;
  Of.Lines.clear();
  Of.Begins = {{Line, Line}};
  Of.CheckOnly = Of.OffersText = false;
  Of.SelfCheck = SelfCheckMode::On;
  // What auto chooses is not always what the variant gives that is named so; what is run is the
  // text that was offered, whichever makes it.
  for (const bool ByName : {false, true}) {
    if (ByName) {
      Of.RequestedVariant = variantFromString(Offered.Variant);
      Of.RequestedStages = std::nullopt;
    }
    FileResult Result = processFile(Units, Of);
    if (!Result.Parsed || lineEdits(Result.Original, Result.NewContents) != Offered.Edits)
      continue;
    selfCheck(Result, Units, Of);
    for (const LoopReport &L : Result.Report.Loops)
      if (L.Line == Line && L.Column == Column && L.SelfCheck)
        return *L.SelfCheck;
  }
  SelfCheckReport R = undecided(
      "what was offered is not what comes of the file now: a file that it includes has changed");
  R.Variant = Offered.Variant;
  R.Stages = Offered.Stages;
  return R;
}

} // namespace cuda_pipeline
