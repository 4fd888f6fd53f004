//===- PipelinedLoop.h - The new loop, before it is text --------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Half of step 7: the plan has become a small tree of statements in the order in which they will
/// stand, and nothing is left to decide. What synchronises, what starts copies and what says which
/// stage is meant are nodes of their own; the user's text and everything that only declares are
/// lines of text. print() makes the text, and is the only place that makes lines of these nodes.
///
/// A method (lib/Emit/CpAsync.cpp, lib/Emit/Ldg.cpp) builds the value. Tests of verification change
/// it, or another value that is about to be printed, through a LoopMutator (lib/Mutate).
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_PIPELINEDLOOP_H
#define CUDA_PIPELINE_PIPELINEDLOOP_H

#include "cuda-pipeline/Schedule.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <vector>

namespace cuda_pipeline {

/// A stage of the tiles, as a statement names it: one by its number, or one so many behind the
/// stage that is computed on in the order in which stages are filled.
struct Slot {
  std::optional<unsigned> Number;
  unsigned Ahead = 0;
  static Slot number(unsigned N) { return {N, 0}; }
  static Slot current() { return {std::nullopt, 0}; }
  static Slot ahead(unsigned By) { return {std::nullopt, By}; }
  bool operator==(const Slot &O) const { return Number == O.Number && Ahead == O.Ahead; }
};

/// How the stages of one tile are spelt.
struct StagedTile {
  std::string Name; ///< of the tile: what the user's statements say
  TilePlace In = TilePlace::Array;
  std::string Stages;      ///< the array of stages; Dynamic: a `char *`; Beside: the first stage
  std::string Type;        ///< Dynamic: of one stage
  std::string Bytes;       ///< Dynamic, Beside: the name of what a stage takes
  std::string More;        ///< Beside: the array that the other stages are in
  std::string BehindTiles; ///< Beside: " + sizeof(..)" of each tile that lies in front of this one

  /// The expression for the stage that \p Which says.
  std::string element(llvm::StringRef Which) const;
};

/// The value of one variable of the load side in the next iteration, made of the main loop's own
/// variables: `const int t_next = t + 1;`.
struct NextValue {
  std::string Declares; ///< type and a blank; empty: the variable is declared in front of the loop
  std::string Name;
  std::string From;  ///< the main loop's variable
  std::string Value; ///< "t + 1"
  std::string Step;  ///< what Value adds: " + 1"; empty: it is made in another way
};

struct LoopArgument {
  std::string Text;
  const clang::VarDecl *Of = nullptr; ///< the variable that the load side has a copy of
};

/// One statement of the new loop.
struct LoopPart {
  enum class Kind {
    Text,      ///< Text: whole lines
    Comment,   ///< Text: one line
    Function,  ///< Name, Text: its parameters, Body
    Bind,      ///< the name of tile number Tile means its stage Of
    Call,      ///< of the function Name, with Of where that is set, and Arguments; Text: a comment
    If,        ///< Body, if the condition Text holds
    ForStages, ///< Body for each stage but the last Less ones
    Ask,       ///< Name is set to the condition Text; Declares: its type, if it is declared here
    Next,      ///< Values; or Declares: copies as text, and Text: the step behind them
    StepLoad,  ///< Text: the load side goes to its next tile
    Commit,    ///< what was copied asynchronously is a group
    Wait,      ///< until all groups but as many as there are stages less Less have arrived
    Barrier,   ///< Text: the statement, with what is said of it
    Advance,   ///< the next stage is the current one; behind the last but Less it is the first
    Carry,     ///< Text: whole lines that copy what a tile holds besides the loop
  };
  Kind What = Kind::Text;
  std::string Text, Name, Declares;
  std::optional<Slot> Of;
  std::vector<LoopArgument> Arguments;
  std::vector<NextValue> Values;
  std::vector<LoopPart> Body;
  size_t Tile = 0;
  int Less = 0;
  /// The threads that come here. None of the tool's own statements has any but all.
  enum class Threads { All, First, AllButFirst } By = Threads::All;

