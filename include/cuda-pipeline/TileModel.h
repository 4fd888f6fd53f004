//===- TileModel.h - What one iteration of a tile loop does ---------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Step 3: the loop body as two programs that run side by side, the *load slice* and the *compute
/// slice*. They talk through the tile buffers only. Pipelining lets the load slice run ahead by
/// `stages - 1` iterations, so everything that it needs must be its own:
///
///   body  = segment 0 | barrier | segment 1 | barrier | segment 2     or
///   body  = barrier | segment 0 | barrier | segment 1                 (the same loop, entered
///   through its last barrier) load slice     = segment 0, and the advances (`A += BK;`) of the
///   state that it reads compute slice  = segment 1, and the advances of the state that the compute
///   reads
///
/// - *State* is a variable declared outside of the body and changed in the loop. Load state that
/// the
///   compute slice or the loop header reads too is *split*: the load slice gets its own copy.
/// - A *tile buffer* is a shared array that segment 0 writes. A *copy* is one store to it.
/// - A *scalar* of segment 0 (`int k0 = t * BK;`) that both slices read is computed by both.
///
/// The model states facts; whether they allow a rewrite is decided by Legality. What the model
/// could not understand is recorded as a refusal right away.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_TILEMODEL_H
#define CUDA_PIPELINE_TILEMODEL_H

#include "cuda-pipeline/DeclSet.h"
#include "cuda-pipeline/GpuTarget.h"
#include "cuda-pipeline/KLoop.h"
#include "cuda-pipeline/Reasons.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace cuda_pipeline {

/// Why something is refused, where, and the arguments of the message (see Reasons.def).
struct Refusal {
  Reason Why;
  clang::SourceLocation Where;
  std::vector<std::string> Args;
  /// Further places: message and location.
  std::vector<std::pair<std::string, clang::SourceLocation>> Notes;
  /// What would help here, where that of Reasons.def would not.
  std::string Remedy = {};
  /// The store of the one copy that it is about; null: it is about the loop.
  const clang::Expr *Copy = nullptr;
};

enum class BufferOrigin {
  Static,  ///< `__shared__ T name[..]`
  Dynamic, ///< `extern __shared__`
};

/// Places in source order: those of a list but for a run of neighbours. Of many loops on one tile
/// each is used outside of the others, and they share the list.
class PlacesOutside {
public:
  PlacesOutside() = default;
  explicit PlacesOutside(std::vector<clang::SourceLocation> List)
      : All(std::make_shared<std::vector<clang::SourceLocation>>(std::move(List))) {}
  /// Without those from \p Begin to in front of \p End.
  PlacesOutside(std::shared_ptr<const std::vector<clang::SourceLocation>> List, size_t Begin,
                size_t End)
      : All(std::move(List)), Begin(Begin), End(End) {}

  size_t size() const { return All ? All->size() - (End - Begin) : 0; }
  bool empty() const { return size() == 0; }
  clang::SourceLocation operator[](size_t I) const {
    return (*All)[I < Begin ? I : I + (End - Begin)];
  }
  clang::SourceLocation back() const { return (*this)[size() - 1]; }

private:
  std::shared_ptr<const std::vector<clang::SourceLocation>> All;
  size_t Begin = 0, End = 0;
};

struct TileBuffer {
  const clang::VarDecl *Decl = nullptr;
  const clang::DeclStmt *Statement = nullptr; ///< null for namespace-scope declarations
  BufferOrigin Origin = BufferOrigin::Static;
  clang::QualType Element;       ///< innermost array element type
  std::vector<uint64_t> Extents; ///< elements per dimension, outermost first
  uint64_t Bytes = 0;            ///< of one stage; 0 for dynamic
  uint64_t Alignment = 1;        ///< strictest alignment of any access, bytes
  bool DeclaredInLoop = false;   ///< inside the body of this loop
  /// Where it, or a pointer that leads there and nowhere else, is named outside of this loop's body
  /// (and its declaration, and what initialises such pointers), in source order.
  PlacesOutside OutsideUses;
  /// One of them by which a reference of the same name could not be meant as well: the loop's
  /// header, closures, what a template names in a branch that is left out. Invalid: none.
  clang::SourceLocation OutsideInDoubt;
  /// All of them only ask for its size: `sizeof(tile)`.
  bool OnlyMeasuredOutside = false;
  /// A view that stays where it is declared, or a part, is made of it.
  bool NamedByView = false;
  /// Pointers and references that are set once, to a place in it, and not declared in the loop's
  /// body; in source order.
  std::vector<const clang::VarDecl *> Aliases;
  /// Control may get from one of them to the loop, and from the loop to one of them.
  bool UsedBefore = false, UsedBehind = false;

