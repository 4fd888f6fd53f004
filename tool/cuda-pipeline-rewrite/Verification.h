//===- Verification.h - `verify`, and --verify of rewrite ------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_TOOL_VERIFICATION_H
#define CUDA_PIPELINE_TOOL_VERIFICATION_H

#include "CommandLine.h"
#include "SelfCheck/Versions.h"
#include "cuda-pipeline/GpuHarness.h"
#include "cuda-pipeline/Sass.h"
#include "cuda-pipeline/Verify.h"
#include "llvm/Support/FormatVariadic.h"

namespace cuda_pipeline {

/// Runs the two versions against each other. On success `Code` is ExitDone (pass), ExitFindings
/// (fail) or ExitCannotRun (no verdict), and the report is filled. Otherwise messages were printed,
/// and the code is that of the error.
struct VerifyOutcome {
  ExitCode Code = ExitDone;
  bool HasReport = false;
  VerifyReport Report;
};
/// An old version that has been compiled, for the next pair that it is in.
struct Compiled {
  std::vector<std::string> Of; ///< file, architecture, instantiations
  DeviceModule Module;
  std::unique_ptr<SearchedOriginals> Searched =
      nullptr;          ///< kernels of Module; null: each in a process of its own
  bool Several = false; ///< there will be a next pair
};
VerifyOutcome verifyVersions(const ParseRequest &Old, const ParseRequest &New, const Invocation &I,
                             bool Gpu, Compiled *OfOld = nullptr);

/// What a verdict is as an exit code.
ExitCode codeOf(Verdict V);

/// The same for what nvcc makes of them. \p Instantiate: kernels with their template arguments.
struct SassOutcome {
  ExitCode Code = ExitDone;
  bool HasReport = false;
  SassReport Report;
};
SassOutcome verifySass(const ParseRequest &Old, const ParseRequest &New,
                       const std::vector<std::string> &Instantiate, const Invocation &I);

/// ExitFindings: nvcc does not compile it for one of the architectures, or needs more for it than a
/// thread or a block has; messages say so, and \p Why shortly.
ExitCode verifyCompiles(const ParseRequest &Old, const ParseRequest &New,
                        const std::vector<std::string> &Instantiate, const Invocation &I,
                        std::string &Why);

/// The blocks with which kernels are launched, by symbol: those that are described, and those of
/// the file. No message if it is not known.
std::vector<std::pair<std::string, std::array<uint64_t, 3>>> knownBlocks(const ParseRequest &Old,
                                                                         const Invocation &I);

/// What nvcc says of the registers of all kernels in both versions. An error is a SassError.
llvm::Expected<std::vector<KernelResources>>
countRegisters(const ParseRequest &Old, const ParseRequest &New,
               const std::vector<std::string> &Instantiate, const Invocation &I,
               const std::optional<Toolkit> &Cuda);
/// The same of a report that has them.
std::vector<KernelResources> resourcesIn(const SassReport &Report);
/// LoopReport::Registers, and what follows from it.
void reportRegisters(FileReport &F, llvm::ArrayRef<KernelResources> Counted);

struct Unit;
/// Where it does not overlap everywhere: the same rewrite of \p U with hints to the compiler, as
/// far as they make it better. \p U is what was best; \p Outcome that of it as it is.
SassOutcome improveForCompiler(Unit &U, ParseRequest Old, ParseRequest New,
                               const std::vector<std::string> &Instantiate, const Invocation &I,
                               SassOutcome Outcome);

/// The kernels with template arguments that --launch names. On an error a message is printed.
std::optional<std::vector<std::string>> launchedTemplates(const Invocation &I, ExitCode &Code);

/// Steps 1 to 3 of both commands: the launches, and every described kernel in all versions.
struct MatchedKernels {
  std::vector<DeviceModule> Modules; ///< of the old version and the new ones
  std::vector<VerifyKernel> Kernels; ///< New: of the first new version
};
/// \p Versions: the old one first. Unless it returns ExitDone, messages were printed.
ExitCode matchKernels(llvm::ArrayRef<const ParseRequest *> Versions, const Invocation &I,
                      MatchedKernels &To, bool Search = false, Compiled *OfOld = nullptr);

/// The input, its flags, its architecture. False: a message was printed.
bool readRequest(const std::string &Path, const Invocation &I, ParseRequest &Request);

/// Names with template arguments in the launch description: the file may not instantiate them
/// itself.
std::vector<std::string> describedInstantiations(llvm::ArrayRef<VerifyKernel> Kernels);

/// What nvcc needs to see of the flags with which Clang read the files.
std::vector<std::string> nvccFlags(llvm::ArrayRef<const ParseRequest *> Versions);
llvm::Expected<std::string> textOf(const ParseRequest &R);
std::string quotedForShell(llvm::StringRef S);
/// The flags behind `--`, with it.
std::string compilerFlagsText(const Invocation &I);
/// The command line that makes the same result again. \p IfMissing: options that stand there even
/// if they were not given.
std::string sameCommand(const Invocation &I, llvm::ArrayRef<std::string> IfMissing);
std::string listed(llvm::ArrayRef<uint64_t> Seeds); ///< "1,2"

/// Runs the harness here. Unless it returns ExitDone, messages were printed.
ExitCode runHarnessHere(const Harness &H, const Invocation &I, int Progress,
                        std::optional<GpuResult> &Result);
/// `--emit-harness`, or `--from-result`, or here. None: done, or messages were printed, as \p Code
/// says.
std::optional<GpuResult> resultOf(const Harness &H, const Invocation &I, int Progress,
                                  ExitCode &Code);

/// As text or JSON, with a line end.
template <class ReportT>
std::string renderVerification(const ReportT &Report, ReportFormat Format) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  if (Format == ReportFormat::Json)
    OS << llvm::formatv("{0:2}\n", toJSON(Report));
  else if (Format == ReportFormat::Html)
    renderHTML(toJSON(Report), OS);
  else
    writeText(Report, OS);
  return Format == ReportFormat::Text ? harmless(Text) : Text;
}

} // namespace cuda_pipeline

#endif
