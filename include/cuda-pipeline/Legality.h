//===- Legality.h - May the next tile's load overtake the compute ---------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Step 4: applies the soundness rules (docs/soundness.md) to a tile model. What cannot be shown is
/// a finding: a refusal with its reason, and what it takes away from the schedules. What only the
/// user can know is an assumption with a name, used only when granted. Schedules differ in what
/// they need (Needs in Variant.h), so a finding may block some variants and not others:
///
/// - `ldg-single` moves global reads only; every store and barrier stays where it was.
/// - `ldg` and `cp-async` give every tile several buffers, so each iteration must write whatever
/// the
///   compute of that iteration reads, and they merge two barriers into one.
/// - `cp-async` copies bytes: 4, 8 or 16 aligned bytes from global memory, unchanged.
/// - `mixed` has both: the rules of `ldg`, and for each copy that is to be asynchronous those of
///   `cp-async`; a copy that cannot be goes by way of registers.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LEGALITY_H
#define CUDA_PIPELINE_LEGALITY_H

#include "cuda-pipeline/GpuTarget.h"
#include "cuda-pipeline/TileModel.h"
#include "cuda-pipeline/Variant.h"
#include "llvm/ADT/StringSet.h"
#include <functional>
#include <map>
#include <memory>
#include <set>

namespace cuda_pipeline {

/// What a type parameter of a template is in an instantiation.
struct TypeArgument {
  std::string Param;
  std::string Type;     ///< as it is named at file scope
  bool IsNumber;        ///< no class, union or enumeration: it has no operators of its own
  bool IsPlainlyCopied; ///< for the compiler, `__is_trivially_copyable`
  /// `namespace a { struct B; }`, in front of the template, for a class that is declared behind it;
  /// empty: it is declared.
  std::string Declaration = "";
  bool operator==(const TypeArgument &O) const { return Param == O.Param && Type == O.Type; }
};

/// A function for a parameter, as it is named at file scope: `kernels::gauss<float>`.
struct FunctionArgument {
  std::string Param, Function;
  bool operator==(const FunctionArgument &O) const {
    return Param == O.Param && Function == O.Function;
  }
};

/// The arguments of a template's instantiation as conditions that the template can test, one for
/// each parameter: `BM == 64`, `BK == 8`, and `__is_same(Op, Max)`. The same parameters for all
/// instantiations of a template.
struct TemplateArguments {
  std::vector<std::string> Values;
  std::vector<FunctionArgument> Functions; ///< values, too
  std::vector<TypeArgument> Types;
  bool operator==(const TemplateArguments &O) const {
    return Values == O.Values && Functions == O.Functions && Types == O.Types;
  }
};

/// Which of them a rewrite depends on: facts that another instantiation need not share.
struct ArgumentsMatter {
  bool Values = false, Types = false;
  /// Type parameters with values that are copied as bytes, or to a register and from there: no
  /// constructor and no assignment of such a class is to have a say. (Types made of parameters are
  /// asked for by their own names.)
  std::set<std::string> Copied;
  /// Type parameters with values that are computed with where the rewrite moves it: no operator of
  /// a class is to have a say.
  std::set<std::string> Numbers;