  bool usedOutside() const { return !OutsideUses.empty(); }
};

/// A pointer or reference into tiles that is set once, in front of the loop: `float *Bs = As + BM *
/// BK;`. With several buffers it is declared where its tile gets its stage.
struct TileView {
  const clang::VarDecl *Var = nullptr;
  const clang::DeclStmt *Statement = nullptr;
  /// It, or what it is declared with, is used outside of the loop as well, and stays declared in
  /// front of it; else Statement declares nothing but views that are used in the loop alone.
  bool Stays = false;
};

/// One shared array that is as good as several, in one loop:
///
///   float *Q = pool, *K = pool + N, *S = K + N;
///
/// What the loop does by the name of a part it does to bytes that it does not touch otherwise (rule
/// 6 of docs/soundness.md), so that a part has one place while the rest has stages.
struct PoolParts {
  /// Pointers and references that are set once, and the array that each leads to.
  DeclMap<clang::VarDecl, const clang::VarDecl *> Apart; ///< the parts
  DeclMap<clang::VarDecl, const clang::VarDecl *> Rest;  ///< the others that the loop has need of
  /// Of parts that may lie over each other, one that stands for all.
  DeclMap<clang::VarDecl, const clang::VarDecl *> Same;
  bool AsksBlock = false; ///< it is shown for the block that is claimed, alone
  /// Of arrays for which that is shown of all that the function does around the loop as well, the
  /// bytes behind which it touches none.
  DeclMap<clang::VarDecl, uint64_t> Around;

  /// Null: \p Root is no part.
  const clang::VarDecl *arrayOf(const clang::ValueDecl *Root) const {
    const auto It = Apart.find(llvm::dyn_cast_or_null<clang::VarDecl>(Root));
    return It == Apart.end() ? nullptr : It->second;
  }
  bool any(const clang::VarDecl *Array) const {
    return llvm::any_of(Apart, [&](const auto &Part) { return Part.second == Array; });
  }
};

enum class GuardKind { None, ZeroFill, Other };

/// What a kernel asks of its block when it runs, to run the loop as it was in others.
struct BlockTest {
  enum class Kind {
    Nothing,
    Exactly,     ///< blockDim.x == 256 && blockDim.y == 1 && blockDim.z == 1
    AtLeast,     ///< blockDim.x >= 64
    ThreadsLeast ///< blockDim.x * blockDim.y >= 64, of the dimensions that are more than 1
  };
  Kind Of = Kind::Nothing;
  /// A block that passes; of the last two, the smallest one of its kind.
  std::array<unsigned, 3> Extents = {1, 1, 1};
  bool empty() const { return Of == Kind::Nothing; }
  /// Larger blocks pass as well.
  bool isLeast() const { return Of == Kind::AtLeast || Of == Kind::ThreadsLeast; }
  unsigned threads() const { return Extents[0] * Extents[1] * Extents[2]; }
  std::string text() const; ///< a condition; or empty
};

