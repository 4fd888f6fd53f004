//===- SassVerification.cpp - verify --engine=sass, and --verify=sass ------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. loops      of both versions, from the analysis: where they are
//   2. tools      nvcc of the toolkit; a disassembler there or on the path
//   3. check      Sass.h
//
//===----------------------------------------------------------------------===//

#include "Report/OutputFile.h"
#include "Units.h"
#include "Verification.h"
#include "cuda-pipeline/Rewriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace cuda_pipeline {
namespace {

SassOutcome stop(ExitCode Code) {
  SassOutcome O;
  O.Code = Code;
  return O;
}

/// False: the version does not parse; that has been said.
bool readVersion(const ParseRequest &Request, const std::optional<Toolkit> &Cuda,
                 const Invocation &I, SassVersion &Out) {
  RewriteOptions Options;
  Options.CheckOnly = true;
  Options.Archs = {Request.Arch};
  Options.BlockSize = I.Rewrite.BlockSize;
  // In a process of its own, as all that is analysed.
  Unit U;
  U.Path = Request.File;
  U.Request = Request;
  U.Options = Options;
  Invocation Quietly = I;
  Quietly.Progress = ProgressKind::Never;
  if (Request.Contents) {
    U.Original = *Request.Contents;
  } else {
    Expected<std::string> Text = readInputFile(Request.File);
    if (!Text) {
      errorLine(errs()) << toString(Text.takeError()) << '\n';
      return false;
    }
    U.Original = std::move(*Text);
  }
  analyse({&U}, Quietly, FixWishes());
  // The bundled declarations do for most files; nvcc has all headers of the toolkit.
  if (!U.Result.Parsed && !Request.Cuda && Cuda) {
    U.Request.Cuda = Cuda;
    analyse({&U}, Quietly, FixWishes());
  }
  seenInRun()->insert(U.Seen.begin(), U.Seen.end());
  const FileResult &Found = U.Result;
  if (Found.Report.Problem != FileProblem::None || !Found.Parsed) {
    errs() << Found.Diagnostics;
    errorLine(errs()) << "'" << Request.File << "' cannot be analysed"
                      << (Found.Report.ProblemText.empty() ? "" : ": ") << Found.Report.ProblemText
                      << '\n';
    return false;
  }
  Out.File = Request.File;
  Out.Text = U.Original;
  for (const LoopReport &L : Found.Report.Loops)
    if (L.InFile.empty()) {
      SassSourceLoop Loop;
      Loop.Line = L.Line;
      Loop.EndLine = L.EndLine;
      Loop.Function = L.Kernel;
      Loop.BlockThreads = L.BlockThreads;
      Out.Loops.push_back(Loop);
    }
  return true;
}

/// Beside nvcc, else on the path; empty: there is none.
std::string findDisassembler(const Toolkit &Cuda) {
  for (StringRef Name : {"nvdisasm", "cuobjdump"}) {
    std::string Beside = Cuda.Root + "/bin/" + Name.str();
    if (sys::fs::can_execute(Beside))
      return Beside;
    if (ErrorOr<std::string> OnPath = sys::findProgramByName(Name))
      return *OnPath;
  }
  return "";
}

/// More of it is as it should be.
bool isBetter(const SassReport &A, const SassReport &B) {
  auto Worth = [](const SassReport &R) {
    std::pair<unsigned, double> Out = {0, 0};
    for (const SassArch &Arch : R.Archs)
      for (const SassKernel &K : Arch.Kernels) {
        Out.first += K.Result == Verdict::Pass ? 1 : 0;
        for (const SassLoop &L : K.New.Loops)
          Out.second += L.Overlap == SassOverlap::Overlapped ? 1
                        : L.Loads == 0                       ? 0
                                                             : 0.9 * L.OverlappingLoads / L.Loads;
      }
    return Out;
  };
  return Worth(A) > Worth(B);
}

} // namespace

