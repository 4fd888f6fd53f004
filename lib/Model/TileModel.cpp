//===- TileModel.cpp - Builds the two slices of a tile loop ---------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// In this order: form of the loop, segments, what each segment does, tile buffers, state, copies,
/// and the cut between fetch and store. Every step that does not understand something records a
/// refusal; later steps run only while there is something left to look at.
///
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/TileModel.h"
#include "AstUtil.h"
#include "LoopFacts.h"
#include "Values.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

using VarSet = std::set<const VarDecl *>;

/// Variables (not memory behind pointers) that the accesses read or write.
VarSet variables(const Effects &E, bool Reads, bool Writes) {
  VarSet Set;
  for (const Access &A : E.Accesses)
    if ((Reads && A.Read) || (Writes && A.Write))
      for (const MemoryRoot &R : A.Roots)
        if (R.In == Space::Local || R.In == Space::Param)
          if (const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl))
            Set.insert(Var);
  return Set;
}
VarSet readVars(const Effects &E) { return variables(E, true, false); }
VarSet writtenVars(const Effects &E) { return variables(E, false, true); }

/// Variables that are mentioned at all, also those whose address or reference is used.
VarSet mentionedVars(const Stmt *S) {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    VarSet Set;
    bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
      if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl()))
        Set.insert(Var);
      return true;
    }
  } V;
  V.TraverseStmt(S);
  return std::move(V.Set);
}

bool onlyPureActions(const Effects &E) {
  return all_of(E.Actions, [](const Action &A) {
    return A.Kind == Action::Call &&
           (A.Function == FunctionKind::Pure || A.Function == FunctionKind::FragmentMath);
  });
}

/// Nothing but local variables and constants.
bool onlyLocalAccesses(const Effects &E) {
  return all_of(E.Accesses, [](const Access &A) {
    return !A.Volatile && all_of(A.Roots, [](const MemoryRoot &R) {
      return R.In == Space::Local || R.In == Space::Param || R.In == Space::Constant;
    });
  });
}

class ModelBuilder {
public:
  ModelBuilder(const KLoop &L, ASTContext &Context) : L(L), Context(Context) { M.Loop = &L; }

  TileModel build() {
    run();
    M.Facts = std::move(Facts);
    return std::move(M);
  }

private:
  const KLoop &L;
  ASTContext &Context;
  TileModel M;
  std::shared_ptr<LoopFacts> Facts = std::make_shared<LoopFacts>();
  const FunctionValues *Values = nullptr;
  VarSet &DeclaredInBody = Facts->DeclaredInBody;

  const EffectCollector &collector() const { return *Facts->Collector; }

  void refuse(Reason Why, SourceLocation Where, std::vector<std::string> Args = {}) {
    M.Refusals.push_back({Why, Where, std::move(Args), {}});
  }

  void run() {
    if (L.IsPattern)
      return refuse(Reason::NotInstantiated, L.Begin);
    Facts->Collector = std::make_unique<EffectCollector>(Context, L.Function);
    Facts->Values = std::make_unique<FunctionValues>(Context, collector(), L.Function);
    Values = Facts->Values.get();

    Effects Whole = collector().collect(L.Loop);
    M.UsesAsyncCopies = Whole.has(FunctionKind::AsyncCopy) || hasAsyncAsm(Whole);
    M.UsesTensorCores = usesTensorCores(Whole);
    if (L.Body)
      detectPipelined();
    if (M.AlreadyPipelined)
      return;
    if (M.UsesAsyncCopies)
      refuse(Reason::OwnAsyncCopies, firstAsync(Whole), {"cp.async or memcpy_async"});
    const ForStmt *For = L.asFor();
    if (!For)
      return refuse(Reason::LoopForm, L.Begin,
                    {isa<WhileStmt>(L.Loop) ? "it is a while loop" : "it is a do loop"});
    if (!L.Body)
      return refuse(Reason::BarrierShape, L.Begin, {"its body is a single statement"});
    checkExits();
    if (!splitSegments())
      return;
    loadDeclarations();
    header(For);
    collectSegments();
    actions();
    if (!M.Refusals.empty())
      return;
    buffers();
    state();
    if (!M.Refusals.empty())
      return;
    copies();
    splitFetchAndStore();
    phases();
  }

  //===-- Already pipelined -------------------------------------------------===//

  static bool hasAsyncAsm(const Effects &E) {
    return any_of(E.Actions, [](const Action &A) {
      const auto *Asm = dyn_cast_or_null<GCCAsmStmt>(A.Where);
      return Asm && StringRef(Asm->getAsmString()).contains("cp.async");
    });
  }

  static bool usesTensorCores(const Effects &E) {
    return any_of(E.Actions, [](const Action &A) {
      if (A.Kind == Action::Call && A.Function == FunctionKind::FragmentMath)
        return true;
      const auto *Asm = dyn_cast_or_null<GCCAsmStmt>(A.Where);
      return Asm && (StringRef(Asm->getAsmString()).contains("mma.sync") ||
                     StringRef(Asm->getAsmString()).contains("wgmma"));
    });
  }

  static SourceLocation firstAsync(const Effects &E) {
    for (const Action &A : E.Actions)
      if ((A.Kind == Action::Call && A.Function == FunctionKind::AsyncCopy) ||
          A.Kind == Action::Asm)
        return A.Loc;
    return SourceLocation();
  }

