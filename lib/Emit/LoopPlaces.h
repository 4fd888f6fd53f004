//===- LoopPlaces.h - Where the parts of a loop stand in the file ---------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Editability: a loop can be edited in place if its head, its barriers and the statements of its
/// load phase each have a stretch of the main file for themselves. It cannot where a macro or a
/// preprocessor directive makes them, or a label leads to the loop. Found once for each loop,
/// before any candidate is drafted.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_EMIT_LOOPPLACES_H
#define CUDA_PIPELINE_LIB_EMIT_LOOPPLACES_H

#include "../Model/AstUtil.h"
#include "../Model/LoopFacts.h"
#include "cuda-pipeline/Edits.h"

namespace cuda_pipeline {

/// The offset at which the line of \p Offset begins; of a line break, the line that it ends.
inline unsigned lineStart(llvm::StringRef File, size_t Offset) {
  return unsigned(File.rfind('\n', Offset) + 1); // npos + 1 is 0
}
/// The offset at which it ends: of its line break, or of the end of the file.
inline unsigned lineEnd(llvm::StringRef File, unsigned Offset) {
  return unsigned(std::min(File.find('\n', Offset), File.size()));
}

class LoopPlaces {
public:
  LoopPlaces(const TileModel &Model, clang::ASTContext &Context, const SourceText &Source);
  LoopPlaces(const LoopPlaces &) = delete; // File is its own
  LoopPlaces &operator=(const LoopPlaces &) = delete;

  /// Not empty: the loop cannot be edited in place, and nothing else is known.
  std::vector<Refusal> Refusals;

  /// The main file's text. A `//` comment that goes on behind a line break has marks in place of
  /// its line breaks: it is one line for all that moves, cuts or indents lines.
  llvm::StringRef File;
  TextRange LoopText;    ///< from the `for` (or its pragma) to the closing brace
  unsigned ForBegin = 0; ///< of the keyword
  unsigned BodyOpen = 0; ///< behind the brace
  TextRange LoadText;    ///< statements of segment 0 with their comments, whole lines
  TextRange Barrier0, Barrier1;
  std::string BarrierComment; ///< comments between the load phase and its barrier
  std::string Newline;
  std::string Indent, Unit; ///< of the loop; of one level
  bool NeedsBraces = false; ///< the loop stands where one statement is expected

  /// The blanks at the beginning of the line.
  std::string indentAt(unsigned Offset) const;
  /// \p R with a comment behind it that ends with the line.
  TextRange withTrailingComment(TextRange R) const;
  /// The statement with the comment lines above it and the comment behind it, when they have their
  /// lines for themselves.
  TextRange withComments(TextRange R) const;
  /// Whole lines with nothing but a comment, directly above the line of \p At; empty where
  /// something else stands in front of \p At.
  TextRange commentsAbove(unsigned At) const;
  /// \p Text as it stands in a file.
  std::string withLineBreaks(llvm::StringRef Text) const;

private:
  const TileModel &M;
  clang::ASTContext &Context;
  const SourceText &Source;
  std::optional<std::string> OneLineComments;
  char LineBreakMark = 0, ReturnMark = 0;

  void refuse(Reason Why, clang::SourceLocation Where, std::vector<std::string> Args);
  void joinComments();
  void wordsOfLanguage();
  bool onlyComments(unsigned At, unsigned End) const;
  bool locate();
  bool keepsDirectives() const;
  bool hasMeaning(llvm::StringRef Name) const;
  bool isInHeaders(llvm::StringRef Word) const;
  bool includesCodeAlone(const SourceText::Directive &D) const;
  void wholeLoadPhase();
};

} // namespace cuda_pipeline

#endif
