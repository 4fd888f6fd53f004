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
bool readVersion(const ParseRequest &Request, const Invocation &I, SassVersion &Out) {
  RewriteOptions Options;
  Options.CheckOnly = true;
  Options.Archs = {Request.Arch};
  Options.BlockSize = I.Rewrite.BlockSize;
  FileResult Found = processFile(Request, Options);
  if (!Found.Parsed) {
    errs() << Found.Diagnostics;
    errorLine(errs()) << "'" << Request.File << "' does not parse\n";
    return false;
  }
  Out.File = Request.File;
  Out.Text = Found.Original;
  for (const LoopReport &L : Found.Report.Loops)
    if (L.InFile.empty()) {
      SassSourceLoop Loop;
      Loop.Line = L.Line;
      Loop.EndLine = L.EndLine;
      Loop.Pipelined = L.Status == LoopStatus::AlreadyPipelined;
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

} // namespace

SassOutcome verifySass(const ParseRequest &Old, const ParseRequest &New, const std::vector<std::string> &Instantiate, const Invocation &I) {
  if (New.Edited) {
    errorLine(errs()) << "--verify=sass does not put another text in the place of a header; rewrite it with -i, and verify the files "
                         "that include it\n";
    return stop(ExitCannotRun);
  }
  SassRequest Request;
  if (!readVersion(Old, I, Request.Old) || !readVersion(New, I, Request.New))
    return stop(ExitInput);
  Request.Archs = !I.Rewrite.Archs.empty() ? I.Rewrite.Archs : !Old.Flags.Archs.empty() ? Old.Flags.Archs : std::vector<std::string>{Old.Arch};
  Request.NvccFlags = nvccFlags(Old, New);
  Request.Instantiate = Instantiate;
  Request.Jobs = std::max(1u, I.Jobs);

  Expected<std::optional<Toolkit>> Cuda = findToolkit(I.CudaPath);
  if (!Cuda) {
    errorLine(errs()) << toString(Cuda.takeError()) << '\n';
    return stop(ExitUsage);
  }
  if (!*Cuda) {
    errorLine(errs()) << "machine code needs nvcc, and there is no CUDA toolkit; --cuda-path=DIR names one\n";
    return stop(ExitCannotRun);
  }
  Request.Nvcc = (*Cuda)->Root + "/bin/nvcc";
  Request.Disassembler = findDisassembler(**Cuda);

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
  switch (Outcome.Report.verdict()) {
  case Verdict::Pass:
    Outcome.Code = ExitDone;
    break;
  case Verdict::Fail:
    Outcome.Code = ExitFindings;
    break;
  case Verdict::CannotTell:
    Outcome.Code = ExitCannotRun;
    break;
  }
  return Outcome;
}

} // namespace cuda_pipeline
