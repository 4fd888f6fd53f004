//===- DetectPipelined.cpp - Loops that are pipelined by hand -----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Nothing is left to do for a loop whose loads run ahead already: by asynchronous copies, through
/// registers, into another stage in front of the compute phase, or in other threads than those that
/// compute.
///
/// The body is read as a row of events, which come round again. A load is ahead if a tile is read
/// before it is published: of another array, or of another stage of the same one, which has to be
/// seen in the text (`tile[(t + 1) % 2]` and `tile[t % 2]`, two pointers that are exchanged). The
/// loop is pipelined if all of its loads are ahead.
///
//===----------------------------------------------------------------------===//

#include "ModelStep.h"
#include "PtxText.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

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

  //===-- Stages ------------------------------------------------------------===//

  /// Where a tile is stored or read: in which arrays, and what says which stage of them it is.
  struct Place {
    DeclSet<ValueDecl> Arrays;
    std::set<std::string> Ring; ///< expressions that come round again, as they stand in the text
    unsigned Stages = 0;        ///< that these tell apart; 0: not known
  };

  static bool meet(const DeclSet<ValueDecl> &A, const DeclSet<ValueDecl> &B) {
    return any_of(A, [&](const ValueDecl *D) { return B.count(D) != 0; });
  }
  /// Not the same elements, whatever the turn.
  static bool differ(const Place &A, const Place &B) {
    return !meet(A.Arrays, B.Arrays) || (!A.Ring.empty() && !B.Ring.empty() && A.Ring != B.Ring);
  }

  /// What the loop assigns to variables.
  struct Assignments : DynamicRecursiveASTVisitor {
    DeclMap<VarDecl, SmallVector<const Expr *, 2>> To;
    DeclSet<VarDecl> Wrapped;            ///< by `^=`, `%=`, `&=`
    DeclMap<VarDecl, const Expr *> Ends; ///< `++v == 4`
    bool VisitBinaryOperator(BinaryOperator *B) override {
      const VarDecl *V = variable(B->getLHS());
      if (!V)
        return true;
      if (B->getOpcode() == BO_Assign)
        To[V].push_back(B->getRHS());
      else if (B->getOpcode() == BO_XorAssign || B->getOpcode() == BO_RemAssign ||
               B->getOpcode() == BO_AndAssign)
        Wrapped.insert(V);
      else if ((B->getOpcode() == BO_EQ || B->getOpcode() == BO_GE) &&
               isa<UnaryOperator>(B->getLHS()->IgnoreParenImpCasts()))
        Ends[V] = B->getRHS();
      return true;
    }
    static const VarDecl *variable(const Expr *E) {
      E = E->IgnoreParenImpCasts();
      if (const auto *U = dyn_cast<UnaryOperator>(E); U && U->isIncrementDecrementOp())
        E = U->getSubExpr()->IgnoreParenImpCasts();
      const auto *Ref = dyn_cast<DeclRefExpr>(E);
      return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    }
  };
  std::optional<Assignments> Assigned;
  VarSet Changed; ///< by the loop, or declared in it

  bool mentionsChanged(const Stmt *S) const {
    return any_of(mentionedVars(S), [&](const VarDecl *V) { return Changed.count(V) != 0; });
  }

  /// `t % 3`, `t & 1`, `stage ^ 1`, `1 - stage`, `!stage`, `stage == 2 ? 0 : stage + 1`, where
  /// something of it changes from turn to turn.
  bool comesRound(const Expr *E, unsigned &Stages) const {
    const auto Of = [&](const Expr *N, int64_t More) {
      const std::optional<int64_t> Known = Values->fold(N);
      Stages = Known && *Known + More > 1 && *Known + More <= 64 ? unsigned(*Known + More) : 0;
      return true;
    };
    if (const auto *B = dyn_cast<BinaryOperator>(E)) {
      const bool Turns = mentionsChanged(B->getLHS()) && !mentionsChanged(B->getRHS()) &&
                         !mentionsThread(B->getLHS());
      if (B->getOpcode() == BO_Rem && Turns)
        return Of(B->getRHS(), 0);
      if (B->getOpcode() == BO_And && Turns)
        return Of(B->getRHS(), 1);
      if (B->getOpcode() == BO_Xor && Turns && Values->fold(B->getRHS())) {
        Stages = 2;
        return true;
      }
      if (B->getOpcode() == BO_Sub && Values->fold(B->getLHS()) == 1 &&
          mentionsChanged(B->getRHS()) && !mentionsThread(B->getRHS())) {
        Stages = 2;
        return true;
      }
    }
    if (const auto *U = dyn_cast<UnaryOperator>(E);
        U && U->getOpcode() == UO_LNot && mentionsChanged(U)) {
      Stages = 2;
      return true;
    }
    const auto *C = dyn_cast<ConditionalOperator>(E);
    if (!C || !mentionsChanged(C->getCond()) || mentionsThread(C->getCond()))
      return false;
    const std::optional<int64_t> First = Values->fold(C->getTrueExpr());
    if (!First && !Values->fold(C->getFalseExpr()))
      return false;
    // `s == 2 ? 0 : s + 1`, `s + 1 == 3 ? 0 : s + 1`, `s == 0 ? 2 : s - 1`.
    if (const auto *Is = dyn_cast<BinaryOperator>(C->getCond()->IgnoreParenImpCasts());
        Is && Is->getOpcode() == BO_EQ && First) {
      if (*First > 0)
        return Of(C->getTrueExpr(), 1);
      return Of(Is->getRHS(), isa<BinaryOperator>(Is->getLHS()->IgnoreParenImpCasts()) ? 0 : 1);
    }
    return true;
  }

  /// The loop sets it so that its values come round again: a stage, or one of the pointers that are
  /// exchanged.
  bool comesRound(const VarDecl *V, unsigned &Stages, unsigned Depth = 0) const {
    if (Depth > 4)
      return false;
    if (Assigned->Wrapped.count(V)) {
      Stages = 2;
      return true;
    }
    const auto Found = Assigned->To.find(V);
    if (Found == Assigned->To.end() || !Changed.count(V))
      return false;
    for (const Expr *Value : Found->second) {
      const Expr *Plain = Value->IgnoreParenImpCasts();
      if (comesRound(Plain, Stages))
        return true;
      if (const auto *Ref = dyn_cast<DeclRefExpr>(Plain); Ref && isa<VarDecl>(Ref->getDecl())) {
        const auto *From = cast<VarDecl>(Ref->getDecl());
        if (V->getType()->isPointerType())
          Stages = exchanged(V);
        else
          comesRound(From, Stages, Depth + 1);
        return true;
      }
      if (!V->getType()->isPointerType() && Values->fold(Plain)) {
        if (const auto End = Assigned->Ends.find(V); End != Assigned->Ends.end())
          if (std::optional<int64_t> N = Values->fold(End->second); N && *N > 1 && *N <= 64)
            Stages = unsigned(*N);
        return true;
      }
    }
    return false;
  }

  /// How many pointers take each other's values, \p V among them.
  unsigned exchanged(const VarDecl *V) const {
    const auto Named = [](const Expr *E) {
      const auto *Ref = E ? dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts()) : nullptr;
      return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    };
    VarSet All = {V};
    for (size_t Before = 0; Before != All.size();) {
      Before = All.size();
      for (const auto &[To, From] : Assigned->To)
        for (const Expr *E : From) {
          const VarDecl *One = Named(E);
          if (One && isDeclaredInBody(One)) // what is between the two of them
            One = Named(One->getInit());
          if (One && All.count(To))
            All.insert(One);
        }
    }
    return All.size();
  }

  /// Adds what says which stage the address \p S is in.
  void findRing(const Stmt *S, Place &P, unsigned Depth = 0) const {
    if (!S || Depth > 6)
      return;
    if (const auto *E = dyn_cast<Expr>(S)) {
      unsigned Stages = 0;
      if (comesRound(E, Stages)) {
        P.Ring.insert(textOf(E, Context));
        P.Stages = std::max(P.Stages, Stages);
        return;
      }
      if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
        if (const auto *V = dyn_cast<VarDecl>(Ref->getDecl())) {
          if (comesRound(V, Stages)) {
            P.Ring.insert(V->getNameAsString());
            P.Stages = std::max(P.Stages, Stages);
          } else if (V->hasInit() && isDeclaredInBody(V)) {
            findRing(V->getInit(), P, Depth + 1);
          }
          return;
        }
      // `work(pool)` and `load(pool + 64)`: the loop is unrolled.
      if (const auto *Call = dyn_cast<CallExpr>(E))
        for (const Expr *Arg : Call->arguments())
          if (DeclSet<ValueDecl> Shared;
              Arg->getType()->isPointerType() &&
              (addShared(collector().pointees(Arg), Shared), !Shared.empty())) {
            const auto *Sum = dyn_cast<BinaryOperator>(Arg->IgnoreParenImpCasts());
            const Expr *Base = Sum && Sum->getOpcode() == BO_Add ? Sum->getLHS() : Arg;
            const std::optional<int64_t> N =
                Base == Arg ? std::optional<int64_t>(0) : Values->fold(Sum->getRHS());
            if (N && isa<DeclRefExpr>(Base->IgnoreParenImpCasts()))
              P.Ring.insert(formatv("[{0}]", *N).str());
          }
      // `tile[1]` of several, the same.
      if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
        if (std::optional<int64_t> N = Values->fold(Sub->getIdx());
            N && Sub->getType()->isArrayType() &&
            isa<DeclRefExpr>(Sub->getBase()->IgnoreParenImpCasts()))
          P.Ring.insert(formatv("[{0}]", *N).str());
    }
    for (const Stmt *Child : S->children())
      findRing(Child, P, Depth);
  }

  /// Each of the stages is a row of the array itself.
  static unsigned rowsOf(const ValueDecl *D) {
    const auto *Outer = dyn_cast<ConstantArrayType>(D->getType()->getUnqualifiedDesugaredType());
    return Outer && Outer->getElementType()->isArrayType() && Outer->getSize().ult(64)
               ? unsigned(Outer->getZExtSize())
               : 0;
  }

  static void addShared(const RootSet &Roots, DeclSet<ValueDecl> &To) {
    for (const MemoryRoot &R : Roots)
      if (R.In == Space::Shared && R.Decl)
        To.insert(R.Decl);
  }

  /// The shared arrays that pointers and addresses in \p S lead to.
  void findArrays(const Stmt *S, DeclSet<ValueDecl> &To, unsigned Depth = 0) const {
    if (!S || Depth > 6)
      return;
    if (const auto *E = dyn_cast<Expr>(S)) {
      if (E->getType()->isPointerType())
        addShared(collector().pointees(E), To);
      else if (E->isGLValue() && !E->getType()->isFunctionType())
        addShared(collector().rootsOf(E), To);
      if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
        if (const auto *V = dyn_cast<VarDecl>(Ref->getDecl());
            V && V->hasInit() && V->getType()->isIntegerType())
          findArrays(V->getInit(), To, Depth + 1); // an address for assembly
    }
    for (const Stmt *Child : S->children())
      findArrays(Child, To, Depth);
  }

  Place placeOf(const Expr *Address, const RootSet &Roots) const {
    Place P;
    addShared(Roots, P.Arrays);
    findRing(Address, P);
    for (const ValueDecl *D : P.Arrays)
      if (const unsigned Rows = rowsOf(D); Rows > 1 && !P.Ring.empty())
        P.Stages = Rows;
    return P;
  }

  bool mentionsThread(const Expr *E, unsigned Depth = 0) const {
    if (collector().collect(E).ThreadIndex)
      return true;
    return Depth < 4 && any_of(
                            mentionedVars(E),
                            [&](const VarDecl *V) {
                              return V->hasInit() && mentionsThread(V->getInit(), Depth + 1);
                            });
  }

  //===-- The events of a turn ----------------------------------------------===//

  struct Event {
    enum KindType { Barrier, Fill, Load, Store, Copy, Commit, Wait, Read } Kind;
    Place At = {};
    VarSet Vars = {};           ///< that are loaded from global memory, or stored
    int Leaves = 0;             ///< groups that a wait leaves under way; Oldest, Unknown
    const IfStmt *If = nullptr; ///< that it is in a branch of; only where there are two
    bool InElse = false;
    unsigned Part = 0; ///< of the branch: how many barriers in it are in front
  };
  static constexpr int Oldest = -1, Unknown = -2;
  std::vector<Event> Events;

  void add(Event E, const IfStmt *If, bool InElse) {
    E.If = If;
    E.InElse = InElse;
    E.Part = count_if(Events, [&](const Event &B) {
      return If && B.Kind == Event::Barrier && B.If == If && B.InElse == InElse;
    });
    Events.push_back(std::move(E));
  }

  void listEvents(const Stmt *S, const IfStmt *If = nullptr, bool InElse = false) {
    if (!S)
      return;
    if (const auto *Block = dyn_cast<CompoundStmt>(S)) {
      for (const Stmt *Child : Block->body())
        listEvents(Child, If, InElse);
      return;
    }
    if (const auto *Branch = dyn_cast<IfStmt>(S)) {
      const bool Two = !If && Branch->getElse();
      if (const Effects E = collector().collect(Branch->getCond()); E.reads(Space::Shared))
        listLeaf(Branch->getCond(), E, If, InElse);
      listEvents(Branch->getThen(), Two ? Branch : If, Two ? false : InElse);
      return listEvents(Branch->getElse(), Two ? Branch : If, Two ? true : InElse);
    }
    const Effects E = collector().collect(S);
    const Stmt *Inner = isa<ForStmt>(S)     ? cast<ForStmt>(S)->getBody()
                        : isa<WhileStmt>(S) ? cast<WhileStmt>(S)->getBody()
                        : isa<DoStmt>(S)    ? cast<DoStmt>(S)->getBody()
                                            : nullptr;
    if (Inner && E.hasBarrier())
      return listEvents(Inner, If, InElse);
    listLeaf(S, E, If, InElse);
  }

  /// In what order the parts of a statement come is not asked: copies are begun in front of what is
  /// read.
  void listLeaf(const Stmt *S, const Effects &E, const IfStmt *If, bool InElse) {
    const bool Stores = E.writes(Space::Shared);
    if (E.reads(Space::Global) && !Stores && !E.reads(Space::Shared))
      add({Event::Load, {}, writtenVars(E)}, If, InElse);
    listCopies(S, E, If, InElse);
    if (Stores)
      listStores(S, If, InElse);
    for (const Access &A : E.Accesses)
      // What an asynchronous copy is given counts as read, too.
      if (A.Read && !A.Write && A.mayTouch(Space::Shared)) {
        Event Read{Event::Read, placeOf(A.Where, A.Roots)};
        if (A.InCallee)
          findRing(S, Read.At);
        add(std::move(Read), If, InElse);
      }
    if (E.hasBarrier())
      add({Event::Barrier}, If, InElse);
  }

  void listCopies(const Stmt *S, const Effects &E, const IfStmt *If, bool InElse) {
    const bool Often = isa<ForStmt>(S) || isa<WhileStmt>(S) || isa<DoStmt>(S);
    const size_t First = Events.size();
    for (const Action &A : E.Actions) {
      if (std::optional<PtxText> Ptx = assembly(A)) {
        if (Ptx->CopiesAsync)
          addCopy(A, S, E, Ptx->Copy.To, If, InElse);
        else if (Ptx->WaitsForCopies)
          add({Event::Wait, {}, {}, groupsLeft(cast<GCCAsmStmt>(A.Where), Ptx->Copy)}, If, InElse);
        else if (Ptx->AboutCopies)
          add({Event::Commit}, If, InElse);
        continue;
      }
      if (A.Kind != Action::Call || A.Function != FunctionKind::AsyncCopy)
        continue;
      const StringRef Name = A.Name;
      if (Name.contains("wait")) {
        add({Event::Wait, {}, {}, groupsLeft(A)}, If, InElse);
      } else if (Name.contains("commit")) {
        add({Event::Commit}, If, InElse);
      } else if (Name.contains("memcpy") || !isBookkeeping(Name)) {
        addCopy(A, S, E, nullptr, If, InElse);
        if (Name.contains("cooperative_groups"))
          add({Event::Commit}, If, InElse); // each is a group of its own
      }
    }
    // As many as there is room for, in the first turn.
    if (Often)
      Events.insert(Events.end(), Events.begin() + First, Events.end());
  }

  void addCopy(const Action &A, const Stmt *S, const Effects &E, const Expr *To, const IfStmt *If,
               bool InElse) {
    Event Copy{Event::Copy};
    const auto *Call = dyn_cast_or_null<CallExpr>(A.Where);
    if (A.InCallee || (!To && !Call)) {
      for (const Access &One : E.Accesses)
        if (One.Write)
          addShared(One.Roots, Copy.At.Arrays);
      if (Copy.At.Arrays.empty())
        findArrays(S, Copy.At.Arrays);
      findRing(S, Copy.At);
    } else if (To) {
      findArrays(To, Copy.At.Arrays);
      findRing(To, Copy.At);
    } else {
      for (const Expr *Arg : Call->arguments()) {
        DeclSet<ValueDecl> Shared;
        if (Arg->getType()->isPointerType())
          addShared(collector().pointees(Arg), Shared);
        if (Shared.empty())
          continue;
        Copy.At.Arrays = std::move(Shared);
        findRing(Arg, Copy.At);
        break;
      }
    }
    for (const ValueDecl *D : Copy.At.Arrays)
      if (const unsigned Rows = rowsOf(D); Rows > 1 && !Copy.At.Ring.empty())
        Copy.At.Stages = Rows;
    OfObject |= StringRef(A.Name).contains("cuda::") && StringRef(A.Name).contains("memcpy");
    add(std::move(Copy), If, InElse);
  }

  /// `__pipeline_wait_prior(1)`: the last group may be under way still. A cuda::pipeline is waited
  /// for stage by stage.
  int groupsLeft(const Action &A) const {
    const StringRef Name = A.Name;
    const auto *Call = dyn_cast_or_null<CallExpr>(A.Where);
    if (!Name.contains("wait_prior"))
      return Name.contains("consumer_wait") ? Oldest : 0;
    if (!Call)
      return Unknown;
    if (const FunctionDecl *F = Call->getDirectCallee())
      if (const TemplateArgumentList *List = F->getTemplateSpecializationArgs())
        for (const TemplateArgument &One : List->asArray())
          if (One.getKind() == TemplateArgument::Integral)
            return int(One.getAsIntegral().getExtValue());
    if (Call->getNumArgs() == 0)
      return Unknown;
    const std::optional<int64_t> N = Values->fold(Call->getArg(0));
    return N && *N >= 0 && *N < 64 ? int(*N) : Unknown;
  }
  int groupsLeft(const GCCAsmStmt *Asm, const PtxCopy &Copy) const {
    if (Copy.Is == PtxCopy::Wait || Copy.Is == PtxCopy::WaitAll)
      return 0;
    if (Asm->getNumInputs() == 1)
      if (std::optional<int64_t> N = Values->fold(Asm->getInputExpr(0)); N && *N >= 0 && *N < 64)
        return int(*N);
    return Unknown;
  }

  void listStores(const Stmt *S, const IfStmt *If, bool InElse) {
    if (!S)
      return;
    const auto *E = dyn_cast<Expr>(S);
    if (!E) {
      for (const Stmt *Child : S->children())
        listStores(Child, If, InElse);
      return;
    }
    const Effects Eff = collector().collect(E);
    if (!Eff.writes(Space::Shared))
      return;
    const Expr *LHS = nullptr, *RHS = nullptr;
    Place To;
    const bool Plain = matchAssignment(E, LHS, RHS);
    const Effects Value = collector().collect(Plain ? RHS : E);
    if (Plain) {
      To = placeOf(LHS, collector().rootsOf(LHS));
    } else {
      for (const Access &A : Eff.Accesses)
        if (A.Write)
          addShared(A.Roots, To.Arrays);
      findRing(E, To);
    }
    // What is made of what the tile holds is no tile on its way.
    if ((Value.reads(Space::Global) || Value.reads(Space::Texture)) &&
        !Value.reads(Space::Shared) && !Value.has(FunctionKind::AsyncCopy) &&
        !Value.has(FunctionKind::Atomic))
      add({Event::Fill, To}, If, InElse);
    VarSet Stored;
    storedValues(E, Stored);
    if (!Stored.empty())
      add({Event::Store, std::move(To), std::move(Stored)}, If, InElse);
  }

  //===-- Which loads are ahead ---------------------------------------------===//

  bool OfObject = false; ///< the copies are those of a cuda::pipeline
  bool Specialised = false, Apart = false;
  unsigned Stages = 0;

  /// Tiles are what the loop fills.
  bool isTile(const Event &Read) const { return meet(Read.At.Arrays, Tiles); }
  DeclSet<ValueDecl> Tiles;
  DeclMap<VarDecl, DeclSet<ValueDecl>> StoredTo;

  void note(const Place &Filled, const Place &Read) {
    Apart |= !meet(Filled.Arrays, Read.Arrays);
    Stages = std::max(Stages, Filled.Stages);
  }

  /// The tile that is read has been stored since the last barrier: by the thread itself.
  bool isJustStored(const Event &Read, size_t At) const {
    for (size_t K = 1; K < Events.size(); ++K) {
      const Event &E = Events[(At + Events.size() - K) % Events.size()];
      if (E.Kind == Event::Barrier)
        return false;
      if (E.Kind == Event::Fill && !differ(E.At, Read.At) &&
          !(E.If && E.If == Read.If && E.InElse != Read.InElse))
        return true;
    }
    return false;
  }

  /// What \p Fill stores is there for a later turn: another stage is read before the next barrier,
  /// by the same thread or by those that take the other branch meanwhile.
  bool isAhead(size_t Fill) {
    const Event &F = Events[Fill];
    const auto Elsewhere = [&](const Event &E) {
      return F.If && F.If == E.If && F.InElse != E.InElse;
    };
    for (size_t K = 1; K < Events.size(); ++K) {
      const Event &E = Events[(Fill + K) % Events.size()];
      if (Elsewhere(E))
        continue;
      if (E.Kind == Event::Barrier)
        break;
      if (E.Kind == Event::Read && isTile(E) && differ(F.At, E.At) &&
          !isJustStored(E, (Fill + K) % Events.size())) {
        note(F.At, E.At);
        return true;
      }
    }
    if (!F.If || !mentionsThread(F.If->getCond()))
      return false;
    bool Reads = false;
    for (const Event &E : Events)
      if (Elsewhere(E) && E.Part == F.Part && E.Kind == Event::Read && isTile(E) &&
          differ(F.At, E.At)) {
        note(F.At, E.At);
        Reads = true;
      }
    Specialised |= Reads;
    return Reads;
  }

  /// What is found in shared memory is added to it: it has a part of this turn's tile when it is
  /// stored, as the running value of a scan has.
  bool isMixed(const VarDecl *V) const {
    const auto Found = Assigned->To.find(V);
    return Found != Assigned->To.end() && any_of(Found->second, [&](const Expr *From) {
             return mentionedVars(From).count(V) && collector().collect(From).reads(Space::Shared);
           });
  }

  /// The variable goes from global memory to a tile, and a tile is read on its way.
  bool isAhead(size_t Load, const VarDecl *V) {
    if (isMixed(V))
      return false;
    bool Reads = false;
    for (size_t K = 1; K <= Events.size(); ++K) {
      if (Load + K >= Events.size() && isDeclaredInBody(V))
        return false; // it does not live into the next turn
      const Event &E = Events[(Load + K) % Events.size()];
      if (E.Kind == Event::Store && E.Vars.count(V)) {
        if (Reads) {
          Stages = std::max(Stages, E.At.Stages);
          DeclSet<ValueDecl> &All = StoredTo[V];
          All.insert(E.At.Arrays.begin(), E.At.Arrays.end());
          if (All.size() > 1 && E.At.Ring.empty())
            Stages = std::max(Stages, 2u); // named one by one
        }
        return Reads;
      }
      Reads |= E.Kind == Event::Read && isTile(E);
    }
    return false;
  }

  /// `for (.. turn < 8 ..) tile[i] = next[turn]; for (; i < n; ..) tile[i] = in[i];`: of what a
  /// thread copies only the first elements are ahead.
  bool isRest(size_t Fill) const {
    for (size_t K = Fill; K-- > 0;) {
      const Event &E = Events[K];
      if (E.Kind == Event::Store && E.At.Arrays == Events[Fill].At.Arrays && !E.Vars.empty())
        return true;
      if (E.Kind != Event::Store && E.Kind != Event::Fill)
        return false;
    }
    return false;
  }

  /// All asynchronous copies are under way while another stage is read.
  bool copiesAreAhead() {
    std::vector<std::vector<size_t>> Groups;
    std::vector<size_t> Open;
    std::set<size_t> Ahead, All;
    if (beginsAhead())
      Groups.emplace_back();
    for (unsigned Turn = 0; Turn < 3; ++Turn)
      for (size_t K = 0; K < Events.size(); ++K) {
        const Event &E = Events[K];
        if (E.Kind == Event::Copy) {
          Open.push_back(K);
          All.insert(K);
        } else if (E.Kind == Event::Commit) {
          Groups.push_back(std::move(Open));
          Open.clear();
        } else if (E.Kind == Event::Wait) {
          if (E.Leaves == 0)
            Open.clear();
          if (E.Leaves == Oldest && !Groups.empty())
            Groups.erase(Groups.begin());
          else if (E.Leaves >= 0 && Groups.size() > size_t(E.Leaves))
            Groups.erase(Groups.begin(), Groups.end() - E.Leaves);
        } else if (E.Kind == Event::Read && isTile(E)) {
          std::vector<size_t> UnderWay = Open;
          for (const std::vector<size_t> &Group : Groups)
            UnderWay.insert(UnderWay.end(), Group.begin(), Group.end());
          // What is still under way itself is no tile that is complete.
          if (!all_of(UnderWay, [&](size_t Copy) { return differ(Events[Copy].At, E.At); }))
            continue;
          for (size_t Copy : UnderWay) {
            Ahead.insert(Copy);
            note(Events[Copy].At, E.At);
          }
        }
      }
    return Ahead == All;
  }

  void findPrefetches() {
    Assigned.emplace();
    Assigned->TraverseStmt(const_cast<Stmt *>(L.Loop));
    Changed = writtenVars(collector().collect(L.Loop));
    listEvents(L.Body);
    VarSet Loaded, Stored;
    bool Copies = false;
    for (const Event &E : Events) {
      if (E.Kind == Event::Load)
        Loaded.insert(E.Vars.begin(), E.Vars.end());
      if (E.Kind == Event::Store)
        Stored.insert(E.Vars.begin(), E.Vars.end());
      Copies |= E.Kind == Event::Copy;
    }
    for (const Event &E : Events)
      if (E.Kind == Event::Fill || E.Kind == Event::Copy ||
          (E.Kind == Event::Store &&
           any_of(E.Vars, [&](const VarDecl *V) { return Loaded.count(V) != 0; })))
        Tiles.insert(E.At.Arrays.begin(), E.At.Arrays.end());
    bool Any = Copies, Registers = false;
    if (Copies && !copiesAreAhead())
      return;
    // Where there are such copies, they are what the loop is about.
    for (size_t K = 0; K < Events.size() && !Copies; ++K) {
      if (Events[K].Kind == Event::Fill && !isRest(K)) {
        if (!isAhead(K))
          return;
        Any = true;
      }
      if (Events[K].Kind == Event::Load)
        for (const VarDecl *V : Events[K].Vars)
          if (Stored.count(V)) {
            if (!isAhead(K, V))
              return;
            Any = Registers = true;
          }
    }
    if (!Any)
      return;
    M.AlreadyPipelined = true;
    if (Stages == 0 && Apart)
      Stages = 2; // named one by one
    if (Stages == 0) {
      std::set<std::string> Named;
      for (const Event &E : Events)
        if (E.Kind == Event::Fill || E.Kind == Event::Copy)
          Named.insert(E.At.Ring.begin(), E.At.Ring.end());
      if (all_of(Named, [](StringRef N) { return N.starts_with("["); }))
        Stages = Named.size();
    }
    sayHow(Copies, Registers);
  }

  void sayHow(bool Copies, bool Registers) {
    std::string &Text = M.PipelinedHow;
    const auto Of = [&](const char *One, const char *Many) {
      return Stages == 0 ? std::string()
                         : formatv(", {0} {1}", Stages, Stages == 1 ? One : Many).str();
    };
    if (Copies) {
      M.PipelinedStages = Stages;
      for (const ValueDecl *D : Tiles)
        if (const auto *Var = dyn_cast<VarDecl>(D); Var && Stages > 1 && rowsOf(D) == Stages)
          M.PipelinedTiles.push_back(Var);
      if (M.PipelinedTiles.size() != Tiles.size())
        M.PipelinedTiles.clear();
      Text = (OfObject ? "a cuda::pipeline" : "asynchronous copies") + Of("stage", "stages");
      bool Leaves = false, Waits = false;
      for (const Event &E : Events)
        if (E.Kind == Event::Wait) {
          Waits = true;
          Leaves |= E.Leaves != 0;
        }
      if (Stages > 2 && Waits && !Leaves)
        Text +=
            formatv("; all copies are waited for, where those of {0} stages could stay under way",
                    Stages - 2);
    } else if (Specialised) {
      Text = "some threads load while others compute" + Of("stage", "stages");
    } else if (Registers) {
      Stages = std::max(Stages, 1u);
      Text = "the next tile is in registers" + Of("buffer", "buffers");
    } else {
      Text = "the next tile is stored in front of the compute phase" + Of("stage", "stages") +
             "; the stores wait for the loads there, where registers or asynchronous copies would "
             "let the compute phase begin";
    }
  }

  /// Neither starts a copy nor waits for one.
  static bool isBookkeeping(StringRef Name) {
    return any_of(ArrayRef<StringRef>{"commit", "acquire", "release", "arrive", "quit",
                                      "make_pipeline", "this_thread", "init", "~"},
                  [&](StringRef Word) { return Name.contains(Word); });
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
        isLoad(classifyFunction(Call->getDirectCallee(), Context)))
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
