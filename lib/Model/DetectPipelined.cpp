//===- DetectPipelined.cpp - Loops that are pipelined by hand -----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Nothing is left to do for a loop whose loads run ahead already, by asynchronous copies or
/// through registers.
///
//===----------------------------------------------------------------------===//

#include "ModelStep.h"
#include "PtxText.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

class PipelinedDetector : ModelStep {
public:
  using ModelStep::ModelStep;

  void run() {
    Effects Whole = collector().collect(L.Loop);
    M.UsesAsyncCopies = Whole.has(FunctionKind::AsyncCopy) ||
                        any_of(Whole.Actions, [&](const Action &A) { return isAsyncAsm(A); });
    M.UsesTensorCores = usesTensorCores(Whole);
    if (L.Body)
      findPrefetches();
    if (M.UsesAsyncCopies && !M.AlreadyPipelined)
      refuse(Reason::OwnAsyncCopies, firstAsync(Whole), {"cp.async or memcpy_async"});
  }

private:
  /// Of an action that is inline assembly.
  std::optional<PtxText> assembly(const Action &A) const {
    const auto *Asm = dyn_cast_or_null<GCCAsmStmt>(A.Where);
    return Asm ? std::optional(readPtx(Asm, Context)) : std::nullopt;
  }

  bool isAsyncAsm(const Action &A) const {
    std::optional<PtxText> Ptx = assembly(A);
    return Ptx && Ptx->AboutCopies;
  }

  bool usesTensorCores(const Effects &E) const {
    return any_of(E.Actions, [&](const Action &A) {
      if (A.Kind == Action::Call && A.Function == FunctionKind::FragmentMath)
        return true;
      std::optional<PtxText> Ptx = assembly(A);
      return Ptx && Ptx->TensorCores;
    });
  }

  SourceLocation firstAsync(const Effects &E) const {
    for (const Action &A : E.Actions)
      if ((A.Kind == Action::Call && A.Function == FunctionKind::AsyncCopy) || isAsyncAsm(A))
        return A.Loc;
    return SourceLocation();
  }

  /// Two signs, looked for over the statements of the body in order:
  /// - asynchronous copies are issued, and tiles are read before the next wait;
  /// - global memory is read into registers, tiles are read, and only then the registers are stored
  ///   to shared memory, in the same turn or at the start of the next.
  void findPrefetches() {
    struct Item {
      bool Copies = false, Waits = false, Leaves = false, ReadsShared = false, WritesShared = false;
      VarSet Loaded, Stored;
    };
    std::vector<Item> Items;
    for (const Stmt *Child : L.Body->body()) {
      Effects E = collector().collect(Child);
      Item I;
      for (const Action &A : E.Actions) {
        if (std::optional<PtxText> Ptx = assembly(A)) {
          I.Waits |= Ptx->WaitsForCopies;
          I.Leaves |= Ptx->WaitsForCopies && Ptx->Copy.Is != PtxCopy::Wait &&
                      Ptx->Copy.Is != PtxCopy::WaitAll;
          I.Copies |= Ptx->CopiesAsync;
        } else if (A.Kind == Action::Call && A.Function == FunctionKind::AsyncCopy) {
          bool Wait = StringRef(A.Name).contains("wait");
          I.Waits |= Wait;
          I.Leaves |= Wait && leavesSome(A);
          I.Copies |= !Wait && (StringRef(A.Name).contains("memcpy") || !isBookkeeping(A.Name));
        }
      }
      I.ReadsShared = E.reads(Space::Shared);
      I.WritesShared = E.writes(Space::Shared);
      if (E.reads(Space::Global) && !I.WritesShared)
        I.Loaded = writtenVars(E);
      if (I.WritesShared)
        storedValues(Child, I.Stored);
      Items.push_back(std::move(I));
    }
    // Twice: what is begun at the end of a turn is under way in the next one, if that waits for
    // older ones only.
    bool InFlight = false;
    for (unsigned Turn = 0; Turn < 2; ++Turn)
      for (const Item &I : Items) {
        if (I.Waits && !I.Leaves)
          InFlight = false;
        if (I.Copies)
          InFlight = true;
        else if (InFlight && I.ReadsShared)
          M.AlreadyPipelined = true;
      }
    // Per variable the first and the last statement of each kind are enough: what lies between two
    // others of them lies between these, too.
    struct Places {
      std::optional<size_t> FirstLoad, FirstStore;
      size_t LastLoad = 0, LastStore = 0;
    };
    DeclMap<VarDecl, Places> Found;
    std::vector<size_t> NextRead(Items.size() + 1, Items.size()); ///< at or behind the statement
    size_t FirstLoad = Items.size();                              ///< of any variable
    for (size_t K = Items.size(); K-- > 0;) {
      NextRead[K] = Items[K].ReadsShared ? K : NextRead[K + 1];
      if (!Items[K].Loaded.empty())
        FirstLoad = K;
    }
    for (size_t K = 0; K < Items.size(); ++K) {
      for (const VarDecl *V : Items[K].Loaded) {
        Places &P = Found[V];
        P.FirstLoad = P.FirstLoad.value_or(K);
        P.LastLoad = K;
      }
      for (const VarDecl *V : Items[K].Stored) {
        Places &P = Found[V];
        P.FirstStore = P.FirstStore.value_or(K);
        P.LastStore = K;
      }
    }
    for (const auto &[V, P] : Found) {
      if (!P.FirstLoad || !P.FirstStore)
        continue;
      if (P.LastStore > *P.FirstLoad)
        M.AlreadyPipelined |= NextRead[*P.FirstLoad + 1] < P.LastStore;
      // Stored at the top of the next turn: unless something is loaded again before that.
      if (*P.FirstStore < P.LastLoad && FirstLoad >= *P.FirstStore && !isDeclaredInBody(V))
        M.AlreadyPipelined = true;
    }
  }

