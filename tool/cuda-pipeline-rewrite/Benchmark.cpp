//===- Benchmark.cpp - `bench`: how fast the versions of a file are --------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. read        the versions that the user names
//   2. rewrite     the old one in every variant, if that is wanted; in memory
//   3. match       every described kernel in all versions; sizes become numbers
//   4. leave out   the compute phase, and the load phase, of the old version's tile loops
//   5. run         the GPU harness, here or elsewhere; it compares and times
//   6. say
//
// docs/bench.md says how it is measured.
//
//===----------------------------------------------------------------------===//

#include "Report/OutputFile.h"
#include "Units.h"
#include "Verification.h"
#include "cuda-pipeline/Bench.h"
#include "cuda-pipeline/CompileDevice.h"
#include "cuda-pipeline/GpuTarget.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <list>
#include <map>
#include <set>
#include <unistd.h>

using namespace llvm;

namespace cuda_pipeline {

namespace {

class Benchmark {
public:
  explicit Benchmark(const Invocation &I) : I(I) {}
  ExitCode run();

private:
  const Invocation &I;
  std::list<ParseRequest> Requests; ///< of the compared versions: the old one first
  std::vector<BenchVersion> Versions;
  std::vector<HarnessVersion> InHarness;
  std::vector<std::string> NotMade, NotAblated;
  MatchedKernels Matched;
  BenchReport Report;

  ExitCode complain(Error E, ExitCode Code) const {
    errorLine(errs()) << toString(std::move(E)) << '\n';
    return Code;
  }
  bool runsHere() const { return I.EmitHarness.empty() && I.FromResult.empty(); }
  void progress(const Twine &Text) const {
    if (runsHere() && !I.Quiet && I.Progress != ProgressKind::Never)
      errs() << Text << '\n';
  }

