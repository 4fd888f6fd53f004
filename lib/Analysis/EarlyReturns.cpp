//===- EarlyReturns.cpp - Threads that never come to the loop -------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EarlyReturns.h"
#include "../Model/AstUtil.h"
#include "../Model/LoopFacts.h"
#include "SameTurns.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// Parts of a statement with tile loops in it, and those in which something is found where some
/// threads are not there, or all: the same for each loop that they are not around.
struct PartsAround {
  std::vector<const Stmt *> All;
  DenseMap<const Stmt *, size_t> Index;
  std::vector<size_t> Telling[2];
};
struct KnownParts {
  mutable std::map<const Stmt *, PartsAround> Of;
};

class Finder {
public:
  /// \p Loop null: of the whole function. \p Known: of the function; null: nobody keeps it.
  /// \p Values: of the function; null: loops are not compared turn by turn.
  Finder(const KLoop *Loop, const Uniformity &U, const EffectCollector &Collector,
         const FunctionValues *Values = nullptr, ASTContext *Context = nullptr,
         const KnownParts *Known = nullptr)
      : Loop(Loop), U(U), Collector(Collector), Values(Values), Context(Context), KnownOf(Known) {}

  std::vector<EarlyReturn> run(const Stmt *Body) {
    if (U.leadsOut(Body))
      walk(Body);
    return std::move(Found);
  }
  /// Some loop takes the same turns in all threads by other numbers in each.
  bool Compared = false;

private:
  const KLoop *Loop;
  const Uniformity &U;
  const EffectCollector &Collector;
  const FunctionValues *const Values;
  ASTContext *const Context;
  const KnownParts *const KnownOf;
  EarlyReturn Here; ///< a return at this place
  bool Divergent = false, Behind = false;
  const Stmt *In = nullptr; ///< the innermost loop around this place
  std::vector<EarlyReturn> Found;

  /// \p S: of an `if` around the loop.
  bool leadsToLoop(const Stmt *S) const {
    return S && (is_contained(Loop->Ancestors, S) || S == Loop->Loop);
  }
  bool isAround(const Stmt *S) const { return Loop && is_contained(Loop->Ancestors, S); }
  bool changesSomething(const Expr *E) const {
    return any_of(Collector.collect(E).Accesses, [](const Access &A) { return A.Write; });
  }

  void hidden(const Stmt *S) {
    if (Behind && !Here.InLoopAround)
      return;
    Found.push_back(Here);
    Found.back().Where = S;
    Found.back().Hidden = true;
  }

  /// A return or goto in a statement expression.
  static const Stmt *exitIn(const Stmt *S) {
    if (!S || isa<LambdaExpr>(S))
      return nullptr;
    if (isa<ReturnStmt>(S) || isa<GotoStmt>(S) || isa<IndirectGotoStmt>(S))
      return S;
    for (const Stmt *Child : S->children())
      if (const Stmt *Exit = exitIn(Child))
        return Exit;
    return nullptr;
  }

  bool goesOnAlike(const Stmt *S, const Expr *Cond) {
    if (U.isUniform(Cond))
      return true;
    const bool Same = Values && isLoop(S) && !U.isLeftBySome(S) &&
                      takesSameTurns(S, U, *Values, Collector, *Context);
    Compared |= Same;
    return Same;
  }

  /// All threads that come to the condition of an `if` together go the same way.
  bool goAlike(const Expr *Cond) {
    if (U.isUniform(Cond))
      return true;
    const bool Same = Values && In && decidesAlikeInTurn(Cond, In, U, *Values, Collector, *Context);
    Compared |= Same;
    return Same;
  }

  /// \p All: of those threads that are left all come here, or none.
  void under(const Expr *Cond, bool Way, const Stmt *S, bool All) {
    SaveAndRestore Inside(Divergent, Divergent || !All);
    SaveAndRestore Known(Here.PathKnown, Here.PathKnown && !changesSomething(Cond));
    Here.Path.push_back({Cond, Way});
    walk(S);
    Here.Path.pop_back();
  }

