//===- Launch.cpp - In front of the compiler ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Units.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace cuda_pipeline {

/// Its exit code; 134, as of an abort, where a signal has ended it.
static std::optional<int> runCompiler(ArrayRef<std::string> Command) {
  std::string Program = Command.front();
  if (!sys::path::has_parent_path(Program)) {
    ErrorOr<std::string> Found = sys::findProgramByName(Program);
    if (!Found) {
      errorLine(errs()) << "cannot run '" << Program << "': " << Found.getError().message() << '\n';
      return std::nullopt;
    }
    Program = *Found;
  }
  std::vector<StringRef> Args(Command.begin(), Command.end());
  std::string Why;
  bool NotRun = false;
  const int Status = sys::ExecuteAndWait(Program, Args, std::nullopt, {}, 0, 0, &Why, &NotRun);
  if (NotRun || Status == -1) {
    errorLine(errs()) << "cannot run '" << Program << "': " << Why << '\n';
    return std::nullopt;
  }
  if (Status == -2) { // ended by a signal; LLVM tells its name, not its number
    errs() << Program << ": " << Why << '\n';
    return 128 + 6;
  }
  return Status;
}

int runLaunch(const Invocation &I) {
  // First what was asked for. Where it fails, its messages are the ones that count.
  const std::optional<int> Status = runCompiler(I.CompilerFlags);
  if (!Status)
    return ExitUsage;
  if (*Status != 0)
    return *Status;
  Expected<CompileFlags> Flags = translateFlags(I.CompilerFlags);
  if (!Flags) { // the compiler has understood it
    consumeError(Flags.takeError());
    return *Status;
  }
  Invocation Check = I;
  Check.Cmd = Command::Check;
  if (!Flags->Compiles || (Check.Inputs = cudaInputs(*Flags)).empty())
    return *Status;
  Check.InBuild = true;
  const ExitCode Code = runSession(Check);
  // Whoever wants the build to fail wants it, too, where nothing could be found out.
  return I.Gate == FailOn::Never ? *Status : Code;
}

} // namespace cuda_pipeline
