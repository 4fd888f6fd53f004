//===- State.cpp - What one iteration hands on to the next --------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// State is declared outside of the body and changed in the loop. What the load slice needs of it
/// must be its own: state that the compute slice or the header reads too is split into two copies.
/// For the ldg variants only the fetch runs ahead: what the store alone needs may stay one
/// variable.
///
//===----------------------------------------------------------------------===//

#include "FloatWork.h"
#include "ModelStep.h"
#include "Names.h"
#include "TemplatePattern.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/CharInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <functional>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

class StateSplitter : ModelStep {
public:
  using ModelStep::ModelStep;

  void run() {
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
    for (const Effects *Part : {&Facts->Condition, &Facts->Increment})
      for (const VarDecl *V : writtenVars(*Part))
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
    if (const auto *Decl = dyn_cast_or_null<DeclStmt>(L.start()))
      for (const clang::Decl *D : Decl->decls())
        if (const auto *Var = dyn_cast<VarDecl>(D))
          InitVars.insert(Var);
    VarSet ByAdvance;
    for (const Advance &A : M.Advances)
      ByAdvance.insert(A.Vars.begin(), A.Vars.end());
    FetchNeeds = fetchNeeds();
    VarSet Candidates = writtenVars(Facts->Segment[0]);
    Candidates.insert(Needed.begin(), Needed.end());
    for (const VarDecl *V : Candidates)
      if (Modified.count(V) && isStoreState(V, ByAdvance))
        M.StoreState.insert(V);
      else if (Modified.count(V) && Needed.count(V))
        M.LoadState.insert(V);

    // Load state may only be changed by the header, by advances, and by the load phase itself.
    for (unsigned I = 1; I < 3; ++I)
      for (const Stmt *S : M.Segments[I]) {
        if (isAdvanceStatement(S))
          continue;
        Effects E = collector().collect(S);
        for (const Access &A : E.Accesses)
          if (A.Write)
            for (const MemoryRoot &R : A.Roots)
              if (const auto *V = dyn_cast_or_null<VarDecl>(R.Decl))
                if (M.LoadState.count(V) && changedInCompute(*V, A.Loc))
                  return;
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
    VarSet HeaderUses = readVars(Facts->Condition);
    insertReads(HeaderUses, Facts->Increment);
    for (const Effects *Part : {&Facts->Condition, &Facts->Increment})
      for (const VarDecl *V : writtenVars(*Part))
        HeaderUses.insert(V);
    VarSet Main;
    for (size_t Before = 0; Main.empty() || Before != Main.size();) {
      Main.insert(ComputeUses.begin(), ComputeUses.end());
      Main.insert(HeaderUses.begin(), HeaderUses.end());
      Before = Main.size();
      for (const Advance &A : M.Advances)
        if (any_of(A.Vars, [&](const VarDecl *V) { return Main.count(V) != 0; })) {
          insertReads(Main, collector().collect(A.Statement));
          Main.insert(A.Vars.begin(), A.Vars.end());
          if (A.Segment == 0) // done again, with what the load phase declares for it
            insertMentioned(ComputeUses, A.Statement);
        }
      for (const Stmt *S : M.Segments[0])
        if (isUsedScalar(S, ComputeUses))
          if (Effects E = collector().collect(S); isRepeatable(cast<DeclStmt>(S), E)) {
            insertMentioned(ComputeUses, S);
            insertReads(ComputeUses, E);
          }
      Main.insert(ComputeUses.begin(), ComputeUses.end());
      if (Main.empty())
        break;
    }
    if (!sharedScalars(ComputeUses))
      return;
    for (Advance &A : M.Advances) {
      for (const VarDecl *V : A.Vars) {
        A.LoadSide |= M.LoadState.count(V) != 0;
        A.ComputeSide |= Main.count(V) != 0;
      }
      // State that nobody reads inside of the loop stays where it is.
      if (!A.LoadSide && !A.ComputeSide)
        (A.Segment == 0 ? A.LoadSide : A.ComputeSide) = true;
    }
    // What the compute side evaluates again of the load phase stands behind the stores then.
    auto ReadsStoreState = [&](const Stmt *S) -> const VarDecl * {
      Effects E = collector().collect(S);
      VarSet Mentioned = mentionedVars(S);
      for (const VarDecl *V : M.StoreState)
        if (!DeclaredInBody.count(V) &&
            (Mentioned.count(V) ||
             any_of(E.Accesses, [&](const Access &A) { return A.touches(V); })))
          return V;
      return nullptr;
    };
    std::vector<const Stmt *> Again = M.SharedScalars;
    for (const Advance &A : M.Advances) {
      if (A.Segment == 0)
        Again.push_back(A.Statement);
      if (A.LoadSide && A.ComputeSide && mayRoundIn(A.Statement))
        return refuse(Reason::LoadForm, A.Statement->getBeginLoc(), {RoundedTwice});
    }
    for (const Stmt *S : M.SharedScalars)
      if (mayRoundIn(S))
        return refuse(Reason::LoadForm, S->getBeginLoc(), {RoundedTwice});
    for (const Stmt *S : Again)
      if (const VarDecl *V = ReadsStoreState(S))
        return refuse(Reason::LoadSideEffect, S->getBeginLoc(),
                      {"uses '" + V->getNameAsString() + "' beside the tile's stores"});
    if (hidesName())
      return;
    keptTooLate(Again);
    // What stands in front of a turn's question whether it goes on is done in all turns, and by the
    // fetch alone if nobody else needs it.
    const auto IsDoneInAllTurns = [&](const Advance &A) {
      const auto Skip = find(M.Segments[0], M.Skip);
      return A.Segment == 0 && !A.ComputeSide &&
             is_contained(make_range(M.Segments[0].begin(), Skip), A.Statement);
    };
    for (const Advance &A : M.Advances)
      if (Facts->Continue && ((A.Segment == 2 && A.LoadSide) || (M.Skip && !IsDoneInAllTurns(A))))
        return refuse(Reason::EarlyExit, Facts->Continue->getBeginLoc(), {"continue"});
    for (const VarDecl *V : M.LoadState)
      if (Main.count(V))
        M.Split.insert(V);
    // What the header declares is not visible in front of the loop, changed or not.
    for (const VarDecl *V : InitVars) {
      M.Split.insert(V);
      for (unsigned I = 0; I < 3; ++I)
        for (const Access &A : Facts->Segment[I].Accesses)
          if (A.Write && A.touches(V) && !M.LoadState.count(V))
            return refuse(Reason::NotYet, A.Loc,
                          {"'" + V->getNameAsString() +
                           "', which the header declares and the body changes,"});
    }
    // What it only assigns is, but has no value there yet.
    for (const VarDecl *V : writtenVars(Facts->Init))
      if (Needed.count(V))
        M.Split.insert(V);
    // It has two values at a time, and statements say by their text which one they mean.
    for (const VarDecl *V : M.Split) {
      if (hasOtherName(V))
        return refuse(Reason::NotYet, V->getLocation(),
                      {"a second name (a reference, a pointer or a lambda's capture) for '" +
                       V->getNameAsString() + "', which the loop may change,"});
      if (V->getName().empty())
        return refuse(Reason::NotYet, V->getLocation(),
                      {"a structured binding that the loop advances"});
      // `for (Iterator it(0); ..)` has its arguments behind its name.
      const bool InName = V->getType()->isRecordType() && V->getInitStyle() == VarDecl::CallInit &&
                          InitVars.count(V);
      if (InName || !isPlainlyCopied(V->getType(), Context))
        return refuse(Reason::NotYet, V->getLocation(),
                      {"'" + V->getNameAsString() +
                       "', which the loop advances and which cannot be declared once more by "
                       "copying its bytes,"});
      // A lambda's own, or what a function that makes one has given to it.
      if (V->getParentFunctionOrMethod() != L.Function)
        return refuse(Reason::NotYet, L.Begin,
                      {"'" + V->getNameAsString() + "', which a lambda keeps from call to call,"});
    }
    findMaySplit();
    // Without a copy of its own the load side changes the variable ahead of the compute: nobody
    // there may look at it by a name that does not show.
    const bool Pries = any_of(Facts->Segment, [&](const Effects &E) {
      return &E != &Facts->Segment[0] && any_of(E.Accesses, [](const Access &A) {
        return any_of(A.Roots,
                      [](const MemoryRoot &R) { return !R.Decl && R.In == Space::Unknown; });
      });
    });
    if (Pries)
      for (const VarDecl *V : M.LoadState)
        if (!M.Split.count(V) && hasOtherName(V))
          return refuse(Reason::NotYet, V->getLocation(),
                        {"a second name (a reference, a pointer or a lambda's capture) for '" +
                         V->getNameAsString() + "', which the loop may change,"});
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
                          {A.Vars.front()->getNameAsString(), OfLoads});

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
          if (M.StoreState.count(V)) {
            refuseAsync(Reason::LoadSideEffect, A.Loc, V,
                        "sets '" + V->getNameAsString() + "', which the compute phase uses");
            continue;
          }
          if (!Advances && Main.count(V) &&
              refuseOrWaive(Reason::LoadSideEffect, A.Loc,
                            {"sets '" + V->getNameAsString() + "', which the compute phase uses"}))
            return;
          if (M.Split.count(V))
            M.ChangedInLoad.insert(V);
          // Left with its last value after the loop: the load slice ends with the same one, unless
          // it is written under a condition of its own; the sequence of writes is the same.
        }
      }
    }
    for (const Access &A : Facts->Segment[1].Accesses)
      for (const VarDecl *V : M.StoreState)
        if (A.Write && A.touches(V))
          refuseAsync(Reason::CounterModified, A.Loc, V, V->getNameAsString(), OfStores);
    for (const VarDecl *V : M.StoreState)
      if (!DeclaredInBody.count(V))
        refuseAsync(Reason::CounterModified, V->getLocation(), V, V->getNameAsString(), OfStores);
    // The start of the loop is evaluated twice: it must not depend on what the loop changes.
    VarSet InitReads = readVars(Facts->Init);
    for (const VarDecl *V : InitReads)
      if (Modified.count(V) && !writtenVars(Facts->Init).count(V))
        return refuse(
            Reason::LoopForm, L.Begin,
            {"its start value depends on '" + V->getNameAsString() + "', which the loop changes"});
  }

