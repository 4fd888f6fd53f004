//===- Legality.cpp - Applies the soundness rules -------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/Legality.h"
#include "../Model/AstUtil.h"
#include "../Model/Barriers.h"
#include "../Model/LoopFacts.h"
#include "../Model/ReachedCode.h"
#include "../Model/SharedArrays.h"
#include "../Model/TemplatePattern.h"
#include "AddressFlow.h"
#include "Alignment.h"
#include "BeforeLoop.h"
#include "Callers.h"
#include "EarlyReturns.h"
#include "OutsideFlow.h"
#include "SymbolicIteration.h"
#include "TemplateFacts.h"
#include "Uniformity.h"
#include "Waiting.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

std::string nameOf(const MemoryRoot &R) {
  return R.Decl ? R.Decl->getNameAsString() : std::string("a pointer of unknown origin");
}
std::string quotedNameOf(const MemoryRoot &R) { return R.Decl ? "'" + nameOf(R) + "'" : nameOf(R); }

/// What the rules ask of the whole function: the same for all of its loops.
struct FunctionRules {
  Callers CalledBy; ///< of a function that is no kernel
  Uniformity U;
  std::optional<Waiting> Waits;
  DeclSet<ValueDecl> Written;
  /// Where the text last uses shared memory, or memory of unknown origin, by what it is.
  std::map<MemoryRoot, SourceLocation> LastShared;
  /// Of these the last one, and the last one of what is no static array with a name.
  SourceLocation LastOfShared, LastOfOther;
  /// Where it last writes to what may be global memory.
  std::map<MemoryRoot, SourceLocation> LastWrite;

  FunctionRules(ASTContext &Context, const EffectCollector &Collector, const FunctionDecl *Function,
                CallSites &Calls, const ReachedCode &Code)
      : CalledBy(Function->hasAttr<CUDAGlobalAttr>() ? Callers()
                                                     : callersOf(Function, Context, Calls)),
        U(Context, Collector, Function, CalledBy.Uniform, CalledBy.This), Collector(Collector),
        InFront(Collector, Context) {
    const SourceManager &SM = Context.getSourceManager();
    const Effects Whole = Collector.collect(Function->getBody());
    auto Later = [&](SourceLocation &Last, SourceLocation Here) {
      if (Here.isValid() && (Last.isInvalid() || SM.isBeforeInTranslationUnit(Last, Here)))
        Last = Here;
    };
    for (const Access &A : Whole.Accesses) {
      SourceLocation Here = SM.getExpansionLoc(A.Loc);
      for (const MemoryRoot &R : A.Roots) {
        if (A.Write && R.Decl)
          Written.insert(R.Decl);
        if (R.In == Space::Shared || !R.Decl) {
          Later(LastShared[R], Here);
          Later(LastOfShared, Here);
          if (!isStaticArray(R))
            Later(LastOfOther, Here);
        }
        if (A.Write && (R.In == Space::Global || R.In == Space::Unknown))
          Later(LastWrite[R], Here);
      }
    }
    Waits = findWaiting(Code);
  }

  static bool isStaticArray(const MemoryRoot &R) {
    const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
    return Var && R.In == Space::Shared && Var->hasAttr<CUDASharedAttr>() &&
           !Var->hasExternalStorage();
  }

  /// What is written to what may be global or shared memory, and where.
  using Stores = std::vector<std::pair<MemoryRoot, SourceLocation>>;
  /// In front of the loop with no barrier between, from behind; of each the place that comes first
  /// so. Without shared memory, where that is not asked for.
  Stores storesBefore(const KLoop &Loop, bool Shared) const {
    Stores Out;
    std::set<MemoryRoot> Seen;
    auto Add = [&](const MemoryRoot &R, SourceLocation Where) {
      if ((Shared || R.In != Space::Shared) && Seen.insert(R).second)
        Out.push_back({R, Where});
    };
    for (const StatementRun &Run : InFront.runs(Loop)) {
      if (Run.Single)
        for (const auto &[R, Where] : storesOf(Run.Single))
          Add(R, Where);
      if (!Run.Of)
        continue;
      std::vector<const StoreOf *> Last;
      for (const auto &[R, All] : storesIn(*Run.Of, Run.End))
        if (Shared || R.In != Space::Shared)
          if (auto It = partition_point(All, [&](const StoreOf &S) { return S.Child < Run.End; });
              It != All.begin() && std::prev(It)->Child >= Run.Begin)
            Last.push_back(&*std::prev(It));
      llvm::sort(Last, [](const StoreOf *A, const StoreOf *B) {
        return A->Child != B->Child ? A->Child > B->Child : A->Order < B->Order;
      });
      for (const StoreOf *S : Last)
        Add(S->What, S->Where);
    }
    return Out;
  }
  /// By one statement.
  const Stores &storesOf(const Stmt *S) const {
    auto [It, New] = Known.try_emplace(S);
    if (New)
      for (const Access &A : Collector.collect(S).Accesses)
        if (A.Write)
          for (const MemoryRoot &R : A.Roots)
            if (R.In == Space::Global || R.In == Space::Unknown || R.In == Space::Shared)
              It->second.push_back({R, A.Loc});
    return It->second;
  }

  /// Some statement in front of the loop with no barrier between is one that \p Is, which is the
  /// same question for all loops.
  template <typename Fn> bool anyBefore(const KLoop &Loop, Fn Is) const {
    return any_of(InFront.runs(Loop), [&](const StatementRun &Run) {
      if (Run.Single)
        return Is(Run.Single);
      std::vector<size_t> &Count = CountOf[Run.Of]; // of those among the first ones
      if (Count.empty())
        Count.push_back(0);
      for (size_t I = Count.size() - 1; I < Run.End; ++I)
        Count.push_back(Count.back() + Is((*Run.Of)[I]));
      return Count[Run.Begin] != Count[Run.End];
    });
  }

private:
  struct StoreOf {
    MemoryRoot What;
    SourceLocation Where;
    size_t Child, Order; ///< the first one in this statement
  };
  struct StoresOfBlock {
    std::map<MemoryRoot, std::vector<StoreOf>> By;
    size_t Done = 0; ///< so many of its statements have been looked at
  };

  const EffectCollector &Collector;
  // Of the statements in front of loops: those of one are in front of the next one, too.
  mutable BeforeLoops InFront;
  mutable std::map<const Stmt *, Stores> Known;
  mutable std::map<const std::vector<const Stmt *> *, StoresOfBlock> StoresIn;
  mutable std::map<const std::vector<const Stmt *> *, std::vector<size_t>> CountOf;

  /// At least of the first \p End statements.
  const std::map<MemoryRoot, std::vector<StoreOf>> &storesIn(const std::vector<const Stmt *> &Block,
                                                             size_t End) const {
    StoresOfBlock &Stores = StoresIn[&Block];
    for (size_t &I = Stores.Done; I < End; ++I) {
      size_t Order = 0;
      for (const auto &[R, Where] : storesOf(Block[I]))
        if (std::vector<StoreOf> &All = Stores.By[R]; All.empty() || All.back().Child != I)
          All.push_back({R, Where, I, Order++});
    }
    return Stores.By;
  }
};

class Checker {
public:
  Checker(const TileModel &M, ASTContext &Context, const StringSet<> &Granted,
          const LaunchShape &Shape, SharedEffort &Effort, const OtherLoops &Others)
      : M(M), F(*M.Facts), Context(Context), Granted(Granted), Shape(Shape), Effort(Effort),
        Others(Others), Rules(F.Function->once<FunctionRules>([&] {
          return FunctionRules(Context, *F.Collector, M.Loop->Function, *F.Function->Calls, code());
        })),
        U(Rules.U) {}

  Legality run() {
    if (!Context.getLangOpts().CPlusPlus11) // what is written has lambdas and `auto`
      L.Common.push_back({Reason::NotYet, M.Loop->Begin, {"a standard of C++ before C++11"}, {}});
    control();
    racingStores();
    feedback();
    coResidence();
    entryBarrier();
    finalBarrier();
    L.LdgSingle = M.Registers.Refusals;
    append(TwoBuffers, M.TwoBufferRefusals);
    twoBuffers();
    L.Ldg = TwoBuffers;
    append(L.Ldg, M.Registers.Refusals);
    L.CpAsync = TwoBuffers;
    append(L.CpAsync, M.AsyncRefusals);
    asyncCopies();
    mixed();
    const std::string Block =
        ("blockDim.x == " + Twine(Shape.X) + " && blockDim.y == " + Twine(Shape.Y) +
         " && blockDim.z == " + Twine(Shape.Z))
            .str();
    if (L.Dynamic && BlockIsAsked)
      L.Dynamic->Block = Block;
    if (M.Registers.AsksBlock || (L.MixedCut && L.MixedCut->AsksBlock))
      L.AskBlock = Block;
    deepPrologue();
    if (M.Loop->IsTemplate)
      templateFacts();
    if (const auto &Unseen = sharedArrays().MayUseDynamic) {
      L.UnseenDynamic = {Unseen->What, Unseen->Where};
      L.DynamicIsGranted = Granted.contains("dynamic-shared");
    }
    return std::move(L);
  }

private:
  const TileModel &M;
  const LoopFacts &F;
  ASTContext &Context;
  const StringSet<> &Granted;
  const LaunchShape &Shape;
  SharedEffort &Effort;
  const OtherLoops &Others;
  const FunctionRules &Rules;
  const Uniformity &U;
  Legality L;
  std::vector<Refusal> TwoBuffers;

  static void append(std::vector<Refusal> &To, const std::vector<Refusal> &From) {
    for (const Refusal &R : From)
      if (none_of(To, [&](const Refusal &Known) {
            return Known.Why == R.Why && Known.Where == R.Where;
          }))
        To.push_back(R);
  }

