//===- ToolFlags.cpp - nvcc's flags for Clang's own tools --------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BundledDecls.h"
#include "ClangInvocation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace cuda_pipeline {

std::vector<std::string> toolArguments(const ParseRequest &Request, StringRef Declarations) {
  // They choose between host and device, and have headers and warnings of their own.
  static constexpr StringLiteral NotForTools[] = {"-fsyntax-only", "--cuda-device-only", "-w", "--"};
  std::vector<std::string> Out;
  for (StringRef Arg : buildArguments(Request, Reading::ToAnalyse)) {
    if (is_contained(NotForTools, Arg) || Arg.starts_with("-resource-dir="))
      continue;
    std::string Text = Arg.str();
    for (auto [InMemory, OnDisk] : {std::pair(bundledIncludeDir(), StringRef()), std::pair(supplementPath(), sys::path::filename(supplementPath()))})
      if (const size_t At = Text.find(InMemory); At != std::string::npos)
        Text.replace(At, InMemory.size(), (Declarations + (OnDisk.empty() ? "" : "/") + OnDisk).str());
    Out.push_back(std::move(Text));
  }
  return Out;
}

Error writeDeclarations(StringRef Dir, bool HasToolkit) {
  auto Fail = [](StringRef Path, std::error_code EC) {
    return createStringError(EC, "cannot write '" + Path + "': " + EC.message());
  };
  for (const BundledDecl &D : bundledDecls()) {
    if (HasToolkit && D.Name != sys::path::filename(supplementPath()))
      continue;
    SmallString<256> Path(Dir);
    sys::path::append(Path, D.Name);
    if (std::error_code EC = sys::fs::create_directories(sys::path::parent_path(Path)))
      return Fail(sys::path::parent_path(Path), EC);
    std::error_code EC;
    raw_fd_ostream OS(Path, EC);
    if (EC)
      return Fail(Path, EC);
    OS << D.Text;
    OS.close();
    if (OS.has_error()) {
      EC = OS.error();
      OS.clear_error();
      return Fail(Path, EC);
    }
  }
  return Error::success();
}

} // namespace cuda_pipeline
