//===- SymbolicIteration.h - One turn of the tile loop, for all threads ---------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Runs the body of the loop once with symbols in place of numbers (Symbols.h, SymbolicRun.h), and
/// notes which bytes of which array every access touches: its access map, as isl sets. From these
/// maps the questions are answered that the soundness rules ask (docs/soundness.md). Every answer
/// is on the safe side: what is not followed may be anywhere, and is written nowhere for certain.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_ANALYSIS_SYMBOLICITERATION_H
#define CUDA_PIPELINE_LIB_ANALYSIS_SYMBOLICITERATION_H

#include "../Model/LoopFacts.h"
#include "Symbols.h"
#include "cuda-pipeline/DeclSet.h"
#include "cuda-pipeline/GpuTarget.h"
#include "cuda-pipeline/Legality.h"
#include "cuda-pipeline/TileModel.h"

namespace cuda_pipeline {

class SymbolicRun;
class Uniformity;

/// An access to a shared array, or to global memory: of the load phase, or a store behind it.
struct MappedAccess {
  /// The shared array, or the pointer parameter or device variable.
  const clang::VarDecl *Array = nullptr;
  const clang::Expr *Where = nullptr;
  static constexpr unsigned Around = 3;
  /// 0: load phase, 1: compute phase, 2: behind the trailing barrier; Around: outside of the loop.
  unsigned Segment = 0;
  bool Read = false, Write = false;
  LoopNest Nest;      ///< counters of the inner loops around it
  IslSet When;        ///< values of the symbols for which it happens
  IslPwAff Offset;    ///< bytes from the beginning of the array; null: anywhere in it
  IslPwAff Column;    ///< of it, in bytes, those of its row: SymbolicIteration::followRows()
  IslSet Known;       ///< what holds then besides; the same
  uint64_t Bytes = 0; ///< 0 with a null offset
  /// Several threads make it together, by one instruction that says itself where each of them
  /// reads: a fragment of wmma.
  const clang::CallExpr *Fragment = nullptr;
};

/// What becomes of an unsigned number that may have gone round once (`threadIdx.x < left` with a
/// negative int): any number, or itself in pieces, with which every further operation takes longer.
enum class UnsignedNumbers { Any, InPieces };

/// What is known of a header's counter that is unsigned, or steps by an unsigned number. InOrder:
/// it does not go round (neverGoesRound()).
enum class CounterGoes { Anyhow, InOrder };

/// \p A is a multiple of \p Unit, for certain.
bool isMultipleOf(const IslPwAff &A, int64_t Unit);

class SymbolicIteration {
public:
  /// \p Block: used where its extents are known. \p Effort: of the file.
  SymbolicIteration(const TileModel &Model, clang::ASTContext &Context, const Uniformity &U,
                    const LaunchShape &Block, SharedEffort &Effort,
                    UnsignedNumbers Unsigned = UnsignedNumbers::Any,
                    CounterGoes Counter = CounterGoes::Anyhow);
  ~SymbolicIteration();

  /// In front of the runs below: the accesses have their columns, too.
  /// \p SubscriptsAreGood: a subscript of an array is taken to be below its extent, as C++ asks
  /// for.
  void followRows(bool SubscriptsAreGood = false);
  /// \p Array has one dimension, and rows of so many bytes where its indices say so.
  void hasRows(const clang::VarDecl *Array, uint64_t Bytes);
  /// Expressions that say the pitch of \p Array, each with the bytes of the elements that it
  /// counts.
  using Said = std::pair<const clang::Expr *, uint64_t>;
  std::vector<Said> pitchesSaid(const clang::VarDecl *Array) const;
  /// Indices of \p Array that are to be said by row and column, the same.
  std::vector<Said> flatIndices(const clang::VarDecl *Array) const;
  /// Somebody asks which address an element of \p Array has.
  bool usesAddressOf(const clang::VarDecl *Array) const;
  /// Runs the load phase, or the whole turn; once. False: something in it cannot be followed, and
  /// then nothing is known of it.
  bool runLoad();
  bool runAll();
  const std::vector<MappedAccess> &accesses() const;
  /// Nothing of what has run reads an extent of the block that is not known: with a known block it
  /// would say the same.
  bool holdsForEveryBlock() const;
  /// With UnsignedNumbers::InPieces more would be known of what has run.
  bool leavesNumbersRound() const;

  /// Nothing but turns of this loop writes to \p Array: bytes that no turn writes, for any values
  /// of everything but the block's extents, have no value at all, and nobody's result can depend on
  /// them. Needs runAll().
  void isWrittenHereOnly(const clang::VarDecl *Array);

  /// Is every byte that \p Read may touch written for certain by the load phase? Needs runAll().
  Answer coveredByLoad(const MappedAccess &Read);
  /// An element that \p Read may touch and the load phase may leave alone, for a message: "tile[12]
  /// when n = 3"; empty when there is none to show.
  std::string uncovered(const MappedAccess &Read);

  /// May one thread store twice to one byte of \p Array in one load phase, by two stores or by two
  /// turns of an inner loop? \p AreOne: two stores of which only one happens, so far as they stand
  /// behind each other. \p IsFine: nobody minds if these two do. Needs runLoad().
  using OfStores = llvm::function_ref<bool(const clang::Expr *, const clang::Expr *)>;
  Answer storedTwiceByOneThread(
      const clang::VarDecl *Array,
      OfStores AreOne = [](const clang::Expr *, const clang::Expr *) { return false; },
      OfStores IsFine = [](const clang::Expr *, const clang::Expr *) { return false; });

