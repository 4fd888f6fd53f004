//===- Config.cpp - Options from .clang-tidy ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Units.h"
#include "cuda-pipeline/NoLint.h"
#include "clang-tidy/ClangTidyOptions.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

/// What the check is configured with, whichever of its options the file says.
static Expected<tidy::ClangTidyOptions> configFor(const Invocation &I, StringRef Path) {
  if (!I.ConfigFile.empty()) {
    ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getFile(I.ConfigFile, /*IsText=*/true);
    if (!Text)
      return createStringError(Text.getError(), "cannot read '" + I.ConfigFile + "': " + Text.getError().message());
    ErrorOr<tidy::ClangTidyOptions> Parsed = tidy::parseConfiguration((*Text)->getMemBufferRef());
    if (!Parsed)
      return createStringError(Parsed.getError(), "'" + I.ConfigFile + "' is no configuration of clang-tidy");
    return *Parsed;
  }
  SmallString<256> Full(Path);
  (void)sys::fs::make_absolute(Full);
  tidy::FileOptionsProvider Provider{tidy::ClangTidyGlobalOptions(), tidy::ClangTidyOptions(), tidy::ClangTidyOptions()};
  return Provider.getOptions(Full);
}

Error readConfig(const Invocation &I, StringRef Path, RewriteOptions &To, std::string &CudaPath) {
  if (I.NoConfig)
    return Error::success();
  Expected<tidy::ClangTidyOptions> Config = configFor(I, Path);
  if (!Config)
    return Config.takeError();
  const std::string Prefix = (TileLoopCheckName + ".").str();
  std::vector<std::pair<StringRef, StringRef>> Ours;
  for (const auto &Entry : Config->CheckOptions)
    if (StringRef Name = Entry.getKey(); Name.consume_front(Prefix))
      Ours.push_back({Name, Entry.getValue().Value});
  llvm::sort(Ours);
  for (const auto &[Name, Value] : Ours) {
    if (Name == "CudaPath") {
      CudaPath = Value.str();
      continue;
    }
    if (I.Given.contains(Name) || Value.empty())
      continue;
    if (Error E = setCheckOption(To, Name, Value))
      return createStringError(inconvertibleErrorCode(), "the configuration of clang-tidy for '" + Path + "': " + Prefix + Name + ": " +
                                                             Value + ": " + toString(std::move(E)));
  }
  return Error::success();
}

} // namespace cuda_pipeline