  const ReachedCode &code() const {
    return F.Function->once<ReachedCode>([&] { return ReachedCode(M.Loop->Function); });
  }
  const SharedArrays &sharedArrays() const {
    return F.Function->once<SharedArrays>([&] { return SharedArrays(M.Loop->Function, code()); });
  }

  /// True when the user granted the assumption; it is then recorded.
  bool granted(StringRef Name) {
    if (!Granted.contains(Name))
      return false;
    if (!is_contained(L.Assumptions, Name.str()))
      L.Assumptions.push_back(Name.str());
    return true;
  }

  /// Of cp-async alone.
  bool grantedToAsync(StringRef Name) {
    if (!Granted.contains(Name))
      return false;
    if (!is_contained(L.AsyncAssumptions, Name.str()))
      L.AsyncAssumptions.push_back(Name.str());
    return true;
  }

  //===-- Rule 1: uniform control flow ---------------------------------------===//

  void control() {
    auto Divergent = [&](SourceLocation Where, const char *What, const Expr *Of) {
      if (!granted("uniform"))
        L.Common.push_back({Reason::DivergentLoop, Where, {What}, divergentPart(Of)});
    };
    for (const Stmt *S : M.Loop->Ancestors) {
      const auto *Range = dyn_cast<CXXForRangeStmt>(S);
      if (const Expr *Of = Range ? Range->getCond() : conditionOf(S); !U.isUniform(Of)) {
        Divergent(S->getBeginLoc(),
                  isLoop(S)            ? "the trip count of the loop around it"
                  : isa<SwitchStmt>(S) ? "the switch around the loop"
                                       : "the condition around the loop",
                  Of);
      } else if (isa<LambdaExpr>(S)) {
        L.Common.push_back(
            {Reason::NotYet, S->getBeginLoc(), {"a tile loop inside of a lambda"}, {}});
      }
    }
    if (const Expr *Condition = M.Loop->condition(); Condition && !U.isUniform(Condition))
      Divergent(Condition->getExprLoc(), "the trip count", Condition);
    leavingThreads();
    // The barriers in front of the loop and behind it are new where it takes no turn. With one
    // buffer there is none but the one that the loop begins with.
    if (!M.Loop->IsKernel && !Rules.CalledBy.WholeBlock && !takesATurn() && !granted("uniform"))
      (M.BarrierFirst ? L.Common : TwoBuffers)
          .push_back({Reason::DivergentLoop,
                      M.Loop->Function->getLocation(),
                      {"whether the function is called"},
                      {callInDoubt()}});
  }

  std::pair<std::string, SourceLocation> callInDoubt() const {
    if (const CallExpr *Call = Rules.CalledBy.Doubt)
      return {"maybe only some of the threads come to this call", Call->getExprLoc()};
    return {"not all of its calls are in this file", M.Loop->Function->getLocation()};
  }

  std::pair<std::string, SourceLocation> passedInDoubt(const ParmVarDecl *Param) const {
    const std::string Name = "'" + Param->getNameAsString() + "'";
    if (auto It = Rules.CalledBy.Differs.find(Param); It != Rules.CalledBy.Differs.end())
      return {"this call may pass another " + Name + " to each thread", It->second->getExprLoc()};
    if (const CallExpr *Call = Rules.CalledBy.Doubt)
      return {Name + " is not looked at further: maybe only some of the threads come to this call",
              Call->getExprLoc()};
    return {"whether all threads get the same " + Name +
                " is for the callers to say, and not all calls are in this file",
            Param->getLocation()};
  }

  /// What in \p E is not shown to be uniform, as a note; none where it is all of it.
  std::vector<std::pair<std::string, SourceLocation>> divergentPart(const Expr *E) const {
    const Expr *Part = E;
    for (const Expr *Next = E; Next;) {
      Part = Next;
      Next = nullptr;
      // That the counter differs follows from what it is compared with.
      for (const Stmt *Child : Part->children())
        if (const auto *Operand = dyn_cast_or_null<Expr>(Child); Operand && !U.isUniform(Operand))
          if (!Next || (referencedVar(Next) && declares(M.Loop->start(), referencedVar(Next))))
            Next = Operand;
    }
    const auto *Param = dyn_cast_or_null<ParmVarDecl>(Part ? referencedVar(Part) : nullptr);
    if (Param && !M.Loop->IsKernel && F.Values->isUnchangedParameter(Param))
      return {passedInDoubt(Param)};
    if (!Part || Part == E)
      return {};
    return {
        {"'" + textOf(Part, Context) + "' may differ from thread to thread", Part->getExprLoc()}};
  }

  /// The loop's own start values fulfil its condition.
  bool takesATurn() const {
    if (M.Loop->testsLast())
      return true;
    const auto *Decl = dyn_cast_or_null<DeclStmt>(M.Loop->start());
    const auto *Start =
        Decl && Decl->isSingleDecl() ? dyn_cast<VarDecl>(Decl->getSingleDecl()) : nullptr;
    const auto *Cond = dyn_cast_or_null<BinaryOperator>(M.Loop->condition());
    if (!Start || !Start->hasInit() || !Cond || !Cond->isComparisonOp() ||
        referencedVar(Cond->getLHS()) != Start)
      return false;
    std::optional<int64_t> From = F.Values->fold(Start->getInit()),
                           To = F.Values->fold(Cond->getRHS());
    if (!From || !To)
      return false;
    // `-1 < 5u` does not hold.
    if (Cond->getLHS()->getType()->isUnsignedIntegerType() && (*From < 0 || *To < 0))
      return false;
    switch (Cond->getOpcode()) {
    case BO_LT:
      return *From < *To;
    case BO_LE:
      return *From <= *To;
    case BO_GT:
      return *From > *To;
    case BO_GE:
      return *From >= *To;
    case BO_NE:
      return *From != *To;
    default:
      return false;
    }
  }

  /// Threads that left before the loop's first barrier are not waited for (EarlyReturns.h). A
  /// function that is called returns to where other barriers may be, and a jump goes on somewhere.
  void leavingThreads() {
    for (const EarlyReturn &R : earlyReturns(M, U)) {
      if (isa<ReturnStmt>(R.Where) && M.Loop->IsKernel && !R.InLoopAround && !R.Hidden)
        continue;
      if (granted("uniform"))
        return;
      const char *What = R.IsBarrier      ? "the condition of another barrier"
                         : R.InLoopAround ? "the early exit from the loop around it"
                                          : "the early exit before the loop";
      L.Common.push_back({Reason::DivergentLoop, R.Where->getBeginLoc(), {What}, {}});
      return;
    }
  }

  /// Two threads write one element of a tile, and not the same value: which one stays is not
  /// defined.
  void racingStores() {
    bool Claim = Shape.Origin == ShapeOrigin::CommandLine || Shape.Origin == ShapeOrigin::Launch;
    if (!Shape.known() || !(Shape.Exact || Claim) || M.Loop->IsPattern)
      return;
    // The other questions are asked for every block, so that its turn is run anyway.
    SymbolicIteration *Turn = &turn(false);
    if (!Turn->runLoad() || !Turn->holdsForEveryBlock())
      Turn = &turn(true);
    if (!Turn->runLoad())
      return;
    std::map<const Expr *, const Expr *> Sources;
    for (const TileCopy &C : M.Copies)
      Sources.try_emplace(stripNoOps(C.Destination),
                          C.Converted || C.Sources.size() > 1 ? nullptr : C.SourceAccess);
    auto SourceOf = [&](const Expr *Store) -> const Expr * {
      auto It = Sources.find(stripNoOps(Store));
      return It == Sources.end() ? nullptr : It->second;
    };
    for (const auto &B : M.Buffers)
      if (std::optional<SymbolicIteration::Race> Race = Turn->race(B->Decl, SourceOf, Shape)) {
        std::string Block =
            (Twine(Shape.X) + " x " + Twine(Shape.Y) + " x " + Twine(Shape.Z)).str();
        Refusal Why{
            Reason::RacingStores, Race->Second->Where->getExprLoc(), {Race->Element, Block}, {}};
        if (Race->First != Race->Second)
          Why.Notes.push_back({"and here", Race->First->Where->getExprLoc()});
        L.Common.push_back(std::move(Why));
      }
  }

  //===-- Rule 4: feedback through global memory -----------------------------===//

  /// What would help where neither __restrict__ nor a grant does.
  static std::string aliasRemedy(const MemoryRoot &Written) {
    return Written.Decl ? "Store to another array than the one that the tiles are loaded from."
                        : "Store through a pointer parameter, or to an array by its name, in the "
                          "kernel itself: "
                          "what a member of an object points to is not followed everywhere.";
  }

  void feedback() {
    // What moves in front of other turns, and what goes behind the barrier that the other threads'
    // stores are behind.
    Effects Reading = F.Segment[0];
    Reading.append(F.Init);
    Reading.append(F.Condition);
    for (const Stmt *S : M.MovedToCompute)
      Reading.append(F.Collector->collect(S));
    for (unsigned I = 1; I < 3; ++I)
      for (const Access &W : F.Segment[I].Accesses) {
        if (!W.Write)
          continue;
        for (const MemoryRoot &Written : W.Roots) {
          if (Written.In != Space::Global && Written.In != Space::Unknown)
            continue;
          for (const Access &R : Reading.Accesses) {
            if (!R.Read)
              continue;
            for (const MemoryRoot &Read : R.Roots) {
              if (Read.In != Space::Global && Read.In != Space::Unknown)
                continue;
              if (!mayAlias(Written, Read))
                continue;
              // The same pointer, or one of unknown origin, is beyond what the user can grant by
              // saying that different pointers do not overlap.
              bool Grantable = Written.Decl && Read.Decl && Written.Decl != Read.Decl;
              if (Grantable && granted("no-alias"))
                continue;
              Refusal Why{Reason::MayAlias, W.Loc, {quotedNameOf(Written), quotedNameOf(Read)}, {}};
              Why.Notes.push_back({"loaded here", R.Loc});
              if (W.Doubted)
                Why.Notes.push_back({"no write is seen: '" + W.Doubted->getQualifiedNameAsString() +
                                         "' is not seen to leave its object alone",
                                     W.Loc});
              if (!Grantable)
                Why.Remedy = aliasRemedy(Written);
              L.Common.push_back(std::move(Why));
              return;
            }
          }
          // A store through an unknown pointer may also hit a tile.
          if (!Written.Decl) {
            L.Common.push_back({Reason::MayAlias,
                                W.Loc,
                                {quotedNameOf(Written), "the tiles"},
                                {},
                                aliasRemedy(Written)});
            return;
          }
        }
      }
  }