  void walk(const Stmt *S) {
    if (!S || isa<LambdaExpr>(S))
      return;
    if (Loop && S == Loop->Loop) {
      Behind = true;
      return;
    }
    if (!U.leadsOut(S) && !isAround(S))
      return;
    if ((isa<ReturnStmt>(S) || isa<GotoStmt>(S) || isa<IndirectGotoStmt>(S)) && Divergent) {
      if (Behind && !Here.InLoopAround)
        return;
      Found.push_back(Here);
      Found.back().Where = S;
      return;
    }
    if (isa<Expr>(S) || isa<GCCAsmStmt>(S)) {
      if (const Stmt *Exit = exitIn(S))
        return hidden(Exit);
      Effects Eff = Collector.collect(S);
      if (U.exitsInAssembly(Eff))
        return hidden(S);
      if (!Divergent || (Behind && !Here.InLoopAround))
        return;
      if (Eff.hasBarrier()) {
        Found.push_back(Here);
        Found.back().Where = S;
        Found.back().IsBarrier = true;
      }
      return;
    }
    if (const auto *If = dyn_cast<IfStmt>(S)) {
      walk(If->getInit());
      walk(If->getConditionVariableDeclStmt());
      walk(If->getCond());
      const bool Ends = isAround(If) && !Divergent && !Here.InLoopAround && U.endsForOthers(If) &&
                        !U.isUniform(If->getCond());
      if (Ends) {
        Found.push_back(Here);
        EarlyReturn &Others = Found.back();
        Others.Where = If;
        Others.IsBranch = true;
        Others.PathKnown &= !changesSomething(If->getCond());
        // The branch with the loop is the one with barriers.
        Others.Path.push_back({If->getCond(), !leadsToLoop(If->getThen())});
      }
      const bool All = Divergent || Ends || goAlike(If->getCond());
      // Where all threads go to the loop, nobody has been in the other branch.
      const bool Apart = isAround(If) && All && !Divergent && !Ends && !Here.InLoopAround &&
                         !hasGoto(Loop->Function->getBody());
      if (!Apart || !leadsToLoop(If->getElse()))
        under(If->getCond(), true, If->getThen(), All);
      if (!Apart || !leadsToLoop(If->getThen()))
        under(If->getCond(), false, If->getElse(), All);
      return;
    }
    const Expr *Cond = conditionOf(S);
    // Where some threads jump out, the others go on alone.
    bool Alone =
        isa<CXXForRangeStmt>(S) || ((isLoop(S) || isa<SwitchStmt>(S)) && U.isLeftBySome(S));
    const bool Apart = Cond && !goesOnAlike(S, Cond);
    // Each turn has fewer of them.
    const bool Leave = Apart && isLoop(S) && isAround(S) && !Divergent && !Here.InLoopAround &&
                       !Alone && U.endsForLeavers(S);
    if (Leave) {
      Found.push_back(Here);
      Found.back().Where = S;
      Found.back().IsBranch = true;
      Found.back().PathKnown = false;
    }
    SaveAndRestore Inside(Divergent, Divergent || (Apart && !Leave) || Alone);
    SaveAndRestore Known(Here.PathKnown, Here.PathKnown && !isLoop(S) && !isa<SwitchStmt>(S));
    SaveAndRestore Around(Here.InLoopAround, Here.InLoopAround || (isLoop(S) && isAround(S)));
    SaveAndRestore Innermost(In, isLoop(S) ? S : In);
    if (KnownOf && isAround(S))
      return walkParts(S);
    for (const Stmt *Child : S->children())
      walk(Child);
  }

  /// Of the other parts those that tell something are enough.
  void walkParts(const Stmt *S) {
    auto [It, New] = KnownOf->Of.try_emplace(S);
    PartsAround &P = It->second;
    for (const Stmt *Child : S->children())
      if (New && Child) {
        for (const bool Some : {false, true}) {
          Finder Alone(nullptr, U, Collector, Values, Context);
          Alone.Divergent = Some;
          Alone.In = In;
          Alone.walk(Child);
          Compared |= Alone.Compared;
          if (!Alone.Found.empty())
            P.Telling[Some].push_back(P.All.size());
        }
        P.Index.try_emplace(Child, P.All.size());
        P.All.push_back(Child);
      }
    const auto *Inner = std::next(find(Loop->Ancestors, S));
    const Stmt *Next = Inner == Loop->Ancestors.end() ? Loop->Loop : *Inner;
    const size_t At = P.Index.lookup(Next);
    const std::vector<size_t> &Telling = P.Telling[Divergent];
    const auto Behind = std::lower_bound(Telling.begin(), Telling.end(), At);
    for (auto I = Telling.begin(); I != Behind; ++I)
      walk(P.All[*I]);
    walk(Next);
    for (auto I = Behind; I != Telling.end(); ++I)
      if (*I != At)
        walk(P.All[*I]);
  }
};

struct SomeLeave {
  bool Any, Compared;
};

} // namespace

std::vector<EarlyReturn> earlyReturns(const KLoop &Place, const Uniformity &U,
                                      const EffectCollector &Collector) {
  return Finder(&Place, U, Collector).run(Place.Function->getBody());
}

std::vector<EarlyReturn> earlyReturns(const TileModel &M, const Uniformity &U, ASTContext &Context,
                                      bool *Compared) {
  const EffectCollector &Collector = *M.Facts->Collector;
  const FunctionValues *Values = M.Facts->Values;
  const Stmt *Body = M.Loop->Function->getBody();
  // A kernel of many loops, in which all threads go the same way, is looked through once.
  const SomeLeave &Some = M.Facts->Function->once<SomeLeave>([&] {
    Finder Whole(nullptr, U, Collector, Values, &Context);
    const bool Any = !Whole.run(Body).empty();
    return SomeLeave{Any, Whole.Compared};
  });
  if (Compared)
    *Compared = Some.Compared;
  if (!Some.Any)
    return {};
  const KnownParts &Known = M.Facts->Function->once<KnownParts>([] { return KnownParts(); });
  return Finder(M.Loop, U, Collector, Values, &Context, &Known).run(Body);
}

} // namespace cuda_pipeline
