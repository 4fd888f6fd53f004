//===- Edits.h - The text changes of one rewritten loop -------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Step 7: a candidate becomes a draft, replacements of ranges of the main file. A set is all or
/// nothing: when any part of the text cannot be edited in place, the draft is a refusal and no
/// edit. Drafts come in front of the choice: what is chosen can be written.
///
/// What the emitted loop looks like, for every trip count from zero:
///
///   prologue    the load slice runs ahead by `stages - 1` tiles
///   main loop   the user's loop; the compute text stays where it is, byte for byte, with the
///   tiles'
///               names bound to the current stage
///   epilogue    the last iterations start no load; a barrier stays where something depends on it
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_EDITS_H
#define CUDA_PIPELINE_EDITS_H

#include "cuda-pipeline/Fix.h"
#include "cuda-pipeline/Plan.h"
#include "cuda-pipeline/TileModel.h"
#include <memory>

namespace cuda_pipeline {

/// `auto &tile = tile_stages[0];`, a part of the edit at this offset, for what names the tile
/// outside of the loop.
struct FirstStage {
  unsigned Offset;
  std::string Tile, Text;
};

struct Edits {
  std::vector<Edit> List; ///< by offset, not overlapping
  std::vector<FirstStage> FirstStages;
  std::vector<std::string> Headers; ///< to include, once per file
};

/// Names that rewritten loops of one function have got.
struct GivenNames {
  std::set<std::string> Names;
  std::map<std::string, unsigned> Last; ///< the number behind a name that was given last
  /// Tiles that have stages already, by their declarations: another loop has no other ones.
  struct Staged {
    std::string Name;
    unsigned Stages;
    std::string Count; ///< the constant that says how many; empty: none
  };
  std::map<clang::SourceLocation, Staged> Staged;
  std::map<unsigned, uint64_t> Aligned; ///< to so many bytes, what is declared at this offset
  std::set<std::string> Declared;       ///< what stands in front of the function by now
  void add(const GivenNames &More);
};

/// What the words of the new text are there for. Statements of the user's keep their words, so this
/// is all that is needed to say of each statement which phase it belongs to.
struct EmittedWords {
  std::map<std::string, PhaseKind> Phases; ///< of what names one of these
  std::set<std::string> LoadFunctions;     ///< their bodies are load phases
  std::set<std::string> Tiles;             ///< arrays of stages
  std::vector<std::string> Barriers;       ///< statements
  std::string Kept; ///< the loop as it was, where it stays beside its pipelined version
  std::string Test; ///< the head of the branch in which that one is
};

/// What a loop looks like under one candidate, before any is chosen; or what in the text stands
/// against it: macros, directives, names that cannot be said where they would have to be.
struct Draft {
  Edits Result;
  GivenNames Names; ///< the new ones
  EmittedWords Words;
  std::vector<Refusal> Refusals; ///< not empty: nothing of it is to be used
};

/// What is read of the text once for all loops of a file.
struct SourceText {
  /// Identifiers in the main file and in the user's own headers, also in bodies of macros.
  std::set<std::string> Names;
  /// Comments of the main file, found as tokens: no text that merely looks like one. Byte offsets
  /// of begin and end, in order.
  std::vector<std::pair<unsigned, unsigned>> Comments;
  /// A preprocessor directive of the main file, from its `#`, however that is spelt, to the end of
  /// its last token.
  struct Directive {
    unsigned Begin, End; ///< byte offsets
    std::string Name;    ///< "pragma"
  };
  std::vector<Directive> Directives; ///< in order, also those that the preprocessor leaves out
};
SourceText readSourceText(const clang::ASTContext &Context);
/// A new thing cannot have this name: the text has it, or some macro.
bool isTaken(llvm::StringRef Name, const SourceText &Source, const clang::ASTContext &Context);

/// Identifiers between `#if` and `#endif` in the bytes \p Of of the main file's \p Text, whether
/// this build has them or not, but for those in the bytes \p But: other builds may mean what is
/// declared around by them.
std::set<std::string> namesUnderConditions(const SourceText &Source, llvm::StringRef Text,
                                           std::pair<unsigned, unsigned> Of,
                                           std::pair<unsigned, unsigned> But);

/// Where the loop's parts stand in the text (lib/Emit/LoopPlaces.h): the same for all candidates.
class LoopPlaces;
std::shared_ptr<const LoopPlaces> findPlaces(const TileModel &Model, clang::ASTContext &Context,
                                             const SourceText &Source);

/// New names avoid those in \p Source and in \p Given. \p Cut: for the copies that go by way of
/// registers. What stands against editing the loop in place at all is the draft's refusal, too.
Draft draft(const TileModel &Model, const FetchStore &Cut, const Plan &P,
            clang::ASTContext &Context, const LoopPlaces &Places, const SourceText &Source,
            const GivenNames &Given);

/// The loop with one half left out (lib/Emit/Ablation.cpp). Not to be confused with a rewrite: what
/// comes of it computes something else.
Draft ablate(const TileModel &Model, Ablation Which, clang::ASTContext &Context,
             const SourceText &Source, const GivenNames &Given);

/// The edits of several loops, with one that inserts the includes, by offset. \p InTheWay: macros
/// that are put aside while these are read.
std::vector<Edit> withIncludes(llvm::StringRef Text, std::vector<Edit> List,
                               llvm::ArrayRef<std::string> Headers,
                               llvm::ArrayRef<std::string> InTheWay = {});
/// Applies these.
std::string applyEdits(llvm::StringRef Text, std::vector<Edit> List,
                       llvm::ArrayRef<std::string> Headers,
                       llvm::ArrayRef<std::string> InTheWay = {});
/// Names that cuda_pipeline_primitives.h and what it includes have for themselves: with a macro of
/// the name in front of it (`-DN=64`; a template there has a parameter N) it does not compile.
llvm::ArrayRef<llvm::StringRef> namesOfPipelineHeader();
/// Where withIncludes() puts an #include into \p Text, unless an edit stands in front of it.
unsigned placeOfIncludes(llvm::StringRef Text);

} // namespace cuda_pipeline

#endif