  /// Two stores of the load phase to \p Array (or one) by which two threads write different data to
  /// the same byte whenever they happen at all: a race, in the block of the shape \p In. \p
  /// SourceOf: the lvalue that a store copies, or null. Needs runLoad().
  struct Race {
    const MappedAccess *First, *Second;
    std::string Element;
  };
  std::optional<Race> race(const clang::VarDecl *Array,
                           llvm::function_ref<const clang::Expr *(const clang::Expr *)> SourceOf,
                           const LaunchShape &In);

  /// The header's counter goes from turn to turn by its step, and never round. Needs runAll().
  bool neverGoesRound();
  /// None of \p Loads, of the load phase, reads in a later turn what one of \p Stores, behind it,
  /// has written in a turn of the same block. \p Array: where all of them go to, in global memory.
  /// Needs runAll().
  bool readsNoneOf(const clang::VarDecl *Array, llvm::ArrayRef<const clang::Expr *> Stores,
                   llvm::ArrayRef<const clang::Expr *> Loads);

  /// Bytes from the beginning of \p Array behind which the turn touches none of it, the same for
  /// the whole block and all through the loop. None: an access to it is not followed, or they
  /// cannot be said. Needs runAll().
  struct Extent {
    int64_t Constant = 0; ///< below zero only with terms
    struct Term {
      int64_t Factor;
      std::string Name;               ///< "blockDim.x", or the variable's
      const clang::VarDecl *Variable; ///< null: of the block
    };
    llvm::SmallVector<Term, 2> Terms; ///< products that are added
  };
  /// Block: for any values of the parameters, as a guard by one of these (`i < n`) is no bound that
  /// anybody wants to read. Parameters: for any block, up to seven more because of `threadIdx.x %
  /// 8`; if that is none, over both.
  enum class ExtentOver { Block, Parameters };
  std::optional<Extent> extent(const clang::VarDecl *Array, ExtentOver Over);

  /// No byte of \p Array is one that an access of \p A touches in some turn, and one of \p B in the
  /// same or another. Needs runAll().
  bool areApart(const clang::VarDecl *Array, llvm::ArrayRef<const MappedAccess *> A,
                llvm::ArrayRef<const MappedAccess *> B);

  /// Runs statements outside of the loop as well, each by itself, at any time: accesses() has then
  /// more than what a turn does, and all other questions but those of \p Array's bytes below are
  /// over. Needs runAll().
  bool runAround(llvm::ArrayRef<const clang::Stmt *> Statements);
  /// The same for all statements around the loop of \p Model for which \p Touches holds, if there
  /// are at most \p Many. False as well: a goto may lead anywhere.
  bool runAround(const TileModel &Model, llvm::function_ref<bool(const clang::Stmt *)> Touches,
                 size_t Many);

  /// Behind so many bytes of \p Array none of \p These touches any. None: that is not known.
  std::optional<int64_t> endOf(const clang::VarDecl *Array,
                               llvm::ArrayRef<const MappedAccess *> These);
  /// In front of so many bytes of \p Array none of \p These touches any, in blocks of any size that
  /// is possible. None: that is not known. Needs runAll().
  std::optional<int64_t> leastTouched(const clang::VarDecl *Array,
                                      llvm::ArrayRef<const MappedAccess *> These);

  /// The access maps, one line each: "compute: reads tile, 4 bytes: { [...] : ... }".
  void print(llvm::raw_ostream &OS) const;

private:
  friend class RowReader;
  class Question; ///< bounds what its answer may cost
  bool Hopeless = false;

  bool runTo(unsigned Segment);
  IslSet bytesOf(const MappedAccess &A) const;
  IslSet mayTouch(const MappedAccess &A) const;
  std::optional<int64_t> boundOf(const clang::VarDecl *Array,
                                 llvm::ArrayRef<const MappedAccess *> These, bool Least);
  IslSet everTouched(const clang::VarDecl *Array, llvm::ArrayRef<const MappedAccess *> These) const;
  IslSet gap(const MappedAccess &Read);
  IslSet gapInOneCase(const MappedAccess &Read);
  IslSet writtenAt(const clang::VarDecl *Array, const IslSet &At) const;
  const IslSet &writtenByLoad(const clang::VarDecl *Array);
  std::optional<Extent> asExtent(const IslPwAff &Last, int64_t Unit) const;
  IslSet defined(const IslSet &Bytes, const clang::VarDecl *Array) const;
  std::map<const clang::Expr *, const MappedAccess *> onlyReads() const;
  IslSet holdingInTurn() const;
  std::pair<IslPwAff, IslPwAff> counterInTwoTurns() const;
  int64_t unitOf(const clang::VarDecl *Array) const;
  std::string elementAt(const clang::VarDecl *Array, int64_t Place) const;

  clang::ASTContext &Context;
  SharedEffort &Effort;
  std::unique_ptr<SymbolicRun> Run;
  DeclMap<clang::VarDecl, IslSet> Written;
  DeclMap<clang::VarDecl, IslSet> EverWritten; ///< of the arrays that are written here only
  mutable DeclMap<clang::VarDecl, int64_t> Units;
};

} // namespace cuda_pipeline

#endif
