//===- NoLint.h - Lines that a comment keeps findings away from -----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// `// NOLINT` as clang-tidy reads it, so that a loop that is left alone there is left alone
/// everywhere:
///
///   NOLINT                  in the line of the loop's header
///   NOLINTNEXTLINE          in the line above
///   NOLINTBEGIN, NOLINTEND  around it
///
/// each for all checks or, with a list in parentheses, for those that one of its globs matches:
/// `NOLINT(cuda-pipeline-tile-loop)`, `NOLINT(cuda-*,bugprone-*)`. `cuda-pipeline`, which the
/// reports print, names both checks. The words count wherever they stand, also in strings. A BEGIN
/// without its END, or with another list than its END, suppresses nothing. (clang-tidy:
/// NoLintDirectiveHandler.cpp, GlobList.cpp of LLVM 22.)
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_NOLINT_H
#define CUDA_PIPELINE_NOLINT_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cuda_pipeline {

/// The names under which the front ends know the two checks.
constexpr llvm::StringLiteral TileLoopCheckName = "cuda-pipeline-tile-loop";
constexpr llvm::StringLiteral RefusedCheckName = "cuda-pipeline-refused";
/// Both of them, as the text report tags what it says of a loop.
constexpr llvm::StringLiteral BothChecksName = "cuda-pipeline";

class SuppressedLines {
public:
  /// Of the check \p Check in a file with the contents \p Text.
  SuppressedLines(llvm::StringRef Text, llvm::StringRef Check);

  bool contains(unsigned Line) const { return Line < Lines.size() && Lines[Line]; }

private:
  std::vector<bool> Lines; ///< by number, from 1
};

/// A comment that seems to be meant for us, and suppresses nothing.
struct NoLintProblem {
  unsigned Line;
  std::string Text;
  bool NamesUs; ///< otherwise it is one for all checks
};
std::vector<NoLintProblem> noLintProblems(llvm::StringRef Text);

/// Whether \p List, globs with `*` between commas, contains \p Name: the last glob that matches
/// decides; with a minus in front it takes away, unless \p KeepNegative is false: then such a glob
/// counts for nothing.
bool globListContains(llvm::StringRef List, llvm::StringRef Name, bool KeepNegative = true);

} // namespace cuda_pipeline

#endif