private:
  VarSet FetchNeeds;

  /// What addresses and conditions of loads are made of, and the header.
  VarSet fetchNeeds() const {
    struct Leaf {
      const Stmt *S;
      VarSet Control;
    };
    std::vector<Leaf> Leaves;
    std::function<void(const Stmt *, VarSet)> Gather = [&](const Stmt *S, VarSet Control) {
      if (!S)
        return;
      if (const auto *If = dyn_cast<IfStmt>(S)) {
        insertMentioned(Control, If->getCond());
        Gather(If->getThen(), Control);
        return Gather(If->getElse(), Control);
      }
      if (const auto *For = dyn_cast<ForStmt>(S)) {
        for (const Stmt *Part : {For->getInit(), static_cast<const Stmt *>(For->getCond()),
                                 static_cast<const Stmt *>(For->getInc())})
          if (Part)
            insertMentioned(Control, Part);
      } else if (!isa<CompoundStmt>(S) && !isa<AttributedStmt>(S)) {
        // Loops of other kinds are taken as a whole.
        Leaves.push_back({S, std::move(Control)});
        return;
      }
      for (const Stmt *Child : S->children())
        Gather(Child, Control);
    };
    for (const Stmt *S : M.Segments[0])
      Gather(S, {});

    VarSet Needs = readVars(Facts->Condition);
    insertReads(Needs, Facts->Increment);
    for (const Leaf &Lf : Leaves) {
      size_t Before = Needs.size();
      loadNeeds(Lf.S, Needs);
      if (Needs.size() != Before || readsLoadable(collector().collect(Lf.S)))
        Needs.insert(Lf.Control.begin(), Lf.Control.end());
    }
    auto Close = [&](const Stmt *S, const VarSet &Control) {
      Effects E = collector().collect(S);
      VarSet Written = writtenVars(E);
      if (const auto *Decl = dyn_cast<DeclStmt>(S))
        for (const clang::Decl *D : Decl->decls())
          if (const auto *Var = dyn_cast<VarDecl>(D))
            Written.insert(Var);
      if (none_of(Written, [&](const VarDecl *V) { return Needs.count(V) != 0; }))
        return;
      insertReads(Needs, E);
      insertMentioned(Needs, S);
      Needs.insert(Control.begin(), Control.end());
    };
    for (size_t Before = 0; Before != Needs.size();) {
      Before = Needs.size();
      for (const Leaf &Lf : Leaves)
        Close(Lf.S, Lf.Control);
      for (const Advance &A : M.Advances)
        Close(A.Statement, {});
    }
    return Needs;
  }

  /// What the loads in \p S are made of. A load that may not happen needs its condition.
  void loadNeeds(const Stmt *S, VarSet &Needs) const {
    const auto *E = dyn_cast<Expr>(S);
    if (E && !hasLoads(E))
      return;
    bool Whole = isa<WhileStmt>(S) || isa<DoStmt>(S);
    if (E) {
      const auto *Op = dyn_cast<BinaryOperator>(stripNoOps(E));
      Whole = asGlobalLoad(E) || isa<AbstractConditionalOperator>(stripNoOps(E)) ||
              (Op && Op->isLogicalOp());
    }
    if (Whole) {
      insertReads(Needs, collector().collect(S));
      insertMentioned(Needs, S);
      return;
    }
    // `tile[i] = A[j];` of a class: the operator is given a reference, and reads behind it.
    const bool ByReference = E && isa<CallExpr, CXXConstructExpr>(E);
    for (const Stmt *Child : S->children()) {
      const auto *Given = dyn_cast_or_null<Expr>(Child);
      if (ByReference && Given &&
          (globalLvalue(Given) || (Given->isGLValue() && asConditional(Given)))) {
        insertReads(Needs, collector().collect(Given));
        insertMentioned(Needs, Given);
      } else if (Child) {
        loadNeeds(Child, Needs);
      }
    }
  }

  /// The fetch does not need it and the compute phase has to do with it: the store half and the
  /// compute phase of the ldg variants follow each other as they did. With two buffers that is so
  /// for what stands in front of the trailing barrier.
  bool isStoreState(const VarDecl *V, const VarSet &ByAdvance) const {
    auto Touches = [&](const Effects &E) {
      return any_of(E.Accesses, [&](const Access &A) { return A.touches(V); });
    };
    const Effects *Others[] = {&Facts->Segment[2], &Facts->Init, &Facts->Condition,
                               &Facts->Increment};
    return !FetchNeeds.count(V) && !ByAdvance.count(V) && Touches(Facts->Segment[1]) &&
           none_of(Others, [&](const Effects *E) { return Touches(*E); }) && !hasOtherName(V);
  }

  /// The whole load slice of cp.async runs ahead.
  void refuseAsync(Reason Why, SourceLocation Where, const VarDecl *V, std::string What,
                   std::string How = "") {
    if (Said.insert(V).second)
      M.AsyncRefusals.push_back({Why, Where, {std::move(What), std::move(How)}, {}});
  }
  static constexpr const char *OfLoads = "the loads of the next tile depend on";
  static constexpr const char *OfStores = "the load phase sets, too";

  /// TileModel::MaySplit.
  void findMaySplit() {
    auto Changes = [&](const VarDecl *V) {
      return [=](const Advance &A) { return is_contained(A.Vars, V); };
    };
    for (const VarDecl *V : M.LoadState)
      if (!M.Split.count(V) && any_of(M.Advances, Changes(V)) && !hasOtherName(V) &&
          !V->getName().empty() && isPlainlyCopied(V->getType(), Context) &&
          V->getParentFunctionOrMethod() == L.Function && !changedInLoad(V))
        M.MaySplit.insert(V);
    // An advance is one statement: all that it changes, and all that it reads of what the loop
    // changes, has two values or none.
    for (size_t Before = ~size_t(0); Before != M.MaySplit.size();) {
      Before = M.MaySplit.size();
      M.MaySplit.remove_if([&](const VarDecl *V) {
        return any_of(M.Advances, [&](const Advance &A) {
          if (!is_contained(A.Vars, V))
            return false;
          VarSet Needs = readVars(collector().collect(A.Statement));
          Needs.insert(A.Vars.begin(), A.Vars.end());
          return any_of(Needs, [&](const VarDecl *Other) {
            return Facts->Modified.count(Other) && !M.MaySplit.count(Other) &&
                   !M.Split.count(Other);
          });
        });
      });
    }
  }

  /// Otherwise than by an advance.
  bool changedInLoad(const VarDecl *V) const {
    return any_of(M.Segments[0], [&](const Stmt *S) {
      return !isAdvanceStatement(S) &&
             any_of(collector().collect(S).Accesses,
                    [&](const Access &A) { return A.Write && A.touches(V); });
    });
  }

  /// False: it is waived.
  bool changedInCompute(const VarDecl &V, SourceLocation Where) {
    if (FetchNeeds.count(&V) || !hasOtherName(&V))
      return refuseOrWaive(Reason::CounterModified, Where,
                           {V.getNameAsString(), FetchNeeds.count(&V) ? OfLoads : OfStores});
    // A value on its way to the tile. As one variable it could stay, but for somebody who may look
    // at it by another name.
    if (!refuseOrWaive(
            Reason::CounterModified, Where,
            {V.getNameAsString(), "the load phase sets, too, and of which the address is taken"}))
      return false;
    M.Refusals.back().Remedy =
        "Give the load phase a variable of its own, or do not take the variable's address.";
    return true;
  }
  VarSet Said;

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

  /// A declaration of the body by whose name the header, or an advance of the load side, means
  /// something else: what is made of these stands in the body, too.
  bool hidesName() {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      std::set<std::string> Names;
      bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
        Names.insert(Ref->getDecl()->getNameAsString());
        return true;
      }
    } V;
    // Types and templates, too, by whatever stands in the text.
    auto Add = [&](const Expr *E) {
      if (const auto R = textRange(E->getSourceRange(), Context))
        V.Names.merge(Facts->Function->Names->in(*R));
      V.TraverseStmt(E);
    };
    for (const Expr *E : {L.condition(), L.step()})
      if (E)
        Add(E);
    for (const Advance &A : M.Advances)
      if (A.LoadSide)
        Add(cast<Expr>(A.Statement));
    for (const VarDecl *State : M.LoadState)
      V.Names.insert(State->getNameAsString());
    for (const Stmt *S : L.Body->body())
      if (const auto *Decl = dyn_cast<DeclStmt>(S)) {
        SmallVector<const clang::Decl *, 4> Declared(Decl->decls());
        for (const clang::Decl *D : Decl->decls()) {
          if (const auto *Enum = dyn_cast<EnumDecl>(D))
            append_range(Declared, Enum->enumerators());
          if (const auto *Bound = dyn_cast<DecompositionDecl>(D))
            append_range(Declared, Bound->bindings());
        }
        for (const clang::Decl *D : Declared)
          if (const auto *Named = dyn_cast<NamedDecl>(D); isa<UsingDirectiveDecl>(D)) {
            refuse(Reason::NotYet, D->getLocation(), {"'using namespace' in the loop's body"});
            return true;
          } else if (Named && V.Names.count(Named->getNameAsString())) {
            // An advance may speak of what the body declares.
            bool Meant = any_of(M.Advances, [&](const Advance &A) {
              const auto *Var = dyn_cast<VarDecl>(Named);
              return Var && A.LoadSide && mentionedVars(A.Statement).count(Var);
            });
            if (Meant)
              continue;
            refuse(Reason::NotYet, Named->getLocation(),
                   {"a declaration in the body that hides '" + Named->getNameAsString() +
                    "' of the header"});
            return true;
          }
      }
    return false;
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

  /// Nothing but reads of local variables, of global and of shared memory.
  static bool onlyLoads(const Effects &E) {
    return onlyPureOrLoads(E) && all_of(E.Accesses, [](const Access &A) {
             return !A.Volatile && all_of(A.Roots, [&](const MemoryRoot &R) {
               return R.In == Space::Local || R.In == Space::Param || R.In == Space::Constant ||
                      (!A.Write && (isLoadable(R) || R.In == Space::Shared));
             });
           });
  }

  /// A declaration of the load phase, of a variable that the compute phase uses, too; no shared
  /// memory.
  static bool isUsedScalar(const Stmt *S, const VarSet &ComputeUses) {
    const auto *Decl = dyn_cast<DeclStmt>(S);
    bool Used = false, IsBuffer = false;
    if (Decl)
      for (const clang::Decl *D : Decl->decls())
        if (const auto *Var = dyn_cast<VarDecl>(D)) {
          IsBuffer |= Var->hasAttr<CUDASharedAttr>();
          Used |= ComputeUses.count(Var) != 0;
        }
    return Used && !IsBuffer;
  }

  /// Evaluated twice it does what it does once: values of local variables, and nothing is changed.
  bool isPure(const DeclStmt *Decl, const Effects &E) const {
    return onlyPureActions(E) && onlyLocalAccesses(E) && all_of(E.Accesses, [&](const Access &A) {
             return !A.Write || all_of(A.Roots, [&](const MemoryRoot &R) {
               return R.Decl && is_contained(Decl->decls(), R.Decl);
             });
           });
  }

  /// Evaluated again at the beginning of the compute phase it gives the same values. What it reads
  /// of global memory no other phase of the loop may write, or no load may run ahead (Legality's
  /// feedback()). What no load needs to know is not read twice: it may be as much as the tile.
  bool isRepeatable(const DeclStmt *Decl, const Effects &E) const {
    if (isPure(Decl, E))
      return true;
    auto OnlyItself = [&](const Access &A) {
      return all_of(A.Roots, [&](const MemoryRoot &R) {
        return A.Write ? R.Decl && is_contained(Decl->decls(), R.Decl)
                       : R.In != Space::Shared || isSteadyShared(R);
      });
    };
    auto ForLoads = [&](const clang::Decl *D) {
      const auto *Var = dyn_cast<VarDecl>(D);
      return Var && FetchNeeds.count(Var);
    };
    return onlyLoads(E) && all_of(E.Accesses, OnlyItself) && any_of(Decl->decls(), ForLoads);
  }

  /// What the load phase declares it to be it is there up to the end. What the compute phase makes
  /// of its own one is its own affair.
  bool keepsItsValueInLoad(const VarDecl *Var) const {
    if (Values->isSetOnce(Var))
      return true;
    return Var->hasInit() && Var->hasLocalStorage() && !Values->hasOtherNames(Var) &&
           count_if(Facts->Segment[0].Accesses,
                    [&](const Access &A) { return A.Write && A.touches(Var); }) == 1;
  }

  /// It can be a copy of a variable in front of the loop, or, without a value of its own, stand for
  /// one: its type means the same there and in every instantiation.
  bool mayBeKept(const VarDecl *Var) const {
    const QualType T = Context.getBaseElementType(Var->getType()).getUnqualifiedType();
    const bool IsCopied = beginsWithValue(Var);
    return !Var->getType().isVolatileQualified() &&
           (IsCopied ? !Var->getType()->isArrayType() && !Var->getType()->isReferenceType()
                     : !isTouchedBehind(Var) && !Var->hasAttrs()) &&
           (T->isArithmeticType() || T->isPointerType() || T->isEnumeralType() ||
            isPlainlyAssigned(T, Context)) &&
           !Facts->Function->once<TemplatePattern>([&] { return TemplatePattern(L.Function); })
                .isDependent(Var->getLocation());
  }
  /// A variable that is kept is what the stores' half leaves it: what the compute phase makes of it
  /// again, \p Again, must not have seen it before a change.
  void keptTooLate(ArrayRef<const Stmt *> Again) {
    for (const VarDecl *V : M.Kept)
      for (const Stmt *S : Again) {
        const auto It = find(M.Segments[0], S);
        if (It == M.Segments[0].end() || !mentionedVars(S).count(V))
          continue;
        const bool Changed =
            any_of(make_range(It + 1, M.Segments[0].end()), [&](const Stmt *Behind) {
              return any_of(collector().collect(Behind).Accesses,
                            [&](const Access &A) { return A.Write && A.touches(V); });
            });
        if (Changed)
          M.TwoBufferRefusals.push_back(
              {Reason::LoadSideEffect,
               V->getLocation(),
               {"sets '" + V->getNameAsString() + "', which the compute phase uses"},
               {}});
      }
  }

  /// Behind the trailing barrier, where the next tile's value is there.
  bool isTouchedBehind(const VarDecl *Var) const {
    return any_of(M.Segments[2], [&](const Stmt *S) { return mentionedVars(S).count(Var) != 0; });
  }

  /// Declarations of segment 0 whose variables the compute phase uses.
  bool sharedScalars(const VarSet &ComputeUses) {
    for (const Stmt *S : M.Segments[0]) {
      if (!isUsedScalar(S, ComputeUses) || is_contained(M.Neutral, S))
        continue;
      const auto *Decl = cast<DeclStmt>(S);
      Effects E = collector().collect(Decl);
      const bool Repeatable = isRepeatable(Decl, E);
      for (const clang::Decl *D : Decl->decls()) {
        const auto *Var = dyn_cast<VarDecl>(D);
        if (!Var)
          continue;
        if (ComputeUses.count(Var) && Decl->isSingleDecl() && !Var->isStaticLocal() &&
            (!Repeatable || !keepsItsValueInLoad(Var)) && onlyLoads(E) && !FetchNeeds.count(Var) &&
            !Var->getType()->isReferenceType() && !hasOtherName(Var)) {
          // The store half sets it, which one buffer has in front of the compute phase.
          M.StoreState.insert(Var);
          const bool Kept = mayBeKept(Var);
          if (Kept)
            M.Kept.insert(Var);
          (Kept ? M.AsyncRefusals : M.TwoBufferRefusals)
              .push_back({Reason::LoadSideEffect,
                          Var->getLocation(),
                          {"sets '" + Var->getNameAsString() + "', which the compute phase uses"},
                          {}});
          continue;
        }
        if (!Repeatable || !keepsItsValueInLoad(Var) || Var->isStaticLocal()) {
          const auto *Used = cast<VarDecl>(*find_if(Decl->decls(), [&](const clang::Decl *D) {
            return isa<VarDecl>(D) && ComputeUses.count(cast<VarDecl>(D));
          }));
          refuse(Reason::LoadSideEffect, Used->getLocation(),
                 {"sets '" + Used->getNameAsString() + "', which the compute phase uses"});
          return false;
        }
      }
      if (Repeatable && none_of(Decl->decls(), [&](const clang::Decl *D) {
            const auto *Var = dyn_cast<VarDecl>(D);
            return Var && M.StoreState.count(Var);
          }))
        M.SharedScalars.push_back(Decl);
    }
    // Nested declarations of segment 0 are not visible there, so nothing else can be shared.
    return true;
  }
};

} // namespace

void splitState(ModelContext &C) { StateSplitter(C).run(); }

} // namespace cuda_pipeline
