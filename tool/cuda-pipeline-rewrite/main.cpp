//===- main.cpp - The command cuda-pipeline-rewrite -------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ProgramMain.h"
#include "CommandLine.h"
#include "cuda-pipeline/CompileDevice.h"
#include "cuda-pipeline/LoopsOfTree.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/ManagedStatic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace cuda_pipeline {

static int run(int Argc, const char *const *Argv) {
  std::optional<Invocation> I = parseCommandLine(Argc, Argv, errs());
  if (!I)
    return ExitUsage;
  if (!I->BuildDir.empty()) {
    Expected<FlagDatabase> Database = FlagDatabase::load(I->BuildDir);
    if (!Database) {
      errorLine(errs()) << toString(Database.takeError()) << '\n';
      return ExitUsage;
    }
    I->Database = std::move(*Database);
  }
  if (!I->CleanDatabaseDir.empty())
    return writeCleanDatabase(*I);
  SmallString<256> Caches;
  if (I->KeepsPreludes && sys::path::cache_directory(Caches)) {
    sys::path::append(Caches, "cuda-pipeline-rewrite", "preludes");
    keepPreludes(std::string(Caches), programIdentity());
  }
  switch (I->Cmd) {
  case Command::Help:
    printHelp(outs());
    return ExitDone;
  case Command::Version:
    outs() << "cuda-pipeline-rewrite " CPR_VERSION " (Clang " LLVM_VERSION_STRING ")\n";
    return ExitDone;
  case Command::Explain:
    return explainReasons(I->Inputs, outs(), errs());
  case Command::Rules:
    return listRules(I->Format, outs());
  case Command::Matchers:
    printLoopMatchers(outs());
    return ExitDone;
  case Command::Rewrite:
  case Command::Check:
    return runSession(*I);
  case Command::Launch:
    return runLaunch(*I);
  case Command::Verify:
    return runVerify(*I);
  case Command::Bench:
    return runBench(*I);
  }
  return ExitUsage;
}

static int runAndFlush(int Argc, const char *const *Argv) {
  int Code = run(Argc, Argv);
  // A full disk or a closed descriptor behind standard output is an error like any other; left
  // alone, LLVM would abort in the stream's destructor.
  llvm::outs().flush();
  if (std::error_code EC = llvm::outs().error()) {
    errorLine(errs()) << "cannot write to standard output: " << EC.message() << '\n';
    llvm::outs().clear_error();
    Code = ExitUsage;
  }
  return Code;
}

int programMain(int Argc, char **Argv) { return runAndFlush(Argc, Argv); }

} // namespace cuda_pipeline