SassOutcome improveForCompiler(Unit &U, ParseRequest Old, ParseRequest New,
                               const std::vector<std::string> &Instantiate, const Invocation &I,
                               SassOutcome Outcome) {
  auto AllOverlap = [](const SassReport &R) {
    return all_of(R.Archs, [](const SassArch &A) {
      return all_of(A.Kernels, [](const SassKernel &K) {
        return all_of(K.New.Loops,
                      [](const SassLoop &L) { return L.Overlap == SassOverlap::Overlapped; });
      });
    });
  };
  if (!Outcome.HasReport || !U.ReadBy.empty())
    return Outcome;
  Invocation Quietly = I;
  Quietly.Progress = ProgressKind::Never;
  const RewriteOptions Asked = U.Options;
  for (EmissionHints Hints :
       {EmissionHints{true, false}, EmissionHints{false, true}, EmissionHints{true, true}}) {
    if (AllOverlap(Outcome.Report))
      break;
    Unit Other = U;
    Other.Options = Asked;
    Other.Options.Hints = Hints;
    analyse({&Other}, Quietly, FixWishes());
    if (!Other.Result.Parsed || !Other.Result.Changed)
      continue;
    New.Contents = Other.Result.NewContents;
    SassOutcome Tried = verifySass(Old, New, Instantiate, I);
    if (!Tried.HasReport || !isBetter(Tried.Report, Outcome.Report))
      continue;
    for (LoopReport &L : Other.Result.Report.Loops)
      if (L.Status == LoopStatus::Rewritten) {
        if (Hints.KeepRolled)
          L.Hints.push_back("'#pragma unroll 1' at the main loop");
        if (Hints.Fence)
          L.Hints.push_back(
              "an asm statement between loads and compute over which nothing is moved");
      }
    U = std::move(Other);
    Outcome = std::move(Tried);
  }
  return Outcome;
}

/// All of the request but for the versions. ExitDone: it is complete.
static ExitCode prepare(const ParseRequest &Old, const ParseRequest &New,
                        const std::vector<std::string> &Instantiate,
                        const std::optional<Toolkit> &Cuda, const Invocation &I,
                        SassRequest &Request) {
  if (New.Edited) {
    errorLine(errs()) << "nvcc does not see another text in the place of a header; rewrite it with "
                         "-i, and verify the files that include it\n";
    return ExitCannotRun;
  }
  Request.Archs = !I.Rewrite.Archs.empty()   ? I.Rewrite.Archs
                  : !Old.Flags.Archs.empty() ? Old.Flags.Archs
                                             : std::vector<std::string>{Old.Arch};
  Request.NvccFlags = nvccFlags({&Old, &New});
  Request.Instantiate = Instantiate;
  Request.Jobs = std::max(1u, I.Jobs);
  if (!Cuda) {
    errorLine(errs())
        << "machine code needs nvcc, and there is no CUDA toolkit; --cuda-path=DIR names one\n";
    return ExitCannotRun;
  }
  Request.Nvcc = Cuda->Root + "/bin/nvcc";
  Request.Disassembler = findDisassembler(*Cuda);
  return ExitDone;
}

static ExitCode complain(Error E) {
  errorLine(errs()) << toString(std::move(E)) << '\n';
  return ExitUsage;
}

