//===- ResultCache.h - What was found out in an earlier run ----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Results on the disk, by what they depend on: the tool, the options, the flags, what the
/// environment adds to these, and the contents of every file that was read, and that nothing was
/// where a file was looked for. One that cannot be read or written is like none: it costs time
/// only, and problem() says so. Nor is a folder used that somebody else could fill: what is in it
/// would be believed.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_REWRITER_RESULTCACHE_H
#define CUDA_PIPELINE_LIB_REWRITER_RESULTCACHE_H

#include "cuda-pipeline/Rewriter.h"

namespace cuda_pipeline {

/// What one process tells another.
struct FoundResult {
  FileResult Result;
  std::vector<std::pair<std::string, SeenFile>> Seen;
};
std::string toBytes(const FoundResult &Found);
std::optional<FoundResult> foundFromBytes(llvm::StringRef Bytes);

class ResultCache {
public:
  /// \p Folder is made when something is stored. \p Tool: this program, as exactly as it can be
  /// said.
  ResultCache(std::string Folder, std::string Tool);

  /// Of processFile() and offerFixes() with these arguments.
  std::string keyOf(llvm::ArrayRef<ParseRequest> Units, const RewriteOptions &Options,
                    FixWishes Wishes) const;
  /// With the files that it depends on.
  std::optional<FoundResult> find(llvm::StringRef Key);
  void store(llvm::StringRef Key, const FoundResult &Found);

  /// Why nothing is taken from the folder, or kept in it; empty: all is well so far.
  const std::string &problem() const { return Problem; }
  /// It is not the folder's owner that should worry, but its user.
  bool unsafe() const { return Unsafe; }

private:
  std::string Folder, Tool, Problem;
  bool Unsafe = false;

  void judgeFolder();
  /// What is on the disk now, with the hash of the contents. Looked at once: all files of a project
  /// read the same headers.
  struct Present {
    SeenFile Is;
    std::string Hash;
  };
  std::map<std::string, Present> Disk;

  std::string pathOf(llvm::StringRef Key) const;
  const Present &present(const std::string &Path, bool AsListing);
};

} // namespace cuda_pipeline

#endif