  void add(const ArgumentsMatter &O) {
    Values |= O.Values;
    Types |= O.Types;
    Copied.insert(O.Copied.begin(), O.Copied.end());
    Numbers.insert(O.Numbers.begin(), O.Numbers.end());
  }
};

/// A tile in dynamic shared memory: its stages lie behind each other, where the launch gives enough
/// of it. A kernel cannot see to its launches, so that it asks when it runs, and else runs the loop
/// as it was.
struct DynamicStages {
  /// From one stage to the next, in code that can stand in front of the loop.
  std::string Bytes;
  std::optional<uint64_t> Constant; ///< of the array, that the loop uses, where it is a number
  /// So many of these, a number as well, are in front of all that stages differ in: Bytes is the
  /// rest.
  uint64_t InFront = 0;
  /// Bytes is a multiple of this, and can be seen to be: a compiler reads four neighbours of a tile
  /// with one instruction (LDS.128) only where it knows that every stage begins as the tile does.
  /// Without, cp.async has taken twice as long as the original.
  uint64_t Alignment = 16;
  bool OfLargestBlock = false; ///< a number that only the largest block there may be needs: how it
                               ///< grows cannot be said
  std::string Block; ///< "blockDim.x == 256 && ...", for which alone it is shown; empty: any block
};

/// A tile that is used outside of the loop as well, where its first stage stands for it. What it
/// holds there goes into the loop's other stages, and what the last iteration leaves comes back
/// from its stage.
struct CarriedTile {
  clang::SourceLocation Tile;    ///< of its declaration: the same in all instantiations
  bool In = false, Back = false; ///< at least one of them
  bool operator==(const CarriedTile &O) const {
    return Tile == O.Tile && In == O.In && Back == O.Back;
  }
};

/// One refusal, and what it takes away from the schedules. One that concerns a single copy names it
/// (Refusal::Copy).
struct Finding {
  Refusal Why;
  Needs Blocks;
  /// What several buffers need is refused for the same reason at the same place already: with them
  /// it is not said twice.
  bool Repeats = false;
};

/// Nothing in \p Findings is in the way of \p V with \p Stages buffers of each tile.
bool allows(Variant V, unsigned Stages, llvm::ArrayRef<Finding> Findings);

struct Legality {
  /// What the rules object to, in the order of the rules (lib/Analysis/Legality.cpp).
  std::vector<Finding> Findings;
  /// Assumptions that were needed and granted ("no-alias", "uniform"), without duplicates; those
  /// that cp-async needs besides.
  std::vector<std::string> Assumptions, AsyncAssumptions;
  /// Tiles, by their declarations, whose stages cp-async needs aligned to so many bytes, because
  /// the assumption aligned16 is about the other end of a copy only.
  std::map<clang::SourceLocation, uint64_t> AsyncAlignments;
  /// Of `mixed`: the stores of the copies that are asynchronous there, by their places (the same in
  /// all instantiations), and the halves for the others. Null: there is no such division.
  std::set<clang::SourceLocation> MixedAsync;
  std::shared_ptr<const FetchStore> MixedCut;
  /// Copies of a branch of which the other one has wider ones of the same tile, which are
  /// asynchronous: beside these they are done at once, as they stand.
  std::set<clang::SourceLocation> Direct;
  /// A condition for the kernel, if what is counted in registers holds for one block size
  /// (FetchStore::AsksBlock), or that all threads take the same turns.
  BlockTest AskBlock;
  bool TurnsAskBlock = false; ///< that they do is shown for the block that is claimed, alone
  /// Of the tile, if it is in dynamic shared memory, for several buffers.
  std::optional<DynamicStages> Dynamic;
  /// What may use dynamic shared memory without being seen to; none: nothing. Only with the grant
  /// may stages be there.
  std::optional<std::pair<std::string, clang::SourceLocation>> UnseenDynamic;
  bool DynamicIsGranted = false; ///< by `dynamic-shared`
  /// With several buffers, in the order of the model's.
  std::vector<CarriedTile> Carried;
  /// After the loop something is ordered by the last trailing barrier: it has to stay.
  bool NeedsFinalBarrier = true;
  /// Of a loop that begins with a barrier: the first one orders something that comes before the
  /// loop.
  bool NeedsEntryBarrier = true;
  /// One that the loop does not begin with, in front of what is loaded there into further stages.
  bool NeedsBarrierInFront = false;

  /// With these parts the loop might have several buffers; null: nobody thinks so.
  std::shared_ptr<const PoolParts> Parts;

  /// Of a template's instantiation; none: they cannot be written as conditions.
  std::optional<TemplateArguments> Arguments;
  ArgumentsMatter Matter, MatterForAsync;

  /// What blocks every variant.
  std::vector<Refusal> common() const;
  /// What blocks \p V besides, with as few buffers as it takes.
  std::vector<Refusal> of(Variant V) const;
  /// All that blocks \p V with \p Stages buffers, in the order in which it is reported: what blocks
  /// every variant, what blocks this one, and what blocks only so many buffers of it.
  std::vector<Refusal> of(Variant V, unsigned Stages) const;
  /// With as few buffers as it takes.
  bool legal(Variant V) const { return allows(V, info(V).Least, Findings); }
};

struct Waiting;

/// What the loops of one file share while they are examined.
struct SharedEffort {
  /// Operations of isl that may still go into questions without an answer. Past these every further
  /// question gets few: a file of hopeless loops ends as well.
  unsigned long Operations = 2000000;
  /// Refusals that cost much to find, by loop and by tile: all instantiations of a template are
  /// rewritten together, so one is enough.
  using Place = std::tuple<clang::SourceLocation, clang::SourceLocation, bool>; ///< with parts?
  using ByTile = std::map<Place, Refusal>;
  ByTile StaleTiles, CopyOverlaps;
  /// What another loop of the function does with a tile that both have.
  struct PeerFacts {
    std::optional<std::string>
        Written; ///< the elements of every turn, in words that can be compared; "": not constant
    std::optional<bool> Fresh; ///< it reads nothing but what its own turn has loaded
    std::vector<std::string> Assumptions;
  };
  std::map<std::tuple<const KLoop *, const clang::VarDecl *, bool>, PeerFacts>
      Peers; ///< true: with parts
  /// Whether a kernel of the file waits for other blocks; null: nobody has asked.
  std::shared_ptr<const std::optional<Waiting>> WaitingKernel;
};

/// The tile loops of the function, the one that is looked at among them, and their models.
struct OtherLoops {
  llvm::ArrayRef<const KLoop *> Loops;
  std::function<const TileModel &(const KLoop &)> Model;
};

/// \p Shape: block sizes that are exact are facts; a claim of the command line is used when the
/// assumption `block-size` is granted. \p Effort: of the file; none: the loop is alone.
Legality checkLegality(const TileModel &Model, clang::ASTContext &Context,
                       const llvm::StringSet<> &Granted, const LaunchShape &Shape = {},
                       SharedEffort *Effort = nullptr, const OtherLoops &Others = {});

/// One line per access of the turn to a shared array, and of the load phase to global memory: the
/// bytes, as a function of the thread, the counters of inner loops and what the block has in common
/// (isl's notation).
void printAccessMaps(const TileModel &Model, clang::ASTContext &Context, const LaunchShape &Shape,
                     llvm::raw_ostream &OS);

} // namespace cuda_pipeline

#endif
