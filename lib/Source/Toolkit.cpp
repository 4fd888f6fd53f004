//===- Toolkit.cpp - Finding a CUDA installation ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Support/ReadFile.h"
#include "cuda-pipeline/Source.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include <cstdlib>

using namespace llvm;

namespace cuda_pipeline {

static std::string below(StringRef A, const Twine &B, const Twine &C = "") {
  SmallString<256> Path(A);
  sys::path::append(Path, B, C);
  return std::string(Path);
}

/// version.json has {"cuda": {"version": "13.0.1"}}; cuda.h has `#define CUDA_VERSION 13000`.
static std::string readVersion(StringRef Root) {
  if (auto Buffer = readFile(below(Root, "version.json"))) {
    Expected<json::Value> Parsed = json::parse((*Buffer)->getBuffer());
    if (!Parsed) {
      consumeError(Parsed.takeError());
    } else if (const json::Object *Top = Parsed->getAsObject()) {
      if (const json::Object *Cuda = Top->getObject("cuda"))
        if (std::optional<StringRef> Full = Cuda->getString("version")) {
          auto [Major, Rest] = Full->split('.');
          return (Major + "." + Rest.split('.').first).str();
        }
    }
  }
  if (auto Buffer = readFile(below(Root, "include", "cuda.h"))) {
    StringRef Text = (*Buffer)->getBuffer();
    StringRef Name = "#define CUDA_VERSION";
    size_t At = Text.find(Name);
    unsigned Version = 0;
    if (At != StringRef::npos &&
        !Text.substr(At + Name.size()).ltrim().consumeInteger(10, Version) && Version >= 1000)
      return std::to_string(Version / 1000) + "." + std::to_string(Version % 1000 / 10);
  }
  return "";
}

/// \p Dir itself, or the place below it where conda and cross-compiling toolkits keep the headers.
static std::optional<Toolkit> toolkitAt(StringRef Dir) {
  if (Dir.empty())
    return std::nullopt;
  for (StringRef Below : {"", "targets/x86_64-linux", "targets/sbsa-linux"}) {
    Toolkit Found;
    Found.Root = Below.empty() ? Dir.str() : below(Dir, Below);
    if (!sys::fs::is_regular_file(below(Found.Root, "include", "cuda_runtime.h")))
      continue;
    std::string Cccl = below(Found.Root, "include", "cccl");
    if (sys::fs::is_directory(Cccl))
      Found.CcclInclude = Cccl;
    Found.Version = readVersion(Found.Root);
    if (Found.Version.empty() && !Below.empty())
      Found.Version = readVersion(Dir);
    return Found;
  }
  return std::nullopt;
}

/// The installation that the nvcc on PATH belongs to, with links followed: it is usually
/// /usr/bin/nvcc or /etc/alternatives/nvcc.
static std::string rootOfNvcc() {
  ErrorOr<std::string> Nvcc = sys::findProgramByName("nvcc");
  SmallString<256> Real;
  if (!Nvcc || sys::fs::real_path(*Nvcc, Real))
    return "";
  return sys::path::parent_path(sys::path::parent_path(Real)).str();
}

Expected<std::optional<Toolkit>> findToolkit(StringRef CudaPath) {
  if (CudaPath == "none")
    return std::nullopt;
  if (!CudaPath.empty()) {
    if (std::optional<Toolkit> Found = toolkitAt(CudaPath))
      return Found;
    return createStringError(std::errc::no_such_file_or_directory,
                             "no CUDA toolkit in '%s' (include/cuda_runtime.h is not there); "
                             "correct --cuda-path, or give --cuda-path=none for the bundled "
                             "declarations",
                             CudaPath.str().c_str());
  }

  for (const char *Variable : {"CUDA_PATH", "CUDA_HOME"})
    if (std::optional<std::string> Dir = sys::Process::GetEnv(Variable))
      if (std::optional<Toolkit> Found = toolkitAt(*Dir))
        return Found;
  if (std::optional<Toolkit> Found = toolkitAt(rootOfNvcc()))
    return Found;
  for (StringRef Dir : {"/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda"})
    if (std::optional<Toolkit> Found = toolkitAt(Dir))
      return Found;
  return std::nullopt;
}

} // namespace cuda_pipeline