/// A loop around copies inside of the load phase: `for (int i = Begin; i + Margin < End; i +=
/// Step)`.
struct CopyLoop {
  const clang::ForStmt *Loop = nullptr;
  const clang::VarDecl *Counter = nullptr;
  const clang::Expr *Begin = nullptr, *End = nullptr, *Step = nullptr; ///< Step null: 1
  const clang::Expr *Margin = nullptr;                                 ///< null: 0
  bool Inclusive = false;                                              ///< `<=`
  /// `i < 64 && k + i < n`: there is more that ends it, which nobody counts.
  bool EndsOtherwise = false;
  struct Turns {
    std::optional<int64_t> BeginValue, StepValue;
    std::optional<int64_t> StepLeast; ///< the smallest that it can be, where it has several values
    std::optional<int64_t> EndValue;  ///< of `End - Margin`
    /// The largest that it can be, or the first value that the counter cannot have: it would be
    /// past the end of a tile.
    std::optional<int64_t> EndMost;
    const clang::VarDecl *BoundBy = nullptr; ///< the array whose size says that
    const clang::Expr *BoundAt = nullptr;    ///< the element of it that each turn stores to
    std::optional<int64_t> LastBegin;        ///< the largest value of Begin
    /// Upper bound of the trip count per thread; none when it depends on the block size.
    std::optional<uint64_t> MaxTrips;
    bool ConstantTrips = false; ///< the same for all threads: MaxTrips exactly
  };
  Turns OfAny; ///< in blocks of any size
  /// In those that are known, or said, to be launched, where that is needed; if nobody says, in
  /// those that pass TileModel::LeastBlock.
  std::optional<Turns> OfBlock;
  /// Not 0: nobody can say how often it turns, so that the next tile's elements of so many turns
  /// are fetched ahead, and the rest is loaded where it is stored.
  unsigned Ahead = 0;
  bool BlockWouldHelp = false; ///< nobody says how large blocks are; MaxTrips would be known then
  /// What registers are counted by.
  const Turns &turns() const { return OfBlock ? *OfBlock : OfAny; }
};

/// A read of global memory by the load phase: where the ldg variants cut load from store.
struct GlobalLoad {
  /// Expression that becomes a register (maybe a whole ?:), with no-op casts and parentheses.
  const clang::Expr *Cut = nullptr;
  /// The lvalue that is read; null: see IsSet, or Cut is a number that is computed once for both
  /// halves.
  const clang::Expr *Access = nullptr;
  const clang::ValueDecl *Root = nullptr; ///< pointer parameter or device variable; null: unknown
  bool RootIsGlobal = false;
  const clang::Stmt *Leaf = nullptr; ///< the statement of segment 0 that it is part of
  /// Leaf, if it is assembly that loads: Cut is one of its outputs, or the variable whose parts
  /// they are, and Access the address that it loads from.
  const clang::GCCAsmStmt *Asm = nullptr;
  clang::QualType Type;                         ///< of Cut, unqualified
  llvm::SmallVector<const CopyLoop *, 2> Loops; ///< enclosing, outermost first
  /// Set when the cut is one arm of an if/else that stores to the same element in both arms.
  const clang::IfStmt *FillIf = nullptr;
  /// The register of this load is named after: a buffer, or a staging variable.
  std::string NameHint;
  /// `float v = 0; if (in) v = A[i];`: the register takes the place of this variable in the fetch,
  /// and the store sets the variable to it once. All loads with this variable have one register.
  const clang::VarDecl *Staged = nullptr;
  /// `load(v, &A[i], in);`: the statement Leaf sets this variable, which Cut names in it, and the
  /// fetch can take no part of it. It runs it as it stands, and the register, of an array one as
  /// well, keeps what is in the variable then. Access is null.
  const clang::VarDecl *IsSet = nullptr;
};

/// One store to a tile buffer.
struct TileCopy {
  const TileBuffer *Buffer = nullptr;
  const clang::Expr *Store = nullptr;       ///< the assignment
  const clang::Expr *Destination = nullptr; ///< lvalue
  const clang::Expr *Value = nullptr;
  uint64_t Bytes = 0; ///< written by one store
  /// What one cp.async of it moves: all of it, or of another size than these have the largest piece
  /// that its alignment allows.
  uint64_t AsyncBytes = 0;
  GuardKind Guard = GuardKind::None;
  /// Plain byte copy of global memory (possibly guarded by a ternary with a fill value).
  /// Lvalue in global memory that is copied, maybe with no-op casts and parentheses around it.
  const clang::Expr *SourceAccess = nullptr;
  const clang::VarDecl *Staging = nullptr; ///< the value goes through this local variable
  /// Everything that Staging may have been loaded from; else SourceAccess alone. All must do for a
  /// copy.
  llvm::SmallVector<const clang::Expr *, 2> Sources;
  /// What Staging holds where it was not loaded: `float v = 0; if (in) v = A[i];`.
  const clang::Expr *StagingFill = nullptr;
  /// `in ? A[i] : 0`; one of its arms may again be such a conditional.
  const clang::ConditionalOperator *Ternary = nullptr;
  /// `S[i] = 0; if (in) S[i] = A[j];`: the statement in front of the guard. cp.async needs the two
  /// as one decision.
  const clang::Expr *ClearedBy = nullptr;
  bool IsFill = false;    ///< no global memory in it (`= 0`)
  bool Converted = false; ///< neither a plain copy nor a fill
  /// `r[j] = A[..];` of `for (j) r[j] = A[..]; for (j) S[..] = r[j];`: the bytes come unchanged
  /// through an array that nothing else uses, and cp.async can copy them where they are loaded.
  const clang::Expr *LoadedBy = nullptr;
  /// That array, or, if the copy counts as converted because of the way that it takes: the bytes
  /// come unchanged through this local variable, which is no plain one.
  const clang::VarDecl *Through = nullptr;
  /// Converted because this macro around it, or this cast, has several meanings, of which this
  /// build has one that leaves it alone.
  std::string MayConvert;
  const clang::ValueDecl *SourceRoot = nullptr;
  bool SourceIsGlobal = false;
  llvm::SmallVector<const CopyLoop *, 2> Loops;
};

