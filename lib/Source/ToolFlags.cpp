//===- ToolFlags.cpp - nvcc's flags for Clang's own tools --------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Support/FolderOwner.h"
#include "BundledDecls.h"
#include "ClangInvocation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace cuda_pipeline {

std::vector<std::string> toolArguments(const ParseRequest &Request, StringRef Declarations) {
  // They choose between host and device, and have headers and warnings of their own.
  static constexpr StringLiteral NotForTools[] = {"-fsyntax-only", "--cuda-device-only", "-w",
                                                  "--"};
  std::vector<std::string> Out;
  for (StringRef Arg : buildArguments(Request, Reading::ToAnalyse)) {
    if (is_contained(NotForTools, Arg) || Arg.starts_with("-resource-dir="))
      continue;
    std::string Text = Arg.str();
    for (auto [InMemory, OnDisk] :
         {std::pair(bundledIncludeDir(), StringRef()),
          std::pair(supplementPath(), sys::path::filename(supplementPath())),
          std::pair(standInDir(), StringRef("host"))})
      if (const size_t At = Text.find(InMemory); At != std::string::npos)
        Text.replace(At, InMemory.size(),
                     (Declarations + (OnDisk.empty() ? "" : "/") + OnDisk).str());
    Out.push_back(std::move(Text));
  }
  return Out;
}

std::vector<std::pair<std::string, std::string>> declarationFiles(bool HasToolkit) {
  std::vector<std::pair<std::string, std::string>> Files;
  for (const BundledDecl &D : bundledDecls())
    if (!HasToolkit || D.Name == sys::path::filename(supplementPath()) ||
        D.Name.starts_with("host/"))
      Files.push_back({D.Name.str(), D.Text.str()});
  return Files;
}

/// Below the folder \p Dir, which is made.
static Error writeDeclarations(StringRef Dir, bool HasToolkit) {
  auto Fail = [](StringRef Path, std::error_code EC) {
    return createStringError(EC, "cannot write '" + Path + "': " + EC.message());
  };
  for (const auto &[Name, Text] : declarationFiles(HasToolkit)) {
    SmallString<256> Path(Dir);
    sys::path::append(Path, Name);
    if (std::error_code EC = sys::fs::create_directories(sys::path::parent_path(Path)))
      return Fail(sys::path::parent_path(Path), EC);
    std::error_code EC;
    raw_fd_ostream OS(Path, EC);
    if (EC)
      return Fail(Path, EC);
    OS << Text;
    OS.close();
    if (OS.has_error()) {
      EC = OS.error();
      OS.clear_error();
      return Fail(Path, EC);
    }
  }
  return Error::success();
}

Expected<std::string> declarationsFolder(bool HasToolkit) {
  std::string All;
  for (const BundledDecl &D : bundledDecls())
    All += (D.Name + "\n" + D.Text + "\n").str();
  SmallString<256> Cache;
  if (!sys::path::cache_directory(Cache))
    return createStringError("there is no folder for caches");
  sys::path::append(Cache, "cuda-pipeline-rewrite");
  SmallString<256> Folder(Cache);
  sys::path::append(Folder, (HasToolkit ? "toolkit-" : "bundled-") +
                                utohexstr(xxh3_64bits(All), /*LowerCase=*/true));
  // What the editor reads there is compiled: it is one's own.
  const auto Own = [](StringRef Path) -> Error {
    const std::string Why = whyNotMine(Path);
    return Why.empty() ? Error::success() : createStringError("'" + Path + "' is not used: " + Why);
  };
  for (StringRef Path : {StringRef(Cache), StringRef(Folder)})
    if (Error E = Own(Path))
      return E;
  if (sys::fs::is_directory(Folder))
    return std::string(Folder);
  // Complete or not at all: another editor may look for it at the same time.
  SmallString<256> New(Cache);
  sys::path::append(New, "new");
  if (std::error_code EC = sys::fs::create_directories(Cache))
    return createStringError(EC, "cannot create '" + Cache + "': " + EC.message());
  if (std::error_code EC = sys::fs::createUniqueDirectory(New, New))
    return createStringError(EC, "cannot create '" + New + "': " + EC.message());
  if (Error E = writeDeclarations(New, HasToolkit))
    return E;
  if (sys::fs::rename(New, Folder))
    (void)sys::fs::remove_directories(New);
  if (!sys::fs::is_directory(Folder))
    return createStringError("cannot write '" + Folder + "'");
  return std::string(Folder);
}

} // namespace cuda_pipeline