ExitCode verifyCompiles(const ParseRequest &Old, const ParseRequest &New,
                        const std::vector<std::string> &Instantiate, const Invocation &I,
                        std::string &Why) {
  SassRequest Request;
  Why = "verification could not be done";
  Expected<std::optional<Toolkit>> Cuda = findToolkit(I.CudaPath);
  if (!Cuda)
    return complain(Cuda.takeError());
  if (ExitCode Code = prepare(Old, New, Instantiate, *Cuda, I, Request); Code != ExitDone)
    return Code;
  for (auto [From, To] : {std::pair(&Old, &Request.Old), std::pair(&New, &Request.New)}) {
    Expected<std::string> Text = textOf(*From);
    if (!Text)
      return complain(Text.takeError());
    To->File = From->File;
    To->Text = std::move(*Text);
  }
  for (const auto &[Symbol, Block] : knownBlocks(Old, I)) {
    unsigned &Threads = Request.Blocks[Symbol];
    Threads = std::max(
        Threads, static_cast<unsigned>(std::min<uint64_t>(Block[0] * Block[1] * Block[2], 1024)));
  }
  if (I.Rewrite.BlockSize.known())
    Request.Block = I.Rewrite.BlockSize.threads();
  Expected<std::vector<std::string>> Complaints = compareResources(Request);
  if (!Complaints) {
    ExitCode Code = ExitDone;
    handleAllErrors(Complaints.takeError(), [&](const SassError &E) {
      Code = E.cannotRunHere() ? ExitCannotRun : ExitFindings;
      errorLine(errs()) << E.message() << '\n';
    });
    if (Code == ExitFindings)
      Why = "what '" + Old.File + "' becomes does not compile";
    return Code;
  }
  for (const std::string &Text : *Complaints)
    errorLine(errs()) << Text << '\n';
  if (Complaints->empty())
    return ExitDone;
  Why = Complaints->front();
  return ExitFindings;
}

/// Of one compilation, where registers are counted because a toolkit is there.
static constexpr unsigned SecondsUnasked = 60;

Expected<std::vector<KernelResources>> countRegisters(const ParseRequest &Old,
                                                      const ParseRequest &New,
                                                      const std::vector<std::string> &Instantiate,
                                                      const Invocation &I,
                                                      const std::optional<Toolkit> &Cuda) {
  if (!Cuda)
    return make_error<SassError>(
        true,
        "registers are counted by nvcc, and there is no CUDA toolkit; --cuda-path=DIR names one");
  if (New.Edited)
    return make_error<SassError>(true, "nvcc does not see another text in the place of a header, "
                                       "so that its registers are not counted");
  Expected<std::string> Before = textOf(Old);
  if (!Before)
    return make_error<SassError>(true, toString(Before.takeError()));
  SassRequest Request;
  if (prepare(Old, New, Instantiate, Cuda, I, Request) != ExitDone)
    return make_error<SassError>(true, "nvcc cannot be asked");
  Request.Disassembler.clear();
  // Nobody has asked, and some files take nvcc many minutes.
  if (I.Inspect != InspectKind::On)
    Request.TimeoutSeconds = std::min(Request.TimeoutSeconds, SecondsUnasked);
  Request.Old.File = Old.File;
  Request.Old.Text = *Before;
  Request.New.File = New.File;
  Request.New.Text = *New.Contents;
  return countResources(Request);
}

SassOutcome verifySass(const ParseRequest &Old, const ParseRequest &New,
                       const std::vector<std::string> &Instantiate, const Invocation &I) {
  SassRequest Request;
  Expected<std::optional<Toolkit>> Cuda = findToolkit(I.CudaPath);
  if (!Cuda)
    return stop(complain(Cuda.takeError()));
  if (!New.Edited &&
      (!readVersion(Old, *Cuda, I, Request.Old) || !readVersion(New, *Cuda, I, Request.New)))
    return stop(ExitInput);
  if (ExitCode Code = prepare(Old, New, Instantiate, *Cuda, I, Request); Code != ExitDone)
    return stop(Code);

  Expected<SassReport> Report = checkSass(Request);
  if (!Report) {
    ExitCode Code = ExitInput;
    handleAllErrors(Report.takeError(), [&](const SassError &E) {
      if (E.cannotRunHere())
        Code = ExitCannotRun;
      errorLine(errs()) << E.message() << '\n';
    });
    return stop(Code);
  }
  SassOutcome Outcome;
  Outcome.HasReport = true;
  Outcome.Report = std::move(*Report);
  Outcome.Code = codeOf(Outcome.Report.verdict());
  return Outcome;
}

} // namespace cuda_pipeline
