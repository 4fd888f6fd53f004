//===- Bench.h - How fast the versions of a file are ---------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The report of `bench`: for every case, every version against the old one. It is made from the
/// times that a GPU harness has written down (GpuHarness.h), round by round.
///
/// A round runs every version once, in an order that changes. So there are as many ratios as
/// rounds, and what slows a whole round down is in none of them: their quartiles say how far a
/// speed-up can be trusted. The speed-up itself is the ratio of the medians.
///
/// A version that is wrong has no time and no speed-up: a kernel that skips work is fast.
///
/// The limit of pipelining is the longer one of *loads only* and *compute only*, the kernel without
/// its other half. The overlap efficiency of a version is that limit over its time.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_BENCH_H
#define CUDA_PIPELINE_BENCH_H

#include "cuda-pipeline/GpuHarness.h"

namespace cuda_pipeline {

struct BenchVersion {
  std::string Name;
  std::string File; ///< that it is, or is made from
  VersionKind Kind = VersionKind::New;
  std::string Made;  ///< "cp-async with 3 stages"; empty: the user's own file
  bool Auto = false; ///< what `--variant=auto` gives
};

/// Microseconds per launch.
struct BenchTime {
  double Median = 0, Least = 0, Low = 0, High = 0; ///< Low, High: the quartiles
  size_t Rounds = 0;
};

struct BenchResult {
  size_t Version = 0; ///< of BenchReport::Versions
  Verdict Result = Verdict::CannotTell;
  std::string Reason;            ///< one line; empty for a pass
  std::optional<BenchTime> Time; ///< only of what is right
  unsigned LaunchesPerRound = 0;
  /// How many times as fast as the old version: of the medians, and the quartiles of the rounds.
  std::optional<double> Ratio;
  double RatioLow = 0, RatioHigh = 0;
  std::optional<double> GBps, Gflops;
  std::optional<double> OverlapEfficiency;
  uint64_t DynamicShared = 0; ///< that it was launched with, bytes
  std::map<std::string, double> Stalls;
};

struct BenchCase {
  std::string Kernel, Case;
  Verdict Result = Verdict::Pass;
  std::string Reason;
  std::vector<BenchResult> Results;             ///< of the old version and the new ones
  std::optional<double> LoadsOnly, ComputeOnly; ///< microseconds
  std::string NotAblated; ///< why they are not there; empty: they are, or nobody asked
  std::string Unit; ///< whose ceiling the operations are measured by: "fp32", "fp64", "tensor",
                    ///< "int8", "": none
};

struct BenchReport {
  std::string ToolVersion;
  std::string Gpu, ComputeCapability, Driver, Cuda, Arch;
  GpuClocks Clocks;
  GpuCeilings Ceilings;
  std::string L2;
  std::string NcuProblem;
  std::vector<BenchVersion> Versions;
  std::vector<BenchCase> Cases;
  std::vector<std::string> NotMade; ///< variants that the file cannot have, and why
  std::string Repeat;

  Verdict verdict() const; ///< of all versions in all cases
};

/// \p Kernels: those of the harness, for what a case computes and moves. \p NotAblated: by kernel,
/// why there are no times of its halves. \p Versions are in the harness's order.
BenchReport makeBenchReport(const GpuResult &Result, std::vector<BenchVersion> Versions,
                            llvm::ArrayRef<VerifyKernel> Kernels,
                            llvm::ArrayRef<std::string> NotAblated);

void writeText(const BenchReport &Report, llvm::raw_ostream &OS);
void writeMarkdown(const BenchReport &Report, llvm::raw_ostream &OS);
/// docs/schema/bench.schema.json
llvm::json::Value toJSON(const BenchReport &Report);

} // namespace cuda_pipeline

#endif