  /// Two signs, looked for over the statements of the body in order:
  /// - asynchronous copies are issued, and tiles are read before the next wait;
  /// - global memory is read into registers, tiles are read, and only then the registers are stored
  ///   to shared memory, in the same turn or at the start of the next.
  void detectPipelined() {
    struct Item {
      bool Copies = false, Waits = false, ReadsShared = false, WritesShared = false;
      VarSet Loaded, Stored;
    };
    std::vector<Item> Items;
    for (const Stmt *Child : L.Body->body()) {
      Effects E = collector().collect(Child);
      Item I;
      for (const Action &A : E.Actions) {
        StringRef Text;
        std::string AsmText;
        if (const auto *Asm = dyn_cast_or_null<GCCAsmStmt>(A.Where)) {
          AsmText = Asm->getAsmString();
          Text = AsmText;
          I.Waits |= Text.contains("wait_group") || Text.contains("wait_all");
          I.Copies |= Text.contains("cp.async") && !Text.contains("wait") && !Text.contains("commit");
        } else if (A.Kind == Action::Call && A.Function == FunctionKind::AsyncCopy) {
          bool Wait = StringRef(A.Name).contains("wait");
          I.Waits |= Wait;
          I.Copies |= !Wait && !StringRef(A.Name).contains("commit");
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
    bool InFlight = false;
    for (const Item &I : Items) {
      if (I.Waits)
        InFlight = false;
      if (I.Copies)
        InFlight = true;
      else if (InFlight && I.ReadsShared)
        M.AlreadyPipelined = true;
    }
    for (size_t Load = 0; Load < Items.size(); ++Load)
      for (size_t Store = 0; Store < Items.size(); ++Store) {
        bool Common = any_of(Items[Load].Loaded, [&](const VarDecl *V) {
          return Items[Store].Stored.count(V) != 0 && !isDeclaredBetween(V, Load, Store);
        });
        if (!Common)
          continue;
        if (Store > Load) {
          for (size_t Read = Load + 1; Read < Store; ++Read)
            M.AlreadyPipelined |= Items[Read].ReadsShared;
        } else if (Store < Load) {
          // Stored at the top of the next turn: unless it is loaded again before that.
          bool Reloaded = false;
          for (size_t K = 0; K < Store; ++K)
            Reloaded |= !Items[K].Loaded.empty();
          M.AlreadyPipelined |= !Reloaded;
        }
      }
  }

  /// Variables whose values go to shared memory in \p S; not those that are only part of an address.
  void storedValues(const Stmt *S, VarSet &Set) {
    if (!S)
      return;
    if (const auto *E = dyn_cast<Expr>(S)) {
      Effects Eff = collector().collect(E);
      if (!Eff.writes(Space::Shared))
        return;
      const Expr *LHS = nullptr, *RHS = nullptr;
      if (matchAssignment(E, LHS, RHS)) {
        valueVars(RHS, Set);
        return;
      }
      insertReads(Set, Eff); // a function stores: any of its arguments
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
    for (const Stmt *Child : E->children())
      if (const auto *Sub = dyn_cast_or_null<Expr>(Child))
        valueVars(Sub, Set);
  }

  /// A variable that is declared in the body does not live into the next turn.
  bool isDeclaredBetween(const VarDecl *V, size_t Load, size_t Store) const {
    if (Store > Load)
      return false;
    SourceRange Body = L.Body->getSourceRange();
    const SourceManager &SM = Context.getSourceManager();
    SourceLocation Loc = SM.getExpansionLoc(V->getLocation());
    return SM.isPointWithin(Loc, SM.getExpansionLoc(Body.getBegin()),
                            SM.getExpansionLoc(Body.getEnd()));
  }

  //===-- Form of the loop --------------------------------------------------===//

  void checkExits() { scanExits(L.Body, /*BreakBinds=*/true, /*ContinueBinds=*/true); }

  void scanExits(const Stmt *S, bool BreakBinds, bool ContinueBinds) {
    if (!S)
      return;
    if (isa<BreakStmt>(S) && BreakBinds)
      return refuse(Reason::EarlyExit, S->getBeginLoc(), {"break"});
    if (isa<ContinueStmt>(S) && ContinueBinds)
      return refuse(Reason::EarlyExit, S->getBeginLoc(), {"continue"});
    if (isa<ReturnStmt>(S))
      return refuse(Reason::EarlyExit, S->getBeginLoc(), {"return"});
    if (isa<GotoStmt>(S) || isa<IndirectGotoStmt>(S))
      return refuse(Reason::EarlyExit, S->getBeginLoc(), {"goto"});
    if (isa<LabelStmt>(S))
      return refuse(Reason::EarlyExit, S->getBeginLoc(), {"label"});
    if (isa<LambdaExpr>(S))
      return; // its returns are its own
    bool Loop = isa<ForStmt>(S) || isa<WhileStmt>(S) || isa<DoStmt>(S) || isa<CXXForRangeStmt>(S);
    bool Switch = isa<SwitchStmt>(S);
    for (const Stmt *Child : S->children())
      scanExits(Child, BreakBinds && !Loop && !Switch, ContinueBinds && !Loop);
  }

  /// Declarations in the load phase that the slices do not know how to carry along.
  void loadDeclarations() {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      ModelBuilder &B;
      explicit Visitor(ModelBuilder &B) : B(B) {}
      bool VisitDeclStmt(const DeclStmt *S) override {
        for (const clang::Decl *D : S->decls())
          if (D->hasAttr<CUDASharedAttr>()) {
            if (!is_contained(B.M.Segments[0], S))
              B.refuse(Reason::SharedDeclForm, S->getBeginLoc(),
                       {cast<NamedDecl>(D)->getNameAsString(), "it is declared in an inner block"});
          } else if (!isa<VarDecl>(D) || isa<DecompositionDecl>(D))
            B.refuse(Reason::NotYet, S->getBeginLoc(),
                     {isa<DecompositionDecl>(D) ? "a structured binding in the load phase"
                                                : "a declaration of this kind in the load phase"});
          else if (cast<VarDecl>(D)->isStaticLocal() && !D->hasAttr<CUDASharedAttr>())
            B.refuse(Reason::NotYet, S->getBeginLoc(), {"a static variable in the load phase"});
        return true;
      }
      bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
        if (isa<BindingDecl>(Ref->getDecl()))
          B.refuse(Reason::NotYet, Ref->getLocation(), {"a structured binding in the load phase"});
        return true;
      }
      bool VisitIfStmt(const IfStmt *If) override {
        if (If->isConstexpr() && B.L.IsTemplate)
          B.refuse(Reason::NotYet, If->getBeginLoc(), {"'if constexpr' in a template's load phase"});
        return true;
      }
    } V(*this);
    for (const Stmt *S : M.Segments[0])
      V.TraverseStmt(S);
  }

  /// The statement is a block-wide barrier by itself.
  bool isBarrierStatement(const Stmt *S) {
    const auto *E = dyn_cast<Expr>(S);
    if (!E)
      return false;
    const auto *Call = dyn_cast<CallExpr>(E->IgnoreParenImpCasts());
    if (!Call || !Call->getDirectCallee())
      return false;
    return classifyFunction(Call->getDirectCallee()->getQualifiedNameAsString()) ==
           FunctionKind::Barrier;
  }

  bool splitSegments() {
    unsigned Segment = 0;
    unsigned Count = 0;
    bool Good = true;
    for (const Stmt *Child : L.Body->body()) {
      if (isBarrierStatement(Child)) {
        if (Count < 2)
          M.Barriers[Count] = Child;
        ++Count;
        Segment = std::min(Count, 2u);
        continue;
      }
      Effects E = collector().collect(Child);
      for (const Action &A : E.Actions) {
        if (A.Kind == Action::Asm) {
          const auto *Asm = dyn_cast<GCCAsmStmt>(A.Where);
          if (Asm && (StringRef(Asm->getAsmString()).contains("bar.sync") ||
                      StringRef(Asm->getAsmString()).contains("barrier.sync"))) {
            refuse(Reason::BarrierPartial, A.Loc, {"a barrier in inline assembly"});
            Good = false;
          }
          continue;
        }
        if (A.Kind != Action::Call)
          continue;
        if (A.Function == FunctionKind::Barrier) {
          refuse(Reason::BarrierNested, A.Loc);
          Good = false;
        } else if (A.Function == FunctionKind::BarrierValue) {
          refuse(Reason::BarrierShape, A.Loc, {"'" + A.Name + "' also returns a value"});
          Good = false;
        } else if (A.Function == FunctionKind::BarrierOther) {
          refuse(Reason::BarrierPartial, A.Loc, {"'" + A.Name + "'"});
          Good = false;
        }
      }
      M.Segments[Segment].push_back(Child);
    }
    if (!Good)
      return false;
    if (Count < 2 && partialBarrier())
      return false;
    if (Count == 1)
      return oneBarrier();
    if (Count != 2) {
      refuse(Reason::BarrierShape, L.Begin,
             {Count == 0 ? "it has no barrier of its own"
                         : "it has " + std::to_string(Count) + " barriers"});
      return false;
    }
    Effects First;
    for (const Stmt *S : M.Segments[0])
      First.append(collector().collect(S));
    if (!First.writes(Space::Shared)) {
      refuse(Reason::BarrierShape, M.Barriers[0]->getBeginLoc(),
             {"nothing is stored to shared memory before the first barrier"});
      return false;
    }
    return true;
  }

  /// A barrier for one warp stands where the block's should: between the stores of a tile and reads of
  /// it, in the order of the body or around its end.
  bool partialBarrier() {
    std::vector<const Stmt *> Body(L.Body->body_begin(), L.Body->body_end());
    for (size_t I = 0; I < Body.size(); ++I) {
      const auto *Call = dyn_cast<CallExpr>(Body[I]);
      if (!Call || !Call->getDirectCallee() ||
          classifyFunction(Call->getDirectCallee()->getQualifiedNameAsString()) !=
              FunctionKind::WarpBarrier)
        continue;
      Effects Before, After;
      for (size_t K = 0; K < Body.size(); ++K)
        (K < I ? Before : After).append(collector().collect(Body[K]));
      auto Ordered = [](const Effects &First, const Effects &Second) {
        for (const Access &A : First.Accesses)
          for (const Access &B : Second.Accesses)
            for (const MemoryRoot &R : A.Roots)
              if (R.In == Space::Shared && R.Decl && B.touches(R.Decl) && (A.Write || B.Write) &&
                  (A.Read || B.Read))
                return true;
        return false;
      };
      if (!Ordered(Before, After))
        continue;
      refuse(Reason::BarrierPartial, Call->getBeginLoc(),
             {"'" + Call->getDirectCallee()->getNameAsString() + "'"});
      return true;
    }
    return false;
  }

  /// One barrier only: tell a race from a form that is not handled.
  bool oneBarrier() {
    Effects Before, After;
    for (const Stmt *S : M.Segments[0])
      Before.append(collector().collect(S));
    for (const Stmt *S : M.Segments[1])
      After.append(collector().collect(S));
    for (const Access &W : Before.Accesses) {
      if (!W.Write || !W.mayTouch(Space::Shared))
        continue;
      for (const Access &R : After.Accesses) {
        if (!R.Read)
          continue;
        for (const MemoryRoot &Root : W.Roots)
          if (Root.In == Space::Shared && Root.Decl && R.touches(Root.Decl)) {
            refuse(Reason::MissingBarrier, R.Loc,
                   {Root.Decl->getNameAsString(),
                    "read here and overwritten by the next iteration's load"});
            M.Refusals.back().Notes.push_back({"overwritten here", W.Loc});
            return false;
          }
      }
    }
    refuse(Reason::BarrierShape, M.Barriers[0]->getBeginLoc(), {"it has one barrier"});
    return false;
  }

  void header(const ForStmt *For) {
    if (!For->getCond() || !For->getInc())
      return refuse(Reason::LoopForm, L.Begin,
                    {For->getCond() ? "it has no advance expression" : "it has no condition"});
    if (For->getConditionVariable())
      return refuse(Reason::LoopForm, L.Begin, {"its condition declares a variable"});
    Facts->Condition = collector().collect(For->getCond());
    Facts->Increment = collector().collect(For->getInc());
    if (For->getInit())
      Facts->Init = collector().collect(For->getInit());

    if (!onlyPureActions(Facts->Condition) || !writtenVars(Facts->Condition).empty())
      return refuse(Reason::ConditionReadsMemory, For->getCond()->getExprLoc(),
                    {"has a side effect"});
    if (!onlyLocalAccesses(Facts->Condition))
      return refuse(Reason::ConditionReadsMemory, For->getCond()->getExprLoc(), {"reads memory"});
    if (!onlyPureActions(Facts->Increment) || !onlyLocalAccesses(Facts->Increment))
      return refuse(Reason::LoopForm, For->getInc()->getExprLoc(),
                    {"its advance expression does more than arithmetic on local variables"});
    if (!plainInit(For->getInit()))
      return refuse(Reason::LoopForm, L.Begin,
                    {"its first part does more than give each of its variables a start value"});
    if (!onlyPureActions(Facts->Init))
      return refuse(Reason::LoopForm, L.Begin, {"its first part has a side effect"});
    for (const Access &A : Facts->Init.Accesses)
      for (const MemoryRoot &R : A.Roots)
        if (R.In != Space::Local && R.In != Space::Param && R.In != Space::Constant)
          return refuse(Reason::LoopForm, L.Begin, {"its first part reads memory"});
  }

  /// Each variable is set once, to a value without side effects that does not depend on itself or on
  /// one that is set later: the load side evaluates the start values a second time.
  bool plainInit(const Stmt *Init) {
    if (!Init)
      return true;
    std::vector<std::pair<const VarDecl *, const Expr *>> Starts;
    if (const auto *Decl = dyn_cast<DeclStmt>(Init)) {
      for (const clang::Decl *D : Decl->decls()) {
        const auto *Var = dyn_cast<VarDecl>(D);
        if (!Var || isa<DecompositionDecl>(Var) || Var->getType()->isReferenceType())
          return false;
        if (Var->hasInit())
          Starts.push_back({Var, Var->getInit()});
      }
    } else {
      std::vector<const Expr *> Work = {cast<Expr>(Init)};
      while (!Work.empty()) {
        const Expr *E = Work.back()->IgnoreParens();
        Work.pop_back();
        const auto *Op = dyn_cast<BinaryOperator>(E);
        if (!Op)
          return false;
        if (Op->getOpcode() == BO_Comma) {
          Work.push_back(Op->getRHS());
          Work.push_back(Op->getLHS());
          continue;
        }
        const VarDecl *Var = Op->getOpcode() == BO_Assign ? referencedVar(Op->getLHS()) : nullptr;
        if (!Var || Var->getType()->isReferenceType())
          return false;
        Starts.push_back({Var, Op->getRHS()});
      }
    }
    for (size_t I = 0; I < Starts.size(); ++I) {
      if (!writtenVars(collector().collect(Starts[I].second)).empty())
        return false;
      VarSet Mentioned = mentionedVars(Starts[I].second);
      for (size_t J = I; J < Starts.size(); ++J)
        if (Mentioned.count(Starts[J].first) || (J > I && Starts[J].first == Starts[I].first))
          return false;
    }
    return true;
  }

  //===-- Segments ----------------------------------------------------------===//

  void collectSegments() {
    for (unsigned I = 0; I < 3; ++I)
      for (const Stmt *S : M.Segments[I])
        Facts->Segment[I].append(collector().collect(S));
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      VarSet &Set;
      explicit Visitor(VarSet &Set) : Set(Set) {}
      bool VisitVarDecl(const VarDecl *Var) override {
        Set.insert(Var);
        return true;
      }
    } V(DeclaredInBody);
    V.TraverseStmt(L.Body);
    for (const Effects *E : {&Facts->Segment[0], &Facts->Segment[1], &Facts->Segment[2],
                             &Facts->Increment, &Facts->Condition})
      for (const VarDecl *Var : writtenVars(*E))
        if (!DeclaredInBody.count(Var))
          Facts->Modified.insert(Var);
  }

  void actions() {
    for (unsigned I = 0; I < 3; ++I) {
      for (const Access &A : Facts->Segment[I].Accesses)
        if (A.Volatile)
          refuse(Reason::Volatile, A.Loc);
      for (const Action &A : Facts->Segment[I].Actions) {
        switch (A.Kind) {
        case Action::UnknownCall:
          refuse(Reason::UnknownCall, A.Loc, {A.Name});
          continue;
        case Action::Asm:
          refuse(Reason::InlineAsm, A.Loc);
          continue;
        case Action::Lambda:
          refuse(Reason::NotYet, A.Loc, {"a lambda inside of the tile loop"});
          continue;
        case Action::Allocation:
          refuse(Reason::SideEffect, A.Loc, {A.Name});
          continue;
        case Action::Call:
          break;
        }
        switch (A.Function) {
        case FunctionKind::Pure:
        case FunctionKind::LoadPointer:
        case FunctionKind::FragmentMath:
          break;
        case FunctionKind::FragmentLoad:
        case FunctionKind::FragmentStore:
        case FunctionKind::StorePointer:
        case FunctionKind::Warp:
        case FunctionKind::WarpBarrier:
          // Fine in the compute phase, where nothing moves.
          if (I == 0)
            refuse(Reason::LoadSideEffect, A.Loc, {"calls '" + A.Name + "'"});
          break;
        case FunctionKind::AsyncCopy:
          break; // reported by the caller
        default:
          refuse(Reason::SideEffect, A.Loc, {"'" + A.Name + "'"});
          break;
        }
      }
    }
  }

  //===-- Tile buffers ------------------------------------------------------===//

  void buffers() {
    for (const Access &A : Facts->Segment[0].Accesses) {
      if (!A.Write)
        continue;
      for (const MemoryRoot &R : A.Roots) {
        switch (R.In) {
        case Space::Local:
        case Space::Param:
          continue;
        case Space::Shared:
          if (R.Decl && A.Roots.size() == 1) {
            if (A.InCallee)
              refuse(Reason::NotYet, A.Loc, {"a copy inside of a called function"});
            addBuffer(cast<VarDecl>(R.Decl));
            continue;
          }
          refuse(Reason::LoadForm, A.Loc, {"a store goes to one of several shared arrays"});
          continue;
        case Space::Global:
          refuse(Reason::LoadSideEffect, A.Loc,
                 {"writes global memory ('" +
                  (R.Decl ? R.Decl->getNameAsString() : std::string("unknown")) + "')"});
          continue;
        default:
          refuse(Reason::LoadSideEffect, A.Loc, {"writes through a pointer of unknown origin"});
          continue;
        }
      }
    }
    for (const Access &A : Facts->Segment[0].Accesses)
      if (A.Read)
        for (const MemoryRoot &R : A.Roots) {
          if (R.In == Space::Shared)
            refuse(Reason::LoadReadsShared, A.Loc, {R.Decl ? R.Decl->getNameAsString() : "?"});
          else if (R.In == Space::Unknown)
            refuse(Reason::LoadNotGlobal, A.Loc, {firstBufferName()});
        }
    // Alignment: every stage has to satisfy the strictest access anywhere in the loop.
    for (const Effects *E : {&Facts->Segment[0], &Facts->Segment[1]})
      for (const Access &A : E->Accesses)
        for (auto &Buffer : M.Buffers)
          if (A.touches(Buffer->Decl))
            Buffer->Alignment = std::max(Buffer->Alignment, A.Alignment);
    findOutsideUses();
  }

  std::string firstBufferName() const {
    return M.Buffers.empty() ? std::string("a tile") : M.Buffers.front()->Decl->getNameAsString();
  }

  TileBuffer *bufferOf(const ValueDecl *D) const {
    for (const auto &B : M.Buffers)
      if (B->Decl == D)
        return B.get();
    return nullptr;
  }

  void addBuffer(const VarDecl *Var) {
    if (bufferOf(Var))
      return;
    auto B = std::make_unique<TileBuffer>();
    B->Decl = Var;
    B->Origin = Var->hasExternalStorage() ? BufferOrigin::Dynamic : BufferOrigin::Static;
    QualType T = Var->getType();
    while (const auto *Array = Context.getAsConstantArrayType(T)) {
      B->Extents.push_back(Array->getSize().getZExtValue());
      T = Array->getElementType();
    }
    if (const auto *Array = Context.getAsIncompleteArrayType(T))
      T = Array->getElementType();
    B->Element = T;
    if (!Var->getType()->isIncompleteType())
      B->Bytes = Context.getTypeSizeInChars(Var->getType()).getQuantity();
    B->Alignment = Context.getDeclAlign(Var).getQuantity();
    B->DeclaredInLoop = DeclaredInBody.count(Var) != 0;
    B->Statement = declStatement(Var);
    if (B->DeclaredInLoop && B->Statement) {
      // It moves in front of the loop; its extents must mean the same there.
      for (const VarDecl *V : mentionedVars(B->Statement))
        if (DeclaredInBody.count(V) && !is_contained(B->Statement->decls(), V))
          refuse(Reason::SharedDeclForm, Var->getLocation(),
                 {Var->getNameAsString(),
                  "it depends on '" + V->getNameAsString() + "', which the loop declares"});
    }
    M.Buffers.push_back(std::move(B));
  }

  const DeclStmt *declStatement(const VarDecl *Var) const {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      const VarDecl *Var;
      const DeclStmt *Found = nullptr;
      bool VisitDeclStmt(const DeclStmt *S) override {
        if (is_contained(S->decls(), Var))
          Found = S;
        return !Found;
      }
    } V;
    V.Var = Var;
    V.TraverseStmt(L.Function->getBody());
    return V.Found;
  }