  //===-- Rules 6 to 8 --------------------------------------------------------===//

  void coResidence() {
    const Waiting AtLaunch = {M.Loop->Begin, Waiting::Kind::Spins, ""};
    if (Shape.Cooperative && !(Rules.Waits && Rules.Waits->isSeen()))
      waits(AtLaunch, "its launch is cooperative");
    else if (Rules.Waits)
      waits(*Rules.Waits, "it spins on memory");
    if (M.Loop->IsKernel)
      return;
    if (!Effort.WaitingKernel)
      Effort.WaitingKernel =
          std::make_shared<const std::optional<Waiting>>(findWaitingKernel(Context));
    if (const std::optional<Waiting> &Kernel = *Effort.WaitingKernel)
      waits(*Kernel, "a kernel that may call it spins on memory");
  }

  /// Several buffers cost blocks per SM. What is seen to wait is left alone by all variants; where
  /// it is only not seen that nothing waits, one buffer takes no more shared memory than before.
  void waits(const Waiting &W, StringRef How) {
    if (W.Is == Waiting::Kind::Grid) // nobody can mean that none of its blocks waits
      return L.Common.push_back({Reason::CoResident,
                                 W.Where,
                                 {"waits for other blocks (at a barrier of the grid)"},
                                 {},
                                 "Leave it as it is."});
    if (granted("co-resident"))
      return;
    if (W.Is == Waiting::Kind::Spins)
      return L.Common.push_back(
          {Reason::CoResident, W.Where, {("waits for other blocks (" + How + ")").str()}, {}});
    const std::string Why = W.Is == Waiting::Kind::MaySpin
                                ? "this loop goes on until it finds something else in memory"
                                : W.What + " is not looked into";
    TwoBuffers.push_back({Reason::CoResident,
                          W.Where,
                          {"may wait for other blocks: " + Why},
                          {},
                          W.Is == Waiting::Kind::MaySpin
                              ? "Grant --assume=co-resident, if no block waits for another one."
                              : "Call nothing but functions whose bodies are in this file, or "
                                "grant --assume=co-resident, if no block "
                                "waits for another one."});
  }

  static bool isDynamicShared(const ValueDecl *D) {
    const auto *Var = dyn_cast_or_null<VarDecl>(D);
    return Var && Var->hasAttr<CUDASharedAttr>() && Var->hasExternalStorage();
  }

  /// With more than two stages the loads of the second tile stand in front of the loop's first
  /// barrier. What the block has written before the loop must not need that barrier to be seen.
  void deepPrologue() {
    if (M.BarrierFirst)
      return; // the prologue has that barrier in front of it
    // Global memory is what is loaded, and seldom anything else.
    std::optional<FunctionRules::Stores> InGlobal, InAny;
    auto Before = [&](bool Shared) -> const FunctionRules::Stores & {
      std::optional<FunctionRules::Stores> &Known = Shared ? InAny : InGlobal;
      if (!Known)
        Known = F.Function->HasGoto ? Rules.storesOf(M.Loop->Function->getBody())
                                    : Rules.storesBefore(*M.Loop, Shared);
      return *Known;
    };
    // All that runs for the second tile: its loads, and what counts up to it.
    Effects Reading = F.Segment[0];
    Reading.append(F.Condition);
    Reading.append(F.Increment);
    for (const Advance &A : M.Advances)
      if (A.LoadSide && A.Segment > 0)
        Reading.append(F.Collector->collect(A.Statement));
    for (const Access &R : Reading.Accesses) {
      if (!R.Read)
        continue;
      for (const MemoryRoot &Read : R.Roots) {
        if (Read.In != Space::Global && Read.In != Space::Unknown && Read.In != Space::Shared)
          continue;
        // Not even by a function that nobody sees.
        if (M.Loop->IsKernel && isReadOnlyParameter(Read.Decl))
          continue;
        auto Refuse = [&](SourceLocation Where, const char *Note, bool Pointers = false) {
          Refusal Why{Reason::BarrierOrdersOther, R.Loc, {nameOf(Read)}, {}};
          Why.Notes.push_back({Note, Where});
          if (Pointers)
            Why.Remedy = "Declare the pointers __restrict__, or grant --assume=no-alias, if what "
                         "is written in front of the loop is not what is "
                         "loaded; or put a __syncthreads() there, or take two stages.";
          L.Deep.push_back(std::move(Why));
        };
        // What the callers have written nobody knows.
        if (!M.Loop->IsKernel && (Read.In == Space::Global || Read.In == Space::Shared) &&
            !(isObject(Read) && isConstObject(Context.getBaseElementType(Read.Decl->getType()))))
          return Refuse(Read.Decl ? Read.Decl->getLocation() : R.Loc,
                        "other functions may write it");
        for (const auto &[Written, Where] : Before(Read.In != Space::Global)) {
          // No address is both.
          if ((Written.In == Space::Shared && Read.In == Space::Global) ||
              (Written.In == Space::Global && Read.In == Space::Shared))
            continue;
          // All names of dynamic shared memory are names of one array.
          const bool OneArray = isDynamicShared(Written.Decl) && isDynamicShared(Read.Decl);
          if (!OneArray && !mayAlias(Written, Read))
            continue;
          bool Grantable = !OneArray && Written.Decl && Read.Decl && Written.Decl != Read.Decl;
          if (Grantable && granted("no-alias"))
            continue;
          return Refuse(Where, "written here, with no barrier in front of the loop", Grantable);
        }
      }
    }
  }

  /// A loop that begins with a barrier has that one in front of its first tile as well. Nothing
  /// that runs before it may have anything for others to see, or to be done with.
  void entryBarrier() {
    if (!M.BarrierFirst || !M.Loop->IsKernel || F.Function->HasGoto)
      return;
    L.NeedsEntryBarrier = Rules.anyBefore(*M.Loop, [&](const Stmt *S) {
      const Effects E = F.Collector->collect(S);
      auto Orders = [](const Access &A) {
        return any_of(A.Roots, [&](const MemoryRoot &R) {
          return R.In == Space::Shared || R.In == Space::Unknown || !R.Decl ||
                 (A.Write && R.In != Space::Local && R.In != Space::Param);
        });
      };
      auto Waits = [](const Action &A) {
        using K = FunctionKind;
        return A.Kind == Action::Call ? !is_contained({K::Pure, K::SeveralResults, K::LoadPointer,
                                                       K::FragmentMath, K::Warp},
                                                      A.Function)
                                      : !A.LikeExpression;
      };
      return any_of(E.Accesses, Orders) || any_of(E.Actions, Waits);
    });
  }

  void finalBarrier() {
    bool Nested = any_of(M.Loop->Ancestors, isLoop);
    bool Writes = false;
    for (unsigned I = 1; I < 3; ++I)
      for (const Access &A : F.Segment[I].Accesses)
        if (A.Write)
          for (const MemoryRoot &R : A.Roots)
            Writes |= R.In != Space::Local && R.In != Space::Param;
    if (M.BarrierFirst && none_of(M.Buffers, [](const auto &B) { return B->usedOutside(); })) {
      // Behind the loop there was none, and what comes before the next first tile has one in front
      // of it.
      L.NeedsFinalBarrier = false;
      return;
    }
    L.NeedsFinalBarrier = M.BarrierFirst || Nested || Writes || F.Function->HasGoto ||
                          !M.Loop->IsKernel || sharedAfterLoop();
  }

  /// Shared memory is used behind the loop, where the last barrier may order it. An array of its
  /// own that the loop does not touch does not count: what is done with it in front of the loop the
  /// loop's other barriers order, where it runs at all.
  bool sharedAfterLoop() const {
    const SourceManager &SM = Context.getSourceManager();
    SourceLocation End = SM.getExpansionLoc(M.Loop->Loop->getEndLoc());
    auto Behind = [&](SourceLocation Loc) {
      return Loc.isValid() && SM.isBeforeInTranslationUnit(End, Loc);
    };
    if (Behind(Rules.LastOfOther))
      return true;
    if (Behind(Rules.LastOfShared)) {
      DeclSet<VarDecl> Touched = mentionedVars(M.Loop->Loop);
      for (const Effects *Part :
           {&F.Init, &F.Condition, &F.Increment, &F.Segment[0], &F.Segment[1], &F.Segment[2]})
        for (const Access &A : Part->Accesses)
          for (const MemoryRoot &R : A.Roots) {
            if (!R.Decl || R.In == Space::Unknown)
              return true; // it may be any of them
            if (const auto *Var = dyn_cast<VarDecl>(R.Decl))
              Touched.insert(Var);
          }
      for (const VarDecl *Var : Touched)
        if (auto It = Rules.LastShared.find({Var, Space::Shared});
            It != Rules.LastShared.end() && Behind(It->second))
          return true;
    }
    // Global memory that another thread's last compute may still read.
    for (const auto &[W, Last] : Rules.LastWrite)
      if (Behind(Last))
        for (const Access &R : F.Segment[1].Accesses)
          if (R.Read)
            for (const MemoryRoot &Read : R.Roots)
              if ((Read.In == Space::Global || Read.In == Space::Unknown) && mayAlias(W, Read))
                return true;
    return false;
  }

