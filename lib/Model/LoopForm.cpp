//===- LoopForm.cpp - The form of a tile loop ---------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// `for (start; condition; step) { segment 0 | barrier | segment 1 | barrier | segment 2 }`: what
/// each part may be, and what each segment does besides reading and writing memory. Other kinds of
/// loops have no start and no step.
///
//===----------------------------------------------------------------------===//

#include "Barriers.h"
#include "Closures.h"
#include "ModelStep.h"
#include "PtxText.h"
#include "TemplatePattern.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

class FormReader : ModelStep {
public:
  using ModelStep::ModelStep;

  void run() {
    if (const LambdaExpr *Lambda = lambdaAround(L))
      return refuse(Reason::NotYet, Lambda->getBeginLoc(),
                    {"a tile loop in a lambda, whose text is not put in place of the call,"});
    if (!L.Body)
      return refuse(Reason::BarrierShape, L.Begin, {"its body is a single statement"});
    checkExits();
    findSkip();
    bool Split = splitSegments();
    checkContinues(Split);
    if (!Split)
      return;
    moveToCompute();
    loadDeclarations();
    header();
    collectSegments();
    raceAroundTheEnd();
    actions();
    placesMatter();
    hiddenNames();
  }

private:
  void checkExits() { scanExits(L.Body, /*BreakBinds=*/true, /*ContinueBinds=*/true); }

  void scanExits(const Stmt *S, bool BreakBinds, bool ContinueBinds) {
    if (!S)
      return;
    if (isa<BreakStmt>(S) && BreakBinds)
      return refuse(Reason::EarlyExit, S->getBeginLoc(), {"break"});
    if (isa<ContinueStmt>(S) && ContinueBinds)
      return Continues.push_back(S);
    if (isa<ReturnStmt>(S))
      return refuse(Reason::EarlyExit, S->getBeginLoc(), {"return"});
    if (isa<GotoStmt>(S) || isa<IndirectGotoStmt>(S))
      return refuse(Reason::EarlyExit, S->getBeginLoc(), {"goto"});
    if (isa<LabelStmt>(S))
      return refuse(Reason::EarlyExit, S->getBeginLoc(), {"label"});
    if (isa<LambdaExpr>(S))
      return; // its returns are its own
    bool Loop = isLoop(S);
    bool Switch = isa<SwitchStmt>(S);
    for (const Stmt *Child : S->children())
      scanExits(Child, BreakBinds && !Loop && !Switch, ContinueBinds && !Loop);
  }

  std::vector<const Stmt *> Continues; ///< of the loop itself

  /// `if (c) continue;` in front of all barriers, in a loop whose step is in its header.
  void findSkip() {
    if (!L.asFor() || !L.asFor()->getInc())
      return;
    for (auto It = L.Body->body_begin(); It != L.Body->body_end(); ++It) {
      const auto *If = dyn_cast<IfStmt>(*It);
      if (!If || If->getElse() || If->getInit() || If->getConditionVariable() ||
          If->isConstexpr() || If->isConsteval())
        continue;
      const auto *Block = dyn_cast<CompoundStmt>(If->getThen());
      if (isa<ContinueStmt>(If->getThen()) ||
          (Block && Block->size() == 1 && isa<ContinueStmt>(Block->body_front()))) {
        if (none_of(make_range(L.Body->body_begin(), It),
                    [&](const Stmt *S) { return hasBarrier(S); }))
          M.Skip = If;
        return;
      }
    }
  }

  bool hasBarrier(const Stmt *S) const {
    return any_of(collector().collect(S).Actions, [](const Action &A) {
      return A.Function == FunctionKind::Barrier || A.Function == FunctionKind::BarrierValue;
    });
  }

  /// Behind the trailing barrier a `continue` leaves out the rest of the compute phase, and no
  /// more. (That no advance of the load side is left out is checked where these are known.)
  void checkContinues(bool Split) {
    for (const Stmt *S : Continues)
      if (!(M.Skip && encloses(M.Skip, S)) &&
          (!Split || none_of(M.Segments[2], [&](const Stmt *Outer) { return encloses(Outer, S); })))
        refuse(Reason::EarlyExit, S->getBeginLoc(), {"continue"});
    if (!Continues.empty())
      Facts->Continue = Continues.front();
  }

  /// What is done or declared behind the statement \p S would come in front of it: it sets what \p
  /// S reads, or hides a name that \p S uses.
  bool meetsLater(const Stmt *S, const VarSet &Mentions, const VarSet &Sets,
                  const std::set<StringRef> &Declares) const {
    if (any_of(Mentions, [&](const VarDecl *V) { return Sets.count(V) != 0; }))
      return true;
    if (Declares.empty())
      return false;
    const std::optional<TextRange> R = statementRange(S, Context);
    if (!R)
      return true;
    const std::set<std::string> Names = Facts->Function->Names->in(*R);
    return any_of(Declares, [&](StringRef Name) { return Names.count(Name.str()) != 0; });
  }

  /// Of the last turn's compute phase nothing comes behind it where the barrier is at the top: what
  /// is read there may be written by threads that have left the loop.
  static bool readsWhatMayChange(const Effects &E) {
    return any_of(E.Accesses, [](const Access &A) {
      return A.Read && any_of(A.Roots, [](const MemoryRoot &R) {
               return (R.In == Space::Global && !isReadOnlyParameter(R.Decl)) ||
                      R.In == Space::Shared || R.In == Space::Unknown;
             });
    });
  }

  /// Of the function's own variables that are declared around the loop: one that no other name
  /// leads to, and that the header has nothing to do with. Between two statements of a turn that
  /// do not name it, it is nobody's.
  bool isFreeInTurn(const VarDecl *V) const {
    if (!V->hasLocalStorage() || V->getType()->isReferenceType() || hasOtherName(V) ||
        V->getParentFunctionOrMethod() != L.Function)
      return false;
    for (const Stmt *Part :
         {L.start(), static_cast<const Stmt *>(L.condition()), static_cast<const Stmt *>(L.step())})
      if (Part &&
          (mentionedVars(Part).count(V) || any_of(collector().collect(Part).Accesses,
                                                  [&](const Access &A) { return A.touches(V); })))
        return false;
    return true;
  }