/// A statement that advances state (`A += BK;`).
struct Advance {
  const clang::Stmt *Statement = nullptr;
  llvm::SmallVector<const clang::VarDecl *, 2> Vars;
  unsigned Segment = 0; ///< 0, 1 or 2
  bool LoadSide = false, ComputeSide = false;
};

/// The load phase as two halves, where copies go by way of registers: the *fetch* brings the next
/// tile on its way, the *store* puts what the fetch has read into the tile.
struct FetchStore {
  std::vector<GlobalLoad> Loads;
  /// Statements of segment 0 that the fetch runs, besides the loads (address computation).
  llvm::SetVector<const clang::Stmt *> FetchStatements;
  /// Statements of segment 0 that the store runs.
  llvm::SetVector<const clang::Stmt *> StoreStatements;
  /// Variables that only the stores need (values on their way to a tile).
  llvm::SetVector<const clang::VarDecl *> StagingVars;
  /// Steps of the loop's state that the stores need, of which there is a copy (TileModel::Split, or
  /// MaySplit). What both run each runs for its own copy; where the stores run in the turn before,
  /// the fetch has done it for them.
  llvm::SetVector<const clang::Stmt *> Steps;
  /// Why it cannot be cut so.
  std::vector<Refusal> Refusals;
  /// Why the stores cannot run in the turn before.
  std::vector<Refusal> RefusalsAhead;
  /// Turns of copy loops are counted by the size of the block (CopyLoop::OfBlock), which is not
  /// known for certain, or for blocks that are not small: the kernel has to ask.
  bool AsksBlock = false;
  bool Ahead = false; ///< of some copy loop only the first turns are fetched ahead

  /// The first of the loads that \p G shares its register with.
  const GlobalLoad &registerOf(const GlobalLoad &G) const;
};

enum class PhaseKind { Load, Barrier, Compute, Advance };

struct Phase {
  PhaseKind Kind;
  llvm::SmallVector<const clang::Stmt *, 8> Statements;
};

struct LoopFacts; // lib/Model/LoopFacts.h: the raw accesses, for the analysis
class FunctionFacts;

class CallSites;
class WrittenNames;

/// What the loops of a function have in common.
struct FunctionCache {
  DeclMap<clang::FunctionDecl, std::shared_ptr<const FunctionFacts>> Facts;
  std::shared_ptr<CallSites> Calls; ///< of the whole file; null: nobody has asked
  std::shared_ptr<const WrittenNames> Names;
};

/// With the copies whose stores are \p Async started by the fetch as they stand, and all others by
/// way of registers.
FetchStore cutFetchAndStore(const struct TileModel &Model, clang::ASTContext &Context,
                            const std::set<const clang::Expr *> &Async);

/// What such a loop is refused for (Reason::NotYet) while the inner one is rewritten.
constexpr const char *OuterOfTwo = "the outer one of two nested tile loops";

