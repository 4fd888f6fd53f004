//===- ResultCache.cpp - What was found out in an earlier run --------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ResultCache.h"
#include "../Report/OutputFile.h"
#include "../Support/FolderOwner.h"
#include "../Support/ReadFile.h"
#include "ResultRecord.h"
#include "cuda-pipeline/PipelinedLoop.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <unistd.h>

using namespace llvm;

namespace cuda_pipeline {
namespace {

/// A file that was seen, as it was.
struct Dependency {
  std::string Path;
  SeenFile Was;
  std::string Hash;
};
template <class Archive> void fields(Archive &A, Dependency &V) {
  auto &[Path, Was, Hash] = V;
  A(Path, Was, Hash);
}

struct Stored {
  std::string Key;
  std::vector<Dependency> Needs;
  FileResult Result;
};
template <class Archive> void fields(Archive &A, Stored &V) {
  auto &[Key, Needs, Result] = V;
  A(Key, Needs, Result);
}

struct SeenPair {
  std::string Path;
  SeenFile Is;
};
template <class Archive> void fields(Archive &A, SeenPair &V) {
  auto &[Path, Is] = V;
  A(Path, Is);
}
struct Passed {
  FileResult Result;
  std::vector<SeenPair> Seen;
};
template <class Archive> void fields(Archive &A, Passed &V) {
  auto &[Result, Seen] = V;
  A(Result, Seen);
}

std::string hashOf(StringRef Bytes) {
  BLAKE3 H;
  H.update(Bytes);
  const auto Sum = H.final();
  return std::string(Sum.begin(), Sum.end());
}

} // namespace

std::string toBytes(const FoundResult &Found) {
  Passed P;
  P.Result = Found.Result;
  for (const auto &[Path, Is] : Found.Seen)
    P.Seen.push_back({Path, Is});
  return toBytes<Passed>(P);
}

std::optional<FoundResult> foundFromBytes(StringRef Bytes) {
  std::optional<Passed> P = fromBytes<Passed>(Bytes);
  if (!P)
    return std::nullopt;
  FoundResult Out;
  Out.Result = std::move(P->Result);
  for (SeenPair &S : P->Seen)
    Out.Seen.push_back({std::move(S.Path), S.Is});
  return Out;
}

std::string ResultCache::keyOf(ArrayRef<ParseRequest> Units, const RewriteOptions &Options,
                               FixWishes Wishes) const {
  RecordWriter W;
  SmallString<256> Here; // relative names count from it
  (void)sys::fs::current_path(Here);
  W(Tool, std::string(Here), std::vector<ParseRequest>(Units), Options, Wishes);
  for (const ParseRequest &U : Units)
    W(frontendArguments(U));
  return std::move(W.Bytes);
}

std::string ResultCache::pathOf(StringRef Key) const {
  SmallString<256> Path(Folder);
  sys::path::append(Path, toHex(hashOf(Key), /*LowerCase=*/true).substr(0, 32) + ".result");
  return std::string(Path);
}

const ResultCache::Present &ResultCache::present(const std::string &Path, bool AsListing) {
  auto [It, New] = Disk.try_emplace(AsListing ? Path + '\0' : Path);
  Present &Now = It->second;
  if (!New)
    return Now;
  sys::fs::file_status Status;
  if (sys::fs::status(Path, Status))
    return Now;
  if (sys::fs::is_directory(Status)) {
    Now.Is.Kind = AsListing ? SeenFile::Listing : SeenFile::Folder;
    std::vector<std::string> Names;
    std::error_code EC;
    for (sys::fs::directory_iterator I(Path, EC), End; AsListing && I != End && !EC;
         I.increment(EC))
      Names.push_back(sys::path::filename(I->path()).str());
    llvm::sort(Names);
    Now.Hash = hashOf(join(Names, StringRef("\0", 1)));
    return Now;
  }
  auto Contents = readFile(Path);
  Now.Is.Kind = SeenFile::File;
  Now.Is.Size = Status.getSize();
  Now.Is.Time = Status.getLastModificationTime().time_since_epoch().count();
  Now.Hash = Contents ? hashOf((*Contents)->getBuffer()) : "unreadable";
  return Now;
}

ResultCache::ResultCache(std::string Folder, std::string Tool)
    : Folder(std::move(Folder)), Tool(std::move(Tool)) {
  judgeFolder();
}

void ResultCache::judgeFolder() {
  if (std::string Why = whoElseMayMove(Folder); !Why.empty()) {
    Problem = std::move(Why);
    Unsafe = true;
    return;
  }
  sys::fs::file_status Status;
  const std::error_code EC =
      sys::fs::status(StringRef(Folder).rtrim('/'), Status, /*follow=*/false);
  if (Status.type() == sys::fs::file_type::file_not_found)
    return;
  if (EC)
    Problem = EC.message();
  else if (Status.type() == sys::fs::file_type::symlink_file)
    Problem = "it is a symbolic link; name the folder itself";
  else if (Status.type() != sys::fs::file_type::directory_file)
    Problem = "it is no folder";
  else if (Status.getUser() != ::geteuid())
    Problem = "it belongs to another user";
  else
    Problem = whoElseMayWrite(Status, /*IsAbove=*/false);
  if (Problem.empty())
    return;
  Unsafe = !EC && Status.type() != sys::fs::file_type::regular_file;
}

std::optional<FoundResult> ResultCache::find(StringRef Key) {
  // What is not a plain file may never end.
  sys::fs::file_status Status;
  if (!Problem.empty() || MutatorOfTests ||
      sys::fs::status(pathOf(Key), Status, /*follow=*/false) ||
      Status.type() != sys::fs::file_type::regular_file ||
      (Status.getUser() != ::geteuid() && Status.getUser() != 0))
    return std::nullopt;
  auto Bytes = lookInto(pathOf(Key));
  if (!Bytes)
    return std::nullopt;
  // The hash of all that follows stands in front: a file that was cut or changed is none.
  StringRef Text = (*Bytes)->getBuffer();
  const size_t HashSize = hashOf("").size();
  if (Text.size() < HashSize || hashOf(Text.drop_front(HashSize)) != Text.take_front(HashSize))
    return std::nullopt;
  std::optional<Stored> S = fromBytes<Stored>(Text.drop_front(HashSize));
  if (!S || S->Key != Key)
    return std::nullopt;
  FoundResult Out;
  for (Dependency &D : S->Needs) {
    const Present &Now = present(D.Path, D.Was.Kind == SeenFile::Listing);
    if (Now.Is.Kind != D.Was.Kind || Now.Hash != D.Hash)
      return std::nullopt;
    Out.Seen.push_back({std::move(D.Path), Now.Is}); // the same contents, perhaps of another time
  }
  Out.Result = std::move(S->Result);
  return Out;
}

void ResultCache::store(StringRef Key, const FoundResult &Found) {
  if (!Problem.empty() || MutatorOfTests)
    return;
  Stored S;
  S.Key = Key.str();
  S.Result = Found.Result;
  for (const auto &[Path, Was] : Found.Seen) {
    const Present &Now = present(Path, Was.Kind == SeenFile::Listing);
    // Changed meanwhile: nobody can say of which contents the result is.
    if (Now.Is.Kind != Was.Kind || Now.Is.Size != Was.Size || Now.Is.Time != Was.Time)
      return;
    S.Needs.push_back({Path, Was, Now.Hash});
  }
  if (std::error_code EC = sys::fs::create_directories(Folder)) {
    Problem = "it cannot be made: " + EC.message();
    return;
  }
  // Somebody may have been faster.
  judgeFolder();
  if (!Problem.empty())
    return;
  // A pipe would be written to directly, and wait for somebody who reads.
  sys::fs::file_status Status;
  (void)sys::fs::status(pathOf(Key), Status, /*follow=*/false);
  if (Status.type() != sys::fs::file_type::file_not_found &&
      Status.type() != sys::fs::file_type::regular_file)
    return;
  const std::string Bytes = toBytes(S);
  if (Error E = writeFileAtomically(pathOf(Key), hashOf(Bytes) + Bytes))
    Problem = toString(std::move(E));
}

} // namespace cuda_pipeline
