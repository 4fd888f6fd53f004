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
#include "cuda-pipeline/Verify.h"

namespace cuda_pipeline {

/// Runs the two versions against each other. On success `Code` is ExitDone (pass), ExitFindings (fail)
/// or ExitCannotRun (no verdict), and the report is filled. Otherwise messages were printed, and the
/// code is that of the error.
struct VerifyOutcome {
  ExitCode Code = ExitDone;
  bool HasReport = false;
  VerifyReport Report;
};
VerifyOutcome verifyVersions(const ParseRequest &Old, const ParseRequest &New, const Invocation &I,
                             bool Gpu);

/// As text or JSON, with a line end.
std::string renderVerification(const VerifyReport &Report, ReportFormat Format);

} // namespace cuda_pipeline

#endif
