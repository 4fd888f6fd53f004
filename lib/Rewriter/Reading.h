//===- Reading.h - One reading of the text --------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A text is read once for every architecture and every file that includes it; what comes out is
/// one outcome per loop, with the edits that pipeline it, and with other texts in which more of it
/// could be pipelined (TextRounds.h).
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_REWRITER_READING_H
#define CUDA_PIPELINE_LIB_REWRITER_READING_H

#include "GatherLoads.h"
#include "InlineCalls.h"
#include "OutputCheck.h"
#include "PhaseLines.h"
#include "Rewordings.h"
#include "cuda-pipeline/Edits.h"
#include "cuda-pipeline/Plan.h"
#include "cuda-pipeline/Rewriter.h"

namespace cuda_pipeline {

using LoopPlace = std::pair<unsigned, unsigned>; ///< line and column

/// One loop as the user sees it, with what one architecture makes of it.
struct LoopOutcome {
  LoopReport Report;
  std::vector<Edit> List;
  std::vector<FirstStage> FirstStages; ///< in List
  std::vector<std::string> Headers;
  std::vector<GrownSize> Grown; ///< of the kernel's launches
  /// What it is refused for are copies in called functions: their calls, written out.
  std::vector<InlinedCall> Calls;
  GatheredLoads Gathered;            ///< of the later load phases
  Rewording Reworded;                ///< what it is refused for, said otherwise
  Rewording Widened;                 ///< of a legal one: its copies wider
  std::vector<WidthReport> Widths;   ///< what that makes of them
  Rewording Relaid;                  ///< of one that is rewritten: its tiles with other rows
  std::vector<LayoutReport> Layouts; ///< what that makes of them
  /// The presets that can be had of it: where one that was asked for is refused, or on demand.
  std::vector<Variant> Available;
  LineRange Function = {0, 0}; ///< the outermost one that it is in
  PhaseText Phases;
  EmittedWords Words; ///< of List
  NamesMeant Meant;   ///< of the text that was read
};

/// A call that is written out in the text that is read.
struct PlacedCall {
  InlinedCall Call;
  unsigned Offset, Length; ///< of its text
  /// A call in its text is written out too. That it meant the same was seen before, and that one is
  /// looked at itself.
  bool HasInner = false;
};

/// What one reading of the text makes of it.
struct Pass {
  FileResult Result;
  std::vector<LoopOutcome> Loops;
  std::string Text;
  bool AsMeant = true; ///< the calls that are written out mean what they did
};

/// Why the text of called functions cannot take the place of the calls. Each call has what is said
/// of its own place, else what is said first; no place: it holds for all of them.
void explain(LoopReport &Report, llvm::ArrayRef<Note> WhyNot);
void explain(LoopReport &Report, const std::string &WhyNot);

/// \p Units: the file, or the files that include it. \p Placed: what of the text is not the file's
/// own.
/// \p Only: loops of functions that are in one of these ranges of lines, of any if there is none;
/// the others are not looked at (LoopStatus::NotSelected). \p SayAvailable: LoopOutcome::Available
/// is wanted of all loops.
void read(Pass &P, llvm::ArrayRef<ParseRequest> Units, const RewriteOptions &Options,
          llvm::ArrayRef<PlacedCall> Placed, llvm::ArrayRef<LineRange> Only = {},
          bool SayAvailable = false);

} // namespace cuda_pipeline

#endif
