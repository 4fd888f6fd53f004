//===- Rules.h - The soundness rules, one file each --------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A rule is a function that looks at a tile loop through a RuleContext and adds findings to the
/// Legality that is being made. Legality.cpp lists the rules in order; the order is that of the
/// report. Each file says which rule of docs/soundness.md it applies, and why that is enough.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_ANALYSIS_RULES_RULES_H
#define CUDA_PIPELINE_LIB_ANALYSIS_RULES_RULES_H

#include "../../Model/LoopFacts.h"
#include "../../Model/ReachedCode.h"
#include "../../Model/SharedArrays.h"
#include "../BeforeLoop.h"
#include "../Callers.h"
#include "../SymbolicIteration.h"
#include "../Uniformity.h"
#include "../Waiting.h"
#include "cuda-pipeline/Legality.h"

namespace cuda_pipeline {

/// What the rules ask of the whole function: the same for all of its loops.
struct FunctionRules {
  Callers CalledBy; ///< of a function that is no kernel
  Uniformity U;
  std::optional<Waiting> Waits;
  /// Where the text last uses shared memory, or memory of unknown origin, by what it is.
  std::map<MemoryRoot, clang::SourceLocation> LastShared;
  /// Of these the last one, and the last one of what is no static array with a name.
  clang::SourceLocation LastOfShared, LastOfOther;
  /// Where it last writes to what may be global memory.
  std::map<MemoryRoot, clang::SourceLocation> LastWrite;

  FunctionRules(clang::ASTContext &Context, const EffectCollector &Collector,
                const clang::FunctionDecl *Function, CallSites &Calls, const ReachedCode &Code);

  /// What is written to what may be global or shared memory, and where.
  using Stores = std::vector<std::pair<MemoryRoot, clang::SourceLocation>>;
  /// In front of the loop with no barrier between, from behind; of each the place that comes first
  /// so. Without shared memory, where that is not asked for.
  Stores storesBefore(const KLoop &Loop, bool Shared) const;
  /// By one statement.
  const Stores &storesOf(const clang::Stmt *S) const;
  /// Some statement in front of the loop with no barrier between is one that \p Is, which is the
  /// same question for all loops.
  bool anyBefore(const KLoop &Loop, llvm::function_ref<bool(const clang::Stmt *)> Is) const;

private:
  struct StoreOf {
    MemoryRoot What;
    clang::SourceLocation Where;
    size_t Child, Order; ///< the first one in this statement
  };
  using StoresByRoot = std::map<MemoryRoot, std::vector<StoreOf>>;
  struct StoresOfBlock {
    StoresByRoot By;
    size_t Done = 0; ///< so many of its statements have been looked at
  };

  const EffectCollector &Collector;
  // Of the statements in front of loops: those of one are in front of the next one, too.
  mutable BeforeLoops InFront;
  mutable std::map<const clang::Stmt *, Stores> Known;
  mutable std::map<const std::vector<const clang::Stmt *> *, StoresOfBlock> StoresIn;
  mutable std::map<const std::vector<const clang::Stmt *> *, std::vector<size_t>> CountOf;

  /// At least of the first \p End statements.
  const StoresByRoot &storesIn(const std::vector<const clang::Stmt *> &Block, size_t End) const;
};

/// What the rules share while they look at one loop.
struct RuleContext {
  RuleContext(const TileModel &M, clang::ASTContext &Context, const llvm::StringSet<> &Granted,
              const LaunchShape &Shape, SharedEffort &Effort, const OtherLoops &Others);

  const TileModel &M;
  const LoopFacts &F;
  clang::ASTContext &Context;
  const llvm::StringSet<> &Granted;
  const LaunchShape &Shape;
  SharedEffort &Effort;
  const OtherLoops &Others;
  const FunctionRules &OfFunction;
  const Uniformity &U; ///< the function's

  /// The result, as far as it is made.
  Legality L;
  /// A rule relies on extents and strides that another instantiation need not have.
  bool SetsMatter = false;
  /// A rule relies on what holds for the block of Shape alone: the kernel asks when it runs.
  bool BlockIsAsked = false;
  /// Tiles of which one thread may store to an element twice: by registers one after the other.
  std::set<const TileBuffer *> Overlapping;

