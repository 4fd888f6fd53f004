//===- Database.cpp - Flags from compile_commands.json ----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Support/ReadFile.h"
#include "CommandParts.h"
#include "cuda-pipeline/Source.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace cuda_pipeline {

/// Absolute, without "." and "..", links followed where the file exists.
static std::string canonical(StringRef Path, StringRef Directory) {
  SmallString<256> Absolute(Path);
  if (Directory.empty())
    (void)sys::fs::make_absolute(Absolute);
  else
    sys::path::make_absolute(Directory, Absolute);
  SmallString<256> Real;
  if (!sys::fs::real_path(Absolute, Real))
    return std::string(Real);
  sys::path::remove_dots(Absolute, /*remove_dot_dot=*/true);
  return std::string(Absolute);
}

Expected<FlagDatabase> FlagDatabase::load(StringRef BuildDir) {
  SmallString<256> Path(BuildDir);
  // `-p` may also name the file itself.
  if (sys::path::filename(BuildDir) != "compile_commands.json" || sys::fs::is_directory(BuildDir))
    sys::path::append(Path, "compile_commands.json");

  // Looked at here first: Clang's reader prints to stderr what it does not understand.
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = cuda_pipeline::readFile(Path);
  if (Buffer) {
    Expected<json::Value> Parsed = json::parse((*Buffer)->getBuffer());
    if (!Parsed)
      return createStringError(std::errc::invalid_argument, "cannot read '%s': %s", Path.c_str(),
                               toString(Parsed.takeError()).c_str());
  }

  std::string Why;
  std::unique_ptr<clang::tooling::JSONCompilationDatabase> Database;
  if (Buffer)
    Database = clang::tooling::JSONCompilationDatabase::loadFromBuffer(
        (*Buffer)->getBuffer(), Why, clang::tooling::JSONCommandLineSyntax::Gnu);
  else
    Why = Buffer.getError().message();
  if (!Database) {
    if (!sys::fs::exists(Path))
      return createStringError(std::errc::no_such_file_or_directory,
                               "no compile_commands.json in '%s'; configure with "
                               "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or correct -p",
                               BuildDir.str().c_str());
    // Clang's text has several lines; the first says what is wrong.
    return createStringError(std::errc::invalid_argument, "cannot read '%s': %s", Path.c_str(),
                             StringRef(Why).split('\n').first.str().c_str());
  }

  // Entries are looked up here and not with getCompileCommands(), which guesses among files that
  // share a suffix: the flags of another file are worse than none.
  FlagDatabase Out;
  Out.Path = std::string(Path);
  for (clang::tooling::CompileCommand &Command : Database->getAllCompileCommands()) {
    Entry E{canonical(Command.Filename, Command.Directory), std::move(Command.Directory),
            std::move(Command.CommandLine)};
    Out.Entries.push_back(std::move(E));
  }
  return Out;
}

static bool isCuda(const CompileFlags &Flags, StringRef File) {
  return Flags.Language.empty() ? isCudaName(File) : isCudaLanguage(Flags.Language);
}

Expected<std::optional<CompileFlags>> FlagDatabase::flagsOf(StringRef File) const {
  Expected<std::vector<CompileFlags>> All = allFlagsOf(File);
  if (!All)
    return All.takeError();
  return All->empty() ? std::nullopt : std::optional<CompileFlags>(std::move(All->front()));
}

Expected<std::vector<CompileFlags>> FlagDatabase::allFlagsOf(StringRef File) const {
  const std::string Full = canonical(File, "");
  std::vector<CompileFlags> All, Others;
  for (size_t I = 0; I < Entries.size(); ++I) {
    if (Entries[I].File != Full)
      continue;
    Expected<CompileFlags> Flags = translateFlags(Entries[I].Command, Entries[I].Directory);
    if (!Flags)
      return Flags.takeError();
    Flags->From = "entry " + std::to_string(I + 1) + " of '" + Path + "'";
    // A target may list a file that it does not compile as CUDA, or does not compile at all.
    std::vector<CompileFlags> &To = Flags->Compiles && isCuda(*Flags, Full) ? All : Others;
    if (!is_contained(To, *Flags))
      To.push_back(std::move(*Flags));
  }
  if (All.empty() && !Others.empty())
    All.push_back(std::move(Others.front()));
  return All;
}

Expected<std::vector<std::string>> FlagDatabase::cudaFiles() const {
  std::vector<std::string> Files;
  StringSet<> Known;
  for (const Entry &E : Entries) {
    if (Known.contains(E.File))
      continue;
    Expected<CompileFlags> Flags = translateFlags(E.Command, E.Directory);
    if (!Flags)
      return Flags.takeError();
    if (isCuda(*Flags, E.File) && Known.insert(E.File).second)
      Files.push_back(E.File);
  }
  return Files;
}

} // namespace cuda_pipeline
