//===- GpuHarness.h - Versions of a file against each other on a GPU ------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The other engine of verification, and that of `bench`. From an old version of a file, new ones
/// and concrete launches comes a folder of source text that needs nothing but a CUDA toolkit: `sh
/// build.sh && ./harness` runs every case on fresh data, compares bit for bit, times all versions
/// in turns and compares once more, and writes result.json. It can be built and run here
/// (runHarness) or on another machine, whose result.json is then read (readGpuResult).
///
/// All versions define the same names, main() included, so neither one program nor renaming would
/// do: templates and inline functions of the same name would silently be merged by the linker. Each
/// version is a shared object of its own, loaded without sharing symbols: the user's text as it is,
/// with a table of launches behind it that uses names, not symbols, so that static kernels,
/// templates and variables are found as the user's own code would find them. One process has all of
/// them, so they run on the same memory in turns. lib/Verify/Gpu/harness holds the fixed part.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_GPUHARNESS_H
#define CUDA_PIPELINE_GPUHARNESS_H

#include "cuda-pipeline/Verify.h"
#include "llvm/Support/Error.h"
#include <map>

namespace cuda_pipeline {

enum class VersionKind {
  Old,
  New,
  LoadsOnly,   ///< the old one without the compute phase of its tile loops: for timing only
  ComputeOnly, ///< without their load phase
};
llvm::StringRef toString(VersionKind K); ///< "old", "new", "loads-only", "compute-only"

struct HarnessVersion {
  VersionKind Kind = VersionKind::New;
  std::string Name; ///< for people
  std::string Text; ///< the file's contents
  /// Indices of HarnessRequest::Kernels about which it says nothing: an ablation of other kernels.
  std::vector<size_t> NotFor = {};
};

/// More than verification wants to know.
struct BenchOptions {
  unsigned Rounds = 0; ///< 0: as many as it takes
  double TimeLimitSeconds =
      4;             ///< of timing, for each case and, by itself, for each ablated version of it
  bool Cold = false; ///< nothing in the L2 cache when a kernel begins
  bool Ncu = false;  ///< ask the profiler what warps wait for
};

struct HarnessRequest {
  /// The first one is the old version; at least one new one follows, unless it is for `bench`.
  std::vector<HarnessVersion> Versions = {{VersionKind::Old, "old", ""},
                                          {VersionKind::New, "new", ""}};
  std::optional<BenchOptions> Bench; ///< none: for verification
  std::string Arch;                  ///< "sm_90"
  /// As for the user's own nvcc: -std, -I, -D, ... An include directory must be there where the
  /// harness is built; files that the versions include with quotes can be given along.
  std::vector<std::string> NvccFlags;
  std::vector<std::pair<std::string, std::string>> Extra; ///< name in the folder, contents
  std::vector<uint64_t> Seeds = {1, 2};
  unsigned Rounds = 15;       ///< of timing, in verification; 0: none
  double TimeoutSeconds = 30; ///< for the launches between two synchronisations
  std::vector<VerifyKernel> Kernels;
};

/// Files by name; to be written into an empty folder.
struct Harness {
  std::string Id; ///< of its contents: result.json repeats it
  std::vector<std::pair<std::string, std::string>> Files;
};

/// An error if old and new differ in their parameters, or nothing is to be run.
llvm::Expected<Harness> makeHarness(const HarnessRequest &Request);

/// Creates \p Folder if need be; files in it that have the same name are overwritten. For folders
/// of one's own: `--emit-harness=DIR` goes through OutputFiles::writeFolder().
llvm::Error writeHarness(const Harness &H, llvm::StringRef Folder);

/// One version in one case, of a harness for `bench`.
struct GpuVersion {
  size_t Version = 0; ///< of HarnessRequest::Versions
  Verdict Result = Verdict::CannotTell;
  std::string Kind, Reason; ///< as GpuCase's
  uint64_t Seed = 0;
  std::optional<VerifyDifference> Difference;
  std::vector<double> Microseconds; ///< per launch, round by round; empty: not timed
  unsigned LaunchesPerRound = 0;
  uint64_t DynamicShared = 0;           ///< that it was launched with, bytes
  std::map<std::string, double> Stalls; ///< warps that wait, on average, by what for
};

/// One case, with what only a GPU can say.
struct GpuCase : VerifyCase {
  /// "" for a pass; "difference", "difference-after-timing", "contraction" (agrees with
  /// -fmad=false), "unstable" (the old version is not deterministic), "out-of-bounds",
  /// "input-changed", "launch", "timeout", "memory", "global", "not-run".
  std::string Kind;
  uint64_t Seed = 0; ///< that showed it; for a pass the last one
  bool Timed = false;
  double OldMicroseconds = 0, NewMicroseconds = 0; ///< medians
  unsigned Rounds = 0, LaunchesPerRound = 0;
  std::vector<GpuVersion> Versions; ///< of bench, by version
};

struct GpuClocks {
  double SmMHz = 0, SmLeast = 0, SmMost = 0, MemoryMHz = 0;
  std::string Source; ///< "nvml": medians of readings while kernels ran; "attribute": what the
                      ///< device may have at most
};

/// Measured in the same run; 0: not measured.
struct GpuCeilings {
  double CopyGBps = 0, FfmaGflops = 0, DfmaGflops = 0;
  double TensorGflops = 0, ImmaGops = 0; ///< of halves and of bytes, through mma.sync
  /// Of operations of a launch description's `unit`; 0: none.
  double of(llvm::StringRef Unit) const {
    return Unit == "fp32"     ? FfmaGflops
           : Unit == "fp64"   ? DfmaGflops
           : Unit == "tensor" ? TensorGflops
           : Unit == "int8"   ? ImmaGops
                              : 0;
  }
};

struct GpuResult {
  std::string HarnessId, Gpu, ComputeCapability, Driver, Runtime, Arch;
  std::vector<uint64_t> Seeds;
  // Of bench.
  std::optional<GpuClocks> Clocks;
  GpuCeilings Ceilings;
  std::string L2; ///< "warm" or "cold"
  std::string
      NcuProblem; ///< why there are no stalls; empty: none were asked for, or they are there
  std::vector<GpuCase> Cases;
  Verdict verdict() const; ///< without cases: cannot tell
};

/// `--from-result`: \p Text of result.json; \p File is for messages, which are one line. With \p
/// For also an error if the result is that of another harness.
llvm::Expected<GpuResult> readGpuResult(llvm::StringRef Text, llvm::StringRef File,
                                        const Harness *For = nullptr);

/// Why a harness could not be run: which step, and one line.
class HarnessError : public llvm::ErrorInfo<HarnessError> {
public:
  enum class Step {
    Write,      ///< the temporary folder
    NoCompiler, ///< there is no nvcc at the path: exit 4
    Build,      ///< nvcc does not compile a version
    NoGpu,      ///< exit 4
    Run,        ///< the harness ended without a result
    Read,       ///< its result is no result
  };
  static char ID;
  HarnessError(Step S, std::string Message) : S(S), Message(std::move(Message)) {}
  Step step() const { return S; }
  /// The step cannot be done on this machine: never a verdict about the kernels.
  bool cannotRunHere() const { return S == Step::NoCompiler || S == Step::NoGpu; }
  void log(llvm::raw_ostream &OS) const override { OS << Message; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  Step S;
  std::string Message;
};

struct HarnessRun {
  std::string Nvcc;   ///< path of the compiler
  std::string Folder; ///< where to build; empty: a temporary folder that is removed afterwards
  unsigned BuildSeconds = 600,
           RunSeconds = 0; ///< limits; 0: none, the harness has its own for every launch
  int Progress = -1;       ///< a descriptor that lines about the state are written to; -1: none
};

/// Builds, runs and reads. A verdict of "fail" is a result; errors are HarnessErrors.
llvm::Expected<GpuResult> runHarness(const Harness &H, const HarnessRun &Run);

} // namespace cuda_pipeline

#endif