  void refuse(Finding What) { L.Findings.push_back(std::move(What)); }
  /// Not where the same reason at the same place blocks \p Among already.
  void refuseOnce(Finding What, Needs Among);
  /// A finding that blocks \p Among has the reason and the place of \p Why.
  bool isSaid(const Refusal &Why, Needs Among) const;
  /// A finding blocks one of \p Any.
  bool isBlocked(Needs Any) const;

  /// True when the user granted the assumption; it is then recorded.
  bool granted(llvm::StringRef Name);
  /// The same, recorded for cp.async alone.
  bool grantedToAsync(llvm::StringRef Name);

  /// Shape is said of the block by the command line, or by a launch that need not be the only one.
  bool claimed() const { return Shape.isClaim(); }
  /// One turn of the loop, run symbolically. \p Claimed: in a block of the size that is claimed.
  SymbolicIteration &turn(bool Claimed, UnsignedNumbers Unsigned = UnsignedNumbers::Any);

  const SharedArrays &sharedArrays() const;
  /// The loop and the tile by their places, which all instantiations have in common.
  SharedEffort::Place ofInstances(const TileBuffer &B) const {
    return {M.Loop->Begin, B.Decl->getLocation(), F.Parts != nullptr};
  }

private:
  std::unique_ptr<SymbolicIteration> Turns[2][2];
  const ReachedCode &code() const;
};

std::string nameOf(const MemoryRoot &R);
std::string quotedNameOf(const MemoryRoot &R);
/// `extern __shared__`: all names of it are names of one array.
bool isDynamicShared(const clang::ValueDecl *D);

//===-- The rules, in the order of docs/soundness.md -------------------------===//

void checkControl(RuleContext &RC);             // rule 1: Control.cpp
void checkRaces(RuleContext &RC);               // rule 1: Races.cpp
void checkRegisters(RuleContext &RC);           // rule 2: Registers.cpp
void checkAsyncCopies(RuleContext &RC);         // rule 2: AsyncCopies.cpp
void checkMixed(RuleContext &RC);               // rule 2: Mixed.cpp
void checkFeedback(RuleContext &RC);            // rule 4: Feedback.cpp
void checkBuffers(RuleContext &RC);             // rules 3, 5, 6 and 7: Buffers.cpp
void checkCoResidence(RuleContext &RC);         // rule 7: CoResidence.cpp
void checkUnseenDynamicMemory(RuleContext &RC); // rule 7: DynamicStages.cpp
void checkEntryBarrier(RuleContext &RC);        // rule 8: BarrierOrder.cpp
void checkFinalBarrier(RuleContext &RC);        // rules 6 and 8: BarrierOrder.cpp
void checkBehindBarrier(RuleContext &RC);       // rule 8: BarrierOrder.cpp
void checkPrologue(RuleContext &RC);            // rule 8: BarrierOrder.cpp
void checkBlockSize(RuleContext &RC);           // rule 11: BlockSize.cpp
void checkTemplates(RuleContext &RC);           // rule 12: Templates.cpp

//===-- Those of one tile, which checkBuffers() asks for each ----------------===//

/// False: the tile lies where it can have no stages.
bool checkDynamicMemory(RuleContext &RC, const TileBuffer &B); // rule 7: DynamicStages.cpp
void checkDynamicStages(RuleContext &RC, const TileBuffer &B); // rule 7: DynamicStages.cpp
void checkCoverage(RuleContext &RC, const TileBuffer &B);      // rule 3: Coverage.cpp
void checkEscapes(RuleContext &RC, const TileBuffer &B);       // rule 6: Escapes.cpp
/// True: nothing that the loop reads of the tile is in doubt any more.
bool checkOutsideUses(RuleContext &RC, const TileBuffer &B); // rule 6: OutsideUses.cpp

//===-- What one rule asks another -------------------------------------------===//

/// Every element that the compute phase may read has been written by the load phase of the same
/// turn. If not, \p Stale gets notes that say where.
bool coveredBySets(RuleContext &RC, const TileBuffer &B, Refusal &Stale);
/// It goes to a part of the array (PoolParts), which has one place.
bool ofPart(const RuleContext &RC, const MappedAccess &A);
/// A pointer into the tile that lives longer than one iteration, as a refusal.
std::optional<Refusal> escapeOf(const RuleContext &RC, const TileBuffer &B);

} // namespace cuda_pipeline

#endif
