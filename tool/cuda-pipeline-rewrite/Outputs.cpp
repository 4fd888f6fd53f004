//===- Outputs.cpp - No file is written that is read, and none twice --===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Report/OutputFile.h"
#include "Support/ReadFile.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace cuda_pipeline {

/// Its arguments are files that are read.
static bool readsItsArguments(Command C) {
  return C == Command::Rewrite || C == Command::Check || C == Command::Verify ||
         C == Command::Bench;
}

OutputFiles &outputsOfRun() {
  static OutputFiles Files;
  return Files;
}

const std::shared_ptr<SeenFiles> &seenInRun() {
  static const auto Seen = std::make_shared<SeenFiles>();
  return Seen;
}

static Error protectSeen() {
  for (const std::string &Path : filesRead())
    if (Error E = outputsOfRun().protect(Path, "a file that was read"))
      return E;
  for (const auto &[Path, Was] : *seenInRun())
    if (Was.Kind == SeenFile::File)
      if (Error E = outputsOfRun().protect(Path, "a file that was read"))
        return E;
  return Error::success();
}

static bool allOrNone(Error Failed) {
  if (!Failed)
    return true;
  sayErrors(joinErrors(std::move(Failed), outputsOfRun().takeBack()));
  return false;
}

bool writeFiles(ArrayRef<std::pair<std::string, std::string>> Files) {
  Error Failed = protectSeen();
  for (const auto &[Path, Contents] : Files)
    if (!Failed)
      Failed = outputsOfRun().write(Path, Contents);
  return allOrNone(std::move(Failed));
}

bool writeFolder(StringRef Folder, ArrayRef<std::pair<std::string, std::string>> Files,
                 StringRef By) {
  Error Failed = protectSeen();
  if (!Failed)
    Failed = outputsOfRun().writeFolder(Folder, Files, By);
  return allOrNone(std::move(Failed));
}

bool claimOutputs(const Invocation &I, OutputFiles &To) {
  Error All = Error::success();
  auto Take = [&](Error E) { All = joinErrors(std::move(All), std::move(E)); };
  if (readsItsArguments(I.Cmd))
    for (const std::string &Path : I.Inputs)
      Take(To.protect(Path, "an input"));
  for (const NamedPath &P : I.Paths)
    if (P.Role == PathRole::Reads)
      Take(To.protect(P.Path, "read by " + P.Option));
  bool OnDescriptor = false;
  for (const NamedPath &P : I.Paths)
    if (P.Role == PathRole::Writes) {
      OnDescriptor |= StringRef(P.Path).starts_with("/dev/");
      const bool Change =
          P.Option == "-o" && I.Cmd == Command::Rewrite && To.protectedAs(P.Path) == "an input";
      Take(To.claim(P.Path, P.Option + (Change ? "; use -i to change it" : "")));
    }
  // Redirected into one of them, as in `check a.cu >> a.cu`.
  sys::fs::file_status Status;
  if (!OnDescriptor && !sys::fs::status(/*standard output*/ 1, Status) &&
      Status.type() == sys::fs::file_type::regular_file)
    Take(To.claim("/dev/stdout", "standard output"));
  if (!All)
    return true;
  sayErrors(std::move(All));
  return false;
}

} // namespace cuda_pipeline
