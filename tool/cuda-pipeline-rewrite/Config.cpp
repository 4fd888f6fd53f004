//===- Config.cpp - Options from .clang-tidy ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Printable.h"
#include "Support/ReadFile.h"
#include "Units.h"
#include "clang-tidy/ClangTidyOptions.h"
#include "cuda-pipeline/NoLint.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include <set>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

static Expected<tidy::ClangTidyOptions> parsed(MemoryBufferRef Text) {
  std::string Where;
  auto Note = [&](const SMDiagnostic &D) {
    if (Where.empty())
      Where = (": line " + Twine(D.getLineNo()) + ": " + D.getMessage()).str();
  };
  ErrorOr<tidy::ClangTidyOptions> Parsed = tidy::parseConfigurationWithDiags(Text, Note);
  if (Parsed)
    return *Parsed;
  return createStringError(Parsed.getError(), "'" + Text.getBufferIdentifier() +
                                                  "' is no configuration of clang-tidy" + Where +
                                                  " (--config=none goes without one)");
}

/// As clang-tidy finds it. (Its constructor with other handlers leaves the file system out.)
class StrictProvider : public tidy::FileOptionsProvider {
public:
  explicit StrictProvider(std::function<ErrorOr<tidy::ClangTidyOptions>(MemoryBufferRef)> Parse)
      : FileOptionsProvider(tidy::ClangTidyGlobalOptions(), tidy::ClangTidyOptions(),
                            tidy::ClangTidyOptions()) {
    ConfigHandlers = {{".clang-tidy", std::move(Parse)}};
  }
};

/// What the check is configured with, whichever of its options the file says.
static Expected<tidy::ClangTidyOptions> configFor(const Invocation &I, StringRef Path) {
  if (!I.ConfigFile.empty()) {
    ErrorOr<std::unique_ptr<MemoryBuffer>> Text = readFile(I.ConfigFile, /*IsText=*/true);
    if (!Text)
      return createStringError(Text.getError(),
                               "cannot read '" + I.ConfigFile + "': " + Text.getError().message());
    return parsed((*Text)->getMemBufferRef());
  }
  SmallString<256> Full(Path);
  (void)sys::fs::make_absolute(Full);
  // Its own handler passes over a file that it cannot read.
  Error Wrong = Error::success();
  auto Parse = [&](MemoryBufferRef Text) -> ErrorOr<tidy::ClangTidyOptions> {
    noteRead(Text.getBufferIdentifier());
    Expected<tidy::ClangTidyOptions> Parsed = parsed(Text);
    if (Parsed)
      return *Parsed;
    Wrong = joinErrors(std::move(Wrong), Parsed.takeError());
    return tidy::ClangTidyOptions();
  };
  StrictProvider Provider(Parse);
  tidy::ClangTidyOptions Found = Provider.getOptions(Full);
  if (Wrong)
    return Wrong;
  return Found;
}

Error readConfig(const Invocation &I, StringRef Path, RewriteOptions &To, std::string &CudaPath) {
  if (I.NoConfig)
    return Error::success();
  Expected<tidy::ClangTidyOptions> Config = configFor(I, Path);
  if (!Config)
    return Config.takeError();
  const std::string Prefix = (TileLoopCheckName + ".").str();
  std::vector<std::pair<StringRef, StringRef>> Ours;
  std::set<std::string> Strange;
  for (const auto &Entry : Config->CheckOptions)
    if (StringRef Name = Entry.getKey(); Name.consume_front(Prefix))
      Ours.push_back({Name, Entry.getValue().Value});
    else if (std::string Why = checkOptionProblem(Entry.getKey()); !Why.empty())
      Strange.insert(std::move(Why));
  static StringSet<> Said; // one configuration is for many files
  for (const std::string &Why : Strange)
    if (Said.insert(Why).second)
      warningLine(errs()) << "the configuration of clang-tidy for '" << printable(Path)
                          << "': " << printable(Why) << '\n';
  llvm::sort(Ours);
  for (const auto &[Name, Value] : Ours) {
    if (Name == "CudaPath") {
      CudaPath = Value.str();
      continue;
    }
    if (I.Given.contains(Name) || Value.empty())
      continue;
    const std::string Better = checkOptionProblem(Prefix + Name.str());
    if (Error E = setCheckOption(To, Name, Value))
      return createStringError(inconvertibleErrorCode(), "the configuration of clang-tidy for '" +
                                                             Path + "': " + Prefix + Name + ": " +
                                                             Value + ": " + toString(std::move(E)) +
                                                             (Better.empty() ? "" : ": " + Better));
  }
  if (std::string Why = stagesAgainstVariant(To); !Why.empty()) {
    // The stages of a file are for whichever variant needs them.
    if (I.Given.contains("Variant") && !I.Given.contains("Stages"))
      To.RequestedStages = std::nullopt;
    else
      return createStringError(
          inconvertibleErrorCode(),
          "the configuration of clang-tidy for '" + Path + "': " + Prefix + "Variant" +
              (I.Given.contains("Stages") ? " and --stages" : " and " + Prefix + "Stages") +
              " exclude each other: " + Why);
  }
  return Error::success();
}

} // namespace cuda_pipeline