  /// Neither starts a copy nor waits for one.
  static bool isBookkeeping(StringRef Name) {
    return any_of(ArrayRef<StringRef>{"commit", "acquire", "release", "arrive", "quit",
                                      "make_pipeline", "this_thread", "init", "~"},
                  [&](StringRef Word) { return Name.contains(Word); });
  }

  /// `__pipeline_wait_prior(1)`: the last group may be under way still. A cuda::pipeline is waited
  /// for stage by stage: where copies were begun in front of the loop, too, there are others.
  bool leavesSome(const Action &A) {
    const auto *Call = dyn_cast_or_null<CallExpr>(A.Where);
    const StringRef Name = A.Name;
    if (Name.contains("wait_prior")) {
      if (!Call || Call->getNumArgs() == 0 || A.InCallee)
        return false;
      const std::optional<int64_t> N = Values->fold(Call->getArg(0));
      return Name.contains("consumer") || !N || *N > 0;
    }
    return Name.contains("consumer_wait") && beginsAhead();
  }
  /// Asynchronous copies are begun in front of the loop.
  bool beginsAhead() {
    const SourceManager &SM = Context.getSourceManager();
    return any_of(Facts->Function->whole().Actions, [&](const Action &A) {
      return A.Kind == Action::Call && A.Function == FunctionKind::AsyncCopy &&
             StringRef(A.Name).contains("memcpy") &&
             SM.isBeforeInTranslationUnit(SM.getExpansionLoc(A.Loc), L.Begin);
    });
  }

  /// Variables whose values go to shared memory in \p S; not those that are only part of an
  /// address.
  void storedValues(const Stmt *S, VarSet &Set) {
    if (!S)
      return;
    if (const auto *E = dyn_cast<Expr>(S)) {
      Effects Eff = collector().collect(E);
      if (!Eff.writes(Space::Shared))
        return;
      const Expr *LHS = nullptr, *RHS = nullptr;
      if (matchAssignment(E, LHS, RHS)) {
        // `tile[i] = tile[i] - x * tile[k]` changes what is there; that is no tile on its way.
        if (!collector().collect(RHS).reads(Space::Shared))
          valueVars(RHS, Set);
        return;
      }
      // `tile[i] -= x`, `bins[x]++`, `atomicAdd(&bins[x], 1)`: the same.
      const Expr *Plain = E->IgnoreParens();
      if (const auto *Full = dyn_cast<FullExpr>(Plain))
        Plain = Full->getSubExpr()->IgnoreParens();
      if (isa<CompoundAssignOperator>(Plain) ||
          (isa<UnaryOperator>(Plain) && cast<UnaryOperator>(Plain)->isIncrementDecrementOp()) ||
          Eff.has(FunctionKind::Atomic))
        return;
      // A function stores: any of its arguments, but pointers say where only; and what a lambda
      // reads of the variables around it.
      if (const auto *Call = dyn_cast<CallExpr>(E->IgnoreParens())) {
        for (const Access &A : Eff.Accesses)
          if (A.Read && A.InCallee)
            for (const MemoryRoot &R : A.Roots)
              if (const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
                  Var && (R.In == Space::Local || R.In == Space::Param))
                Set.insert(Var);
        for (const Expr *Arg : Call->arguments())
          if (!Arg->getType()->isPointerType())
            valueVars(Arg, Set);
        return;
      }
      insertReads(Set, Eff);
      return;
    }
    for (const Stmt *Child : S->children())
      storedValues(Child, Set);
  }

  void valueVars(const Expr *E, VarSet &Set) {
    E = stripNoOps(E);
    if (E->isGLValue()) {
      RootSet Roots = collector().rootsOf(E);
      for (const MemoryRoot &R : Roots)
        if (R.In == Space::Local || R.In == Space::Param)
          if (const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl))
            Set.insert(Var);
      if (!Roots.empty())
        return;
    }
    // What only decides about the address or about whether anything is loaded.
    if (const auto *Cond = dyn_cast<ConditionalOperator>(E)) {
      valueVars(Cond->getTrueExpr(), Set);
      return valueVars(Cond->getFalseExpr(), Set);
    }
    if (const auto *Call = dyn_cast<CallExpr>(E);
        Call && Call->getDirectCallee() &&
        classifyFunction(Call->getDirectCallee(), Context) == FunctionKind::LoadPointer)
      return;
    for (const Stmt *Child : E->children())
      if (const auto *Sub = dyn_cast_or_null<Expr>(Child))
        valueVars(Sub, Set);
  }

  /// Such a variable does not live into the next turn.
  bool isDeclaredInBody(const VarDecl *V) const {
    SourceRange Body = L.Body->getSourceRange();
    const SourceManager &SM = Context.getSourceManager();
    SourceLocation Loc = SM.getExpansionLoc(V->getLocation());
    return SM.isPointWithin(Loc, SM.getExpansionLoc(Body.getBegin()),
                            SM.getExpansionLoc(Body.getEnd()));
  }
};

} // namespace

void detectPipelined(ModelContext &C) { PipelinedDetector(C).run(); }

} // namespace cuda_pipeline