  static LoopPart text(std::string Lines) { return make(Kind::Text, std::move(Lines)); }
  static LoopPart blank() { return make(Kind::Text, "\n"); }
  static LoopPart comment(std::string Line) { return make(Kind::Comment, std::move(Line)); }
  static LoopPart barrier(std::string Statement) {
    return make(Kind::Barrier, std::move(Statement));
  }
  static LoopPart stepLoad(std::string Statement) {
    return make(Kind::StepLoad, std::move(Statement));
  }
  static LoopPart carry(std::string Lines) { return make(Kind::Carry, std::move(Lines)); }
  static LoopPart commit() { return make(Kind::Commit, ""); }
  static LoopPart wait() {
    LoopPart P = make(Kind::Wait, "");
    P.Less = 2;
    return P;
  }
  static LoopPart advance() {
    LoopPart P = make(Kind::Advance, "");
    P.Less = 1;
    return P;
  }
  static LoopPart onlyIf(std::string Condition, std::vector<LoopPart> Body) {
    LoopPart P = make(Kind::If, std::move(Condition));
    P.Body = std::move(Body);
    return P;
  }
  static LoopPart ask(std::string Declares, std::string Name, std::string Condition) {
    LoopPart P = make(Kind::Ask, std::move(Condition));
    P.Declares = std::move(Declares);
    P.Name = std::move(Name);
    return P;
  }
  static LoopPart function(std::string Name, std::string Parameters, std::vector<LoopPart> Body) {
    LoopPart P = make(Kind::Function, std::move(Parameters));
    P.Name = std::move(Name);
    P.Body = std::move(Body);
    return P;
  }
  static LoopPart call(std::string Name, std::optional<Slot> Of,
                       std::vector<LoopArgument> Arguments, std::string Comment = "") {
    LoopPart P = make(Kind::Call, std::move(Comment));
    P.Name = std::move(Name);
    P.Of = Of;
    P.Arguments = std::move(Arguments);
    return P;
  }

private:
  static LoopPart make(Kind What, std::string Text) {
    LoopPart P;
    P.What = What;
    P.Text = std::move(Text);
    return P;
  }
};
using LoopParts = std::vector<LoopPart>;

struct PipelinedLoop {
  unsigned Stages = 2;
  std::string Stage;      ///< the variable that says which is computed on; empty: there is one
  std::string StageCount; ///< the constant that says how many there are; empty: none does
  std::string Commit = "__pipeline_commit", Wait = "__pipeline_wait_prior";
  std::string Indent, Unit; ///< of the loop; of one level
  std::vector<StagedTile> Tiles;

  LoopParts Front;    ///< declarations, functions of the load side
  LoopParts Prologue; ///< in front of the main loop
  std::string Header; ///< of the main loop: lines up to the brace
  LoopParts Top;      ///< in front of the compute phase
  LoopParts Tail;     ///< behind it
  LoopParts Behind;   ///< behind the main loop

  /// The number of stages but for \p Less.
  std::string count(int Less = 0) const;
  /// The expression for a stage's number.
  std::string slot(const Slot &S) const;
  /// Lines that begin at \p At, each with its line break.
  std::string print(llvm::ArrayRef<LoopPart> Parts, const std::string &At) const;
  /// From the loop's place to the compute phase; begins without an indentation.
  std::string head() const;
};

/// One asynchronous copy, as the load side has it.
struct AsyncCopy {
  std::string Function, Destination, Source, Bytes;
  std::string Pieces = {}; ///< the header of a loop around it, one turn for each piece
  /// What the copy is under, outermost first, and what is done where that does not hold. Without a
  /// test, for the last one: the condition is the user's own text around it.
  struct Guard {
    std::string Test, Fill;
  };
  std::vector<Guard> Guards;
};

/// A register, or an array of such, by way of which one load goes.
struct StagingRegister {
  const GlobalLoad *Load = nullptr;
  std::string Declared; ///< the name that it is declared under
  std::string Used;     ///< the name by which the copy knows it
};

/// What the tests of verification do to values that are about to be printed: mistakes, which
/// verification has to find.
class LoopMutator {
public:
  virtual ~LoopMutator() = default;
  virtual void registers(llvm::MutableArrayRef<StagingRegister>, clang::ASTContext &) const {}
  virtual void copy(AsyncCopy &) const {}
  /// \p Count: of the stages that a tile is declared with.
  virtual void declaredStages(std::string &Count, unsigned Stages) const {}
  virtual void loop(PipelinedLoop &, const TileModel &, llvm::StringRef Variant) const {}
};
/// Set by programs that are made for tests alone (tool/planted), before they read a file.
inline const LoopMutator *MutatorOfTests = nullptr;

} // namespace cuda_pipeline

#endif