struct TileModel {
  const KLoop *Loop = nullptr;
  std::shared_ptr<const LoopFacts> Facts;
  std::vector<Phase> Phases; ///< in source order
  std::vector<const clang::Stmt *> Segments[3];
  const clang::Stmt *Barriers[2] = {nullptr,
                                    nullptr}; ///< behind the load phase, behind the compute phase
  /// The second one stands at the top of the body: in front of the load phase of the next turn, and
  /// of the first.
  bool BarrierFirst = false;
  /// The last barrier of a turn is somewhere inside of the compute phase, in an inner loop or under
  /// a condition, where it stays: there is no second one of the body.
  bool TrailingNested = false;
  /// So is the first one: in a statement that the load phase ends with, in each turn of a copy
  /// loop, say, or in one behind it. There is none of the body's between load and compute, and
  /// nothing but loads may move (one buffer).
  bool FillNested = false;
  /// Segment 0 has atomic operations on shared memory, by which threads may hear of each other in
  /// front of the loop's first barrier.
  bool LoadUpdates = false;
  /// `if (c) continue;`, a statement of segment 0 in front of both barriers: where it holds the
  /// turn has no further part of a load phase, and no compute phase. Null: there is none.
  const clang::IfStmt *Skip = nullptr;
  /// The first statements of segment 1 that stand in front of the barrier: the load phase has no
  /// need of them.
  std::vector<const clang::Stmt *> MovedToCompute;
  /// Declarations of segment 0 that mean the same wherever they stand (types, constants,
  /// assertions): all parts have them.
  std::vector<const clang::Stmt *> Neutral;

  std::vector<std::unique_ptr<TileBuffer>> Buffers;
  std::vector<TileView> Views; ///< in source order
  /// Parts that views are made of, which say what these are set to instead.
  std::vector<TileView> Spelled;
  std::vector<std::unique_ptr<CopyLoop>> CopyLoops;
  /// Of blocks that pass this the turns of all of them are counted.
  BlockTest LeastBlock;
  std::vector<TileCopy> Copies;
  std::vector<Advance> Advances;

  /// State that the load slice reads (header variables included).
  llvm::SetVector<const clang::VarDecl *> LoadState;
  /// The part of it that also the compute slice or the loop header uses: the load slice gets a
  /// copy.
  llvm::SetVector<const clang::VarDecl *> Split;
  /// State that the load slice alone uses, and that the compute slice could advance as well: with
  /// one buffer, where the store of a tile runs in its own iteration, the store may need it.
  llvm::SetVector<const clang::VarDecl *> MaySplit;
  /// Split state that segment 0 itself changes (the copy is passed by reference).
  llvm::SetVector<const clang::VarDecl *> ChangedInLoad;
  /// State that the load phase's stores need or set, and the compute phase, but no fetch: it stays
  /// one variable.
  llvm::SetVector<const clang::VarDecl *> StoreState;
  /// The part of it that segment 0 declares itself, with a value that the compute phase uses. With
  /// two buffers the next tile's is there before this one's is done with, so it has a copy.
  llvm::SetVector<const clang::VarDecl *> Kept;
  /// Statements of segment 0 that both slices need: declarations that give the same values again.
  std::vector<const clang::Stmt *> SharedScalars;
  /// With all copies by way of registers.
  FetchStore Registers;

  bool UsesTensorCores = false;
  bool UsesAsyncCopies = false;
  bool AlreadyPipelined = false;
  /// By which method, in how many stages, and what would do better.
  std::string PipelinedHow;
  /// If that is by asynchronous copies: the arrays whose first index is the stage, and how many
  /// stages they have. Empty: it is another way, or one of the arrays is something else.
  std::vector<const clang::VarDecl *> PipelinedTiles;
  unsigned PipelinedStages = 0;

  /// What the model itself could not take: blocks every variant.
  std::vector<Refusal> Refusals;
  /// Refusals that the model was built beyond, because it was asked to; otherwise empty.
  std::vector<Refusal> Waived;
  /// What blocks every variant with more than one buffer.
  std::vector<Refusal> TwoBufferRefusals;
  /// What blocks cp-async only.
  std::vector<Refusal> AsyncRefusals;

  bool understood() const { return Refusals.empty(); }
};

/// \p Waive: what forbids a rewrite but hinders nobody in writing one goes to `Waived` instead of
/// `Refusals` (RewriteOptions::EmitRefused). \p Known: for the next loop of the same function. \p
/// Block: its size, if it is known, or a claim. \p Parts: of the loop's shared arrays; null: each
/// is one tile.
TileModel buildTileModel(const KLoop &Loop, clang::ASTContext &Context, bool Waive = false,
                         FunctionCache *Known = nullptr, const LaunchShape &Block = LaunchShape(),
                         std::shared_ptr<const PoolParts> Parts = nullptr);

} // namespace cuda_pipeline

#endif