  /// Statements in front of the first barrier that have nothing to do with the tiles: they work on
  /// variables of the thread's own, for the compute phase alone. They are taken as its first ones.
  /// (What they read must not be written in the loop: the barrier was behind them. Rule 4 sees to
  /// that.) What is loaded into a variable from outside of the body, or added to it, stays: by way
  /// of registers it is on its way together with the tile.
  void moveToCompute() {
    struct Declarations : ConstDynamicRecursiveASTVisitor {
      VarSet Set;
      bool VisitVarDecl(const VarDecl *Var) override {
        if (!Var->hasAttr<CUDASharedAttr>() && Var->hasLocalStorage())
          Set.insert(Var);
        return true;
      }
    };
    auto DeclaredIn = [](const Stmt *S) {
      Declarations V;
      V.TraverseStmt(const_cast<Stmt *>(S));
      return std::move(V.Set);
    };
    const VarSet OfBody = DeclaredIn(L.Body);
    struct Candidate {
      const Stmt *S;
      VarSet Sets, Mentions;
      std::set<StringRef> Declares; ///< names, of variables and other things
      bool Stays, IsOnce; ///< needed by the load phase; a declaration that both phases can make
    };
    std::vector<Candidate> All;
    VarSet OfLoads;
    // What stands in front of it runs in turns that have no compute phase, too.
    const auto Skip = find(M.Segments[0], M.Skip);
    for (const Stmt *S : M.Segments[0]) {
      const Effects E = collector().collect(S);
      Candidate C{S, writtenVars(E), mentionedVars(S), {}, false, false};
      const VarSet Declared = DeclaredIn(S);
      C.Sets.insert(Declared.begin(), Declared.end());
      insertReads(C.Mentions, E);
      const auto *Decl = dyn_cast<DeclStmt>(S);
      if (Decl)
        for (const clang::Decl *D : Decl->decls())
          if (const auto *Named = dyn_cast<NamedDecl>(D); Named && Named->getIdentifier())
            C.Declares.insert(Named->getName());
      const bool IsLoaded = readsLoadable(E) || any_of(C.Mentions, [&](const VarDecl *V) {
                              return OfLoads.count(V) != 0;
                            });
      if (IsLoaded)
        OfLoads.insert(C.Sets.begin(), C.Sets.end());
      C.IsOnce = Decl && onlyPureActions(E) && onlyLocalAccesses(E) &&
                 all_of(Declared, [&](const VarDecl *Var) { return Values->isSetOnce(Var); });
      C.Stays = isa<NullStmt>(S) || S == M.Skip ||
                ((!Decl || any_of(C.Sets, [&](const VarDecl *V) { return !Declared.count(V); })) &&
                 Skip != M.Segments[0].end() &&
                 is_contained(make_range(M.Segments[0].begin(), Skip), S)) ||
                (M.BarrierFirst && readsWhatMayChange(E)) ||
                !all_of(C.Sets,
                        [&](const VarDecl *V) {
                          return OfBody.count(V) || (!IsLoaded && isFreeInTurn(V));
                        }) ||
                !onlyLocalOrLoads(E) || !onlyPureOrLoads(E) ||
                (Decl && !all_of(Decl->decls(), [](const clang::Decl *D) {
                   return isa<VarDecl>(D) && cast<VarDecl>(D)->hasLocalStorage() &&
                          !D->hasAttr<CUDASharedAttr>();
                 }));
      All.push_back(std::move(C));
    }
    VarSet Needs;
    for (const Candidate &C : All)
      if (C.Stays)
        Needs.insert(C.Mentions.begin(), C.Mentions.end());
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (size_t I = 0; I < All.size(); ++I) {
        Candidate &C = All[I];
        if (!C.Stays && (any_of(C.Sets, [&](const VarDecl *V) { return Needs.count(V) != 0; }) ||
                         any_of(ArrayRef(All).drop_front(I + 1), [&](const Candidate &Later) {
                           return (Later.Stays || Later.IsOnce) &&
                                  meetsLater(C.S, C.Mentions, Later.Sets, Later.Declares);
                         }))) {
          C.Stays = Changed = true;
          Needs.insert(C.Mentions.begin(), C.Mentions.end());
        }
      }
    }
    // What both phases can declare goes along only where it depends on something that goes, or on
    // what the compute phase changes: `float before = most;`.
    VarSet Moved;
    for (unsigned I : {1u, 2u})
      for (const Stmt *S : M.Segments[I])
        Moved.merge(writtenVars(collector().collect(S)));
    for (Candidate &C : All) {
      if (C.Stays ||
          (C.IsOnce && none_of(C.Mentions, [&](const VarDecl *V) { return Moved.count(V) != 0; }) &&
           none_of(All, [&](const Candidate &Other) {
             return &Other != &C && !Other.Stays && !Other.IsOnce &&
                    any_of(C.Sets, [&](const VarDecl *V) { return Other.Sets.count(V) != 0; });
           })))
        continue;
      Moved.insert(C.Sets.begin(), C.Sets.end());
      M.MovedToCompute.push_back(C.S);
    }
    erase_if(M.Segments[0], [&](const Stmt *S) { return is_contained(M.MovedToCompute, S); });
    M.Segments[1].insert(M.Segments[1].begin(), M.MovedToCompute.begin(), M.MovedToCompute.end());
  }

  /// It means the same in each turn and in each part of the loop: a type, a constant, an assertion.
  bool isNeutral(const Stmt *S) const {
    const auto *Declaration = dyn_cast<DeclStmt>(S);
    return Declaration &&
           all_of(Declaration->decls(),
                  [](const clang::Decl *D) {
                    const auto *Var = dyn_cast<VarDecl>(D);
                    return isa<TypedefNameDecl, StaticAssertDecl, UsingDecl, EnumDecl>(D) ||
                           (Var && Var->isStaticLocal() && Var->isConstexpr() &&
                            !Var->hasAttr<CUDASharedAttr>());
                  }) &&
           all_of(mentionedVars(S), [&](const VarDecl *Var) {
             return Var->isConstexpr() || is_contained(Declaration->decls(), Var);
           });
  }

  /// Declarations in the load phase that the slices do not know how to carry along.
  void loadDeclarations() {
    copy_if(M.Segments[0], std::back_inserter(M.Neutral),
            [&](const Stmt *S) { return isNeutral(S); });
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      FormReader &B;
      explicit Visitor(FormReader &B) : B(B) {}
      bool VisitDeclStmt(const DeclStmt *S) override {
        if (is_contained(B.M.Neutral, S))
          return true;
        // In an inner block: an assertion goes where the stores go, with the constants that it
        // names; a type goes along with all.
        if (S->isSingleDecl() && isa<StaticAssertDecl>(S->getSingleDecl()) &&
            !is_contained(B.M.Segments[0], S))
          return true;
        if (S->isSingleDecl() && isa<TypedefNameDecl>(S->getSingleDecl()) &&
            mentionedVars(S).empty()) {
          B.M.Neutral.push_back(S);
          return true;
        }
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
        // Nothing can capture a member of an anonymous union.
        if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
            Var && Var->isLocalVarDecl() && !Var->getIdentifier())
          B.refuse(Reason::NotYet, Ref->getLocation(), {"an anonymous union in the load phase"});
        if (isa<BindingDecl>(Ref->getDecl()))
          B.refuse(Reason::NotYet, Ref->getLocation(), {"a structured binding in the load phase"});
        return true;
      }
      bool VisitIfStmt(const IfStmt *If) override {
        if (If->isConstexpr() && B.L.IsTemplate)
          B.refuse(Reason::NotYet, If->getBeginLoc(),
                   {"'if constexpr' in a template's load phase"});
        return true;
      }
    } V(*this);
    for (const Stmt *S : M.Segments[0])
      V.TraverseStmt(S);
  }

  /// The barriers of the body itself. Of two or more, what is in front of the first one is the load
  /// phase, and the last one is the trailing barrier; those between belong to the compute phase,
  /// which is left as it is.
  ///   load | barrier | compute .. barrier .. | trailing barrier | rest
  /// Where nothing is stored to shared memory in front of the first one, that is the trailing
  /// barrier of the turn before: `barrier | load | barrier | compute` is the same loop, entered
  /// through its last barrier.
  /// Where the last one of all is inside of a later statement, all that follows the load phase is
  /// compute phase, with its barriers. What a thread then does with the tile it does in the order
  /// and between the barriers of before, where the store of the next tile stays behind all of it;
  /// and with more stages the barrier behind the load phase is enough.
  ///   load | barrier | compute .. { barrier } ..
  bool splitSegments() {
    std::vector<const Stmt *> Body(L.Body->body_begin(), L.Body->body_end());
    std::vector<size_t> Own; ///< the places of the barriers
    Effects InFront;
    for (size_t I = 0; I < Body.size(); ++I) {
      if (barrierOf(Body[I], collector(), Context) == FunctionKind::Barrier)
        Own.push_back(I);
      else if (Own.empty())
        InFront.append(collector().collect(Body[I]));
    }
    const size_t None = Body.size();
    size_t Load = Own.empty() ? None : Own.front(), Trailing = Own.size() < 2 ? None : Own.back();
    if (Own.size() >= 2 && !InFront.reads(Space::Shared) && !InFront.writes(Space::Shared) &&
        !startsCopiesInAssembly(InFront, Context) &&
        !storesInAssembly(InFront, collector(), Context)) {
      M.BarrierFirst = true;
      Load = Own[1];
      Trailing = Own[0];
    }
    // The statements of the load phase, where it ends without a barrier of the body's, or has some
    // of its own.
    const size_t Parts = M.BarrierFirst ? 0 : endOfFillInParts(Body, Own);
    const size_t Fill = Parts != 0                          ? Parts
                        : Own.size() >= 2 && M.BarrierFirst ? 0
                                                            : endOfNestedFill(Body, Own);
    if (Fill != 0) {
      M.FillNested = true;
      Load = None;
      Trailing = Own.empty() || Own.back() == Parts ? None : Own.back();
      M.TrailingNested = Parts != 0 && Trailing == None;
    }
    if ((Load != None || M.FillNested) && !M.BarrierFirst && lastBarrierIsNested(Body)) {
      M.TrailingNested = true;
      Trailing = None;
    }
    bool Good = true;
    for (size_t I = 0; I < Body.size(); ++I) {
      if (I == Load || I == Trailing)
        continue;
      const unsigned Segment = M.FillNested                     ? I < Fill       ? 0
                                                                  : I < Trailing ? 1
                                                                                 : 2
                               : I < Load                       ? 0
                               : M.BarrierFirst || I < Trailing ? 1
                                                                : 2;
      M.Segments[Segment].push_back(Body[I]);
      for (const Action &A : collector().collect(Body[I]).Actions) {
        const bool InCompute = Segment == 1 && (Trailing != None || M.TrailingNested);
        if (A.Function == FunctionKind::Barrier && Segment == 0 && M.FillNested) {
          if (Parts != 0)
            M.TwoBufferRefusals.push_back({Reason::BarrierShape,
                                           A.Loc,
                                           {"its tile is filled in parts, with a barrier between"},
                                           {}});
          else
            M.TwoBufferRefusals.push_back({Reason::BarrierNested, A.Loc, {}, {}});
          continue;
        }
        if (A.Function == FunctionKind::Barrier && !InCompute) {
          refuse(Reason::BarrierNested, A.Loc);
          Good = false;
        } else if (A.Function == FunctionKind::BarrierValue && !InCompute) {
          refuse(Reason::BarrierShape, A.Loc, {"'" + A.Name + "' also returns a value"});
          Good = false;
        } else if (A.Function == FunctionKind::BarrierOther) {
          partial(A);
          Good = false;
        }
      }
    }
    if (Load != None)
      M.Barriers[0] = Body[Load];
    if (Trailing != None)
      M.Barriers[1] = Body[Trailing];
    if (!Good)
      return false;
    if (M.FillNested && M.TwoBufferRefusals.empty())
      M.TwoBufferRefusals.push_back(
          {Reason::BarrierNested, firstBarrierIn(M.Segments[1])->getBeginLoc(), {}, {}});
    if (Own.size() < 2 && partialBarrier())
      return false;
    if (M.FillNested)
      return true;
    if (Own.size() == 1 && !M.TrailingNested)
      return oneBarrier();
    if (Own.empty()) {
      refuse(Reason::BarrierShape, L.Begin, {"it has no barrier of its own"});
      return false;
    }
    Effects First;
    for (const Stmt *S : M.Segments[0])
      First.append(collector().collect(S));
    if (!First.writes(Space::Shared) && !startsCopiesInAssembly(First, Context) &&
        !storesInAssembly(First, collector(), Context)) {
      refuse(Reason::BarrierShape, M.Barriers[0]->getBeginLoc(),
             {M.BarrierFirst ? "nothing is stored to shared memory between its first two barriers"
                             : "nothing is stored to shared memory before the first barrier"});
      return false;
    }
    return true;
  }

  const Stmt *firstBarrierIn(ArrayRef<const Stmt *> Statements) const {
    for (const Stmt *S : Statements)
      for (const Action &A : collector().collect(S).Actions)
        if (A.Function == FunctionKind::Barrier)
          return A.Where;
    return L.Loop;
  }

  /// The number of statements that the load phase has where the first barrier of all is inside of
  /// one of them, or of the first one behind it. 0: it is not so.
  ///   load | { barrier .. } .. | trailing barrier
  ///   for { copy | barrier } | compute | trailing barrier
  size_t endOfNestedFill(ArrayRef<const Stmt *> Body, ArrayRef<size_t> Own) const {
    const size_t First =
        size_t(find_if(Body, [&](const Stmt *S) { return hasBarrier(S); }) - Body.begin());
    if (First == Body.size() || is_contained(Own, First))
      return 0;
    const auto Stores = [&](const Stmt *S) { return collector().collect(S).writes(Space::Shared); };
    const auto Loads = [&](const Stmt *S) { return readsLoadable(collector().collect(S)); };
    // What the compute phase begins with nobody says: it is what no tile has need of.
    const ArrayRef<const Stmt *> InFront = Body.take_front(First);
    for (size_t End = First; End > 0; --End)
      if (Stores(Body[End - 1]))
        return any_of(InFront.take_front(End), Loads) ? End : 0;
    // What fills the tile waits itself; behind it there is another barrier in front of the next
    // turn's.
    const bool Behind =
        any_of(Body.drop_front(First + 1), [&](const Stmt *S) { return hasBarrier(S); });
    return Stores(Body[First]) && Loads(Body[First]) && Behind ? First + 1 : 0;
  }

  /// The number of statements that the load phase has where it has barriers of its own, as what is
  /// loaded goes to a tile that all threads have cleared. 0: it has none.
  ///   clear | barrier | load | barrier | compute | trailing barrier
  /// Nothing is loaded in front of the first one, which would be the end of the load phase else,
  /// and no tile is read there: that would be a compute phase.
  size_t endOfFillInParts(ArrayRef<const Stmt *> Body, ArrayRef<size_t> Own) const {
    size_t End = 0, Begin = 0;
    std::set<const Decl *> Cleared, Filled;
    for (size_t Barrier : Own) {
      Effects Part;
      for (const Stmt *S : Body.slice(Begin, Barrier - Begin))
        Part.append(collector().collect(S));
      const bool Loads = readsLoadable(Part);
      if (Part.hasBarrier() || !Part.writes(Space::Shared) || (Loads && Begin == 0) ||
          (!Loads && Part.reads(Space::Shared)) ||
          (End != 0 && (!Loads || Part.reads(Space::Shared))))
        break;
      for (const Access &A : Part.Accesses)
        for (const MemoryRoot &R : A.Roots)
          if (A.Write && R.In == Space::Shared)
            (Loads ? Filled : Cleared).insert(R.Decl);
      if (Loads)
        End = Barrier;
      Begin = Barrier + 1;
    }
    // What is written and not filled is a table.
    return std::includes(Filled.begin(), Filled.end(), Cleared.begin(), Cleared.end()) ? End : 0;
  }

  /// The last statement of the body with a barrier is none itself.
  bool lastBarrierIsNested(ArrayRef<const Stmt *> Body) const {
    for (const Stmt *S : reverse(Body)) {
      if (barrierOf(S, collector(), Context) == FunctionKind::Barrier)
        return false;
      if (hasBarrier(S))
        return true;
    }
    return false;
  }

  void partial(const Action &Barrier) {
    const auto *Asm = dyn_cast<GCCAsmStmt>(Barrier.Where);
    refuse(Reason::BarrierPartial, Barrier.Loc,
           {!Asm ? "'" + Barrier.Name + "'"
            : readPtx(Asm, Context).OrdersMemory
                ? "a barrier in inline assembly"
                : "a barrier in inline assembly that is not volatile with a clobbered \"memory\""});
  }

  /// A barrier for one warp stands where the block's should: between the stores of a tile and reads
  /// of it, in the order of the body or around its end.
  bool partialBarrier() {
    std::vector<const Stmt *> Body(L.Body->body_begin(), L.Body->body_end());
    for (size_t I = 0; I < Body.size(); ++I) {
      if (barrierOf(Body[I], collector(), Context) != FunctionKind::WarpBarrier)
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
      const Effects Own = collector().collect(Body[I]);
      partial(*find_if(Own.Actions,
                       [](const Action &A) { return A.Function == FunctionKind::WarpBarrier; }));
      return true;
    }
    return false;
  }

  /// Variables that need not have the same value in every turn of the loop.
  VarSet varying() const {
    VarSet Declared, Set;
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      VarSet &Declared;
      std::vector<const Stmt *> Parts; ///< what may hand a value on to another variable
      explicit Visitor(VarSet &Declared) : Declared(Declared) {}
      bool VisitVarDecl(const VarDecl *Var) override {
        Declared.insert(Var);
        return true;
      }
      bool VisitDeclStmt(const DeclStmt *S) override {
        Parts.push_back(S);
        return true;
      }
      bool VisitExpr(const Expr *E) override {
        const auto *Unary = dyn_cast<UnaryOperator>(E);
        const auto *Binary = dyn_cast<BinaryOperator>(E);
        if ((Unary && Unary->isIncrementDecrementOp()) || (Binary && Binary->isAssignmentOp()) ||
            isa<CallExpr>(E))
          Parts.push_back(E);
        return true;
      }
      bool VisitForStmt(const ForStmt *For) override {
        if (For->getCond())
          Parts.push_back(For);
        return true;
      }
    } V(Declared);
    V.TraverseStmt(L.Body);
    for (const VarDecl *Var : writtenVars(collector().collect(L.Loop)))
      if (!Declared.count(Var))
        Set.insert(Var);
    // Each part is looked at once, and after that when one of its variables turns out to vary.
    std::vector<VarSet> Written;
    DeclMap<VarDecl, std::vector<size_t>> MentionedBy;
    std::vector<size_t> FromMemory; ///< another tile's values
    for (const Stmt *S : V.Parts) {
      size_t Part = Written.size();
      VarSet Mentioned;
      if (const auto *For = dyn_cast<ForStmt>(S)) {
        Mentioned = mentionedVars(For->getCond());
        Written.push_back(For->getInc() ? writtenVars(collector().collect(For->getInc()))
                                        : VarSet());
      } else {
        Mentioned = mentionedVars(S);
        Effects E = collector().collect(S);
        Written.push_back(writtenVars(E));
        insertReads(Mentioned, E);
        if (!onlyLocalAccesses(E))
          FromMemory.push_back(Part);
      }
      for (const VarDecl *Var : Mentioned)
        MentionedBy[Var].push_back(Part);
    }
    std::vector<const VarDecl *> Work(Set.begin(), Set.end());
    auto Reach = [&](size_t Part) {
      for (const VarDecl *Var : Written[Part])
        if (Set.insert(Var).second)
          Work.push_back(Var);
      Written[Part].clear();
    };
    if (!Set.empty())
      for (size_t Part : FromMemory)
        Reach(Part);
    while (!Work.empty()) {
      const VarDecl *Var = Work.back();
      Work.pop_back();
      if (auto It = MentionedBy.find(Var); It != MentionedBy.end())
        for (size_t Part : It->second)
          Reach(Part);
    }
    return Set;
  }

  /// Accesses of \p S to shared memory that happen in every turn, at the same elements.
  std::vector<Access> steadyAccesses(const Stmt *S, const VarSet &Varying) const {
    std::vector<Access> Out;
    if (!S || isa<SwitchStmt>(S) || isa<LambdaExpr>(S))
      return Out;
    auto Varies = [&](const Expr *E) {
      return any_of(mentionedVars(E), [&](const VarDecl *V) { return Varying.count(V) != 0; }) ||
             !onlyLocalAccesses(collector().collect(E));
    };
    if (const auto *If = dyn_cast<IfStmt>(S); If && Varies(If->getCond())) {
      // `if (in) tile[i] = x[..]; else tile[i] = 0;`
      std::vector<Access> Else = steadyAccesses(If->getElse(), Varying);
      for (Access &A : steadyAccesses(If->getThen(), Varying))
        if (any_of(Else, [&](const Access &B) {
              return A.Write == B.Write && A.Read == B.Read &&
                     sameExpression(A.Where, B.Where, Context);
            }))
          Out.push_back(std::move(A));
      return Out;
    }
    if (!isa<Expr>(S) && !isa<DeclStmt>(S)) {
      for (const Stmt *Child : S->children())
        append_range(Out, steadyAccesses(Child, Varying));
      return Out;
    }
    struct Arms : ConstDynamicRecursiveASTVisitor {
      std::set<const Stmt *> Inside;
      unsigned Depth = 0;
      bool VisitExpr(const Expr *E) override {
        if (Depth)
          Inside.insert(E);
        return true;
      }
      bool TraverseConditionalOperator(const ConditionalOperator *Cond) override {
        VisitExpr(Cond);
        TraverseStmt(Cond->getCond());
        ++Depth;
        TraverseStmt(Cond->getTrueExpr());
        TraverseStmt(Cond->getFalseExpr());
        --Depth;
        return true;
      }
    } Arms;
    Arms.TraverseStmt(S);
    for (Access &A : collector().collect(S).Accesses)
      if (A.mayTouch(Space::Shared) && A.Roots.size() == 1 && A.Where && !A.InCallee &&
          !Arms.Inside.count(A.Where) && !Varies(A.Where))
        Out.push_back(std::move(A));
    return Out;
  }
  std::vector<Access> steadyAccesses(unsigned Segment, const VarSet &Varying) const {
    std::vector<Access> Out;
    for (const Stmt *S : M.Segments[Segment])
      append_range(Out, steadyAccesses(S, Varying));
    return Out;
  }

  /// One barrier only: tell a race from a form that is not handled. With several buffers that take
  /// turns one barrier is enough.
  bool oneBarrier() {
    // The wait of a group's copies is a barrier of the group as well; that the kernel has them is
    // said already.
    const Effects Body = collector().collect(L.Body);
    if (any_of(Body.Actions, [](const Action &A) {
          return A.Kind == Action::Call && A.Function == FunctionKind::AsyncCopy &&
                 StringRef(A.Name).contains("wait") &&
                 StringRef(A.Name).contains("cooperative_groups");
        })) {
      if (M.Refusals.empty())
        refuse(Reason::OwnAsyncCopies, L.Begin, {"cooperative_groups::wait"});
      return false;
    }
    const VarSet Varying = varying();
    std::vector<Access> Before = steadyAccesses(0u, Varying);
    for (const Access &R : steadyAccesses(1u, Varying))
      for (const Access &W : Before) {
        const ValueDecl *Array = W.Roots.begin()->Decl;
        if (!W.Write || !R.Read || !Array || !R.touches(Array) ||
            sameExpression(W.Where, R.Where, Context))
          continue;
        refuse(
            Reason::MissingBarrier, R.Loc,
            {Array->getNameAsString(), "read here and overwritten by the next iteration's load"});
        M.Refusals.back().Notes.push_back({"overwritten here", W.Loc});
        return false;
      }
    // `tile[tx] = x[..]; for (k) sum += tile[k];`: several elements, of which a thread stores only
    // one.
    for (const Access &R : Before)
      for (const Access &W : Before) {
        const ValueDecl *Array = W.Roots.begin()->Decl;
        if (!W.Write || !R.Read || !Array || !R.touches(Array) ||
            !SM().isBeforeInTranslationUnit(W.Loc, R.Loc) || !runsThrough(R.Where) ||
            runsThrough(W.Where))
          continue;
        refuse(Reason::MissingBarrier, R.Loc,
               {Array->getNameAsString(), "read here after other threads have written to it"});
        M.Refusals.back().Notes.push_back({"written here", W.Loc});
        return false;
      }
    // `tile[t % 2][tx]` is written and read, in another place in the next turn.
    auto TakesTurns = [&](bool Access::*How, bool Access::*ButNot) {
      DeclSet<ValueDecl> Arrays;
      for (const Access &A : Body.Accesses)
        if (A.*How && !(A.*ButNot) && A.Where && A.mayTouch(Space::Shared) && A.Roots.size() == 1 &&
            any_of(mentionedVars(A.Where), [&](const VarDecl *V) { return Varying.count(V) != 0; }))
          Arrays.insert(A.Roots.begin()->Decl);
      return Arrays;
    };
    const DeclSet<ValueDecl> Written = TakesTurns(&Access::Write, &Access::Read),
                             Read = TakesTurns(&Access::Read, &Access::Write);
    if (const auto Both = find_if(Written, [&](const ValueDecl *D) { return D && Read.count(D); });
        Both != Written.end()) {
      refuse(
          Reason::BarrierShape, M.Barriers[0]->getBeginLoc(),
          {"it has one barrier, and the parts of '" + (*Both)->getNameAsString() + "' take turns"});
      M.Refusals.back().Remedy = "Leave it as it is, if each turn stores to the part that the turn "
                                 "before has not read: it is pipelined by hand. Else "
                                 "put one block-wide barrier between the load and the compute, and "
                                 "one behind the compute.";
      return false;
    }
    refuse(Reason::BarrierShape, M.Barriers[0]->getBeginLoc(), {"it has one barrier"});
    return false;
  }

  const SourceManager &SM() const { return Context.getSourceManager(); }

  /// The counter of an inner loop decides about the element.
  bool runsThrough(const Expr *Place) const {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      VarSet Counters;
      bool VisitForStmt(const ForStmt *For) override {
        if (const auto *Init = dyn_cast_or_null<DeclStmt>(For->getInit()))
          for (const clang::Decl *D : Init->decls())
            if (const auto *Var = dyn_cast<VarDecl>(D))
              Counters.insert(Var);
        return true;
      }
    } V;
    V.TraverseStmt(L.Body);
    return any_of(mentionedVars(Place),
                  [&](const VarDecl *Var) { return V.Counters.count(Var) != 0; });
  }

  /// Of the compute phase what has no barrier behind it.
  ArrayRef<const Stmt *> behindLastBarrier() const {
    ArrayRef<const Stmt *> All = M.Segments[1];
    size_t From = All.size();
    while (From > 0 && !hasBarrier(All[From - 1]))
      --From;
    return All.drop_front(From);
  }

  /// What comes behind the trailing barrier and what comes before the next iteration's first
  /// barrier have none between them.
  void raceAroundTheEnd() {
    if (M.FillNested)
      return; // between any two statements
    const ArrayRef<const Stmt *> Behind =
        M.TrailingNested ? behindLastBarrier() : ArrayRef(M.Segments[2]);
    if (Behind.empty())
      return;
    const VarSet Varying = varying();
    std::vector<Access> First = steadyAccesses(0u, Varying), Last;
    Equalities Equal;
    for (const Stmt *S : Behind) {
      append_range(Last, steadyAccesses(S, Varying));
      equalitiesIn(S, Equal);
    }
    for (const Access &Late : Last)
      for (const Access &Early : First) {
        if (!Late.Write && !Early.Write)
          continue;
        for (const MemoryRoot &Root : Late.Roots) {
          if (Root.In != Space::Shared || !Root.Decl || !Early.touches(Root.Decl) ||
              sameElement(Late.Where, Early.Where, Equal))
            continue;
          refuse(Reason::MissingBarrier, Late.Loc,
                 {Root.Decl->getNameAsString(),
                  Late.Write
                      ? Early.Write
                            ? "written here and again by the next iteration's load"
                            : "written here and read in front of the next iteration's barrier"
                      : "read here and overwritten by the next iteration's load"});
          M.Refusals.back().Notes.push_back(
              {Early.Write ? "overwritten here" : "read here", Early.Loc});
          return;
        }
      }
  }

  /// What is equal wherever a statement runs: `if (tx == 0 && ..) sum += tile[0];`
  using Equalities = std::vector<std::pair<const Stmt *, const BinaryOperator *>>;
  static void equalitiesIn(const Stmt *S, Equalities &Out) {
    if (!S)
      return;
    if (const auto *If = dyn_cast<IfStmt>(S); If && If->getCond())
      holdIn(If->getThen(), If->getCond(), Out);
    for (const Stmt *Child : S->children())
      equalitiesIn(Child, Out);
  }
  static void holdIn(const Stmt *Then, const Expr *Condition, Equalities &Out) {
    const auto *Both = dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts());
    if (Both && Both->getOpcode() == BO_LAnd) {
      holdIn(Then, Both->getLHS(), Out);
      holdIn(Then, Both->getRHS(), Out);
    } else if (Both && Both->getOpcode() == BO_EQ) {
      Out.push_back({Then, Both});
    }
  }

  /// \p A at its place is what \p B is with the one side of an equality for the other.
  bool areAlike(const Expr *A, const Expr *B, const Equalities &Known) const {
    A = stripNoOps(A)->IgnoreParenImpCasts();
    B = stripNoOps(B)->IgnoreParenImpCasts();
    if (sameExpression(A, B, Context))
      return true;
    for (const auto &[Then, Equal] : Known)
      if (encloses(Then, A))
        for (const auto &[X, Y] : {std::pair(Equal->getLHS(), Equal->getRHS()),
                                   std::pair(Equal->getRHS(), Equal->getLHS())})
          if (sameExpression(A, X->IgnoreParenImpCasts(), Context) &&
              sameExpression(B, Y->IgnoreParenImpCasts(), Context))
            return true;
    const auto *ArrayA = dyn_cast<ArraySubscriptExpr>(A), *ArrayB = dyn_cast<ArraySubscriptExpr>(B);
    if (ArrayA && ArrayB)
      return areAlike(ArrayA->getBase(), ArrayB->getBase(), Known) &&
             areAlike(ArrayA->getIdx(), ArrayB->getIdx(), Known);
    const auto *OpA = dyn_cast<BinaryOperator>(A), *OpB = dyn_cast<BinaryOperator>(B);
    return OpA && OpB && OpA->getOpcode() == OpB->getOpcode() &&
           areAlike(OpA->getLHS(), OpB->getLHS(), Known) &&
           areAlike(OpA->getRHS(), OpB->getRHS(), Known);
  }

  /// One thread's own element, in every iteration: the lvalues are alike and what they mention does
  /// not change.
  bool sameElement(const Expr *A, const Expr *B, const Equalities &Known) const {
    // A value of a class is read as a constant.
    if (!A || !B || !areAlike(A, B, Known))
      return false;
    for (const Expr *E : {A, B})
      for (const VarDecl *Var : mentionedVars(E))
        if (Facts->Modified.count(Var) || DeclaredInBody.count(Var))
          return false;
    return true;
  }

  void header() {
    if (!L.condition())
      return refuse(Reason::LoopForm, L.Begin, {"it has no condition"});
    const auto *While = dyn_cast<WhileStmt>(L.Loop);
    if (While ? While->getConditionVariable() != nullptr
              : L.asFor() && L.asFor()->getConditionVariable())
      return refuse(Reason::LoopForm, L.Begin, {"its condition declares a variable"});
    // The load side counts by itself.
    const auto MayRound = [&](const Stmt *S) { return mayRoundIn(S) && computesFloats(S); };
    if (MayRound(L.condition()) || MayRound(L.step()) || MayRound(L.start()))
      return refuse(Reason::LoopForm, L.condition()->getExprLoc(),
                    {"its header sums up floating-point numbers, which may be rounded in two ways "
                     "where it is asked twice"});
    Facts->Condition = collector().collect(L.condition());
    if (L.step())
      Facts->Increment = collector().collect(L.step());
    if (L.start())
      Facts->Init = collector().collect(L.start());

    // `while (--left)`: the load side has a `left` of its own, and goes through the same conditions
    // once each.
    if (!onlyPureOrLoads(Facts->Condition))
      return refuse(Reason::ConditionReadsMemory, L.condition()->getExprLoc(),
                    {"has a side effect"});
    // What nobody changes may be read a turn earlier: rule 4 asks for that.
    if (any_of(Facts->Condition.Accesses, [&](const Access &A) {
          return A.Volatile || any_of(A.Roots, [&](const MemoryRoot &R) {
                   return R.In == Space::Unknown ||
                          (A.Write && R.In != Space::Local && R.In != Space::Param) ||
                          (R.In == Space::Shared && !isSteadyShared(R));
                 });
        }))
      return refuse(Reason::ConditionReadsMemory, L.condition()->getExprLoc(), {"reads memory"});
    // A scalar in shared memory that nothing in the loop writes is the same for the load side.
    auto WithoutSteady = [&](Effects E) {
      erase_if(E.Accesses, [&](const Access &A) {
        return !A.Write && !A.Volatile && A.Roots.size() == 1 && isSteadyShared(*A.Roots.begin());
      });
      return E;
    };
    if (!onlyPureActions(Facts->Increment) || !onlyLocalAccesses(WithoutSteady(Facts->Increment)))
      return refuse(Reason::LoopForm, L.step()->getExprLoc(),
                    {"its advance expression does more than arithmetic on local variables"});
    if (!plainInit(L.start()))
      return refuse(Reason::LoopForm, L.Begin,
                    {"its first part does more than give each of its variables a start value"});
    if (!onlyPureActions(Facts->Init))
      return refuse(Reason::LoopForm, L.Begin, {"its first part has a side effect"});
    if (!onlyLocalOrLoads(WithoutSteady(Facts->Init)))
      return refuse(Reason::LoopForm, L.Begin, {"its first part reads memory"});
  }

  /// Each variable is set once, to a value without side effects that does not depend on itself or
  /// on one that is set later: the load side evaluates the start values a second time.
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
      for (const Expr *Part : commaParts(cast<Expr>(Init))) {
        const auto *Op = dyn_cast<BinaryOperator>(Part->IgnoreParens());
        if (!Op)
          return false;
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
      bool VisitCXXForRangeStmt(const CXXForRangeStmt *For) override {
        for (const DeclStmt *S : {For->getRangeStmt(), For->getBeginStmt(), For->getEndStmt()})
          if (S && S->isSingleDecl())
            if (const auto *Var = dyn_cast<VarDecl>(S->getSingleDecl()))
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

  /// `printf("%d\n", sum)`: what is printed are values, no places, and no memory is read for it. In
  /// the compute phase a thread prints the same in the same order, whatever it has loaded.
  static bool printsValues(const Action &A) {
    const auto *Call = dyn_cast_or_null<CallExpr>(A.Where);
    if (!Call || A.Name != "printf" || Call->getNumArgs() == 0 ||
        !isa<clang::StringLiteral>(Call->getArg(0)->IgnoreParenImpCasts()))
      return false;
    const ArrayRef<const Expr *> Args(Call->getArgs(), Call->getNumArgs());
    return all_of(Args.drop_front(), [](const Expr *Arg) {
      return Arg->getType()->isArithmeticType() || Arg->getType()->isEnumeralType();
    });
  }

  /// Nothing of what the load phase needs is made by the statement, so that it stays where the tile
  /// is stored.
  bool standsAlone(const Action &A) const {
    bool Found = false;
    for (const Stmt *S : M.Segments[0])
      forEachLeaf(S, [&](const Stmt *Leaf) {
        Found |= !A.InCallee && A.Where && isa<Expr>(Leaf) && encloses(Leaf, A.Where) &&
                 printsOrEnds(collector().collect(Leaf));
      });
    return Found;
  }

  static bool endsTheGrid(StringRef Name) {
    return is_contained({"__trap", "__assert_fail", "__assertfail", "__builtin_trap"}, Name);
  }

  void placesMatter() {
    auto Look = [&](const Stmt *S, bool Moves) {
      for (const MeantByPlace &Part : meantByPlace(S, Context))
        if (!Part.NamesFunction)
          refuse(Reason::NotYet, Part.Where, {"'" + Part.Name + "' in the loop"});
        else if (Moves)
          refuse(Reason::NotYet, Part.Where, {"'" + Part.Name + "' in the load phase"});
    };
    for (const Stmt *S :
         {L.start(), static_cast<const Stmt *>(L.condition()), static_cast<const Stmt *>(L.step())})
      if (S)
        Look(S, /*Moves=*/true);
    for (unsigned I = 0; I < 3; ++I)
      for (const Stmt *S : M.Segments[I])
        Look(S, I == 0);
  }

  /// The load side has loop variables of its own, which the text has to mean wherever it names
  /// them.
  void hiddenNames() {
    if (!M.Refusals.empty())
      return; // an `if constexpr` is refused as such
    for (const HiddenMention &H :
         Facts->Function->once<HiddenMentions>([&] { return HiddenMentions(L.Function); }).All) {
      const bool Matters = DeclaredInBody.count(H.Var) || Facts->Modified.count(H.Var) ||
                           (L.start() && standsIn(H.Var->getLocation(), L.start(), SM()));
      auto In = [&](const Stmt *S) { return S && standsIn(H.Where, S, SM()); };
      if (Matters &&
          (any_of(M.Segments[0], In) || In(L.start()) || In(L.condition()) || In(L.step())))
        refuse(Reason::NotYet, H.Where,
               {"'" + H.Var->getNameAsString() +
                "' in a type or in a branch that this instantiation leaves out,"});
    }
  }

  bool isAboutCopies(const Action &A) const {
    const auto *Asm = dyn_cast_or_null<GCCAsmStmt>(A.Where);
    return Asm && readPtx(Asm, Context).AboutCopies;
  }

  /// With one buffer: all stores to shared memory are where they were, and what reads it behind the
  /// load phase. What moves past them are loads of global memory, which nothing in the loop writes.
  static bool staysInPlace(const Access &A, unsigned Segment) {
    return (Segment > 0 || !A.Read) && all_of(A.Roots, [](const MemoryRoot &R) {
             const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
             return R.In == Space::Shared && Var && !Var->hasExternalStorage();
           });
  }

  /// An atomic operation on shared memory, which stays where it is.
  bool updatesShared(const Action &A) const {
    if (A.InCallee || !A.Where || !isAtomicUpdate(A.Name))
      return false;
    bool Updates = false;
    for (const Access &Of : collector().collect(A.Where).Accesses) {
      if (!Of.Write)
        continue;
      if (Of.Roots.empty() || !all_of(Of.Roots, [](const MemoryRoot &R) {
            return R.In == Space::Shared && isa_and_nonnull<VarDecl>(R.Decl);
          }))
        return false;
      Updates = true;
    }
    return Updates;
  }

  /// What the closure does is seen where it is called: it has no state, and nothing that it has a
  /// copy of changes. In the load phase its text also goes to another place.
  bool mayStand(const LambdaExpr *Lambda, unsigned Segment, bool InCallee) const {
    const auto Keeps = [&](const VarDecl *Var) {
      if (InCallee || DeclaredInBody.count(Var))
        return !InCallee && Values->isSetOnce(Var);
      return none_of(Facts->Segment, [&](const Effects &E) {
        return any_of(E.Accesses, [&](const Access &A) { return A.Write && A.touches(Var); });
      });
    };
    return hasNoState(Lambda, Keeps) &&
           (Segment > 0 || InCallee || isOnlyCalled(Lambda, L.Function));
  }

  /// When it runs: what is a constant in every build has been computed once and for all.
  bool computesFloats(const Stmt *S) const {
    const auto *E = dyn_cast_or_null<Expr>(S);
    if (!S || (E && !E->isValueDependent() && E->getType()->isArithmeticType() &&
               E->isEvaluatable(Context) && !others().hasNumber(E)))
      return false;
    return (E && E->getType()->isFloatingType()) ||
           any_of(S->children(), [&](const Stmt *Child) { return computesFloats(Child); });
  }

  /// The lanes that its mask names come to the call together, wherever it stands; others may find
  /// other lanes on their way in another place.
  static bool asksNamedLanes(const Action &A) {
    const StringRef Name = A.Name;
    return A.Function == FunctionKind::Warp && Name.ends_with("_sync") &&
           (Name.starts_with("__shfl_") || Name == "__ballot_sync" || Name == "__any_sync" ||
            Name == "__all_sync");
  }

  void actions() {
    for (unsigned I = 0; I < 3; ++I) {
      for (const Access &A : Facts->Segment[I].Accesses)
        if (A.Volatile && staysInPlace(A, I))
          M.TwoBufferRefusals.push_back({Reason::Volatile, A.Loc, {}, {}});
        else if (A.Volatile)
          refuse(Reason::Volatile, A.Loc);
      for (const Action &A : Facts->Segment[I].Actions) {
        switch (A.Kind) {
        case Action::UnknownCall:
          refuse(Reason::UnknownCall, A.Loc, {A.Name});
          continue;
        case Action::Asm:
          // In the compute phase, where nothing moves, it may stay as it is. What it copies
          // asynchronously is reported by the caller.
          if (isAboutCopies(A))
            continue;
          if (I == 0 ? !A.LikeExpression : A.Function == FunctionKind::Unknown)
            refuse(Reason::InlineAsm, A.Loc);
          continue;
        case Action::Lambda:
          if (!mayStand(cast<LambdaExpr>(A.Where), I, A.InCallee))
            refuse(Reason::NotYet, A.Loc, {"a lambda of this kind inside of the tile loop"});
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
        case FunctionKind::LoadTexture:
        case FunctionKind::FragmentMath:
          break;
        case FunctionKind::MemoryCopy:
          if (A.InCallee) // of its own variables, or they are accesses like any others
            break;
          [[fallthrough]];
        case FunctionKind::FragmentLoad:
        case FunctionKind::FragmentStore:
        case FunctionKind::StorePointer:
        case FunctionKind::SeveralResults:
        case FunctionKind::Warp:
        case FunctionKind::WarpBarrier:
          // Fine in the compute phase, where nothing moves.
          if (I == 0 && !asksNamedLanes(A))
            refuse(Reason::LoadSideEffect, A.Loc, {"calls '" + A.Name + "'"});
          break;
        case FunctionKind::Atomic:
          // A relaxed update whose result nobody looks at is a store: it orders nothing but itself,
          // and rule 4 asks whether it may change what is loaded.
          if (I > 0 && isAtomicUpdate(A.Name) &&
              any_of(M.Segments[I], [&](const Stmt *S) { return A.isDiscardedIn(S); }))
            break;
          // So is one of shared memory where nothing but loads moves. Who hears of other threads by
          // its result hears of those of the block, which have written nothing that is loaded.
          if (updatesShared(A)) {
            M.TwoBufferRefusals.push_back({Reason::SideEffect, A.Loc, {"'" + A.Name + "'"}, {}});
            M.LoadUpdates |= I == 0;
            break;
          }
          refuse(Reason::SideEffect, A.Loc, {"'" + A.Name + "'"});
          break;
        case FunctionKind::Print:
        case FunctionKind::Trap:
          // Who fails an assert has no results, with or without the loads of the next tile.
          if (A.Function == FunctionKind::Print ? !printsValues(A) : !endsTheGrid(A.Name))
            refuse(Reason::SideEffect, A.Loc, {"'" + A.Name + "'"});
          else if (I == 0 && standsAlone(A))
            M.TwoBufferRefusals.push_back({Reason::SideEffect, A.Loc, {"'" + A.Name + "'"}, {}});
          else if (I == 0)
            refuse(Reason::SideEffect, A.Loc, {"'" + A.Name + "'"});
          break;
        case FunctionKind::AsyncCopy:
          break; // reported by the caller
        case FunctionKind::Barrier:
        case FunctionKind::BarrierValue:
          break; // of the compute phase: splitSegments() saw to that
        default:
          refuse(Reason::SideEffect, A.Loc, {"'" + A.Name + "'"});
          break;
        }
      }
    }
  }
};

} // namespace

void readLoopForm(ModelContext &C) { FormReader(C).run(); }

} // namespace cuda_pipeline
