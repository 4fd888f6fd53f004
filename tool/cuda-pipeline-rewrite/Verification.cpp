//===- Verification.cpp - `verify`, and --verify of rewrite ----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. launches    read from --launch, else inferred from the old file
//   2. compile     both versions to device code
//   3. match       every described kernel in both versions; sizes become numbers
//   4. run         on the engine; the report says what came out
//
//===----------------------------------------------------------------------===//

#include "Verification.h"
#include "Report/OutputFile.h"
#include "Support/Isolate.h"
#include "Support/Messages.h"
#include "Support/Printable.h"
#include "Support/ReadFile.h"
#include "Support/Record.h"
#include "cuda-pipeline/CompileDevice.h"
#include "cuda-pipeline/GpuHarness.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"
#include <set>

using namespace llvm;

namespace cuda_pipeline {

namespace {

VerifyOutcome stop(ExitCode Code) {
  VerifyOutcome O;
  O.Code = Code;
  return O;
}

/// `unsigned`, `long unsigned int`: the words of an integer's type as they are printed.
std::string integerType(ArrayRef<StringRef> Words) {
  const bool Unsigned = is_contained(Words, "unsigned"), Char = is_contained(Words, "char");
  const size_t Longs = count(Words, "long");
  std::string Name = Char                           ? "char"
                     : is_contained(Words, "short") ? "short"
                     : Longs                        ? (Longs == 2 ? "longlong" : "long")
                                                    : "int";
  return (Unsigned ? "unsigned" : Char && is_contained(Words, "signed") ? "signed" : "") + Name;
}

/// As names are compared: "gemm<unsigned, ::P>" and "gemm<unsigned int,P>" are the same kernel.
std::string squeezed(StringRef Name) {
  static const StringSet<> OfIntegers = {"unsigned", "signed", "long", "short", "int", "char"};
  std::string Result;
  SmallVector<StringRef, 4> Integer;
  auto Flush = [&] {
    if (!Integer.empty())
      Result += integerType(Integer);
    Integer.clear();
  };
  while (!(Name = Name.ltrim()).empty()) {
    auto InWord = [](char C) { return isAlnum(C) || C == '_' || C == '$'; };
    StringRef Word = Name.take_while(InWord);
    if (OfIntegers.contains(Word)) {
      Integer.push_back(Word);
      Name = Name.drop_front(Word.size());
      continue;
    }
    Flush();
    if (Word.empty()) {
      const bool Global =
          Name.starts_with("::") && (Result.empty() || StringRef("<,(*&").contains(Result.back()));
      Word = Name.take_front(Name.starts_with("::") ? 2 : 1);
      Name = Name.drop_front(Word.size());
      if (!Global)
        Result += Word;
      continue;
    }
    // A number is the same with the suffix of its type: `k<16UL>`.
    if (isDigit(Word.front())) {
      Result += Word.starts_with_insensitive("0x") ? Word : Word.rtrim("uUlL");
      Name = Name.drop_front(Word.size());
      continue;
    }
    // CUDA's own other names.
    if (is_contained(ArrayRef<StringRef>{"half", "half2", "nv_bfloat16", "nv_bfloat162"}, Word))
      Result += "__";
    Result += Word;
    Name = Name.drop_front(Word.size());
  }
  Flush();
  return Result;
}

/// `name(types)`: the name, and the types.
std::pair<StringRef, std::optional<StringRef>> splitTypes(StringRef Name) {
  Name = Name.trim();
  if (!Name.ends_with(")"))
    return {Name, std::nullopt};
  size_t Depth = 0, At = Name.size();
  do {
    --At;
    Depth += Name[At] == ')' ? 1 : 0;
    Depth -= Name[At] == '(' ? 1 : 0;
  } while (At != 0 && Depth != 0);
  return {Name.take_front(At).rtrim(), Name.substr(At + 1).drop_back()};
}

/// The kernel that \p Name means: the very name, else the only one that is so called without its
/// namespaces or template arguments. Of several by one name that with the types behind it.
Expected<const KernelSignature *> findKernel(ArrayRef<KernelSignature> Kernels, StringRef Name,
                                             StringRef File) {
  auto [Alone, Types] = splitTypes(Name);
  std::string Wanted = squeezed(Alone);
  SmallVector<const KernelSignature *> Found;
  auto OtherTypes = [&, Types = Types](const KernelSignature &K) {
    if (!Types)
      return false;
    KernelParameter Given;
    Given.Type = Types->str();
    std::string Own;
    for (const KernelParameter &P : K.Parameters)
      Own += (Own.empty() ? "" : ",") + P.plainType();
    return squeezed(Own) != squeezed(Given.plainType());
  };
  for (const KernelSignature &K : Kernels)
    if (squeezed(K.Name) == Wanted && !OtherTypes(K))
      Found.push_back(&K);
  for (const KernelSignature &K : Kernels) {
    if (OtherTypes(K) || (!Found.empty() && squeezed(Found.front()->Name) == Wanted))
      continue;
    StringRef Full = K.Name;
    StringRef Plain = Full.split('<').first;
    std::string Arguments = squeezed(Full.drop_front(Plain.size()));
    StringRef Short = Plain.substr(Plain.rfind(':') + 1);
    if (Wanted == squeezed(Plain) || Wanted == squeezed(Short) ||
        Wanted == squeezed(Short) + Arguments)
      Found.push_back(&K);
  }
  if (Found.size() == 1)
    return Found.front();
  std::string Names;
  for (const KernelSignature &K : Kernels)
    Names += (Names.empty() ? "" : ", ") + K.launchName();
  return createStringError(inconvertibleErrorCode(),
                           formatv("{0} kernel '{1}' in '{2}'; there {3}",
                                   Found.empty() ? "no" : "more than one", Name, File,
                                   Kernels.empty() ? "is none" : "are " + Names));
}

/// Names with template arguments: the file may not instantiate them itself.
std::vector<std::string> instantiations(ArrayRef<LaunchDescription> Launches) {
  std::vector<std::string> Names;
  for (const LaunchDescription &L : Launches)
    if (std::string Name = splitTypes(L.Kernel).first.str();
        StringRef(Name).contains('<') && !is_contained(Names, Name))
      Names.push_back(Name);
  return Names;
}

} // namespace

ExitCode codeOf(Verdict V) {
  switch (V) {
  case Verdict::Pass:
    return ExitDone;
  case Verdict::Fail:
    return ExitFindings;
  case Verdict::CannotTell:
    return ExitCannotRun;
  }
  llvm_unreachable("unknown verdict");
}

std::string quotedForShell(StringRef S) {
  bool Plain = !S.empty() &&
               all_of(S, [](char C) { return isAlnum(C) || StringRef("_-./=,:+@%").contains(C); });
  return Plain ? S.str() : shellWord(S);
}

std::string compilerFlagsText(const Invocation &I) {
  std::string Text;
  if (!I.CompilerFlags.empty()) {
    Text += " --";
    for (const std::string &F : I.CompilerFlags)
      Text += " " + quotedForShell(F);
  }
  return Text;
}

std::string sameCommand(const Invocation &I, ArrayRef<std::string> IfMissing) {
  std::string Text = "cuda-pipeline-rewrite";
  for (const std::string &Word : I.Words)
    Text += " " + quotedForShell(Word);
  for (const std::string &Option : IfMissing) {
    const StringRef Name = StringRef(Option).split('=').first;
    if (none_of(I.Words, [&](StringRef Word) {
          return Word.split('=').first.ltrim('-') == Name.ltrim('-');
        }))
      Text += " " + quotedForShell(Option);
  }
  return Text + compilerFlagsText(I);
}

std::string listed(ArrayRef<uint64_t> Seeds) {
  std::string Text;
  for (uint64_t Seed : Seeds)
    Text += (Text.empty() ? "" : ",") + std::to_string(Seed);
  return Text;
}

std::vector<std::string> describedInstantiations(ArrayRef<VerifyKernel> Kernels) {
  std::vector<LaunchDescription> Descriptions;
  for (const VerifyKernel &K : Kernels)
    if (!K.Launches.empty()) {
      Descriptions.emplace_back();
      Descriptions.back().Kernel = K.Launches.front().Kernel;
    }
  return instantiations(Descriptions);
}

std::vector<std::string> nvccFlags(ArrayRef<const ParseRequest *> Versions) {
  const ParseRequest &Old = *Versions.front();
  std::vector<std::string> Flags;
  std::vector<std::string> Args = Old.Flags.ClangArgs;
  Args.insert(Args.end(), Old.ExtraArgs.begin(), Old.ExtraArgs.end());
  auto Absolute = [&](StringRef Dir) {
    SmallString<256> Path(Dir);
    if (Old.Flags.Directory.empty())
      (void)sys::fs::make_absolute(Path);
    else
      sys::path::make_absolute(Old.Flags.Directory, Path);
    return std::string(Path);
  };
  auto Pass = [&](std::vector<std::string> Words) {
    for (const std::string &Word : Words)
      if (runsInShell(Word)) {
        static std::set<std::string> Said; // nvcc is called for one file more than once
        if (Said.insert(Word).second)
          errs() << "cuda-pipeline-rewrite: warning: '" << printable(Word)
                 << "' is not passed to nvcc, which would have a shell run what is in it\n";
        return;
      }
    Flags.insert(Flags.end(), Words.begin(), Words.end());
  };
  for (size_t A = 0; A != Args.size(); ++A) {
    StringRef Arg = Args[A];
    if (Arg.starts_with("-D") || Arg.starts_with("-U") || Arg.starts_with("-std="))
      Pass({Arg.str()});
    else if (Arg.starts_with("-I") && Arg.size() > 2)
      Pass({"-I" + Absolute(Arg.drop_front(2))});
    else if ((Arg == "-I" || Arg == "-isystem") && A + 1 != Args.size())
      Pass({"-I" + Absolute(Args[++A])});
    else if (Arg == "-include" && A + 1 != Args.size())
      Pass({"-include", Absolute(Args[++A])});
  }
  for (const std::string &Flag : Old.Flags.OfCode)
    Pass({Flag});
  // Files that are included with quotes lie beside the including one.
  for (const ParseRequest *R : Versions) {
    StringRef Folder = sys::path::parent_path(R->File);
    std::string Flag = "-I" + Absolute(Folder.empty() ? "." : Folder);
    if (!is_contained(Flags, Flag))
      Pass({std::move(Flag)});
  }
  return Flags;
}

Expected<std::string> textOf(const ParseRequest &R) {
  if (R.Contents)
    return *R.Contents;
  return readInputFile(R.File);
}

static ExitCode complain(Error E, ExitCode Code) {
  errorLine(errs()) << toString(std::move(E)) << '\n';
  return Code;
}

ExitCode runHarnessHere(const Harness &H, const Invocation &I, int Progress,
                        std::optional<GpuResult> &Result) {
  Expected<std::optional<Toolkit>> Cuda = findToolkit(I.CudaPath);
  if (!Cuda)
    return complain(Cuda.takeError(), ExitUsage);
  if (!*Cuda) {
    errorLine(errs()) << (I.Cmd == Command::Bench ? "bench" : "--engine=gpu")
                      << " needs nvcc, and there is no CUDA toolkit; --emit-harness=DIR writes "
                         "what another machine can run\n";
    return ExitCannotRun;
  }
  HarnessRun Run;
  Run.Nvcc = (*Cuda)->Root + "/bin/nvcc";
  Run.Progress = Progress;
  Expected<GpuResult> Ran = runHarness(H, Run);
  if (Ran) {
    Result = std::move(*Ran);
    return ExitDone;
  }
  ExitCode Code = ExitInput; // nvcc rejects a version, or the harness broke down
  Error Left = handleErrors(Ran.takeError(), [&](const HarnessError &E) {
    if (E.cannotRunHere() || E.step() == HarnessError::Step::Run)
      Code = ExitCannotRun;
    else if (E.step() == HarnessError::Step::Write)
      Code = ExitUsage;
    errorLine(errs()) << E.message() << '\n';
  });
  return Left ? complain(std::move(Left), ExitUsage) : Code;
}

std::optional<GpuResult> resultOf(const Harness &H, const Invocation &I, int Progress,
                                  ExitCode &Code) {
  std::optional<GpuResult> Result;
  Code = ExitDone;
  if (!I.EmitHarness.empty()) {
    if (!writeFolder(I.EmitHarness, H.Files, "--emit-harness")) {
      Code = ExitUsage;
      return Result;
    }
    outs() << "wrote " << I.EmitHarness
           << "; build and run it there with: sh build.sh && ./harness\n"
           << "then read its result with --from-result=" << I.EmitHarness << "/result.json\n";
  } else if (!I.FromResult.empty()) {
    Expected<std::string> Text = readInputFile(I.FromResult);
    Expected<GpuResult> Read = Text ? readGpuResult(*Text, I.FromResult, &H) : Text.takeError();
    if (Read)
      Result = std::move(*Read);
    else
      Code = complain(Read.takeError(), ExitUsage);
  } else {
    Code = runHarnessHere(H, I, Progress, Result);
  }
  return Result;
}

namespace {

/// Step 4 on a GPU, here or elsewhere.
VerifyOutcome runOnGpu(const ParseRequest &Old, const ParseRequest &New, const Invocation &I,
                       std::vector<VerifyKernel> Kernels, VerifyOutcome Outcome) {
  auto Complain = [](Error E, ExitCode Code) {
    errorLine(errs()) << toString(std::move(E)) << '\n';
    return stop(Code);
  };
  if (New.Edited) {
    errorLine(errs()) << "--verify=gpu does not put another text in the place of a header; rewrite "
                         "it with -i, and verify the files "
                         "that include it\n";
    return stop(ExitCannotRun);
  }
  HarnessRequest Request;
  for (auto [Source, Text] :
       {std::pair(&Old, &Request.Versions[0].Text), std::pair(&New, &Request.Versions[1].Text)}) {
    Expected<std::string> Contents = textOf(*Source);
    if (!Contents)
      return Complain(Contents.takeError(), ExitUsage);
    *Text = std::move(*Contents);
  }
  // Without --arch: that of the GPU where the harness is built.
  Request.Arch = I.Rewrite.Archs.empty() ? "native" : I.Rewrite.Archs.front();
  Request.NvccFlags = nvccFlags({&Old, &New});
  Request.Seeds = I.Verify.Seeds;
  Request.Kernels = std::move(Kernels);
  Expected<Harness> H = makeHarness(Request);
  if (!H)
    return Complain(H.takeError(), ExitUsage);

  ExitCode Code = ExitDone;
  std::optional<GpuResult> Result = resultOf(*H, I, /*Progress=*/-1, Code);
  if (!Result)
    return stop(Code);

  VerifyReport &R = Outcome.Report;
  R.Device = Result->Gpu;
  for (GpuCase &C : Result->Cases) {
    if (C.Timed)
      C.Timing = VerifyTiming{C.OldMicroseconds, C.NewMicroseconds, C.Rounds};
    R.Cases.push_back(std::move(C));
  }
  return Outcome;
}

} // namespace

/// Of --launch; none without. On an error a message is printed.
static std::optional<std::vector<LaunchDescription>> describedLaunches(const Invocation &I,
                                                                       ExitCode &Code) {
  std::vector<LaunchDescription> Launches;
  if (I.LaunchFile.empty())
    return Launches;
  Expected<std::string> Text = readInputFile(I.LaunchFile);
  Expected<std::vector<LaunchDescription>> Parsed =
      Text ? parseLaunch(*Text, I.LaunchFile) : Text.takeError();
  if (!Parsed) {
    errorLine(errs()) << toString(Parsed.takeError()) << '\n';
    Code = ExitUsage;
    return std::nullopt;
  }
  return std::move(*Parsed);
}

std::optional<std::vector<std::string>> launchedTemplates(const Invocation &I, ExitCode &Code) {
  std::optional<std::vector<LaunchDescription>> Launches = describedLaunches(I, Code);
  if (!Launches)
    return std::nullopt;
  return instantiations(*Launches);
}

std::vector<std::pair<std::string, std::array<uint64_t, 3>>> knownBlocks(const ParseRequest &Old,
                                                                         const Invocation &I) {
  std::vector<std::pair<std::string, std::array<uint64_t, 3>>> Blocks;
  ExitCode Code = ExitDone;
  std::optional<std::vector<LaunchDescription>> Launches = describedLaunches(I, Code);
  if (!Launches)
    return Blocks;
  std::string Messages;
  ParseRequest Request = Old;
  Request.KeepGoing = true;
  Expected<DeviceModule> M = compileDevice(Request, instantiations(*Launches), Messages);
  if (!M) {
    consumeError(M.takeError());
    return Blocks;
  }
  for (const KernelLaunch &L : M->Launches)
    if (L.Block)
      Blocks.emplace_back(L.Mangled, *L.Block);
  for (const LaunchDescription &L : *Launches) {
    Expected<const KernelSignature *> K = findKernel(M->Kernels, L.Kernel, Old.File);
    Expected<std::vector<ConcreteLaunch>> Numbers = K ? evaluate(L, **K) : K.takeError();
    if (!Numbers) {
      consumeError(Numbers.takeError());
      continue;
    }
    for (const ConcreteLaunch &C : *Numbers)
      Blocks.emplace_back((*K)->Mangled, C.Block);
  }
  return Blocks;
}

ExitCode matchKernels(ArrayRef<const ParseRequest *> Versions, const Invocation &I,
                      MatchedKernels &To, bool Search, Compiled *OfOld) {
  const ParseRequest &Old = *Versions.front();
  // 1. Launches.
  ExitCode Code = ExitDone;
  std::optional<std::vector<LaunchDescription>> Described = describedLaunches(I, Code);
  if (!Described)
    return Code;
  std::vector<LaunchDescription> Launches = std::move(*Described);

  // 2. Compile.
  std::vector<std::string> Instantiate = instantiations(Launches);
  std::vector<std::string> OldKey = {Old.File, Old.Arch};
  llvm::append_range(OldKey, Instantiate);
  for (const ParseRequest *R : Versions) {
    if (OfOld && R == &Old && OfOld->Of == OldKey) {
      To.Modules.push_back(OfOld->Module);
      continue;
    }
    std::string Messages;
    ParseRequest Request = *R;
    Request.KeepGoing = I.Rewrite.KeepGoing;
    Expected<DeviceModule> M = compileDevice(Request, Instantiate, Messages);
    if (!M) {
      errs() << Messages;
      return complain(M.takeError(), ExitInput);
    }
    for (const std::string &Name : M->LeftOut)
      errs() << "note: " << printable(R->File)
             << ": left out, because of errors in it: " << printable(Name) << '\n';
    To.Modules.push_back(std::move(*M));
    if (OfOld && R == &Old)
      *OfOld = {OldKey, To.Modules.back(),
                OfOld->Several ? std::make_unique<SearchedOriginals>() : nullptr, OfOld->Several};
  }

  // Without a description: whatever the old file launches with known sizes.
  if (I.LaunchFile.empty()) {
    std::string Why;
    for (const KernelSignature &K : To.Modules[0].Kernels) {
      Expected<LaunchDescription> L = inferLaunch(To.Modules[0], K);
      if (L)
        Launches.push_back(std::move(*L));
      else if (Why.empty())
        Why = toString(L.takeError());
      else
        consumeError(L.takeError());
    }
    if (Launches.empty() && !Search) {
      errorLine(errs())
          << "'" << Old.File << "' does not say how its kernels are launched"
          << (Why.empty() ? "" : ": " + Why)
          << "; write a launch description (verify --emit-launch FILE shows one) and give it "
             "with --launch\n";
      return ExitUsage;
    }
  }

  // 3. Match.
  for (const LaunchDescription &L : Launches) {
    VerifyKernel K;
    auto Complain = [&](Error E) {
      std::string Text = toString(std::move(E));
      std::string Where = formatv("{0}:{1}: ", L.File, L.Line).str();
      errorLine(errs()) << (L.File.empty() || StringRef(Text).starts_with(L.File) ? "" : Where)
                        << Text << '\n';
      return ExitUsage;
    };
    for (const auto &[V, R] : enumerate(Versions)) {
      Expected<const KernelSignature *> In = findKernel(To.Modules[V].Kernels, L.Kernel, R->File);
      if (!In)
        return Complain(In.takeError());
      K.Demands.push_back((*In)->Shared);
      if (V == 0)
        K.Old = K.New = **In;
      else if (K.Old.Parameters.size() != (*In)->Parameters.size())
        return Complain(createStringError(
            inconvertibleErrorCode(),
            formatv("the kernel '{0}' has {1} parameters in '{2}' and {3} in '{4}'", L.Kernel,
                    K.Old.Parameters.size(), Old.File, (*In)->Parameters.size(), R->File)));
      if (V == 1)
        K.New = **In;
    }
    Expected<std::vector<ConcreteLaunch>> Numbers = evaluate(L, K.Old);
    if (!Numbers)
      return Complain(Numbers.takeError());
    K.Launches = std::move(*Numbers);
    K.Undescribed = I.LaunchFile.empty();
    To.Kernels.push_back(std::move(K));
  }
  if (Search && I.LaunchFile.empty()) {
    std::vector<VerifyKernel> Others = kernelsToSearch(To.Modules, To.Kernels);
    To.Kernels.insert(To.Kernels.end(), std::make_move_iterator(Others.begin()),
                      std::make_move_iterator(Others.end()));
  }
  return ExitDone;
}

VerifyOutcome verifyVersions(const ParseRequest &Old, const ParseRequest &New, const Invocation &I,
                             bool Gpu, Compiled *OfOld) {
  MatchedKernels All;
  if (ExitCode Code = matchKernels({&Old, &New}, I, All, /*Search=*/!Gpu, OfOld); Code != ExitDone)
    return stop(Code);
  std::vector<VerifyKernel> &Kernels = All.Kernels;

  // 4. Run.
  VerifyOutcome Outcome;
  Outcome.HasReport = true;
  VerifyReport &R = Outcome.Report;
  R.Engine = Gpu ? "gpu" : "emulate";
  R.Old = Old.File;
  R.New = New.File;
  R.Launch = I.LaunchFile;
  R.Seeds = I.Verify.Seeds;
  VerifyOptions Options = I.Verify;
  Options.Arch = New.Arch;
  Options.ReadsInBounds = I.Rewrite.Assumptions.contains("in-bounds");
  Options.CoResident = I.Rewrite.Assumptions.contains("co-resident");
  if (Options.ReadsInBounds && !Gpu) // a GPU does not say who reads what
    R.Assumptions.push_back("in-bounds");
  if (Options.CoResident && !Gpu)
    R.Assumptions.push_back("co-resident");
  findChanges(All.Modules[0], All.Modules[1], Kernels, R);
  std::vector<VerifyCase> OfLaunches;
  compareLaunches(All.Modules[0], All.Modules[1], Kernels, OfLaunches);
  if (Gpu)
    Outcome = runOnGpu(Old, New, I, std::move(Kernels), std::move(Outcome));
  else
    R.Cases = emulate(All.Modules[0], All.Modules[1], Kernels, Options,
                      OfOld ? OfOld->Searched.get() : nullptr);
  if (Outcome.HasReport)
    llvm::append_range(Outcome.Report.Cases, OfLaunches);
  if (Outcome.HasReport)
    Outcome.Code = codeOf(Outcome.Report.verdict());
  return Outcome;
}

//===--- the command -------------------------------------------------------===//

bool readRequest(const std::string &Path, const Invocation &I, ParseRequest &Request) {
  Expected<std::string> Contents = readInputFile(Path);
  if (!Contents) {
    errorLine(errs()) << toString(Contents.takeError()) << '\n';
    return false;
  }
  Request.File = Path;
  Request.ExtraArgs = I.ExtraArgs;
  Request.Seen = seenInRun();
  std::vector<std::string> Archs;
  return readConfigurations(I, Path, I.Rewrite.Archs, Request, Archs);
}

static ExitCode emitLaunch(const ParseRequest &Request, const Invocation &I) {
  std::string Messages;
  ParseRequest Going = Request;
  Going.KeepGoing = I.Rewrite.KeepGoing;
  Expected<DeviceModule> M = compileDevice(Going, {}, Messages);
  if (!M) {
    errs() << Messages;
    errorLine(errs()) << toString(M.takeError()) << '\n';
    return ExitInput;
  }
  if (M->Kernels.empty()) {
    errorLine(errs()) << "'" << Request.File << "' has no kernel that could be launched"
                      << " (a template counts where it is instantiated)\n";
    return ExitUsage;
  }
  std::vector<FoundDescription> Found;
  if (!I.EmitTemplate) {
    VerifyOptions Options = I.Verify;
    Options.Arch = Request.Arch;
    Found = describeLaunches(*M, M->Kernels, Options);
  }
  std::string Text = launchTemplate(*M, M->Kernels, Found);
  if (I.Output.empty() || I.Output == "-") {
    outs() << Text;
    return ExitDone;
  }
  return writeFiles({{I.Output, Text}}) ? ExitDone : ExitUsage;
}

/// Prints and writes the report of an outcome, if there is one; the exit code.
template <class OutcomeT> static ExitCode say(const OutcomeT &Outcome, const Invocation &I) {
  if (!Outcome.HasReport)
    return Outcome.Code;
  std::vector<std::pair<std::string, std::string>> Files;
  for (const ReportFile &F : I.Reports)
    Files.push_back({F.Path, renderVerification(Outcome.Report, F.Format)});
  if (!writeFiles(Files))
    return ExitUsage;
  if (!I.Quiet || I.Format != ReportFormat::Text)
    outs() << renderVerification(Outcome.Report, I.Format);
  return Outcome.Code == ExitFindings && I.ExitZero ? ExitDone : Outcome.Code;
}

//===--- many pairs ---------------------------------------------------------===//

namespace {

/// One line of the list.
struct Pair {
  std::string Old, New, Launch;
};

/// What its process has found.
struct PairOutcome {
  unsigned Code = ExitCannotRun;
  std::string Text, Json;        ///< of the report; empty: there is none, and messages were printed
  std::vector<std::string> Read; ///< files; none of them may be written
};
template <class Archive> void fields(Archive &A, PairOutcome &V) {
  A(V.Code, V.Text, V.Json, V.Read);
}

/// Of one process.
struct PairOutcomes {
  std::vector<PairOutcome> All;
};
template <class Archive> void fields(Archive &A, PairOutcomes &V) { A(V.All); }

/// Words as in a shell; one that begins with `#` begins a comment.
Expected<std::vector<Pair>> readPairs(const std::string &Path) {
  Expected<std::string> Text = readInputFile(Path);
  if (!Text)
    return Text.takeError();
  std::vector<Pair> Pairs;
  unsigned Number = 0;
  for (StringRef Rest = *Text, Line; !Rest.empty();) {
    std::tie(Line, Rest) = Rest.split('\n');
    ++Number;
    BumpPtrAllocator Memory;
    StringSaver Saver(Memory);
    SmallVector<const char *> Words;
    cl::TokenizeGNUCommandLine(Line, Saver, Words);
    Words.erase(find_if(Words, [](StringRef Word) { return Word.starts_with("#"); }), Words.end());
    if (Words.empty())
      continue;
    if (Words.size() != 2 && Words.size() != 3)
      return createStringError(inconvertibleErrorCode(), "'" + Path + "', line " +
                                                             std::to_string(Number) +
                                                             ": expected OLD NEW [LAUNCH]");
    Pairs.push_back({Words[0], Words[1], Words.size() == 3 ? Words[2] : ""});
  }
  if (Pairs.empty())
    return createStringError(inconvertibleErrorCode(), "'" + Path + "' names no pair");
  return Pairs;
}

/// Of two: what could not even be looked at says least of what else is wrong; then a failure, then
/// a doubt.
ExitCode worse(ExitCode A, ExitCode B) {
  static constexpr ExitCode FromWorst[] = {ExitUsage, ExitInput, ExitFindings, ExitCannotRun,
                                           ExitDone};
  for (ExitCode C : FromWorst)
    if (A == C || B == C)
      return C;
  return A;
}

VerifyOutcome verifyPair(const Pair &P, Invocation I, Compiled &OfOld) {
  I.Inputs = {P.Old, P.New};
  I.LaunchFile = P.Launch;
  std::vector<ParseRequest> Requests(2);
  for (size_t V = 0; V != 2; ++V)
    if (!readRequest(I.Inputs[V], I, Requests[V]))
      return stop(ExitUsage);
  VerifyOutcome Outcome = verifyVersions(Requests[0], Requests[1], I, I.VerifyGpu, &OfOld);
  Outcome.Report.Repeat = "cuda-pipeline-rewrite verify " + quotedForShell(P.Old) + " " +
                          quotedForShell(P.New) +
                          (P.Launch.empty() ? "" : " --launch=" + quotedForShell(P.Launch));
  for (const std::string &Word : I.Words)
    if (Word != "verify" && !StringRef(Word).ltrim('-').starts_with("batch") && Word != I.BatchFile)
      Outcome.Report.Repeat += " " + quotedForShell(Word);
  Outcome.Report.Repeat += compilerFlagsText(I);
  return Outcome;
}

PairOutcome lookAtPair(const Pair &Files, const Invocation &I, Compiled &OfOld) {
  const VerifyOutcome Outcome = verifyPair(Files, I, OfOld);
  PairOutcome P;
  P.Code = Outcome.Code;
  if (Outcome.HasReport) {
    P.Text = renderVerification(Outcome.Report, ReportFormat::Text);
    P.Json = renderVerification(Outcome.Report, ReportFormat::Json);
  }
  P.Read = filesRead();
  for (const auto &[Path, Was] : *seenInRun())
    if (Was.Kind == SeenFile::File)
      P.Read.push_back(Path);
  return P;
}

/// For the flags that all pairs have, where they do; whatever is wrong with them is said with the
/// first of these.
static void preparePairs(ArrayRef<Pair> Pairs, const Invocation &I) {
  constexpr size_t Few = 3; // it takes as long as these do
  if (I.Database || Pairs.size() <= Few)
    return;
  ParseRequest Request;
  Request.File = Pairs.front().Old;
  Request.ExtraArgs = I.ExtraArgs;
  std::vector<CompileFlags> Ways(1);
  Expected<CompileFlags> Flags = translateFlags(I.CompilerFlags);
  if (!Flags)
    return consumeError(Flags.takeError());
  Ways.front() = std::move(*Flags);
  std::vector<std::string> LeftOut;
  Expected<std::vector<std::string>> Archs =
      settleArchs(Ways, I.Rewrite.Archs, Request.Cuda, LeftOut);
  if (!Archs)
    return consumeError(Archs.takeError());
  Request.Flags = std::move(Ways.front());
  Request.Arch = Request.Flags.Archs.front();
  prepareDeviceCompilation(Request);
}

ExitCode verifyBatch(const Invocation &I) {
  Expected<std::vector<Pair>> Pairs = readPairs(I.BatchFile);
  if (!Pairs) {
    errorLine(errs()) << printable(toString(Pairs.takeError())) << '\n';
    return ExitUsage;
  }
  auto Protect = [](const std::string &Path) {
    if (Error E = outputsOfRun().protect(Path, "an input")) {
      sayErrors(std::move(E));
      return false;
    }
    return true;
  };
  for (const Pair &P : *Pairs)
    for (const std::string *Path : {&P.Old, &P.New, &P.Launch})
      if (!Path->empty() && !Protect(*Path))
        return ExitUsage;
  // Pairs of one old file share a process, which compiles it once and looks for its launches once;
  // but all processes have something to do.
  const size_t Most = divideCeil(Pairs->size(), std::max(1u, I.Jobs));
  std::vector<std::vector<size_t>> Groups;
  for (size_t At = 0; At != Pairs->size(); ++At) {
    auto Same = find_if(Groups, [&](ArrayRef<size_t> G) {
      return (*Pairs)[G.front()].Old == (*Pairs)[At].Old && G.size() < Most;
    });
    (Same == Groups.end() ? Groups.emplace_back() : *Same).push_back(At);
  }
  preparePairs(*Pairs, I);
  std::vector<PairOutcome> Found(Pairs->size());
  constexpr double NoLimit = 1e7; // each kernel has one
  // Once more one by one where a process has crashed.
  for (bool Alone : {false, true}) {
    std::vector<std::vector<size_t>> Left;
    isolateAll(
        static_cast<unsigned>(Groups.size()), I.Jobs, [&](unsigned) { return NoLimit; },
        [&](unsigned G, EmitText Emit) {
          PairOutcomes Outcomes;
          Compiled OfOld;
          OfOld.Several = Groups[G].size() > 1;
          for (size_t At : Groups[G])
            Outcomes.All.push_back(lookAtPair((*Pairs)[At], I, OfOld));
          Emit(toBytes(Outcomes));
        },
        [&](unsigned G, IsolatedRun Run) {
          if (std::optional<PairOutcomes> Outcomes = Run.End == IsolatedRun::Finished
                                                         ? fromBytes<PairOutcomes>(Run.Output)
                                                         : std::nullopt) {
            for (const auto &[At, P] : zip(Groups[G], Outcomes->All))
              Found[At] = std::move(P);
          } else if (Groups[G].size() > 1) {
            for (size_t At : Groups[G])
              Left.push_back({At});
          } else {
            errorLine(errs()) << "internal error while verifying '"
                              << printable((*Pairs)[Groups[G].front()].New) << "' (" << Run.Problem
                              << "). Please report it with the files\n";
          }
        });
    Groups = std::move(Left);
    if (Alone || Groups.empty())
      break;
  }

  for (const PairOutcome &F : Found)
    for (const std::string &Path : F.Read)
      if (!Protect(Path))
        return ExitUsage;
  ExitCode Worst = ExitDone;
  std::string Text;
  json::Array Runs;
  for (const auto &[P, F] : zip(*Pairs, Found)) {
    const ExitCode Code = static_cast<ExitCode>(F.Code);
    Worst = worse(Worst, Code);
    Text += harmless("== " + P.Old + " " + P.New + (P.Launch.empty() ? "" : " " + P.Launch) + ": " +
                     (F.Json.empty()         ? "not verified"
                      : Code == ExitDone     ? "pass"
                      : Code == ExitFindings ? "FAIL"
                                             : "cannot tell") +
                     "\n");
    if (I.Verbose || Code != ExitDone)
      Text += F.Text;
    Expected<json::Value> Report = json::parse(F.Json.empty() ? "null" : F.Json);
    Runs.push_back(json::Object{
        {"old", json::fixUTF8(P.Old)},
        {"new", json::fixUTF8(P.New)},
        {"launch", P.Launch.empty() ? json::Value(nullptr) : json::Value(json::fixUTF8(P.Launch))},
        {"exit", F.Code},
        {"report", Report ? std::move(*Report) : json::Value(nullptr)}});
    if (!Report)
      consumeError(Report.takeError());
  }
  const auto Count = [&](ExitCode C) {
    return count_if(Found,
                    [&](const PairOutcome &F) { return F.Code == static_cast<unsigned>(C); });
  };
  Text += formatv("{0} pair{1}: {2} passed, {3} failed, {4} without a verdict", Found.size(),
                  Found.size() == 1 ? "" : "s", Count(ExitDone), Count(ExitFindings),
                  static_cast<ptrdiff_t>(Found.size()) - Count(ExitDone) - Count(ExitFindings))
              .str() +
          "\n";
  const std::string Json =
      formatv("{0:2}\n", json::Value(json::Object{{"command", "batch"}, {"runs", std::move(Runs)}}))
          .str();
  std::vector<std::pair<std::string, std::string>> Files;
  for (const ReportFile &F : I.Reports)
    Files.push_back({F.Path, F.Format == ReportFormat::Json ? Json : Text});
  if (!writeFiles(Files))
    return ExitUsage;
  if (!I.Quiet || I.Format != ReportFormat::Text)
    outs() << (I.Format == ReportFormat::Json ? Json : Text);
  return Worst == ExitFindings && I.ExitZero ? ExitDone : Worst;
}

} // namespace

ExitCode runVerify(const Invocation &I) {
  if (!claimOutputs(I, outputsOfRun()))
    return ExitUsage;
  if (!I.BatchFile.empty())
    return verifyBatch(I);
  std::vector<ParseRequest> Requests(I.Inputs.size());
  for (size_t V = 0; V != I.Inputs.size(); ++V)
    if (!readRequest(I.Inputs[V], I, Requests[V]))
      return ExitUsage;
  if (I.EmitLaunch)
    return emitLaunch(Requests.front(), I);
  if (I.VerifySass) {
    ExitCode Code = ExitDone;
    std::optional<std::vector<std::string>> Templates = launchedTemplates(I, Code);
    if (!Templates)
      return Code;
    SassOutcome Outcome = verifySass(Requests[0], Requests[1], *Templates, I);
    Outcome.Report.Repeat = sameCommand(I, {"--engine=sass"});
    return say(Outcome, I);
  }
  VerifyOutcome Outcome = verifyVersions(Requests[0], Requests[1], I, I.VerifyGpu);
  std::vector<std::string> Options = {I.VerifyGpu ? "--engine=gpu" : "--engine=emulate",
                                      "--seed=" + listed(I.Verify.Seeds)};
  if (!I.VerifyGpu) // a GPU says for itself what it is
    Options.push_back("--arch=" + Requests.front().Arch);
  Outcome.Report.Repeat = sameCommand(I, Options);
  return say(Outcome, I);
}

} // namespace cuda_pipeline
