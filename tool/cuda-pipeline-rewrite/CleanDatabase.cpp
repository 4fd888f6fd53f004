//===- CleanDatabase.cpp - A compilation database in Clang's words --===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/OutputFile.h"
#include "Units.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace cuda_pipeline {

/// Beside a database that this tool wrote.
static constexpr StringLiteral DeclarationsName = "cuda-pipeline-include";

ExitCode writeCleanDatabase(const Invocation &I) {
  auto Fail = [](const Twine &Why) {
    errorLine(errs()) << Why << '\n';
    return ExitUsage;
  };
  SmallString<256> Dir(I.CleanDatabaseDir);
  (void)sys::fs::make_absolute(Dir);
  static constexpr StringLiteral FileName = "compile_commands.json";
  SmallString<256> File(Dir), Declarations(Dir);
  sys::path::append(File, FileName);
  sys::path::append(Declarations, DeclarationsName);
  if (!claimOutputs(I, outputsOfRun()))
    return ExitUsage;
  Expected<std::optional<Toolkit>> Cuda = findToolkit(I.CudaPath);
  if (!Cuda)
    return Fail(toString(Cuda.takeError()));

  json::Array Out;
  unsigned Count = 0;
  for (const FlagDatabase::Entry &E : I.Database->entries()) {
    Expected<CompileFlags> Flags = translateFlags(E.Command, E.Directory);
    if (!Flags)
      return Fail(toString(Flags.takeError()));
    json::Array Arguments;
    if (!cudaInputs(*Flags).empty()) {
      ParseRequest Request;
      Request.File = E.File;
      Request.Cuda = *Cuda;
      Request.Flags = *Flags;
      Request.ExtraArgs = I.ExtraArgs;
      const std::vector<std::string> &Archs =
          I.Rewrite.Archs.empty() ? Flags->Archs : I.Rewrite.Archs;
      Request.Arch = Archs.empty() ? "sm_80" : Archs.front();
      Arguments.push_back("clang++");
      for (const std::string &A : toolArguments(Request, Declarations))
        Arguments.push_back(json::fixUTF8(A));
      ++Count;
    } else {
      for (const std::string &A : E.Command)
        Arguments.push_back(json::fixUTF8(A));
    }
    Out.push_back(json::Object{{"directory", json::fixUTF8(E.Directory)},
                               {"file", json::fixUTF8(E.File)},
                               {"arguments", std::move(Arguments)}});
  }
  if (Count == 0)
    return Fail("there is no CUDA file in the compilation database of '" + I.BuildDir + "'");
  std::vector<std::pair<std::string, std::string>> Files;
  for (auto &[Name, Text] : declarationFiles(Cuda->has_value()))
    Files.push_back({(DeclarationsName + "/" + Name).str(), std::move(Text)});
  Files.push_back({FileName.str(), formatv("{0:2}\n", json::Value(std::move(Out))).str()});
  if (!writeFolder(I.CleanDatabaseDir, Files, "--write-clang-database"))
    return ExitUsage;
  if (!I.Quiet)
    outs() << "wrote " << asWritten(File) << ": " << Count << " CUDA "
           << (Count == 1 ? "file" : "files") << '\n';
  return ExitDone;
}

} // namespace cuda_pipeline
