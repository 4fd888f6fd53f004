//===- OutputCheck.h - The written text is read again ---------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Whatever the model and the emitter have shown, the text that is handed out is parsed once more,
/// for every unit and architecture: it compiles where the original did, and each name in a loop
/// means what it meant there, something that the loop declares or something around it. A loop for
/// which that is not so stays as it was (OutputCheck in Reasons.def): it is a mistake of this tool,
/// and not of the user's.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_REWRITER_OUTPUTCHECK_H
#define CUDA_PIPELINE_LIB_REWRITER_OUTPUTCHECK_H

#include "PhaseLines.h"
#include "cuda-pipeline/Edits.h"
#include "cuda-pipeline/Rewriter.h"
#include <map>
#include <optional>
#include <set>
#include <string>

namespace cuda_pipeline {

/// Where the names that a loop mentions are declared.
struct NamesMeant {
  enum Side : unsigned { Inside = 1, Outside = 2 }; ///< of the loop
  std::map<std::string, unsigned> Of; ///< variables and types of the function, by name: Sides
  std::set<std::string> Rebound;      ///< tiles and what points into them, which get their stages
  /// The function of the loop is a template: its name, and how many functions with a body Clang
  /// has made of it; none: it is a member of one.
  std::string Template;
  std::optional<unsigned> Made = 0;
};

NamesMeant namesMeant(const TileModel &Model, const clang::ASTContext &Context);

/// One loop in the written text.
struct WrittenLoop {
  unsigned Begin = 0, End = 0; ///< bytes of the written text
  const NamesMeant *Meant = nullptr;
};

/// What is wrong with a text: with its loop number Loop; none: it is not known which of them.
struct OutputProblem {
  std::optional<size_t> Loop;
  std::string What;
};

/// \p Text is what was written for a file, in which \p Loops were rewritten; \p Ways: how that is
/// compiled, each with its architecture. Empty: nothing is wrong. \p Original: the text of that
/// file. Where the changes are in bodies of functions, and the same files are read again and again
/// (keepPreludes()), the bodies of other functions are not read: nothing in them can depend on it.
std::vector<OutputProblem> checkOutput(llvm::ArrayRef<ParseRequest> Ways, llvm::StringRef Original,
                                       const std::string &Text, llvm::ArrayRef<WrittenLoop> Loops);

} // namespace cuda_pipeline

#endif
