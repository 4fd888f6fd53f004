//===- Units.h - The files of one run, and how they are analysed --===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_TOOL_UNITS_H
#define CUDA_PIPELINE_TOOL_UNITS_H

#include "CommandLine.h"
#include "cuda-pipeline/Rewriter.h"
#include "llvm/Support/FileSystem/UniqueID.h"

namespace cuda_pipeline {

/// One input file on its way through the steps.
struct Unit {
  std::string Path;           ///< as the user wrote it
  std::string Original;       ///< contents
  llvm::sys::fs::UniqueID Id; ///< of the file that they were read from
  ParseRequest Request;
  RewriteOptions Options;
  FileResult Result;
  std::vector<std::pair<std::string, SeenFile>>
      Seen; ///< files that the result depends on, full paths
  /// Files include it: a header, or what the database does not compile by itself and a file of it
  /// includes.
  bool IsPart = false;
  /// A header: the other inputs that include it, by which it is read. Empty: it is read by itself.
  std::vector<ParseRequest> ReadBy;
  std::optional<Variant> Each; ///< --variant=each: this is what becomes of the file by this one
  std::string Output;          ///< where the result goes; empty: nowhere. "-": standard output
};

/// processFile(), and offerFixes() as \p Wishes say, for each of \p Some, in processes of their
/// own: I.Jobs at a time, each for I.FileTimeout seconds at most. What is known from an earlier run
/// (I.CacheDir) is not done again. Progress goes to standard error.
void analyse(llvm::ArrayRef<Unit *> Some, const Invocation &I, FixWishes Wishes);

/// The options of the `.clang-tidy` that holds for \p Path, where the command line has not said
/// otherwise. \p CudaPath: of the check. An error names the file.
llvm::Error readConfig(const Invocation &I, llvm::StringRef Path, RewriteOptions &To,
                       std::string &CudaPath);

/// The file's identity: links followed. Empty when it does not exist.
std::string realPath(llvm::StringRef Path);
/// As a user would write it from here: relative where it is below the current folder.
std::string asWritten(llvm::StringRef Path);

/// LoopReport::Part of all loops, in the format of clang-tidy's `-export-fixes`.
std::string fixesAsYaml(const Report &R);

} // namespace cuda_pipeline

#endif