  void findOutsideUses() {
    const SourceManager &SM = Context.getSourceManager();
    SourceLocation Begin = SM.getExpansionLoc(L.Loop->getBeginLoc());
    SourceLocation End = SM.getExpansionLoc(L.Loop->getEndLoc());
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      ModelBuilder &B;
      SourceLocation Begin, End;
      Visitor(ModelBuilder &B, SourceLocation Begin, SourceLocation End)
          : B(B), Begin(Begin), End(End) {}
      bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
        TileBuffer *Buffer = B.bufferOf(Ref->getDecl());
        const SourceManager &SM = B.Context.getSourceManager();
        if (Buffer && !SM.isPointWithin(SM.getExpansionLoc(Ref->getLocation()), Begin, End)) {
          Buffer->UsedOutside = true;
          Buffer->OutsideUse = Ref->getLocation();
        }
        return true;
      }
    } V(*this, Begin, End);
    V.TraverseStmt(L.Function->getBody());
  }

  //===-- State -------------------------------------------------------------===//

  /// `A += BK;`: changes variables from outside of the body by arithmetic on local variables.
  bool isAdvance(const Stmt *S, const Effects &E) {
    if (!isa<Expr>(S) || !onlyPureActions(E) || !onlyLocalAccesses(E))
      return false;
    VarSet Written = writtenVars(E);
    return !Written.empty() && all_of(Written, [&](const VarDecl *V) {
      return !DeclaredInBody.count(V) &&
             (V->getType()->isIntegralOrEnumerationType() || V->getType()->isPointerType());
    });
  }

  static void insertReads(VarSet &Set, const Effects &E) {
    VarSet R = readVars(E);
    Set.insert(R.begin(), R.end());
  }

  void state() {
    for (unsigned I = 0; I < 3; ++I)
      for (const Stmt *S : M.Segments[I]) {
        Effects E = collector().collect(S);
        if (!isAdvance(S, E))
          continue;
        Advance A;
        A.Statement = S;
        A.Segment = I;
        VarSet Written = writtenVars(E);
        A.Vars.assign(Written.begin(), Written.end());
        M.Advances.push_back(std::move(A));
      }

    const VarSet &Modified = Facts->Modified;
    // What the load slice reads, directly or through the advances of what it reads.
    VarSet Needed = readVars(Facts->Segment[0]);
    insertReads(Needed, Facts->Condition);
    insertReads(Needed, Facts->Increment);
    for (const VarDecl *V : writtenVars(Facts->Increment))
      Needed.insert(V);
    bool Changed = true;
    while (Changed) {
      Changed = false;
      for (const Advance &A : M.Advances)
        if (any_of(A.Vars, [&](const VarDecl *V) { return Needed.count(V) != 0; })) {
          size_t Before = Needed.size();
          insertReads(Needed, collector().collect(A.Statement));
          Needed.insert(A.Vars.begin(), A.Vars.end());
          Changed |= Needed.size() != Before;
        }
    }
    VarSet InitVars;
    if (const auto *Decl = dyn_cast_or_null<DeclStmt>(L.asFor()->getInit()))
      for (const clang::Decl *D : Decl->decls())
        if (const auto *Var = dyn_cast<VarDecl>(D))
          InitVars.insert(Var);
    for (const VarDecl *V : Needed)
      if (Modified.count(V))
        M.LoadState.insert(V);

    // Load state may only be changed by the header, by advances, and by the load phase itself.
    VarSet ByAdvance;
    for (const Advance &A : M.Advances)
      ByAdvance.insert(A.Vars.begin(), A.Vars.end());
    for (unsigned I = 1; I < 3; ++I)
      for (const Stmt *S : M.Segments[I]) {
        if (isAdvanceStatement(S))
          continue;
        Effects E = collector().collect(S);
        for (const Access &A : E.Accesses)
          if (A.Write)
            for (const MemoryRoot &R : A.Roots)
              if (const auto *V = dyn_cast_or_null<VarDecl>(R.Decl))
                if (M.LoadState.count(V))
                  return refuse(Reason::CounterModified, A.Loc, {V->getNameAsString()});
      }

    // What the compute slice uses: everything it mentions, and what its advances need.
    VarSet ComputeUses;
    for (unsigned I = 1; I < 3; ++I)
      for (const Stmt *S : M.Segments[I])
        if (!isAdvanceStatement(S)) {
          VarSet Mentioned = mentionedVars(S);
          ComputeUses.insert(Mentioned.begin(), Mentioned.end());
        }
    // Also what it reaches by another name.
    for (unsigned I = 1; I < 3; ++I)
      for (const VarDecl *V : variables(Facts->Segment[I], true, true))
        if (!M.LoadState.count(V) || readsBeyondAdvances(V, I))
          ComputeUses.insert(V);
    if (!sharedScalars(ComputeUses))
      return;
    VarSet HeaderUses = readVars(Facts->Condition);
    insertReads(HeaderUses, Facts->Increment);
    for (const VarDecl *V : writtenVars(Facts->Increment))
      HeaderUses.insert(V);
    VarSet Main = ComputeUses;
    Main.insert(HeaderUses.begin(), HeaderUses.end());
    Changed = true;
    while (Changed) {
      Changed = false;
      for (const Advance &A : M.Advances)
        if (any_of(A.Vars, [&](const VarDecl *V) { return Main.count(V) != 0; })) {
          size_t Before = Main.size();
          insertReads(Main, collector().collect(A.Statement));
          Main.insert(A.Vars.begin(), A.Vars.end());
          Changed |= Main.size() != Before;
        }
    }
    for (Advance &A : M.Advances) {
      for (const VarDecl *V : A.Vars) {
        A.LoadSide |= M.LoadState.count(V) != 0;
        A.ComputeSide |= Main.count(V) != 0;
      }
      // State that nobody reads inside of the loop stays where it is.
      if (!A.LoadSide && !A.ComputeSide)
        (A.Segment == 0 ? A.LoadSide : A.ComputeSide) = true;
    }
    for (const VarDecl *V : M.LoadState)
      if (Main.count(V))
        M.Split.insert(V);
    // What the header declares is not visible in front of the loop, changed or not.
    for (const VarDecl *V : InitVars)
      M.Split.insert(V);
    for (const VarDecl *V : M.Split)
      if (hasOtherName(V))
        return refuse(Reason::NotYet, V->getLocation(),
                      {"a second name (a reference, a pointer or a lambda's capture) for '" +
                       V->getNameAsString() + "', which the loop advances,"});
    // An advance moves to the load side: what it reads must exist there.
    VarSet DeclaredInLoad;
    for (const Stmt *S : M.Segments[0])
      if (const auto *Decl = dyn_cast<DeclStmt>(S))
        for (const clang::Decl *D : Decl->decls())
          if (const auto *Var = dyn_cast<VarDecl>(D))
            DeclaredInLoad.insert(Var);
    for (const Advance &A : M.Advances)
      if (A.LoadSide)
        for (const VarDecl *V : mentionedVars(A.Statement))
          if (DeclaredInBody.count(V) && (A.Segment > 0 || !DeclaredInLoad.count(V)))
            return refuse(Reason::CounterModified, A.Statement->getBeginLoc(),
                          {A.Vars.front()->getNameAsString()});

    // Values that the load phase makes from memory and the compute phase reads.
    for (const Stmt *S : M.Segments[0]) {
      bool Advances = isAdvanceStatement(S);
      for (const Access &A : collector().collect(S).Accesses) {
        if (!A.Write)
          continue;
        for (const MemoryRoot &R : A.Roots) {
          const auto *V = dyn_cast_or_null<VarDecl>(R.Decl);
          if (!V || DeclaredInBody.count(V) || R.In == Space::Shared)
            continue;
          if (!Advances && Main.count(V))
            return refuse(Reason::LoadSideEffect, A.Loc,
                          {"sets '" + V->getNameAsString() + "', which the compute phase uses"});
          if (M.Split.count(V))
            M.ChangedInLoad.insert(V);
          // Left with its last value after the loop: the load slice ends with the same one, unless
          // it is written under a condition of its own; the sequence of writes is the same.
        }
      }
    }
    // The start of the loop is evaluated twice: it must not depend on what the loop changes.
    VarSet InitReads = readVars(Facts->Init);
    for (const VarDecl *V : InitReads)
      if (Modified.count(V) && !writtenVars(Facts->Init).count(V))
        return refuse(Reason::LoopForm, L.Begin,
                      {"its start value depends on '" + V->getNameAsString() +
                       "', which the loop changes"});
  }

  /// Segment \p I reads or writes the variable other than in an advance.
  bool readsBeyondAdvances(const VarDecl *V, unsigned I) const {
    for (const Stmt *S : M.Segments[I])
      if (!isAdvanceStatement(S))
        for (const Access &A : collector().collect(S).Accesses)
          if (A.touches(V))
            return true;
    return false;
  }

  /// Something else in the function may stand for the variable.
  bool hasOtherName(const VarDecl *V) const {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      const EffectCollector &Collector;
      const VarDecl *V;
      bool Found = false;
      Visitor(const EffectCollector &Collector, const VarDecl *V) : Collector(Collector), V(V) {}
      void check(const Expr *E) {
        for (const MemoryRoot &R : Collector.rootsOf(E))
          Found |= R.Decl == V;
      }
      bool VisitUnaryOperator(const UnaryOperator *Op) override {
        if (Op->getOpcode() == UO_AddrOf)
          check(Op->getSubExpr());
        return !Found;
      }
      bool VisitVarDecl(const VarDecl *Var) override {
        if (Var->getType()->isReferenceType() && Var->hasInit())
          check(Var->getInit());
        return !Found;
      }
      bool VisitLambdaExpr(const LambdaExpr *Lambda) override {
        for (const LambdaCapture &C : Lambda->captures())
          Found |= C.capturesVariable() && C.getCapturedVar() == V;
        return !Found;
      }
      bool VisitInitListExpr(const InitListExpr *List) override {
        for (const Expr *Init : List->inits())
          if (Init->isGLValue())
            check(Init);
        return !Found;
      }
      bool VisitCXXConstructExpr(const CXXConstructExpr *Construct) override {
        for (unsigned I = 0; I < Construct->getNumArgs(); ++I)
          if (Construct->getArg(I)->isGLValue() &&
              !Construct->getConstructor()->isCopyOrMoveConstructor())
            check(Construct->getArg(I));
        return !Found;
      }
    } Vis(collector(), V);
    Vis.TraverseStmt(L.Function->getBody());
    return Vis.Found;
  }

  bool isAdvanceStatement(const Stmt *S) const {
    return any_of(M.Advances, [&](const Advance &A) { return A.Statement == S; });
  }

  /// Declarations of segment 0 whose variables the compute phase uses.
  bool sharedScalars(VarSet &ComputeUses) {
    // Backwards: a shared scalar may need an earlier one.
    for (auto It = M.Segments[0].rbegin(); It != M.Segments[0].rend(); ++It) {
      const auto *Decl = dyn_cast<DeclStmt>(*It);
      if (!Decl)
        continue;
      bool Used = false, IsBuffer = false;
      for (const clang::Decl *D : Decl->decls())
        if (const auto *Var = dyn_cast<VarDecl>(D)) {
          IsBuffer |= Var->hasAttr<CUDASharedAttr>();
          Used |= ComputeUses.count(Var) != 0;
        }
      if (!Used || IsBuffer)
        continue;
      Effects E = collector().collect(Decl);
      bool Pure = onlyPureActions(E) && onlyLocalAccesses(E);
      for (const clang::Decl *D : Decl->decls()) {
        const auto *Var = dyn_cast<VarDecl>(D);
        if (!Var)
          continue;
        if (!Pure || !Values->isSetOnce(Var) || Var->isStaticLocal()) {
          refuse(Reason::LoadSideEffect, Var->getLocation(),
                 {"sets '" + Var->getNameAsString() + "', which the compute phase uses"});
          return false;
        }
      }
      M.SharedScalars.insert(M.SharedScalars.begin(), Decl);
      VarSet Mentioned = mentionedVars(Decl);
      ComputeUses.insert(Mentioned.begin(), Mentioned.end());
    }
    // Nested declarations of segment 0 are not visible there, so nothing else can be shared.
    return true;
  }

  //===-- Copies ------------------------------------------------------------===//

  SmallVector<const CopyLoop *, 2> LoopStack;
  unsigned ConditionDepth = 0;

  void copies() {
    for (const Stmt *S : M.Segments[0])
      copiesIn(S);
    if (M.Copies.empty())
      refuse(Reason::LoadForm, L.Begin, {"no store to a tile was found in it"});
    stagingVars();
  }

  void copiesIn(const Stmt *S) {
    if (!S)
      return;
    if (const auto *Compound = dyn_cast<CompoundStmt>(S)) {
      for (const Stmt *Child : Compound->body())
        copiesIn(Child);
      return;
    }
    if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
      return copiesIn(Attributed->getSubStmt());
    if (const auto *If = dyn_cast<IfStmt>(S)) {
      ++ConditionDepth;
      copiesIn(If->getThen());
      copiesIn(If->getElse());
      --ConditionDepth;
      return;
    }
    if (const auto *For = dyn_cast<ForStmt>(S)) {
      LoopStack.push_back(copyLoop(For));
      copiesIn(For->getBody());
      LoopStack.pop_back();
      return;
    }
    if (isa<WhileStmt>(S) || isa<DoStmt>(S)) {
      auto Unknown = std::make_unique<CopyLoop>();
      LoopStack.push_back(Unknown.get());
      M.CopyLoops.push_back(std::move(Unknown));
      copiesIn(isa<WhileStmt>(S) ? cast<WhileStmt>(S)->getBody() : cast<DoStmt>(S)->getBody());
      LoopStack.pop_back();
      return;
    }
    if (const auto *E = dyn_cast<Expr>(S))
      return storesIn(E);
    if (isa<DeclStmt>(S) || isa<NullStmt>(S))
      return;
    refuse(Reason::LoadForm, S->getBeginLoc(), {"a statement of this kind"});
  }

  const CopyLoop *copyLoop(const ForStmt *For) {
    auto C = std::make_unique<CopyLoop>();
    C->Loop = For;
    auto Finish = [&]() -> const CopyLoop * {
      M.CopyLoops.push_back(std::move(C));
      return M.CopyLoops.back().get();
    };
    const auto *Init = dyn_cast_or_null<DeclStmt>(For->getInit());
    if (!Init || !Init->isSingleDecl() || !For->getCond() || !For->getInc())
      return Finish();
    const auto *Counter = dyn_cast<VarDecl>(Init->getSingleDecl());
    if (!Counter || !Counter->hasInit() || !Counter->getType()->isIntegerType())
      return Finish();
    const auto *Cond = dyn_cast<BinaryOperator>(For->getCond()->IgnoreParenImpCasts());
    if (!Cond)
      return Finish();
    // `offset + stride <= rows`
    const Expr *Compared = Cond->getLHS();
    if (const auto *Sum = dyn_cast<BinaryOperator>(Compared->IgnoreParenImpCasts());
        Sum && Sum->getOpcode() == BO_Add && Cond->getOpcode() != BO_NE) {
      bool Left = referencedVar(Sum->getLHS()) == Counter;
      Compared = Left ? Sum->getLHS() : Sum->getRHS();
      C->Margin = Left ? Sum->getRHS() : Sum->getLHS();
    }
    if (referencedVar(Compared) != Counter ||
        !(Cond->getOpcode() == BO_LT || Cond->getOpcode() == BO_LE || Cond->getOpcode() == BO_NE))
      return Finish();
    const Expr *Inc = For->getInc()->IgnoreParenImpCasts();
    const Expr *Step = nullptr;
    bool GoodStep = false;
    if (const auto *Unary = dyn_cast<UnaryOperator>(Inc)) {
      GoodStep = Unary->isIncrementOp() && referencedVar(Unary->getSubExpr()) == Counter;
    } else if (const auto *Assign = dyn_cast<BinaryOperator>(Inc);
               Assign && referencedVar(Assign->getLHS()) == Counter) {
      if (Assign->getOpcode() == BO_AddAssign) {
        Step = Assign->getRHS();
        GoodStep = true;
      } else if (Assign->getOpcode() == BO_Assign) {
        const auto *Sum = dyn_cast<BinaryOperator>(Assign->getRHS()->IgnoreParenImpCasts());
        if (Sum && Sum->getOpcode() == BO_Add && referencedVar(Sum->getLHS()) == Counter) {
          Step = Sum->getRHS();
          GoodStep = true;
        }
      }
    }
    if (!GoodStep || writtenVars(collector().collect(For->getBody())).count(Counter))
      return Finish();
    C->Counter = Counter;
    C->Begin = Counter->getInit();
    C->End = Cond->getRHS();
    C->Step = Step;
    C->Inclusive = Cond->getOpcode() == BO_LE;
    C->BeginValue = Values->fold(C->Begin);
    C->EndValue = Values->fold(C->End);
    if (C->Margin) {
      std::optional<int64_t> Margin = Values->fold(C->Margin);
      if (C->EndValue && Margin && *Margin >= 0 && *C->EndValue >= 0 && *C->EndValue < INT32_MAX)
        *C->EndValue -= *Margin;
      else
        C->EndValue.reset();
    }
    C->StepValue = Step ? Values->fold(Step) : std::optional<int64_t>(1);
    if (C->EndValue && C->StepValue && *C->StepValue > 0 && *C->EndValue < INT32_MAX) {
      int64_t End = *C->EndValue + (C->Inclusive ? 1 : 0);
      std::optional<ValueRange> Start = Values->range(C->Begin);
      if (C->BeginValue) {
        int64_t Span = End - *C->BeginValue;
        if (Cond->getOpcode() != BO_NE || (Span >= 0 && Span % *C->StepValue == 0)) {
          C->MaxTrips = Span <= 0 ? 0 : divideCeil(Span, *C->StepValue);
          C->ConstantTrips = true;
        }
      } else if (Start && Start->Lo >= 0 && Cond->getOpcode() != BO_NE) {
        int64_t Span = End - Start->Lo;
        C->MaxTrips = Span <= 0 ? 0 : divideCeil(Span, *C->StepValue);
      }
    }
    return Finish();
  }

  /// The assignment `LHS = RHS` in either of its forms.
  static bool matchAssignment(const Expr *E, const Expr *&LHS, const Expr *&RHS) {
    E = E->IgnoreParens();
    if (const auto *Full = dyn_cast<FullExpr>(E))
      E = Full->getSubExpr()->IgnoreParens();
    if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->getOpcode() == BO_Assign) {
      LHS = Op->getLHS();
      RHS = Op->getRHS();
      return true;
    }
    if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(E);
        Call && Call->getOperator() == OO_Equal && Call->getNumArgs() == 2) {
      LHS = Call->getArg(0);
      RHS = Call->getArg(1);
      return true;
    }
    return false;
  }

  void storesIn(const Expr *E) {
    Effects Eff = collector().collect(E);
    if (!Eff.writes(Space::Shared))
      return;
    const Expr *LHS = nullptr, *RHS = nullptr;
    if (!matchAssignment(E, LHS, RHS))
      return refuse(Reason::LoadForm, E->getExprLoc(), {"this store is not a plain assignment"});
    if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(E->IgnoreParens()->IgnoreImplicit()))
      if (const FunctionDecl *Callee = Call->getDirectCallee();
          Callee && !Callee->isTrivial() &&
          !Context.getSourceManager().isInSystemHeader(Callee->getLocation()))
        return refuse(Reason::LoadForm, E->getExprLoc(),
                      {"the tile's elements have an assignment operator of their own"});
    Effects Right = collector().collect(RHS);
    if (Right.writes(Space::Shared))
      return refuse(Reason::LoadForm, E->getExprLoc(), {"several stores in one statement"});
    RootSet Roots = collector().rootsOf(LHS);
    TileCopy C;
    C.Buffer = Roots.size() == 1 ? bufferOf(Roots.begin()->Decl) : nullptr;
    if (!C.Buffer)
      return refuse(Reason::LoadForm, E->getExprLoc(),
                    {"it is not clear which array this store goes to"});
    C.Store = E;
    C.Destination = LHS;
    C.Value = RHS;
    C.Bytes = Context.getTypeSizeInChars(LHS->getType()).getQuantity();
    C.Guard = ConditionDepth ? GuardKind::Other : GuardKind::None;
    C.Loops = LoopStack;
    classifyValue(C);
    M.Copies.push_back(std::move(C));
  }

  /// Global memory, and arrays in __constant__ memory.
  static bool isLoadable(const MemoryRoot &R) {
    return R.In == Space::Global ||
           (R.In == Space::Constant && isConstantMemory(R.Decl));
  }

  /// \p E, stripped, denotes global memory as a whole: the lvalue, or `*p` of `__ldg(p)` as its
  /// pointer argument's call.
  const Expr *globalLvalue(const Expr *E) const {
    E = stripNoOps(E);
    if (!E->isGLValue())
      return nullptr;
    if (!isa<ArraySubscriptExpr>(E) && !isa<MemberExpr>(E) && !isa<DeclRefExpr>(E) &&
        !(isa<UnaryOperator>(E) && cast<UnaryOperator>(E)->getOpcode() == UO_Deref))
      return nullptr;
    RootSet Roots = collector().rootsOf(E);
    // `(big ? x : table.value)[i]` of a by-value parameter is a load as well.
    if (!any_of(Roots, isLoadable) || !all_of(Roots, [](const MemoryRoot &R) {
          return isLoadable(R) || R.In == Space::Param;
        }))
      return nullptr;
    return E;
  }

  const Expr *asGlobalLoad(const Expr *E) const {
    E = stripNoOps(E);
    if (const auto *Call = dyn_cast<CallExpr>(E))
      if (const FunctionDecl *Callee = Call->getDirectCallee())
        if (classifyFunction(Callee->getQualifiedNameAsString()) == FunctionKind::LoadPointer)
          return E;
    return globalLvalue(E);
  }

  /// The arms of `in ? A[i] : 0` are promoted to int when the elements are narrower; the assignment
  /// takes them back, so the value that is stored is the one that was loaded.
  const Expr *armLoad(const Expr *Arm) const {
    Arm = stripNoOps(Arm);
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Arm);
        Cast && Cast->getCastKind() == CK_IntegralCast &&
        Context.getIntWidth(Cast->getType()) >= Context.getIntWidth(Cast->getSubExpr()->getType()))
      Arm = Cast->getSubExpr();
    return asGlobalLoad(Arm);
  }

  bool hasLoads(const Expr *E) const {
    return readsLoadable(collector().collect(E));
  }
  static bool readsLoadable(const Effects &E) {
    return any_of(E.Accesses, [](const Access &A) {
      return A.Read && any_of(A.Roots, [](const MemoryRoot &R) {
               return isLoadable(R) || R.In == Space::Unknown;
             });
    });
  }

  RootSet loadRoots(const Expr *Load) const {
    if (const auto *Call = dyn_cast<CallExpr>(Load))
      return collector().pointees(Call->getArg(0));
    return collector().rootsOf(Load);
  }

  /// \p Outer is the load with the casts and parentheses around it.
  void setSource(TileCopy &C, const Expr *Outer, const Expr *Load) {
    C.SourceAccess = Outer;
    if (!copiesBytes(Load->getType(), Context))
      C.Converted = true;
    RootSet Roots = loadRoots(Load);
    C.SourceIsGlobal =
        !Roots.empty() && all_of(Roots, [](const MemoryRoot &R) { return R.In == Space::Global; });
    C.SourceRoot = Roots.size() == 1 ? Roots.begin()->Decl : nullptr;
    if (!Context.hasSameUnqualifiedType(Load->getType(), C.Destination->getType()) ||
        Load->refersToBitField() || C.Destination->refersToBitField())
      C.Converted = true;
  }

  void classifyValue(TileCopy &C) {
    const Expr *V = stripNoOps(C.Value);
    if (const Expr *Load = asGlobalLoad(V))
      return setSource(C, C.Value, Load);
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(V);
        Cast && Cast->getCastKind() == CK_IntegralCast)
      if (const Expr *Inner = stripNoOps(Cast->getSubExpr()); isa<ConditionalOperator>(Inner))
        V = Inner;
    if (const auto *Cond = dyn_cast<ConditionalOperator>(V)) {
      const Expr *T = armLoad(Cond->getTrueExpr()), *F = armLoad(Cond->getFalseExpr());
      bool CondPure = !hasLoads(Cond->getCond());
      if (CondPure && T && !F && !hasLoads(Cond->getFalseExpr())) {
        C.Ternary = Cond;
        C.TernaryLoadIsTrueArm = true;
        return setSource(C, Cond->getTrueExpr(), T);
      }
      if (CondPure && F && !T && !hasLoads(Cond->getTrueExpr())) {
        C.Ternary = Cond;
        C.TernaryLoadIsTrueArm = false;
        return setSource(C, Cond->getFalseExpr(), F);
      }
    }
    // A local variable, or a component of one.
    const Expr *Base = V;
    while (const auto *Member = dyn_cast<MemberExpr>(Base)) {
      if (Member->isArrow())
        break;
      Base = stripNoOps(Member->getBase());
    }
    if (const auto *Ref = dyn_cast<DeclRefExpr>(Base))
      if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
          Var && Var->hasLocalStorage() && !isa<ParmVarDecl>(Var) &&
          !Var->getType()->isReferenceType()) {
        C.Staging = Var;
        if (!Context.hasSameUnqualifiedType(V->getType(), C.Destination->getType()))
          C.Converted = true;
        return;
      }
    if (!hasLoads(C.Value) && mentionsNoStaging(C.Value)) {
      C.IsFill = true;
      return;
    }
    C.Converted = true;
  }

  /// No variable in it was ever loaded from memory inside of the load phase.
  bool mentionsNoStaging(const Expr *E) const {
    for (const VarDecl *V : mentionedVars(E))
      if (isLoadedVar(V))
        return false;
    return true;
  }

  /// Segment 0 assigns the variable from global memory.
  bool isLoadedVar(const VarDecl *V) const {
    bool Loaded = false;
    for (const Stmt *S : M.Segments[0])
      forEachLeaf(S, [&](const Stmt *Leaf) {
        Effects E = collector().collect(Leaf);
        if (writtenVars(E).count(V) && (readsLoadable(E)))
          Loaded = true;
      });
    return Loaded;
  }

  template <typename Fn> static void forEachLeaf(const Stmt *S, Fn F) {
    if (!S)
      return;
    if (isa<CompoundStmt>(S)) {
      for (const Stmt *Child : S->children())
        forEachLeaf(Child, F);
    } else if (const auto *Attributed = dyn_cast<AttributedStmt>(S)) {
      forEachLeaf(Attributed->getSubStmt(), F);
    } else if (const auto *If = dyn_cast<IfStmt>(S)) {
      forEachLeaf(If->getThen(), F);
      forEachLeaf(If->getElse(), F);
    } else if (const auto *For = dyn_cast<ForStmt>(S)) {
      forEachLeaf(For->getBody(), F);
    } else if (const auto *While = dyn_cast<WhileStmt>(S)) {
      forEachLeaf(While->getBody(), F);
    } else if (const auto *Do = dyn_cast<DoStmt>(S)) {
      forEachLeaf(Do->getBody(), F);
    } else {
      F(S);
    }
  }

  /// For cp.async a staging variable becomes a pointer to what it was loaded from: every assignment
  /// to it must be a plain load of the whole variable, and only copies may use it.
  void stagingVars() {
    VarSet Staging;
    for (TileCopy &C : M.Copies)
      if (C.Staging)
        Staging.insert(C.Staging);
    for (const VarDecl *V : Staging) {
      bool Plain = true, Loaded = false;
      bool AllFills = true;
      const Expr *Source = nullptr;
      SourceLocation Where = V->getLocation();
      auto Definition = [&](const Expr *Value) {
        AllFills &= !hasLoads(Value);
        if (const Expr *Load = globalLvalue(Value);
            Load && Context.hasSameUnqualifiedType(Load->getType(), V->getType())) {
          Loaded = true;
          Source = Load;
        } else {
          Plain = false;
          Where = Value->getExprLoc();
        }
      };
      for (const Stmt *S : M.Segments[0])
        forEachLeaf(S, [&](const Stmt *Leaf) {
          if (const auto *Decl = dyn_cast<DeclStmt>(Leaf)) {
            for (const clang::Decl *D : Decl->decls())
              if (D == V && V->hasInit() && !isTrivialInit(V->getInit()))
                Definition(V->getInit());
            return;
          }
          const Expr *LHS = nullptr, *RHS = nullptr;
          Effects E = collector().collect(Leaf);
          if (!writtenVars(E).count(V))
            return;
          if (isa<Expr>(Leaf) && matchAssignment(cast<Expr>(Leaf), LHS, RHS) &&
              referencedVar(LHS) == V)
            Definition(RHS);
          else
            Plain = false;
        });
      // Other uses than as the value of a copy.
      unsigned Uses = 0, CopyUses = 0;
      for (const Stmt *S : M.Segments[0])
        forEachLeaf(S, [&](const Stmt *Leaf) {
          for (const Access &A : collector().collect(Leaf).Accesses)
            if (A.Read && A.touches(V))
              ++Uses;
        });
      for (const TileCopy &C : M.Copies)
        CopyUses += C.Staging == V;
      // The variable itself gets no value any more: nobody else may want it.
      if (!DeclaredInBody.count(V) && usedOutsideOfLoop(V))
        Plain = false;
      for (TileCopy &C : M.Copies) {
        if (C.Staging != V)
          continue;
        if (!(AllFills && !Loaded) && !definedBefore(V, C.Store)) {
          C.Converted = true;
          continue;
        }
        if (AllFills && !Loaded) {
          C.Staging = nullptr;
          C.IsFill = true;
          continue;
        }
        if (!Plain || !Loaded || Uses != CopyUses) {
          C.Converted = true;
          continue;
        }
        bool WasConverted = C.Converted;
        RootSet Roots = loadRoots(Source);
        C.SourceAccess = Source;
        C.SourceIsGlobal =
            all_of(Roots, [](const MemoryRoot &R) { return R.In == Space::Global; });
        C.SourceRoot = Roots.size() == 1 ? Roots.begin()->Decl : nullptr;
        C.Converted = WasConverted;
      }
    }
  }

  /// On every way to \p Use in this iteration the variable is assigned first: by a statement of the
  /// same block or of one around it.
  bool definedBefore(const VarDecl *V, const Expr *Use) const {
    struct Walker {
      const ModelBuilder &B;
      const VarDecl *V;
      const Expr *Use;
      bool Result = false;
      /// Returns true when the use was reached. \p Defined: on the way to here.
      bool walk(const Stmt *S, bool &Defined) {
        if (!S)
          return false;
        if (S == Use) {
          Result = Defined;
          return true;
        }
        if (isa<CompoundStmt>(S)) {
          for (const Stmt *Child : S->children())
            if (walk(Child, Defined))
              return true;
          return false;
        }
        bool Control = isa<IfStmt>(S) || isa<ForStmt>(S) || isa<WhileStmt>(S) || isa<DoStmt>(S) ||
                       isa<AttributedStmt>(S) || isa<SwitchStmt>(S);
        if (Control) {
          for (const Stmt *Child : S->children()) {
            bool Inner = Defined;
            if (walk(Child, Inner))
              return true;
          }
          return false;
        }
        if (const auto *Decl = dyn_cast<DeclStmt>(S)) {
          for (const clang::Decl *D : Decl->decls())
            if (D == V)
              Defined = V->hasInit() && !isTrivialInit(V->getInit());
          return false;
        }
        if (writtenVars(B.collector().collect(S)).count(V))
          Defined = true;
        return false;
      }
    } W{*this, V, Use};
    bool Defined = false;
    for (const Stmt *S : M.Segments[0])
      if (W.walk(S, Defined))
        break;
    return W.Result;
  }

  /// Named anywhere in the function but in segment 0 and in its own declaration.
  bool usedOutsideOfLoop(const VarDecl *V) const {
    unsigned All = 0, Inside = 0;
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      const VarDecl *V;
      unsigned Count = 0;
      bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
        Count += Ref->getDecl() == V;
        return true;
      }
    } Vis;
    Vis.V = V;
    Vis.TraverseStmt(L.Function->getBody());
    All = Vis.Count;
    Vis.Count = 0;
    for (const Stmt *S : M.Segments[0])
      Vis.TraverseStmt(S);
    Inside = Vis.Count;
    return All != Inside;
  }

  static bool isTrivialInit(const Expr *Init) {
    const auto *Construct = dyn_cast<CXXConstructExpr>(Init->IgnoreImplicit());
    return Construct && Construct->getNumArgs() == 0;
  }

  //===-- The cut between fetch and store (ldg variants) ---------------------===//

  struct Leaf {
    const Stmt *S;
    std::vector<const Expr *> Conditions; ///< enclosing if conditions
    std::vector<const ForStmt *> Fors;
    SmallVector<const CopyLoop *, 2> Loops;
    bool InUnknownLoop = false;
    std::vector<unsigned> Cuts; ///< indices into M.Loads
    bool WritesTile = false;
    VarSet Reads, Writes;
    VarSet CutReads; ///< read by the cut expressions only
  };
  std::vector<Leaf> Leaves;

  void refuseSplit(Reason Why, SourceLocation Where, std::vector<std::string> Args) {
    M.SplitRefusals.push_back({Why, Where, std::move(Args), {}});
  }

  const CopyLoop *copyLoopOf(const ForStmt *For) const {
    for (const auto &C : M.CopyLoops)
      if (C->Loop == For)
        return C.get();
    return nullptr;
  }

  void gatherLeaves(const Stmt *S, Leaf Path) {
    if (!S)
      return;
    if (isa<CompoundStmt>(S)) {
      for (const Stmt *Child : S->children())
        gatherLeaves(Child, Path);
      return;
    }
    if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
      return gatherLeaves(Attributed->getSubStmt(), Path);
    if (const auto *If = dyn_cast<IfStmt>(S)) {
      if (If->getInit() || If->getConditionVariable())
        refuseSplit(Reason::LoadForm, If->getBeginLoc(), {"an if that declares a variable"});
      if (!writtenVars(collector().collect(If->getCond())).empty())
        refuseSplit(Reason::LoadForm, If->getBeginLoc(), {"a condition with a side effect"});
      if (hasLoads(If->getCond()))
        refuseSplit(Reason::LoadForm, If->getBeginLoc(),
                    {"a condition that reads global memory"});
      if (fillIf(If))
        return gatherFillIf(If, Path);
      Path.Conditions.push_back(If->getCond());
      gatherLeaves(If->getThen(), Path);
      gatherLeaves(If->getElse(), Path);
      return;
    }
    if (const auto *For = dyn_cast<ForStmt>(S)) {
      const CopyLoop *C = copyLoopOf(For);
      Path.Fors.push_back(For);
      if (C)
        Path.Loops.push_back(C);
      for (const Stmt *Part :
           {For->getInit(), static_cast<const Stmt *>(For->getCond()),
            static_cast<const Stmt *>(For->getInc())})
        if (Part) {
          Effects E = collector().collect(Part);
          for (const VarDecl *V : writtenVars(E))
            if (!C || V != C->Counter)
              refuseSplit(Reason::LoadForm, For->getBeginLoc(),
                          {"a copy loop whose header changes '" + V->getNameAsString() + "'"});
          if (readsLoadable(E))
            refuseSplit(Reason::LoadForm, For->getBeginLoc(),
                        {"a copy loop whose header reads global memory"});
        }
      return gatherLeaves(For->getBody(), Path);
    }
    if (isa<WhileStmt>(S) || isa<DoStmt>(S)) {
      Path.InUnknownLoop = true;
      return gatherLeaves(isa<WhileStmt>(S) ? cast<WhileStmt>(S)->getBody()
                                            : cast<DoStmt>(S)->getBody(),
                          Path);
    }
    if (isa<NullStmt>(S))
      return;
    Leaf Lf = std::move(Path);
    Lf.S = S;
    Leaves.push_back(std::move(Lf));
  }

  /// `if (in) S[i] = G[..]; else S[i] = 0;`: both arms store to the same element.
  static const Expr *singleStore(const Stmt *Arm) {
    while (const auto *Compound = dyn_cast_or_null<CompoundStmt>(Arm)) {
      if (Compound->size() != 1)
        return nullptr;
      Arm = Compound->body_front();
    }
    return dyn_cast_or_null<Expr>(Arm);
  }

  bool fillIf(const IfStmt *If) {
    if (!If->getElse())
      return false;
    const Expr *Then = singleStore(If->getThen()), *Else = singleStore(If->getElse());
    const Expr *TL, *TR, *EL, *ER;
    if (!Then || !Else || !matchAssignment(Then, TL, TR) || !matchAssignment(Else, EL, ER))
      return false;
    RootSet Roots = collector().rootsOf(TL);
    if (Roots.size() != 1 || !bufferOf(Roots.begin()->Decl) || !sameExpression(TL, EL, Context))
      return false;
    const Expr *TLoad = asGlobalLoad(TR), *ELoad = asGlobalLoad(ER);
    if (bool(TLoad) == bool(ELoad))
      return false;
    const Expr *Load = TLoad ? TLoad : ELoad;
    const Expr *Fill = TLoad ? ER : TR;
    if (hasLoads(Fill) || !mentionsNoStaging(Fill))
      return false;
    return Context.hasSameUnqualifiedType(Load->getType(), TL->getType());
  }

  void gatherFillIf(const IfStmt *If, Leaf Path) {
    const Expr *Then = singleStore(If->getThen()), *TL = nullptr, *TR = nullptr, *EL, *ER;
    const Expr *Else = singleStore(If->getElse());
    matchAssignment(Then, TL, TR);
    matchAssignment(Else, EL, ER);
    for (TileCopy &C : M.Copies)
      if (C.Store == Then || C.Store == Else)
        C.Guard = GuardKind::ZeroFill;
    Leaf Lf = Path;
    Lf.S = If;
    Lf.WritesTile = true;
    GlobalLoad G;
    const Expr *Load = asGlobalLoad(TR);
    G.Access = Load ? Load : asGlobalLoad(ER);
    G.Cut = G.Access;
    setRoot(G);
    G.FillIf = If;
    G.Leaf = If;
    G.Type = TL->getType().getUnqualifiedType();
    G.Loops = Path.Loops;
    G.NameHint = cast<NamedDecl>(collector().rootsOf(TL).begin()->Decl)->getNameAsString();
    // The whole if is fetched; the store needs the destination only.
    Effects All = collector().collect(If), Dest = collector().collect(TL);
    Lf.CutReads = readVars(All);
    Lf.Reads = readVars(Dest);
    insertMentioned(Lf.Reads, TL);
    if (Path.InUnknownLoop)
      refuseSplit(Reason::BlockSizeNeeded, If->getBeginLoc(), {G.NameHint, "a while loop"});
    Lf.Cuts.push_back(M.Loads.size());
    M.Loads.push_back(std::move(G));
    Leaves.push_back(std::move(Lf));
  }

  static void insertMentioned(VarSet &Set, const Stmt *S) {
    VarSet V = mentionedVars(S);
    Set.insert(V.begin(), V.end());
  }

  void setRoot(GlobalLoad &G) {
    RootSet Roots = loadRoots(G.Access);
    G.RootIsGlobal =
        !Roots.empty() && all_of(Roots, [](const MemoryRoot &R) { return R.In == Space::Global; });
    G.Root = Roots.size() == 1 ? Roots.begin()->Decl : nullptr;
  }

  /// Finds the maximal loads in \p E. \p Conditional: E may not be evaluated.
  void findCuts(const Expr *E, Leaf &Lf, bool Conditional, StringRef Hint) {
    const Expr *S = stripNoOps(E);
    auto Add = [&](const Expr *Cut, const Expr *Access) {
      if (Conditional)
        return refuseSplit(Reason::LoadForm, Cut->getExprLoc(),
                           {"a load that is evaluated conditionally inside of an expression"});
      if (!writtenVars(collector().collect(Cut)).empty())
        return refuseSplit(Reason::LoadForm, Cut->getExprLoc(), {"a load with a side effect"});
      if (!copiesBytes(Cut->getType(), Context))
        return refuseSplit(Reason::LoadForm, Cut->getExprLoc(),
                           {"a value that is not trivially copyable"});
      GlobalLoad G;
      G.Cut = Cut;
      G.Access = Access;
      setRoot(G);
      G.Type = Cut->getType().getUnqualifiedType();
      G.Loops = Lf.Loops;
      G.NameHint = Hint.str();
      G.Leaf = Lf.S;
      Lf.Cuts.push_back(M.Loads.size());
      M.Loads.push_back(std::move(G));
    };
    if (const Expr *Load = asGlobalLoad(S))
      return Add(E, Load);
    if (const auto *Cond = dyn_cast<ConditionalOperator>(S)) {
      const Expr *T = armLoad(Cond->getTrueExpr()), *F = armLoad(Cond->getFalseExpr());
      auto Plain = [&](const Expr *Arm) { return !hasLoads(Arm) && mentionsNoStaging(Arm); };
      if (!hasLoads(Cond->getCond()) && mentionsNoStaging(Cond->getCond()) &&
          ((T && (F || Plain(Cond->getFalseExpr()))) || (F && Plain(Cond->getTrueExpr()))))
        return Add(E, T ? T : F);
      findCuts(Cond->getCond(), Lf, Conditional, Hint);
      findCuts(Cond->getTrueExpr(), Lf, true, Hint);
      findCuts(Cond->getFalseExpr(), Lf, true, Hint);
      return;
    }
    if (const auto *Op = dyn_cast<BinaryOperator>(S); Op && Op->isLogicalOp()) {
      findCuts(Op->getLHS(), Lf, Conditional, Hint);
      findCuts(Op->getRHS(), Lf, true, Hint);
      return;
    }
    if (!hasLoads(S))
      return;
    size_t Before = Lf.Cuts.size(), RefusedBefore = M.SplitRefusals.size();
    for (const Stmt *Child : S->children())
      if (const auto *ChildExpr = dyn_cast_or_null<Expr>(Child))
        findCuts(ChildExpr, Lf, Conditional, Hint);
    // Nothing to cut although something is loaded: inside of a called function.
    if (Lf.Cuts.size() == Before && M.SplitRefusals.size() == RefusedBefore)
      refuseSplit(Reason::LoadForm, S->getExprLoc(), {"a load of this form"});
  }

  void splitFetchAndStore() {
    for (const Stmt *S : M.Segments[0])
      gatherLeaves(S, Leaf());
    for (Leaf &Lf : Leaves) {
      if (isa<IfStmt>(Lf.S))
        continue; // filled in already
      Effects E = collector().collect(Lf.S);
      Lf.WritesTile = E.writes(Space::Shared);
      Lf.Writes = writtenVars(E);
      bool Loads = readsLoadable(E);
      if (Loads && Lf.InUnknownLoop)
        refuseSplit(Reason::BlockSizeNeeded, Lf.S->getBeginLoc(), {firstBufferName(), "a while loop"});
      const Expr *LHS = nullptr, *RHS = nullptr;
      if (const auto *Decl = dyn_cast<DeclStmt>(Lf.S)) {
        for (const clang::Decl *D : Decl->decls())
          if (const auto *Var = dyn_cast<VarDecl>(D); Var && !Var->hasAttr<CUDASharedAttr>())
            Lf.Writes.insert(Var);
        for (const clang::Decl *D : Decl->decls())
          if (const auto *Var = dyn_cast<VarDecl>(D))
            if (Var->hasInit() && !Var->hasAttr<CUDASharedAttr>()) {
              insertMentioned(Lf.Reads, Var->getInit());
              if (Loads)
                findCuts(Var->getInit(), Lf, false, Var->getName());
            }
      } else if (const auto *Ex = dyn_cast<Expr>(Lf.S)) {
        Lf.Reads = mentionedVars(Ex);
        if (matchAssignment(Ex, LHS, RHS)) {
          if (const VarDecl *Plain = referencedVar(LHS); Plain && !readVars(collector().collect(RHS)).count(Plain))
            Lf.Reads.erase(Plain);
          if (Loads) {
            if (hasLoads(LHS) && collector().rootsOf(LHS).size() == 1 &&
                collector().collect(LHS).reads(Space::Global))
              refuseSplit(Reason::LoadForm, LHS->getExprLoc(),
                          {"a destination index that is read from global memory"});
            RootSet Roots = collector().rootsOf(LHS);
            std::string Hint = Roots.size() == 1 && Roots.begin()->Decl
                                   ? Roots.begin()->Decl->getNameAsString()
                                   : "tile";
            findCuts(RHS, Lf, false, Hint);
          }
        } else if (Loads) {
          refuseSplit(Reason::LoadForm, Lf.S->getBeginLoc(),
                      {"a load that is not part of an assignment"});
        }
      } else if (Loads) {
        refuseSplit(Reason::LoadForm, Lf.S->getBeginLoc(), {"a statement of this kind"});
      }
      for (unsigned I : Lf.Cuts)
        insertMentioned(Lf.CutReads, M.Loads[I].Cut);
    }
    for (const GlobalLoad &G : M.Loads)
      for (const CopyLoop *C : G.Loops)
        if (!C->MaxTrips) {
          std::string What = "the trip count of its copy loop";
          if (C->Step && !C->StepValue)
            What = "the stride '" + textOf(C->Step, Context) + "' of its copy loop";
          refuseSplit(Reason::BlockSizeNeeded, C->Loop ? C->Loop->getBeginLoc() : L.Begin,
                      {G.NameHint, What});
        } else if (*C->MaxTrips > 64) {
          refuseSplit(Reason::BlockSizeNeeded, C->Loop->getBeginLoc(),
                      {G.NameHint, "a copy loop of " + std::to_string(*C->MaxTrips) +
                                       " turns, too many to keep in registers"});
        }
    assignHalves();
  }

  /// Decides for every leaf without a cut whether the fetch, the store or both run it.
  void assignHalves() {
    VarSet FetchNeeds, StoreNeeds;
    auto Control = [&](VarSet &Set, const Leaf &Lf) {
      for (const Expr *C : Lf.Conditions)
        insertMentioned(Set, C);
      for (const ForStmt *F : Lf.Fors)
        for (const Stmt *Part : {F->getInit(), static_cast<const Stmt *>(F->getCond()),
                                 static_cast<const Stmt *>(F->getInc())})
          if (Part)
            insertMentioned(Set, Part);
    };
    for (const Leaf &Lf : Leaves) {
      if (!Lf.Cuts.empty()) {
        FetchNeeds.insert(Lf.CutReads.begin(), Lf.CutReads.end());
        Control(FetchNeeds, Lf);
      }
      if (Lf.WritesTile) {
        VarSet Rest = remainderReads(Lf);
        StoreNeeds.insert(Rest.begin(), Rest.end());
        Control(StoreNeeds, Lf);
      }
    }
    std::set<const Stmt *> InFetch, InStore, Uncut;
    bool Changed = true;
    while (Changed) {
      Changed = false;
      for (const Leaf &Lf : Leaves) {
        if (Lf.WritesTile)
          continue;
        bool ForFetch = any_of(Lf.Writes, [&](const VarDecl *V) { return FetchNeeds.count(V); });
        bool ForStore = any_of(Lf.Writes, [&](const VarDecl *V) { return StoreNeeds.count(V); });
        if (ForFetch && InFetch.insert(Lf.S).second) {
          Changed = true;
          FetchNeeds.insert(Lf.Reads.begin(), Lf.Reads.end());
          Control(FetchNeeds, Lf);
          if (!Lf.Cuts.empty())
            Uncut.insert(Lf.S);
        }
        if (ForStore && InStore.insert(Lf.S).second) {
          Changed = true;
          VarSet Rest = Uncut.count(Lf.S) ? Lf.Reads : remainderReads(Lf);
          StoreNeeds.insert(Rest.begin(), Rest.end());
          Control(StoreNeeds, Lf);
        }
      }
    }
    for (const Leaf &Lf : Leaves) {
      const Stmt *S = Lf.S;
      if (InFetch.count(S) || (!Lf.WritesTile && !InStore.count(S) && Lf.Cuts.empty() &&
                               isAdvanceStatement(S)))
        M.FetchStatements.insert(S);
      if (InStore.count(S) || Lf.WritesTile)
        M.StoreStatements.insert(S);
      if (Uncut.count(S) && InStore.count(S))
        refuseSplit(Reason::LoadForm, S->getBeginLoc(),
                    {"a loaded value that is used for an address and for the tile"});
      if (!InFetch.count(S) && !InStore.count(S) && !Lf.WritesTile && !isAdvanceStatement(S))
        for (const VarDecl *V : Lf.Writes)
          if (!DeclaredInBody.count(V))
            refuseSplit(Reason::LoadForm, S->getBeginLoc(),
                        {"it also sets '" + V->getNameAsString() + "', which no copy needs"});
      // Outer state must be stepped exactly once per tile.
      if (InFetch.count(S) && InStore.count(S))
        for (const VarDecl *V : Lf.Writes)
          if (!DeclaredInBody.count(V))
            refuseSplit(Reason::LoadForm, S->getBeginLoc(),
                        {"'" + V->getNameAsString() +
                         "' changes between the address of a load and its store"});
      if (InStore.count(S) && isAdvanceStatement(S) && !Lf.Writes.empty() &&
          any_of(Lf.Writes, [&](const VarDecl *V) { return M.LoadState.count(V) && !isLoadedVar(V); }))
        refuseSplit(Reason::LoadForm, S->getBeginLoc(),
                    {"the place of a store depends on state that the load phase advances"});
    }
    // Loads of leaves that run uncut in the fetch are no cuts.
    std::vector<GlobalLoad> Kept;
    for (const Leaf &Lf : Leaves)
      for (unsigned I : Lf.Cuts)
        if (!Uncut.count(Lf.S))
          Kept.push_back(M.Loads[I]);
    M.Loads = std::move(Kept);
    for (const Leaf &Lf : Leaves)
      if (InStore.count(Lf.S))
        for (const VarDecl *V : Lf.Writes)
          M.StagingVars.insert(V);
    // A value that both halves compute must be the same at both times: fetch and store of one tile
    // see the same state, because state is advanced after the store (or by the fetch alone).
  }

  /// Variables that the leaf mentions outside of its cuts.
  VarSet remainderReads(const Leaf &Lf) const {
    if (isa<IfStmt>(Lf.S))
      return Lf.Reads;
    std::set<const Expr *> Cuts;
    for (unsigned I : Lf.Cuts)
      Cuts.insert(M.Loads[I].Cut);
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      const std::set<const Expr *> &Cuts;
      VarSet Set;
      explicit Visitor(const std::set<const Expr *> &Cuts) : Cuts(Cuts) {}
      bool TraverseStmt(const Stmt *S) override {
        if (const auto *E = dyn_cast_or_null<Expr>(S))
          if (Cuts.count(E))
            return true;
        return ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
      }
      bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
        if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl()))
          Set.insert(Var);
        return true;
      }
    } V(Cuts);
    V.TraverseStmt(Lf.S);
    const Expr *LHS = nullptr, *RHS = nullptr;
    if (const auto *E = dyn_cast<Expr>(Lf.S); E && matchAssignment(E, LHS, RHS))
      if (const VarDecl *Plain = referencedVar(LHS);
          Plain && !mentionedVars(RHS).count(Plain))
        V.Set.erase(Plain);
    return std::move(V.Set);
  }

  //===-- Phases (for --print) ----------------------------------------------===//

  void phases() {
    auto Add = [&](PhaseKind Kind, const Stmt *S) {
      if (M.Phases.empty() || M.Phases.back().Kind != Kind)
        M.Phases.push_back({Kind, {}});
      M.Phases.back().Statements.push_back(S);
    };
    for (const Stmt *S : M.Segments[0])
      Add(isAdvanceStatement(S) ? PhaseKind::Advance : PhaseKind::Load, S);
    Add(PhaseKind::Barrier, M.Barriers[0]);
    for (const Stmt *S : M.Segments[1])
      Add(isAdvanceStatement(S) ? PhaseKind::Advance : PhaseKind::Compute, S);
    Add(PhaseKind::Barrier, M.Barriers[1]);
    for (const Stmt *S : M.Segments[2])
      Add(isAdvanceStatement(S) ? PhaseKind::Advance : PhaseKind::Compute, S);
  }
};

} // namespace

TileModel buildTileModel(const KLoop &Loop, ASTContext &Context) {
  return ModelBuilder(Loop, Context).build();
}

} // namespace cuda_pipeline
