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

std::vector<std::pair<std::string, std::string>> declarationFiles(bool HasToolkit) {
  std::vector<std::pair<std::string, std::string>> Files;
  for (const BundledDecl &D : bundledDecls())
    if (!HasToolkit || D.Name == sys::path::filename(supplementPath()))
      Files.push_back({D.Name.str(), D.Text.str()});
  return Files;
}

} // namespace cuda_pipeline