  //===-- Several buffers -----------------------------------------------------===//

  void twoBuffers() {
    for (const auto &B : M.Buffers) {
      std::string Name = B->Decl->getNameAsString();
      if (B->Origin == BufferOrigin::Dynamic) {
        if (const std::string Why = otherDynamicMemory(*B); !Why.empty()) {
          TwoBuffers.push_back(
              {Reason::DynamicSharedMemory, B->Decl->getLocation(), {"'" + Name + "'", Why}, {}});
          continue;
        }
        if (const auto &Unseen = sharedArrays().MayUseDynamic;
            Unseen && !granted("dynamic-shared")) {
          Refusal Why{Reason::DynamicSharedMemory,
                      B->Decl->getLocation(),
                      {"'" + Name + "'", "code that is not seen may use it, too"},
                      {}};
          Why.Notes.push_back({Unseen->What + " is not looked into", Unseen->Where});
          Why.Remedy = "Use a static __shared__ array, or grant --assume=dynamic-shared, if that "
                       "code uses no dynamic shared memory.";
          TwoBuffers.push_back(std::move(Why));
          continue;
        }
      } else if (!B->Statement) {
        TwoBuffers.push_back({Reason::SharedDeclForm,
                              B->Decl->getLocation(),
                              {Name, "it is declared outside of the function"},
                              {}});
        continue;
      }
      if (const TileView *V = varyingView())
        TwoBuffers.push_back(
            {Reason::TileUsedOutside, V->Var->getInit()->getExprLoc(), {Name}, {}});
      written(*B, Name);
      escapes(*B, Name);
      // What asks for its size outside does not look into it.
      const bool Outside =
          B->usedOutside() && !(B->OnlyMeasuredOutside && B->OutsideInDoubt.isInvalid());
      if (!Outside || !usedOutside(*B, Name))
        coverage(*B, Name);
      if (B->Origin == BufferOrigin::Dynamic)
        stagesOf(*B, Name);
    }
    // Behind the trailing barrier: ordered against the compute by it.
    for (const Access &A : F.Segment[2].Accesses)
      for (const MemoryRoot &R : A.Roots)
        if (R.In != Space::Local && R.In != Space::Param && R.In != Space::Constant) {
          TwoBuffers.push_back({Reason::BarrierOrdersOther, A.Loc, {nameOf(R)}, {}});
          return;
        }
  }

  //===-- Stages in dynamic shared memory -----------------------------------------===//

  /// Why the tile \p B is not all that is known of dynamic shared memory; empty: it is.
  std::string otherDynamicMemory(const TileBuffer &B) const {
    if (!M.Loop->IsKernel)
      return "the callers of the function may use it, too";
    if (M.Buffers.size() > 1)
      return "another tile of the loop has a memory of its own";
    const auto *Tile = B.Decl->getCanonicalDecl();
    const SharedArrays &All = sharedArrays();
    if (All.AsksForSize)
      return "the kernel looks at that size";
    for (const auto &[Array, In] : All.Dynamic) {
      if (Array != Tile)
        return "'" + Array->getNameAsString() + "' begins at the same place";
      if (In != M.Loop->Function)
        return "'" + In->getNameAsString() + "', which is called, names it as well";
    }
    return "";
  }

  bool BlockIsAsked =
      false; ///< what holds for the block of Shape alone: the kernel asks when it runs

  void stagesOf(const TileBuffer &B, const std::string &Name) {
    using Extent = SymbolicIteration::Extent;
    std::optional<Extent> End;
    bool WithBlock = true;
    for (auto Over :
         {SymbolicIteration::ExtentOver::Block, SymbolicIteration::ExtentOver::Parameters})
      for (bool Claimed : {false, true})
        if (!End && (Claimed ? claimed() : !BlockIsAsked) && turn(Claimed).runAll()) {
          End = turn(Claimed).extent(B.Decl, Over);
          WithBlock = Over == SymbolicIteration::ExtentOver::Block;
          BlockIsAsked |= End && Claimed;
        }
    auto Shadowed = [&](const Extent::Term &T) { return T.Variable && !isOnlyOne(T.Variable); };
    if (!End || any_of(End->Terms, Shadowed)) {
      TwoBuffers.push_back(
          {Reason::DynamicSharedMemory,
           B.Decl->getLocation(),
           {"'" + Name + "'", "how much of it the loop uses cannot be said in front of the loop"},
           {}});
      return;
    }
    // Extents and strides that another instantiation need not have.
    SetsMatter = true;
    DynamicStages Stages;
    Stages.Alignment = std::max<uint64_t>(B.Alignment, Stages.Alignment);
    const auto Multiple = [&](int64_t N) { return N % int64_t(Stages.Alignment) == 0; };
    if (End->Terms.empty()) {
      Stages.Constant = alignTo(uint64_t(End->Constant), Stages.Alignment);
      Stages.Bytes = std::to_string(*Stages.Constant);
      Stages.OfLargestBlock =
          !WithBlock; // a number is one with the block, too, where it does not depend on it
    } else {
      for (const Extent::Term &T : End->Terms)
        Stages.Bytes += (Stages.Bytes.empty() ? "" : " + ") +
                        (T.Factor == 1 ? "" : std::to_string(T.Factor) + " * ") +
                        (T.Variable ? "size_t(" + T.Name + ")" : T.Name);
      if (End->Constant)
        Stages.Bytes +=
            (End->Constant < 0 ? " - " : " + ") + std::to_string(std::abs(End->Constant));
      if (!Multiple(End->Constant) ||
          !all_of(End->Terms, [&](const Extent::Term &T) { return Multiple(T.Factor); })) {
        const std::string A = std::to_string(Stages.Alignment);
        Stages.Bytes = "(" + Stages.Bytes + " + " + std::to_string(Stages.Alignment - 1) + ") / " +
                       A + " * " + A;
      }
    }
    L.Dynamic = std::move(Stages);
  }

