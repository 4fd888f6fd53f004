//===- PhaseLines.h - Which lines load, wait and compute ------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The phases of a loop as lines of the file, before and after, for those who look at them.
///
/// Before, they are those of the model. After, no model is needed: the emitter keeps the words of
/// the user's statements and says what its own words are for (EmittedWords). So the new text is
/// read token by token, statement by statement: one that says what a statement of a phase says
/// belongs to that phase, as does one with a word of the emitter's. What is neither (comments,
/// declarations of tiles, the loop's header) belongs to none.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_REWRITER_PHASELINES_H
#define CUDA_PIPELINE_LIB_REWRITER_PHASELINES_H

#include "../Support/Lines.h"
#include "cuda-pipeline/Edits.h"
#include "cuda-pipeline/Report.h"
#include "cuda-pipeline/TileModel.h"

namespace cuda_pipeline {

/// In bytes of the text that was read.
struct PhaseText {
  unsigned Begin = 0, End = 0; ///< of the loop
  struct Part {
    PhaseKind Kind;
    unsigned Begin, End;
  };
  std::vector<Part> Parts; ///< statements of the body, in order
};

PhaseText phaseText(const TileModel &Model, const clang::ASTContext &Context);
/// \p Lines: those of \p Text.
std::vector<PhaseReport> phaseLines(llvm::StringRef Text, const LineTable &Lines,
                                    const PhaseText &Phases);

/// The text of a file with all changes: made once, and asked by each of its loops.
class ChangedText {
public:
  /// \p All: what is done to \p Text, by offset.
  ChangedText(llvm::StringRef Text, llvm::ArrayRef<Edit> All)
      : Old(Text), New(applied(Text, All, Changes)), Lines(New) {}
  ChangedText(const ChangedText &) = delete;
  std::vector<PhaseReport> phaseLines(const PhaseText &Phases, const EmittedWords &Words) const;
  /// Where the loop stands in the new text, from what is put in front of it to what is put behind
  /// it; empty: nowhere.
  std::pair<unsigned, unsigned> rangeOf(const PhaseText &Phases) const;
  /// In lines of the new text: the same, and where the loop as it was stands in it
  /// (EmittedWords::Kept; 0: it does not).
  NewLines linesOf(const PhaseText &Phases, const EmittedWords &Words) const;
  const std::string &text() const { return New; }

private:
  struct Change {
    unsigned From, To;       ///< in the old text
    unsigned NewFrom, NewTo; ///< in the new one
  };
  static std::string applied(llvm::StringRef Text, llvm::ArrayRef<Edit> All,
                             std::vector<Change> &Changes);

  const llvm::StringRef Old;
  std::vector<Change> Changes;
  const std::string New;
  const LineTable Lines;
};

/// \p By: so many lines were put in front.
void moveLines(std::vector<PhaseReport> &Phases, unsigned By);

} // namespace cuda_pipeline

#endif