  ExitCode read();
  bool prepare(Unit &U) const;
  ExitCode analyseAll(std::list<Unit> &Units) const;
  ExitCode rewrite();
  ExitCode leaveOut();
  ExitCode measure();
  ExitCode say();
  void add(BenchVersion V, std::string Text);
  std::string repeat() const;
  ExitCode checkShared() const;
};

} // namespace

void Benchmark::add(BenchVersion V, std::string Text) {
  // Names tell versions apart in every table.
  const std::string Name = V.Name;
  for (unsigned N = 2; any_of(Versions, [&](const BenchVersion &O) { return O.Name == V.Name; });
       ++N)
    V.Name = Name + " (" + std::to_string(N) + ")";
  InHarness.push_back({V.Kind, V.Name, std::move(Text)});
  Versions.push_back(std::move(V));
}

//===--- 1. read ---------------------------------------------------------===//

ExitCode Benchmark::read() {
  for (const std::string &Path : I.Inputs) {
    if (!readRequest(Path, I, Requests.emplace_back()))
      return ExitUsage;
    Expected<std::string> Text = textOf(Requests.back());
    if (!Text)
      return complain(Text.takeError(), ExitUsage);
    // The name as it is told apart: of two files of one name the paths.
    const StringRef Short = sys::path::filename(Path);
    const bool Alone = count_if(I.Inputs, [&](const std::string &P) {
                         return sys::path::filename(P) == Short;
                       }) == 1;
    BenchVersion V;
    V.Name = Alone ? Short.str() : Path;
    V.File = Path;
    V.Kind = Versions.empty() ? VersionKind::Old : VersionKind::New;
    add(std::move(V), std::move(*Text));
  }
  return ExitDone;
}

//===--- 2. rewrite --------------------------------------------------------===//

/// The old version as an input of the rewriter.
bool Benchmark::prepare(Unit &U) const {
  U.Path = Requests.front().File;
  U.Original = InHarness.front().Text;
  U.Request = Requests.front();
  U.Options = I.Rewrite;
  std::string CudaPath;
  if (Error E = readConfig(I, U.Path, U.Options, CudaPath)) {
    complain(std::move(E), ExitUsage);
    return false;
  }
  Expected<std::optional<Toolkit>> Cuda = findToolkit(I.CudaPath.empty() ? CudaPath : I.CudaPath);
  if (!Cuda) {
    complain(Cuda.takeError(), ExitUsage);
    return false;
  }
  U.Request.Cuda = *Cuda;
  if (U.Options.Archs.empty())
    U.Options.Archs = {U.Request.Arch};
  U.Options.RequestedVariant = std::nullopt;
  return true;
}

ExitCode Benchmark::analyseAll(std::list<Unit> &Units) const {
  std::vector<Unit *> Some;
  for (Unit &U : Units)
    Some.push_back(&U);
  Invocation Quiet = I; // one file many times is no progress that anybody could follow
  Quiet.Progress = ProgressKind::Never;
  Quiet.CacheDir.clear();
  analyse(Some, Quiet, FixWishes());
  for (const Unit &U : Units) {
    if (U.Result.Parsed && U.Result.Report.Problem == FileProblem::None)
      continue;
    errs() << U.Result.Diagnostics;
    errorLine(errs()) << "'" << U.Path << "' "
                      << (U.Result.Report.Problem == FileProblem::None
                              ? "does not parse"
                              : "cannot be analysed: " + U.Result.Report.ProblemText)
                      << '\n';
    return ExitInput;
  }
  return ExitDone;
}

/// Why nothing was rewritten, in a few words.
static std::string whyNot(const FileResult &R) {
  for (const LoopReport &L : R.Report.Loops)
    for (const ReasonReport &Why : L.Reasons)
      return formatv("line {0}: {1}", Why.Line ? Why.Line : L.Line, Why.Message);
  for (const LoopReport &L : R.Report.Loops)
    if (!L.Why.empty())
      return formatv("line {0}: {1}", L.Line, L.Why);
  return R.Report.Loops.empty() ? "there is no tile loop in the file" : "no loop is selected";
}

ExitCode Benchmark::rewrite() {
  struct Wanted {
    std::string Name, Words;
    std::optional<Variant> Kind;
  };
  std::vector<Wanted> Wishes = {{"auto", "auto", std::nullopt}};
  std::list<Unit> Units(1);
  auto Wish = [&](Variant V, unsigned Stages) {
    if (!I.Variants.empty() && !is_contained(I.Variants, V))
      return true;
    const std::string Number = std::to_string(Stages);
    const bool Many = V == Variant::CpAsync;
    Wishes.push_back({toString(V).str() + (Many ? "-" + Number : ""),
                      toString(V).str() + (Many ? " with " + Number + " stages" : ""), V});
    Unit &U = Units.emplace_back();
    if (!prepare(U))
      return false;
    U.Options.RequestedVariant = V;
    if (Many)
      U.Options.RequestedStages = Stages;
    return true;
  };
  if (!prepare(Units.front()))
    return ExitUsage;
  bool Good = Wish(Variant::Ldg, 2) && Wish(Variant::LdgSingle, 1);
  if (is_contained(I.Variants, Variant::Mixed)) // few loops have anything to mix
    Good = Good && Wish(Variant::Mixed, 2);
  const unsigned First = I.Rewrite.RequestedStages.value_or(2),
                 Last = I.Rewrite.RequestedStages.value_or(4);
  for (unsigned Stages = First; Stages <= Last; ++Stages)
    Good = Good && Wish(Variant::CpAsync, Stages);
  if (!Good)
    return ExitUsage;
  progress("rewriting '" + Requests.front().File + "' in " + Twine(Wishes.size() - 1) +
           (Wishes.size() == 2 ? " way" : " ways"));
  if (ExitCode Code = analyseAll(Units); Code != ExitDone)
    return Code;

  const std::string Auto = Units.front().Result.Changed ? Units.front().Result.NewContents : "";
  SmallString<256> Beside(sys::path::parent_path(Requests.front().File));
  sys::path::append(Beside, sys::path::stem(Requests.front().File) + ".pipelined" +
                                sys::path::extension(Requests.front().File));
  std::set<std::string> Known;
  std::map<Variant, bool> Some;
  auto Take = [&](const Wanted &W, const std::string &Text) {
    if (!Known.insert(Text).second)
      return; // fewer stages were all that fits
    BenchVersion V;
    V.Name = W.Name;
    V.File = Requests.front().File;
    V.Made = W.Words;
    V.Auto = Text == Auto;
    ParseRequest R = Requests.front();
    R.File = std::string(Beside); // there it finds what the old one includes
    R.Contents = Text;
    Requests.push_back(std::move(R));
    add(std::move(V), Text);
  };
  std::map<Variant, std::string> Why;
  for (auto [W, U] : zip(drop_begin(Wishes), drop_begin(Units))) {
    if (U.Result.Changed) {
      Some[*W.Kind] = true;
      Take(W, U.Result.NewContents);
    } else {
      Why.try_emplace(*W.Kind, whyNot(U.Result));
    }
  }
  // Several loops, each in another way.
  if (!Auto.empty() && I.Variants.empty())
    Take(Wishes.front(), Auto);
  for (const auto &[V, Text] : Why)
    if (!Some[V])
      NotMade.push_back(("no " + toString(V) + ": " + Text).str());
  return ExitDone;
}

//===--- 4. leave out ------------------------------------------------------===//

/// Of the kernel \p Name, in a file with one half left out: why its time would not be that of the
/// other half.
static std::string notAblated(const FileReport &File, StringRef Name) {
  std::string Why;
  bool Any = false;
  for (const LoopReport &L : File.Loops) {
    // A loop of a function that is no kernel may be any kernel's.
    if (L.IsKernel && plainName(L.Kernel) != plainName(Name))
      continue;
    if (L.Status == LoopStatus::Rewritten)
      Any = true;
    else if (Why.empty())
      Why = formatv("line {0}: {1}", L.Line,
                    L.Status == LoopStatus::AlreadyPipelined ? "the loop is pipelined already"
                    : L.Reasons.empty()                      ? "the loop is not selected"
                                                             : L.Reasons.front().Message);
  }
  return !Why.empty() ? Why : Any ? "" : "there is no tile loop";
}

ExitCode Benchmark::leaveOut() {
  NotAblated.assign(Matched.Kernels.size(), "");
  if (!I.Ablate)
    return ExitDone;
  std::list<Unit> Units(2);
  const Ablation Halves[] = {Ablation::LoadsOnly, Ablation::ComputeOnly};
  for (auto [U, Half] : zip(Units, Halves)) {
    if (!prepare(U))
      return ExitUsage;
    U.Options.Ablate = Half;
  }
  if (ExitCode Code = analyseAll(Units); Code != ExitDone)
    return Code;
  // Both or neither: one alone is no limit.
  for (const Unit &U : Units) {
    std::string DoesNotCompile;
    if (U.Result.Changed) {
      ParseRequest R = Requests.front();
      R.Contents = U.Result.NewContents;
      std::string Messages;
      Expected<DeviceModule> M =
          compileDevice(R, describedInstantiations(Matched.Kernels), Messages);
      if (!M) {
        consumeError(M.takeError());
        DoesNotCompile = "the loop does not compile without that half";
      }
    }
    for (auto [K, Why] : zip(Matched.Kernels, NotAblated))
      if (Why.empty()) {
        Why = notAblated(U.Result.Report, K.Old.Name);
        if (Why.empty())
          Why = DoesNotCompile;
      }
  }
  std::vector<size_t> NotFor;
  for (const auto &[K, Why] : enumerate(NotAblated))
    if (!Why.empty())
      NotFor.push_back(K);
  if (NotFor.size() == NotAblated.size())
    return ExitDone;
  const VersionKind Kinds[] = {VersionKind::LoadsOnly, VersionKind::ComputeOnly};
  for (auto [U, Kind] : zip(Units, Kinds)) {
    BenchVersion V;
    V.Name = toString(Kind).str();
    V.File = Requests.front().File;
    V.Kind = Kind;
    V.Made =
        Kind == VersionKind::LoadsOnly ? "without the compute phase" : "without the load phase";
    add(std::move(V), U.Result.NewContents);
    InHarness.back().NotFor = NotFor;
  }
  return ExitDone;
}

//===--- 5. run ------------------------------------------------------------===//

std::string Benchmark::repeat() const {
  std::vector<std::string> Options = {"--seed=" + listed(I.Verify.Seeds)};
  if (!I.Rewrite.Archs.empty())
    Options.push_back("--arch=" + I.Rewrite.Archs.front());
  return sameCommand(I, Options);
}

/// A version that does one thing with little shared memory and another with more has to be given
/// what it is meant to have.
ExitCode Benchmark::checkShared() const {
  for (const VerifyKernel &K : Matched.Kernels)
    for (const auto &[V, Version] : enumerate(Versions))
      for (const ConcreteLaunch &L : K.Launches)
        if (std::optional<SharedDemand> D = K.demand(V);
            D && !L.NewSharedBytes && !D->enough(L.SharedBytes)) {
          errorLine(errs())
              << "'" << Version.Name
              << "' asks how much dynamic shared memory it is given, and what '" << L.Kernel
              << "' needs is not known; say it with new_shared in the launch description\n";
          return ExitUsage;
        }
  return ExitDone;
}

ExitCode Benchmark::measure() {
  HarnessRequest Request;
  Request.Versions = InHarness;
  Request.Bench = I.Bench;
  // Without --arch: that of the GPU where the harness is built.
  Request.Arch = I.Rewrite.Archs.empty() ? "native" : I.Rewrite.Archs.front();
  std::vector<const ParseRequest *> All;
  for (const ParseRequest &R : Requests)
    All.push_back(&R);
  Request.NvccFlags = nvccFlags(All);
  Request.Seeds = I.Verify.Seeds;
  Request.TimeoutSeconds = I.Verify.TimeoutSeconds;
  Request.Kernels = Matched.Kernels;
  Expected<Harness> H = makeHarness(Request);
  if (!H)
    return complain(H.takeError(), ExitUsage);
  progress("building " + Twine(InHarness.size()) + " versions with nvcc");
  // The harness has its output in a file; what it says on the way goes where ours goes, by a
  // descriptor that it inherits.
  const bool Says = runsHere() && !I.Quiet && I.Progress != ProgressKind::Never;
  const int Progress = Says ? ::dup(2) : -1;
  ExitCode Code = ExitDone;
  std::optional<GpuResult> Result = resultOf(*H, I, Progress, Code);
  if (Progress >= 0)
    ::close(Progress);
  if (!Result)
    return Code == ExitDone ? ExitDone : Code;
  Report = makeBenchReport(*Result, Versions, Matched.Kernels, NotAblated);
  Report.ToolVersion = CPR_VERSION;
  Report.NotMade = NotMade;
  Report.Repeat = repeat();
  return ExitDone;
}

//===--- 6. say ------------------------------------------------------------===//

static std::string rendered(const BenchReport &R, ReportFormat Format) {
  std::string Text;
  raw_string_ostream OS(Text);
  if (Format == ReportFormat::Json)
    OS << formatv("{0:2}\n", toJSON(R));
  else if (Format == ReportFormat::Markdown)
    writeMarkdown(R, OS);
  else if (Format == ReportFormat::Html)
    renderHTML(toJSON(R), OS);
  else
    writeText(R, OS);
  return Format == ReportFormat::Text || Format == ReportFormat::Markdown ? harmless(Text) : Text;
}

ExitCode Benchmark::say() {
  std::vector<std::pair<std::string, std::string>> Files;
  for (const ReportFile &F : I.Reports)
    Files.push_back({F.Path, rendered(Report, F.Format)});
  if (!writeFiles(Files))
    return ExitUsage;
  outs() << rendered(Report, I.Format);
  flushOutput(); // what is wrong comes behind it
  switch (Report.verdict()) {
  case Verdict::Fail:
    return I.ExitZero ? ExitDone : ExitFindings;
  case Verdict::CannotTell:
    return ExitCannotRun;
  case Verdict::Pass:
    break;
  }
  if (I.Bench.Ncu && !Report.NcuProblem.empty()) {
    errorLine(errs()) << "--ncu: " << Report.NcuProblem << "; the times are complete\n";
    return ExitCannotRun;
  }
  return ExitDone;
}

ExitCode Benchmark::run() {
  if (!claimOutputs(I, outputsOfRun()))
    return ExitUsage;
  if (ExitCode Code = read(); Code != ExitDone)
    return Code;
  if (I.MakeVariants)
    if (ExitCode Code = rewrite(); Code != ExitDone)
      return Code;
  std::vector<const ParseRequest *> All;
  for (const ParseRequest &R : Requests)
    All.push_back(&R);
  if (ExitCode Code = matchKernels(All, I, Matched); Code != ExitDone)
    return Code;
  if (ExitCode Code = checkShared(); Code != ExitDone)
    return Code;
  if (ExitCode Code = leaveOut(); Code != ExitDone)
    return Code;
  if (ExitCode Code = measure(); Code != ExitDone || !I.EmitHarness.empty())
    return Code;
  return say();
}

/// That of the GPU here, as the toolkit's own program says it: what is timed is then also made for
/// it. None: it says nothing, or something that nothing is known about.
static std::optional<std::string> archHere(const Invocation &I) {
  Expected<std::optional<Toolkit>> Cuda = findToolkit(I.CudaPath);
  if (!Cuda || !*Cuda) {
    consumeError(Cuda.takeError()); // which is said where the toolkit is needed
    return std::nullopt;
  }
  const std::string Arch = archOfThisMachine(*Cuda);
  return Arch.empty() ? std::nullopt : std::optional(Arch);
}

ExitCode runBench(const Invocation &I) {
  Invocation Here = I;
  if (I.Rewrite.Archs.empty() && I.EmitHarness.empty() && I.FromResult.empty())
    if (std::optional<std::string> Arch = archHere(I))
      Here.Rewrite.Archs = {*Arch};
  return Benchmark(Here).run();
}

} // namespace cuda_pipeline