  /// No other variable of the function has its name.
  bool isOnlyOne(const VarDecl *Var) const {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      const VarDecl *Var;
      bool Other = false;
      explicit Visitor(const VarDecl *Var) : Var(Var) {}
      bool VisitNamedDecl(const NamedDecl *D) override {
        Other |= D != Var && D->getIdentifier() && D->getIdentifier() == Var->getIdentifier();
        return !Other;
      }
    } V(Var);
    V.TraverseStmt(M.Loop->Function->getBody());
    return !V.Other;
  }

  /// One whose place is not what the same expression gives in the loop.
  const TileView *varyingView() const {
    auto Keeps = [&](const VarDecl *Var) {
      return Var->hasAttr<CUDASharedAttr>() ||
             (!Var->hasLocalStorage() && !isa<ParmVarDecl>(Var)) ||
             Var->getType()->isReferenceType() || F.Values->isUnchangedParameter(Var) ||
             F.Values->isSetOnce(Var);
    };
    for (const TileView &V : M.Views)
      if (!computedFrom(V.Var->getInit(), Keeps))
        return &V;
    return nullptr;
  }

  void written(const TileBuffer &B, const std::string &Name) {
    for (unsigned I = 1; I < 3; ++I)
      for (const Access &A : F.Segment[I].Accesses)
        if (A.Write && A.touches(B.Decl)) {
          TwoBuffers.push_back({Reason::TileWritten, A.Loc, {Name}, {}});
          return;
        }
  }

  /// A pointer into the tile that lives longer than one iteration.
  void escapes(const TileBuffer &B, const std::string &Name) {
    for (unsigned I = 0; I < 3; ++I)
      for (const Access &A : F.Segment[I].Accesses) {
        if (!A.Write)
          continue;
        for (const MemoryRoot &R : A.Roots) {
          const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
          if (!Var || F.DeclaredInBody.count(Var) || R.In == Space::Shared)
            continue;
          if (!Var->getType()->isPointerType())
            continue;
          for (const MemoryRoot &P : F.Collector->pointsTo(Var))
            if (P.Decl == B.Decl) {
              TwoBuffers.push_back({Reason::TileEscapes,
                                    A.Loc,
                                    {Name, "kept in '" + Var->getNameAsString() + "'"},
                                    {}});
              return;
            }
        }
      }
    // Everything else that keeps an address: assignments to anything but a pointer variable of the
    // body, objects, integers, and what called functions store.
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      const Checker &C;
      const VarDecl *Tile;
      SourceLocation Found;
      Visitor(const Checker &C, const VarDecl *Tile) : C(C), Tile(Tile) {}
      bool pointsIn(const Expr *E) {
        if (!E->getType()->isPointerType() && !E->getType()->isArrayType())
          return false;
        for (const MemoryRoot &R : C.F.Collector->pointees(E))
          if (R.Decl == Tile)
            return true;
        return false;
      }
      void found(const Expr *E) {
        if (Found.isInvalid())
          Found = E->getExprLoc();
      }
      bool VisitBinaryOperator(const BinaryOperator *Op) override {
        if (Op->getOpcode() != BO_Assign || !pointsIn(Op->getRHS()))
          return true;
        const auto *Ref = dyn_cast<DeclRefExpr>(Op->getLHS()->IgnoreParens());
        const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
        if (!Var || !C.F.DeclaredInBody.count(Var) || !Var->getType()->isPointerType())
          found(Op);
        return true;
      }
      bool VisitVarDecl(const VarDecl *Var) override {
        if (Var->isStaticLocal() && Var->hasInit() && pointsIn(Var->getInit()))
          found(Var->getInit());
        return true;
      }
      bool VisitCastExpr(const CastExpr *Cast) override {
        if (Cast->getCastKind() == CK_PointerToIntegral && pointsIn(Cast->getSubExpr()))
          found(Cast);
        return true;
      }
      bool VisitInitListExpr(const InitListExpr *List) override {
        if (!List->getType()->isPointerType())
          for (const Expr *Init : List->inits())
            if (pointsIn(Init))
              found(Init);
        return true;
      }
      bool VisitCXXConstructExpr(const CXXConstructExpr *Construct) override {
        for (const Expr *Arg : Construct->arguments())
          if (pointsIn(Arg))
            found(Arg);
        return true;
      }
      bool VisitLambdaExpr(const LambdaExpr *Lambda) override {
        // `[](float v) { return v * v; }(tile[i])` has nothing to keep; a shared array it would
        // know without a capture.
        if (Lambda->capture_size() ||
            any_of(mentionedVars(Lambda->getBody()),
                   [](const VarDecl *V) { return V->hasAttr<CUDASharedAttr>(); }))
          found(Lambda);
        return true;
      }
    };
    for (unsigned I = 0; I < 3; ++I)
      for (const Stmt *S : M.Segments[I]) {
        Visitor V(*this, B.Decl);
        V.TraverseStmt(S);
        for (const Access &A : F.Collector->collect(S).Accesses)
          if (A.Write && A.InCallee && A.Where->getType()->isPointerType() && V.Found.isInvalid())
            V.Found = A.Loc;
        if (V.Found.isValid()) {
          TwoBuffers.push_back(
              {Reason::TileEscapes, V.Found, {Name, "kept longer than one statement"}, {}});
          return;
        }
      }
    // What is made of the address in called functions, in structures and in numbers.
    std::vector<const Stmt *> Body;
    DeclSet<VarDecl> Own = F.DeclaredInBody;
    for (const TileView &V : M.Views) {
      Own.insert(V.Var);
      if (Body.empty() || Body.back() != V.Statement)
        Body.push_back(V.Statement);
    }
    for (unsigned I = 0; I < 3; ++I)
      append_range(Body, M.Segments[I]);
    const KeptAddress Kept = findKeptAddress(
        Body, B.Decl, [&](const VarDecl *Var) { return Own.count(Var) != 0; }, M.Loop->Function,
        Context);
    if (Kept.AsNumber)
      TwoBuffers.push_back(
          {Reason::TileEscapes,
           Kept.Where,
           {Name, "computed with as a number"},
           {},
           "Compute with the index of the element instead, and make an address of it at last."});
    else if (Kept.Where.isValid())
      TwoBuffers.push_back(
          {Reason::TileEscapes, Kept.Where, {Name, "kept longer than one iteration"}, {}});
  }

  //===-- Rule 3: coverage -------------------------------------------------------===//
  //
  // By definedness, which needs no block size, or by sets.
  //
  // By definedness: Nothing but the load phase writes the buffer. If the set of elements that it
  // writes never changes while the kernel runs, an element is written in every iteration or never;
  // reading one that is never written reads uninitialised memory, on which no defined result
  // depends.

  void coverage(const TileBuffer &B, const std::string &Name) {
    std::string Why;
    SourceLocation Where;
    const bool Definedness = M.Loop->IsKernel || Rules.CalledBy.Once;
    if (constantWriteSets(M.Segments[0], B, Why, Where, {}) && Definedness)
      return;
    if (Why.empty()) {
      Why = "another call of the function may have left something in it";
      Where = M.Loop->Begin;
    }
    auto [Known, New] = Effort.StaleTiles.try_emplace(ofInstances(B));
    if (New) {
      Refusal Stale{Reason::StaleTile, Where, {Name, Why}, {}};
      if (Shape.known() &&
          (Shape.Exact || Granted.contains("block-size"))) // which is known already
        Stale.Remedy = "Fill the rest with an else branch (zero fill), or let the compute phase "
                       "read only what is stored.";
      if (coveredBySets(B, Stale)) {
        Effort.StaleTiles.erase(Known);
        return;
      }
      Known->second = std::move(Stale);
    }
    TwoBuffers.push_back(Known->second);
  }

  std::pair<SourceLocation, SourceLocation> ofInstances(const TileBuffer &B) const {
    return {M.Loop->Begin, B.Decl->getLocation()};
  }

  /// Every element that the compute phase may read has been written by the load phase of the same
  /// turn.
  bool coveredBySets(const TileBuffer &B, Refusal &Stale) {
    if (M.Loop->IsPattern)
      return false;
    if (!M.Loop->IsKernel && !Rules.CalledBy.WholeBlock) {
      Stale.Notes.push_back({"it is not shown that every thread of the block calls this function",
                             M.Loop->Function->getLocation()});
      return false;
    }
    const size_t Known = Stale.Notes.size();
    bool Covered = coveredInTurn(B, false, Stale);
    const bool Asks = B.Origin == BufferOrigin::Dynamic;
    if (!Covered && claimed() && (Asks || Granted.contains("block-size"))) {
      Refusal WithBlock = Stale;
      WithBlock.Notes.resize(Known);
      Covered = coveredInTurn(B, true, WithBlock) && (Asks || granted("block-size"));
      BlockIsAsked |= Covered && Asks;
      Stale = std::move(WithBlock); // no example that the block size rules out
    }
    // Extents and strides that another instantiation need not have.
    if (Covered)
      SetsMatter = true;
    return Covered;
  }
  /// First in the way that takes less time.
  bool coveredInTurn(const TileBuffer &B, bool Claimed, Refusal &Stale) {
    Refusal InPieces = Stale;
    if (coveredIn(turn(Claimed), B, Stale))
      return true;
    if (!turn(Claimed).leavesNumbersRound())
      return false;
    if (coveredIn(turn(Claimed, UnsignedNumbers::InPieces), B, InPieces))
      return true;
    // An example without numbers that the source does not have.
    if (InPieces.Notes.size() == Stale.Notes.size())
      Stale = std::move(InPieces);
    return false;
  }
  bool coveredIn(SymbolicIteration &Turn, const TileBuffer &B, Refusal &Stale) {
    if (!Turn.runAll())
      return false;
    if (writtenInTurnsOnly(B))
      Turn.isWrittenHereOnly(B.Decl);
    for (const MappedAccess &A : Turn.accesses())
      if (A.Array == B.Decl && A.Read && A.Segment > 0 && Turn.coveredByLoad(A) != Answer::Yes) {
        if (A.Where) {
          std::string What = Turn.uncovered(A);
          Stale.Notes.push_back({What.empty() ? "read here" : "read here, for example " + What,
                                 A.Where->getExprLoc()});
        }
        return false;
      }
    return true;
  }

  /// Nothing outside of the loop can write to the tile, and what the loop's statements write is
  /// seen.
  bool writtenInTurnsOnly(const TileBuffer &B) const {
    auto Writes = [](const Effects &E, Space S) {
      return any_of(E.Accesses, [&](const Access &A) { return A.Write && A.mayTouch(S); });
    };
    return (B.Statement || B.Origin == BufferOrigin::Dynamic) && !B.usedOutside() &&
           none_of(F.Segment, [&](const Effects &E) { return Writes(E, Space::Unknown); }) &&
           none_of(ArrayRef<const Effects *>{&F.Condition, &F.Increment, &F.Init},
                   [&](const Effects *E) {
                     return Writes(*E, Space::Unknown) || Writes(*E, Space::Shared);
                   });
  }

  /// Shape is said of the block by the command line, or by a launch that need not be the only one.
  bool claimed() const { return Shape.isClaim(); }

  /// One turn of the loop, run symbolically.
  SymbolicIteration &turn(bool Claimed, UnsignedNumbers Unsigned = UnsignedNumbers::Any) {
    std::unique_ptr<SymbolicIteration> &Turn =
        Turns[Claimed][Unsigned == UnsignedNumbers::InPieces];
    if (!Turn) {
      LaunchShape Known = Claimed || Shape.Exact ? Shape : LaunchShape();
      Turn = std::make_unique<SymbolicIteration>(M, Context, U, Known, Effort, Unsigned);
    }
    return *Turn;
  }
  std::unique_ptr<SymbolicIteration> Turns[2][2];
  bool SetsMatter = false;

  bool storesTo(const Stmt *S, const TileBuffer &B) const {
    for (const Access &A : F.Collector->collect(S).Accesses)
      if (A.Write && A.touches(B.Decl))
        return true;
    return false;
  }

  using Destinations = SmallVector<FoldingSetNodeID, 4>;

  /// \p Covered: elements that this iteration has stored to already, whatever the condition.
  bool constantWriteSet(const Stmt *S, const TileBuffer &B, std::string &Why, SourceLocation &Where,
                        const Destinations &Covered) {
    if (!S || !storesTo(S, B))
      return true;
    auto Fail = [&](SourceLocation Loc, const Twine &Text) {
      if (Why.empty()) {
        Why = Text.str();
        Where = Loc;
      }
      return false;
    };
    if (const auto *Compound = dyn_cast<CompoundStmt>(S))
      return constantWriteSets(Compound->body(), B, Why, Where, Covered);
    if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
      return constantWriteSet(Attributed->getSubStmt(), B, Why, Where, Covered);
    if (const auto *If = dyn_cast<IfStmt>(S)) {
      if (!invariant(If->getCond())) {
        // Both arms write the same elements, or elements that have been written anyway
        // (`S[i] = 0; if (in) S[i] = G[..];`): the condition does not matter.
        Destinations Then, Else;
        if (destinations(If->getThen(), B, Then) && destinations(If->getElse(), B, Else) &&
            ((within(Then, Else) && within(Else, Then)) ||
             (within(Then, Covered) && within(Else, Covered))))
          return constantWriteSet(If->getThen(), B, Why, Where, Covered) &&
                 constantWriteSet(If->getElse(), B, Why, Where, Covered);
        return Fail(If->getBeginLoc(), "the store is under the condition '" +
                                           textOf(If->getCond(), Context) +
                                           "', which is not the same for all tiles");
      }
      return constantWriteSet(If->getThen(), B, Why, Where, Covered) &&
             constantWriteSet(If->getElse(), B, Why, Where, Covered);
    }
    if (const auto *For = dyn_cast<ForStmt>(S)) {
      const CopyLoop *C = nullptr;
      for (const auto &Loop : M.CopyLoops)
        if (Loop->Loop == For)
          C = Loop.get();
      if (!C || !C->Counter)
        return Fail(For->getBeginLoc(), "its copy loop is not a counted loop");
      if (!invariant(C->Begin) || !invariant(C->End) || !invariant(C->Margin) ||
          (C->Step && !invariant(C->Step)))
        return Fail(For->getBeginLoc(), "the range of its copy loop is not the same for all tiles");
      return constantWriteSet(For->getBody(), B, Why, Where, Covered);
    }
    if (const auto *E = dyn_cast<Expr>(S)) {
      for (const TileCopy &C : M.Copies)
        if (C.Store == E && C.Buffer == &B) {
          if (!invariant(C.Destination))
            return Fail(E->getExprLoc(), "the place of the store is not the same for all tiles");
          return true;
        }
      return Fail(E->getExprLoc(), "this store is not understood");
    }
    return Fail(S->getBeginLoc(), "this statement is not understood");
  }

  /// Statements in order.
  template <typename Range>
  bool constantWriteSets(const Range &Statements, const TileBuffer &B, std::string &Why,
                         SourceLocation &Where, Destinations Covered) {
    for (const Stmt *S : Statements) {
      if (!constantWriteSet(S, B, Why, Where, Covered))
        return false;
      if (Destinations Here; destinations(S, B, Here))
        Covered.append(Here);
    }
    return true;
  }

  static bool within(const Destinations &A, const Destinations &B) {
    return all_of(A, [&](const FoldingSetNodeID &Id) { return is_contained(B, Id); });
  }

  /// The destinations that \p S stores to, whatever the conditions in it. False when that is not
  /// seen;
  /// \p Out is of no use then.
  bool destinations(const Stmt *S, const TileBuffer &B, Destinations &Out) const {
    if (!S)
      return true;
    if (const auto *If = dyn_cast<IfStmt>(S)) {
      Destinations Then, Else;
      if (!destinations(If->getThen(), B, Then) || !destinations(If->getElse(), B, Else) ||
          !within(Then, Else) || !within(Else, Then))
        return false;
      Out.append(Then);
      return true;
    }
    if (const auto *Compound = dyn_cast<CompoundStmt>(S)) {
      for (const Stmt *Child : Compound->body())
        if (!destinations(Child, B, Out))
          return false;
      return true;
    }
    if (!storesTo(S, B))
      return true;
    const auto *E = dyn_cast<Expr>(S);
    if (!E)
      return false;
    for (const TileCopy &C : M.Copies)
      if (C.Store == E) {
        FoldingSetNodeID Id;
        C.Destination->IgnoreParens()->Profile(Id, Context, true);
        Out.push_back(Id);
        return true;
      }
    return false;
  }

  /// The same in every iteration of this loop, of every loop around it, and of every call.
  bool invariant(const Expr *E, unsigned Depth = 0) const {
    return Depth <= 24 &&
           computedFrom(E, [&](const VarDecl *Var) { return invariantVar(Var, Depth); });
  }

  /// \p E depends on nothing but on variables that \p Are.
  bool computedFrom(const Expr *E, function_ref<bool(const VarDecl *)> Are) const {
    if (!E)
      return true;
    DeclSet<VarDecl> Vars = mentionedVars(E);
    Effects Eff = F.Collector->collect(E);
    for (const Action &A : Eff.Actions)
      if (A.Kind != Action::Call || A.Function != FunctionKind::Pure)
        return false;
    for (const Access &A : Eff.Accesses) {
      if (A.Write)
        return false;
      if (!A.Read || A.Volatile)
        continue;
      for (const MemoryRoot &R : A.Roots)
        if (R.In != Space::Local && R.In != Space::Param && R.In != Space::Constant)
          return false;
      // Also what is reached by another name: bindings, lambda bodies, references.
      for (const MemoryRoot &R : A.Roots)
        if (const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl))
          Vars.insert(Var);
    }
    return all_of(Vars, Are);
  }

  bool invariantVar(const VarDecl *Var, unsigned Depth) const {
    if (Var->hasAttr<CUDASharedAttr>())
      return true; // the array itself: an address
    if (!Var->hasLocalStorage() && !isa<ParmVarDecl>(Var))
      return true; // constants and builtin variables; reads of other memory are seen as accesses
    for (const auto &C : M.CopyLoops)
      if (C->Counter == Var)
        return true; // its range is checked at its loop
    if (isa<ParmVarDecl>(Var)) {
      if (!M.Loop->IsKernel)
        return false; // another call may pass another value
      return F.Values->isUnchangedParameter(Var);
    }
    // A reference is its object; what is read there is seen as an access. A temporary is an object
    // of its own.
    if (Var->getType()->isReferenceType() && Var->hasInit() && !makesTemporary(Var->getInit()))
      return invariant(Var->getInit(), Depth + 1);
    return F.Values->isSetOnce(Var) && invariant(Var->getInit(), Depth + 1);
  }

  static bool makesTemporary(const Stmt *S) {
    return S && (isa<MaterializeTemporaryExpr>(S) || any_of(S->children(), makesTemporary));
  }

  //===-- Rule 6: tiles that are used outside -------------------------------------===//
  //
  // Outside, the first stage stands for the tile. Either nobody can tell: what the loop computes
  // with is of its own turns, and so it is in all other tile loops that have the tile. Or what the
  // tile holds is carried into the loop and back.

  /// True: nothing that the loop reads of the tile is in doubt any more.
  bool usedOutside(const TileBuffer &B, const std::string &Name) {
    SourceLocation Where = B.OutsideUses.back();
    std::string Remedy;
    if (B.OutsideInDoubt.isValid()) {
      Where = B.OutsideInDoubt;
    } else if (const SourceLocation Kept = keptOutside(B); Kept.isValid()) {
      Where = Kept;
    } else if (B.Origin == BufferOrigin::Static && !B.DeclaredInLoop) {
      if (othersCannotTell(B))
        return false;
      if (carry(B, Remedy))
        return true;
    }
    TwoBuffers.push_back({Reason::TileUsedOutside, Where, {Name}, {}, Remedy});
    return false;
  }

  /// Where code outside of the loop leaves the tile's address in something that the loop, or what
  /// it calls, may look at.
  SourceLocation keptOutside(const TileBuffer &B) const {
    const KnownOutside &Known = F.Function->once<KnownOutside>(
        [&] { return KnownOutside{std::make_shared<OutsideFlow>(M.Loop->Function, Context)}; });
    return Known.Flow->find(*M.Loop, B.Decl, M.Views);
  }
  struct KnownOutside {
    std::shared_ptr<OutsideFlow> Flow;
  };

  /// All uses outside of the loop are in other tile loops, and neither they nor this one can tell
  /// what the others leave.
  bool othersCannotTell(const TileBuffer &B) {
    const SourceManager &SM = Context.getSourceManager();
    auto Has = [&](const KLoop &Loop, SourceLocation At) {
      return Loop.Body && SM.isPointWithin(At, SM.getExpansionLoc(Loop.Body->getBeginLoc()),
                                           SM.getExpansionLoc(Loop.Body->getEndLoc()));
    };
    constexpr size_t Many = 64; // of which each would ask all others
    std::vector<const KLoop *> Peers;
    for (size_t I = 0; I != B.OutsideUses.size(); ++I) {
      const SourceLocation At = SM.getExpansionLoc(B.OutsideUses[I]);
      const auto Peer = find_if(Others.Loops, [&](const KLoop *Other) {
        return Has(*Other, At) && !Has(*Other, M.Loop->Begin) && !Has(*M.Loop, Other->Begin);
      });
      if (Peer == Others.Loops.end())
        return false;
      if (Peers.empty() || Peers.back() != *Peer)
        Peers.push_back(*Peer);
      if (Peers.size() > Many)
        return false;
    }
    for (const KLoop *Peer : Peers)
      if (!cannotTell(B, *Peer))
        return false;
    return true;
  }

  bool cannotTell(const TileBuffer &B, const KLoop &Peer) {
    const TileModel &Other = Others.Model(Peer);
    if (!Other.understood() || Other.AlreadyPipelined)
      return false;
    const auto Same = find_if(Other.Buffers, [&](const auto &O) { return O->Decl == B.Decl; });
    if (Same == Other.Buffers.end())
      return false;
    Checker There(Other, Context, Granted, Shape, Effort, Others);
    if (!There.onlyLoads(**Same))
      return false;
    There.escapes(**Same, (*Same)->Decl->getNameAsString());
    if (!There.TwoBuffers.empty())
      return false;
    // The same elements in every turn of both: what is not among them nobody has ever written.
    const std::string &Here = writeSet(B);
    if (!Here.empty() && Here == There.writeSet(**Same) &&
        (M.Loop->IsKernel || Rules.CalledBy.Once))
      return true;
    const SourceManager &SM = Context.getSourceManager();
    const bool Again = any_of(M.Loop->Ancestors,
                              [&](const Stmt *S) { return isLoop(S) && encloses(S, Peer.Loop); }) ||
                       F.Function->HasGoto;
    const bool InFront = SM.isBeforeInTranslationUnit(Peer.Begin, M.Loop->Begin);
    if ((Again || InFront) && !readsItsOwn(B))
      return false;
    if (!Again && InFront)
      return true;
    if (!There.readsItsOwn(**Same))
      return false;
    SetsMatter = true;
    return all_of(There.L.Assumptions, [&](const std::string &Name) { return granted(Name); });
  }

  /// The load phase does not read the tile, and nothing else in the loop writes it.
  bool onlyLoads(const TileBuffer &B) const {
    auto Touches = [&](const Effects &E, bool Access::*How) {
      return any_of(E.Accesses, [&](const Access &A) { return A.*How && A.touches(B.Decl); });
    };
    return !Touches(F.Segment[0], &Access::Read) && !Touches(F.Segment[1], &Access::Write) &&
           !Touches(F.Segment[2], &Access::Write);
  }

  bool readsItsOwn(const TileBuffer &B) {
    SharedEffort::PeerFacts &Known = Effort.Peers[{M.Loop, B.Decl}];
    if (!Known.Fresh) {
      Refusal Stale{Reason::StaleTile, M.Loop->Begin, {}, {}};
      const std::vector<std::string> Before = std::exchange(L.Assumptions, {});
      Known.Fresh = coveredBySets(B, Stale);
      Known.Assumptions = std::exchange(L.Assumptions, Before);
    }
    SetsMatter |= *Known.Fresh;
    return *Known.Fresh &&
           all_of(Known.Assumptions, [&](const std::string &Name) { return granted(Name); });
  }

  /// The elements of the tile that every turn writes, in words that are the same where the elements
  /// are; empty: they are not always the same, or it is not known.
  const std::string &writeSet(const TileBuffer &B) {
    std::optional<std::string> &Known = Effort.Peers[{M.Loop, B.Decl}].Written;
    if (!Known) {
      std::string Why;
      SourceLocation Where;
      WriteSet Words{*this, B, "", {}, true};
      if (constantWriteSets(M.Segments[0], B, Why, Where, {}))
        for (const Stmt *S : M.Segments[0])
          Words.add(S);
      Known = Words.Known ? Words.Text : "";
    }
    return *Known;
  }

  /// Only asked where constantWriteSets() holds.
  struct WriteSet {
    const Checker &C;
    const TileBuffer &B;
    std::string Text;
    std::vector<const VarDecl *> Counters; ///< of the copy loops around
    bool Known;

    void say(const Twine &Words) { Text += (Words + " ").str(); }

    void add(const Stmt *S) {
      if (!S || !Known || !C.storesTo(S, B))
        return;
      if (const auto *Compound = dyn_cast<CompoundStmt>(S)) {
        for (const Stmt *Child : Compound->body())
          add(Child);
      } else if (const auto *Attributed = dyn_cast<AttributedStmt>(S)) {
        add(Attributed->getSubStmt());
      } else if (const auto *If = dyn_cast<IfStmt>(S)) {
        if (!C.invariant(If->getCond())) {
          Known =
              false; // of its arms both write the same, or nothing new; seldom, and not compared
          return;
        }
        say("if");
        value(If->getCond());
        say("{");
        add(If->getThen());
        say("} else {");
        add(If->getElse());
        say("}");
      } else if (const auto *For = dyn_cast<ForStmt>(S)) {
        const auto Loop =
            find_if(C.M.CopyLoops, [&](const auto &Copy) { return Copy->Loop == For; });
        if (Loop == C.M.CopyLoops.end()) {
          Known = false;
          return;
        }
        say("for");
        value((*Loop)->Begin);
        Counters.push_back((*Loop)->Counter);
        say(";");
        value(For->getCond());
        say(";");
        value(For->getInc());
        say("{");
        add(For->getBody());
        say("}");
        Counters.pop_back();
      } else if (const auto *Store = dyn_cast<Expr>(S)) {
        const auto Copy = find_if(
            C.M.Copies, [&](const TileCopy &T) { return T.Store == Store && T.Buffer == &B; });
        Known &= Copy != C.M.Copies.end();
        if (!Known)
          return;
        say("store " + Twine(Copy->Bytes) + " to");
        value(Copy->Destination);
      } else {
        Known = false;
      }
    }

    /// What it is made of; variables of the loop by their values, and counters by their place.
    void value(const Stmt *S) {
      if (!Known)
        return;
      if (!S) {
        say("()");
        return;
      }
      if (const auto *E = dyn_cast<Expr>(S); E && !E->isValueDependent() &&
                                             E->getType()->isIntegralOrEnumerationType() &&
                                             E->isPRValue())
        if (std::optional<int64_t> Number = C.F.Values->fold(E)) {
          say(Twine(*Number) + ":" + E->getType().getCanonicalType().getAsString());
          return;
        }
      if (const auto *Ref = dyn_cast<DeclRefExpr>(S)) {
        const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
        if (const auto Counter = find(Counters, Var); Var && Counter != Counters.end())
          return say("#" + Twine(Counter - Counters.begin()));
        if (Var && C.F.DeclaredInBody.count(Var)) {
          Known &=
              Var->hasInit() && (Var->getType()->isReferenceType() || C.F.Values->isSetOnce(Var));
          return Known ? value(Var->getInit()) : void();
        }
        if (const VarDecl *Whole = mentionedVar(Ref);
            Whole && Whole != Var && C.F.DeclaredInBody.count(Whole)) {
          Known = false; // a structured binding of this turn
          return;
        }
        char Address[32];
        snprintf(Address, sizeof(Address), "%p",
                 static_cast<const void *>(Ref->getDecl()->getCanonicalDecl()));
        return say(Address);
      }
      say(S->getStmtClassName());
      if (const auto *Op = dyn_cast<BinaryOperator>(S))
        say(Op->getOpcodeStr());
      else if (const auto *Op = dyn_cast<UnaryOperator>(S))
        say(UnaryOperator::getOpcodeStr(Op->getOpcode()));
      else if (const auto *Cast = dyn_cast<CastExpr>(S))
        say(Twine(Cast->getCastKindName()) + " " +
            Cast->getType().getCanonicalType().getAsString());
      else if (const auto *Member = dyn_cast<MemberExpr>(S))
        say(Member->getMemberDecl()->getNameAsString() + (Member->isArrow() ? " arrow" : ""));
      else if (const auto *Number = dyn_cast<IntegerLiteral>(S))
        say(toString(Number->getValue(), 10, true));
      else if (!isa<ParenExpr, ArraySubscriptExpr, ConditionalOperator, CallExpr, OpaqueValueExpr,
                    PseudoObjectExpr>(S))
        Known = false;
      if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(S))
        return value(Opaque->getSourceExpr());
      say("(");
      for (const Stmt *Child : S->children())
        value(Child);
      say(")");
    }
  };

  /// What the tile holds goes into every stage, and comes back from the last one: right whatever
  /// the code outside does, where each turn writes the same elements.
  bool carry(const TileBuffer &B, std::string &Remedy) {
    std::string Why;
    SourceLocation Where;
    if (!constantWriteSets(M.Segments[0], B, Why, Where, {}))
      return false;
    // All threads take part in copying it.
    if ((!M.Loop->IsKernel && !Rules.CalledBy.WholeBlock) || !earlyReturns(M, U).empty() ||
        F.Function->HasGoto)
      return false;
    const QualType Element = Context.getBaseElementType(B.Decl->getType());
    if (!Element.isTriviallyCopyableType(Context) || Element.isVolatileQualified() ||
        Element.isConstQualified() || hasOwnAssignment(Element))
      return false;
    const bool Definedness = M.Loop->IsKernel || Rules.CalledBy.Once;
    L.Carried.push_back(
        {B.Decl->getLocation(), B.UsedBefore || !Definedness, B.UsedBehind || !Definedness});
    return true;
  }

  static bool hasOwnAssignment(QualType T) {
    const auto *Record = T->getAsCXXRecordDecl();
    return Record &&
           (Record->hasUserDeclaredCopyAssignment() || Record->hasNonTrivialCopyAssignment());
  }

  //===-- Templates ------------------------------------------------------------===//

  void templateFacts() {
    Effects Whole = F.Collector->collect(M.Loop->Loop);
    L.Arguments = templateArguments(M.Loop->Function, M.Loop->Begin);
    // Other arguments choose other statements and other functions.
    L.Matter.Values = Whole.ConstexprIf || Whole.UserCalls;
    L.Matter.Types = Whole.ConstexprIf || Whole.UserCalls || SetsMatter;
    L.Matter.Values |= SetsMatter;
    // So do the statements around the loop: what uses the tile, what the last barrier orders, who
    // comes here.
    if (F.Function->once<ChosenByArguments>([&] { return ChosenByArguments(M.Loop->Function); })
            .Any)
      L.Matter.Values = L.Matter.Types = true;
    const TemplatePattern &Pattern =
        F.Function->once<TemplatePattern>([&] { return TemplatePattern(M.Loop->Function); });
    L.Matter.add(movedValues(M, Pattern, Context));
    // How a tile is accessed elsewhere may ask for more of where its stages begin.
    auto AsAnotherType = [&](const Access &A) {
      return A.Where && !A.InCallee && Pattern.isDependent(typedPlace(A.Where)) &&
             any_of(M.Buffers, [&](const auto &B) {
               return A.touches(B->Decl) &&
                      !Context.hasSameUnqualifiedType(objectOf(A.Where)->getType(), B->Element);
             });
    };
    if (M.Loop->IsTemplate && any_of(F.Function->whole().Accesses, AsAnotherType))
      L.Matter.Values = L.Matter.Types = true;
    // Which elements a copy loop or several copies write depends on extents and strides.
    const bool OfTypes =
        F.Function->once<NumbersOfTypes>([&] { return NumbersOfTypes(M.Loop->Function); }).Any;
    std::set<const TileBuffer *> Seen;
    for (const TileCopy &C : M.Copies) {
      bool Several = !C.Loops.empty() || !Seen.insert(C.Buffer).second;
      bool Element = Context.hasSameUnqualifiedType(C.Destination->getType(), C.Buffer->Element);
      L.MatterForAsync.Values |= Several;
      L.MatterForAsync.Types |= Several && (!Element || OfTypes);
      // That source and tile have the same type, so that bytes may be copied.
      for (const Expr *Access : C.Sources) {
        const Expr *Source = stripNoOps(Access);
        SourceRange To =
            Element ? SourceRange(C.Buffer->Decl->getLocation()) : C.Destination->getSourceRange();
        bool Same = Pattern.haveSameType(Source->getSourceRange(), To);
        if (C.Staging)
          Same &= Pattern.haveSameType(Source->getSourceRange(), C.Staging->getLocation());
        if (!Same)
          L.MatterForAsync.Types = L.MatterForAsync.Values = true;
      }
    }
    if (L.Arguments)
      return;
    Refusal R = {Reason::NotYet,
                 M.Loop->Begin,
                 {"a template with arguments other than numbers and types of file scope that are "
                  "declared in front of it"},
                 {}};
    if (L.Matter.Values || !L.Matter.Copied.empty() || !L.Matter.Numbers.empty())
      L.Common.push_back(R);
    else if (L.MatterForAsync.Values) {
      L.CpAsync.push_back(R);
      L.Mixed.push_back(R);
    }
  }

  //===-- cp.async -------------------------------------------------------------===//

  bool mayStoreTwice(const TileBuffer &B) {
    auto ThisTile = [&](const TileCopy &C) { return C.Buffer == &B; };
    if (count_if(M.Copies, ThisTile) == 1 && find_if(M.Copies, ThisTile)->Loops.empty())
      return false;
    // One of the two becomes the other's else.
    auto AreOne = [&](const Expr *First, const Expr *Second) {
      return any_of(M.Copies, [&](const TileCopy &C) {
        const auto *Clear = C.ClearedBy ? leftHandSide(C.ClearedBy) : nullptr;
        return Clear && stripNoOps(Clear) == stripNoOps(First) &&
               stripNoOps(C.Destination) == stripNoOps(Second);
      });
    };
    auto Never = [&](bool Claimed) {
      return turn(Claimed).runLoad() &&
             turn(Claimed).storedTwiceByOneThread(B.Decl, AreOne) == Answer::No;
    };
    if (Never(false))
      return false;
    if (B.Origin != BufferOrigin::Dynamic || !claimed() || !Never(true))
      return true;
    BlockIsAsked = true;
    return false;
  }

  static std::string howConverted(const TileCopy &C) {
    if (!C.MayConvert.empty())
      return "goes through '" + C.MayConvert +
             "', a macro that another build may define otherwise,";
    return C.Through ? "goes through '" + C.Through->getNameAsString() +
                           "', a register array or a structure,"
                     : "is changed or chosen";
  }

  /// The assumption aligned16 shows what the types of the copy's two ends do not.
  bool alignedIfGiven16(const TileCopy &C) const {
    // A member of what was loaded: its offset counts, too.
    if (C.Staging && referencedVar(stripNoOps(C.Value)) != C.Staging)
      return false;
    return alignmentIfGiven16(C.Destination, M, Context) >= C.Bytes &&
           all_of(C.Sources, [&](const Expr *Source) {
             return alignmentIfGiven16(Source, M, Context) >= C.Bytes;
           });
  }

  static std::string bytes(uint64_t N) { return std::to_string(N) + (N == 1 ? " byte" : " bytes"); }

  void asyncCopies() {
    std::set<const TileBuffer *> WithAsync;
    for (const TileCopy &C : M.Copies) {
      std::string Name = C.Buffer->Decl->getNameAsString();
      SourceLocation Where = C.Store->getExprLoc();
      if (C.IsFill)
        continue;
      if (C.Converted) {
        L.CpAsync.push_back(
            {Reason::CopyConverted, Where, {Name, howConverted(C)}, {}, "", C.Store});
        continue;
      }
      if (!C.SourceIsGlobal || !C.SourceAccess) {
        L.CpAsync.push_back({Reason::LoadNotGlobal, Where, {Name}, {}, "", C.Store});
        continue;
      }
      uint64_t Align = alignmentOf(C.Destination, Context);
      for (const Expr *Source : C.Sources)
        Align = std::min(Align, alignmentOf(Source, Context));
      if (C.Staging) // a member of what was loaded, at its offset
        Align = std::min(Align, alignmentOf(stripNoOps(C.Value), Context));
      if ((C.Bytes != 4 && C.Bytes != 8 && C.Bytes != 16) || Align < C.Bytes) {
        // 16 bytes of alignment 4 are a matter of the alignment, 12 bytes one of the size.
        bool Size = C.Bytes == 4 || C.Bytes == 8 || C.Bytes == 16;
        const bool Grantable = Size && alignedIfGiven16(C);
        if (!Grantable || !grantedToAsync("aligned16")) {
          L.CpAsync.push_back(
              {Reason::CopyWidth,
               Where,
               {Name, bytes(C.Bytes) + (Size ? " with an alignment of " + bytes(Align) : "")},
               {},
               Grantable ? "Declare the type with that alignment ('struct alignas(" +
                               std::to_string(C.Bytes) +
                               ") S'), or grant --assume=aligned16: that the pointers that the "
                               "kernel is given "
                               "are multiples of 16."
                         : std::string(),
               C.Store});
          continue;
        }
        uint64_t &Wanted = L.AsyncAlignments[C.Buffer->Decl->getLocation()];
        Wanted = std::max(Wanted, C.Bytes);
        // What is added to the pointers depends on sizes and extents that another instantiation
        // need not have.
        L.MatterForAsync.Values = L.MatterForAsync.Types = true;
      }
      WithAsync.insert(C.Buffer);
    }
    // Nothing that it could do asynchronously.
    if (WithAsync.empty() && L.CpAsync.empty() && !M.Copies.empty()) {
      const TileCopy &C = M.Copies.front();
      L.CpAsync.push_back({Reason::CopyConverted,
                           C.Store->getExprLoc(),
                           {C.Buffer->Decl->getNameAsString(), howConverted(C)},
                           {}});
    }
    // Copies of one thread are not ordered among each other: an element must not be written twice.
    for (const auto &Buffer : M.Buffers) {
      const TileBuffer *B = Buffer.get();
      if (!WithAsync.count(B))
        continue;
      if (auto Known = Effort.CopyOverlaps.find(ofInstances(*B));
          Known != Effort.CopyOverlaps.end()) {
        L.CpAsync.push_back(Known->second);
        Overlapping.insert(B);
      } else if (mayStoreTwice(*B)) {
        SourceLocation Where = B->Decl->getLocation();
        for (const TileCopy &C : M.Copies)
          if (C.Buffer == B)
            Where = C.Store->getExprLoc();
        L.CpAsync.push_back({Reason::CopyOverlap, Where, {B->Decl->getNameAsString()}, {}});
        Effort.CopyOverlaps.insert({ofInstances(*B), L.CpAsync.back()});
        Overlapping.insert(B);
      }
    }
  }
  std::set<const TileBuffer *> Overlapping; ///< of them, one by registers after the other

  /// It can be started where it stands, by the fetch: cp.async can do it, and it changes nothing
  /// but the tile.
  bool canBeAsync(const TileCopy &C) const {
    return !C.IsFill && !Overlapping.count(C.Buffer) && none_of(L.CpAsync, [&](const Refusal &R) {
      return R.Copy == C.Store;
    }) && none_of(F.Collector->collect(C.Store).Accesses, [](const Access &A) {
      return A.Write && any_of(A.Roots, [](const MemoryRoot &R) { return R.In != Space::Shared; });
    });
  }

  void mixed() {
    L.Mixed = TwoBuffers;
    // The narrow ones are quicker by registers (docs/choice.md), where there are wider ones.
    uint64_t Widest = 0;
    for (const TileCopy &C : M.Copies)
      if (canBeAsync(C))
        Widest = std::max(Widest, C.Bytes);
    std::set<const Expr *> Async;
    for (const TileCopy &C : M.Copies)
      if (C.Bytes == Widest && canBeAsync(C))
        Async.insert(C.Store);
    // What goes through a variable is loaded once, for all copies that it goes to.
    for (const TileCopy &C : M.Copies)
      if (C.Staging && any_of(M.Copies, [&](const TileCopy &Other) {
            return Other.Staging == C.Staging && !Async.count(Other.Store);
          }))
        Async.erase(C.Store);
    if (Async.empty())
      return append(L.Mixed, L.CpAsync);
    if (all_of(M.Copies,
               [&](const TileCopy &C) { return C.IsFill || Async.count(C.Store) != 0; })) {
      L.Mixed.push_back({Reason::NothingToMix, M.Loop->Begin, {}, {}});
      return;
    }
    auto Cut = std::make_shared<FetchStore>(cutFetchAndStore(M, Context, Async));
    append(L.Mixed, Cut->Refusals);
    for (const Expr *Store : Async)
      L.MixedAsync.insert(Store->getExprLoc());
    L.MixedCut = std::move(Cut);
  }
};

} // namespace

void printAccessMaps(const TileModel &Model, ASTContext &Context, const LaunchShape &Shape,
                     raw_ostream &OS) {
  if (!Model.Facts || !Model.Facts->Collector || Model.Loop->IsPattern)
    return;
  Uniformity U(Context, *Model.Facts->Collector, Model.Loop->Function);
  SharedEffort Effort;
  SymbolicIteration Turn(Model, Context, U, Shape.Exact ? Shape : LaunchShape(), Effort);
  bool Followed = Turn.runAll();
  Turn.print(OS);
  if (!Followed)
    OS << "  the rest is not followed\n";
}

Legality checkLegality(const TileModel &Model, ASTContext &Context, const StringSet<> &Granted,
                       const LaunchShape &Shape, SharedEffort *Effort, const OtherLoops &Others) {
  if (!Model.understood()) {
    Legality L;
    L.Common = Model.Refusals;
    return L;
  }
  SharedEffort Own;
  return Checker(Model, Context, Granted, Shape, Effort ? *Effort : Own, Others).run();
}

} // namespace cuda_pipeline
