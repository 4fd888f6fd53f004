//===- SameTurns.cpp - Loops that all threads run as often ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SameTurns.h"
#include "../Model/AstUtil.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include <map>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// What of a number depends on the thread: a sum of terms, each so many times. Two terms are the
/// same if they are spelt alike of the same variables.
using Terms = std::map<FoldingSetNodeID, int64_t>;

class Differences {
public:
  Differences(const ForStmt *Loop, const Uniformity &U, const FunctionValues &Values,
              const EffectCollector &Collector, ASTContext &Context)
      : Loop(Loop), U(U), Values(Values), Context(Context) {
    for (const Stmt *Part : {static_cast<const Stmt *>(Loop->getCond()),
                             static_cast<const Stmt *>(Loop->getInc()), Loop->getBody()})
      if (Part)
        InLoop.push_back(Collector.collect(Part));
  }

  bool decidesAlike(const Expr *Condition) {
    const Expr *E = Condition->IgnoreParenImpCasts();
    if (U.isUniform(Condition))
      return true;
    if (const auto *Not = dyn_cast<UnaryOperator>(E); Not && Not->getOpcode() == UO_LNot)
      return decidesAlike(Not->getSubExpr());
    const auto *Op = dyn_cast<BinaryOperator>(E);
    if (Op && Op->isLogicalOp())
      return decidesAlike(Op->getLHS()) && decidesAlike(Op->getRHS());
    if (!Op || !Op->isComparisonOp() || Op->getOpcode() == BO_Cmp || !isExact(Op->getLHS()) ||
        !isExact(Op->getRHS()))
      return false;
    Terms Left, Right;
    return add(Op->getLHS(), 1, Left) && add(Op->getRHS(), 1, Right) && Left == Right;
  }

private:
  const ForStmt *Loop;
  const Uniformity &U;
  const FunctionValues &Values;
  ASTContext &Context;
  std::vector<Effects> InLoop;
  bool InFront = false; ///< what is looked at was computed somewhere in front of the loop
  std::map<const VarDecl *, std::optional<Terms>> Counters; ///< none: it is none

  /// Computed with as a number: of a signed type that is not promoted to another one.
  bool isExact(const Expr *E) const {
    return E->getType()->isSignedIntegerType() && !E->getType()->isBooleanType() &&
           Context.getTypeSize(E->getType()) >= Context.getTypeSize(Context.IntTy);
  }

  /// It has one value from its declaration on, under no other name.
  bool isSetOnce(const VarDecl *Var) const {
    return !Var->getType().isVolatileQualified() && Var->hasLocalStorage() &&
           !Var->getType()->isReferenceType() &&
           (Values.isSetOnce(Var) || Values.isUnchangedParameter(Var));
  }

  /// The same while the loop runs, which is all that matters unless it stands in the value of
  /// another variable.
  bool isConstant(const VarDecl *Var) const {
    return isSetOnce(Var) ||
           (!InFront && !Var->getType().isVolatileQualified() && Var->hasLocalStorage() &&
            !Var->getType()->isReferenceType() && !Values.hasOtherNames(Var) &&
            Context.getSourceManager().isBeforeInTranslationUnit(Var->getLocation(),
                                                                 Loop->getBeginLoc()) &&
            writesTo(Var) == 0);
  }

  unsigned writesTo(const VarDecl *Var) const {
    unsigned Writes = 0;
    for (const Effects &Part : InLoop)
      for (const Access &A : Part.Accesses)
        if (A.Write)
          for (const MemoryRoot &R : A.Roots)
            Writes += R.Decl == Var;
    return Writes;
  }

  static void addTo(Terms &To, const FoldingSetNodeID &Key, int64_t Times) {
    if ((To[Key] += Times) == 0)
      To.erase(Key);
  }

  /// An expression of constants alone, that is computed in one way: the same value wherever it
  /// stands in the loop and its head.
  bool isOfConstants(const Expr *E) const {
    E = E->IgnoreParens();
    if (isa<IntegerLiteral>(E) || asBuiltinIndex(E))
      return true;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
      const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
      return Var && Var->getType()->isIntegerType() && isConstant(Var);
    }
    if (const auto *Cast = dyn_cast<CastExpr>(E))
      return (isa<ImplicitCastExpr>(Cast) || isa<CStyleCastExpr, CXXStaticCastExpr>(Cast)) &&
             is_contained({CK_LValueToRValue, CK_NoOp, CK_IntegralCast}, Cast->getCastKind()) &&
             isOfConstants(Cast->getSubExpr());
    if (const auto *Op = dyn_cast<BinaryOperator>(E))
      return (Op->isMultiplicativeOp() || Op->isAdditiveOp() || Op->isShiftOp() ||
              Op->isBitwiseOp()) &&
             isOfConstants(Op->getLHS()) && isOfConstants(Op->getRHS());
    return false;
  }

  /// Adds \p Factor times what of \p E depends on the thread. False: that is not known.
  bool add(const Expr *E, int64_t Factor, Terms &To, unsigned Depth = 0) {
    if (Depth > 32)
      return false;
    E = E->IgnoreParens();
    if (U.isUniform(E))
      return true;
    if (const auto *Cast = dyn_cast<CastExpr>(E)) {
      if (!isa<ImplicitCastExpr, CStyleCastExpr, CXXStaticCastExpr>(Cast))
        return false;
      if (is_contained({CK_LValueToRValue, CK_NoOp}, Cast->getCastKind()))
        return add(Cast->getSubExpr(), Factor, To, Depth + 1);
      if (Cast->getCastKind() != CK_IntegralCast || !isExact(Cast))
        return false;
      // To a wider type, or of what no launch has more than 1024 of.
      const Expr *Of = Cast->getSubExpr();
      const std::optional<BuiltinIndex> Index = asBuiltinIndex(Of->IgnoreParenImpCasts());
      const bool Wider = Of->getType()->isSignedIntegerType() &&
                         Context.getTypeSize(Of->getType()) <= Context.getTypeSize(Cast->getType());
      return (Wider || (Index && Index->Var == BuiltinVar::ThreadIdx)) &&
             add(Of, Factor, To, Depth + 1);
    }
    if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
      if (!isExact(Op))
        return addTerm(Op, Factor, To);
      if (Op->isAdditiveOp())
        return add(Op->getLHS(), Factor, To, Depth + 1) &&
               add(Op->getRHS(), Op->getOpcode() == BO_Add ? Factor : -Factor, To, Depth + 1);
      if (Op->getOpcode() == BO_Mul)
        for (const auto &[Of, By] :
             {std::pair(Op->getLHS(), Op->getRHS()), std::pair(Op->getRHS(), Op->getLHS())})
          if (const std::optional<int64_t> Times = Values.fold(By))
            if (int64_t All; *Times != 0 && !MulOverflow(Factor, *Times, All) && isInt<32>(All))
              return add(Of, All, To, Depth + 1);
      return addTerm(Op, Factor, To);
    }
    if (const auto *Minus = dyn_cast<UnaryOperator>(E);
        Minus && Minus->getOpcode() == UO_Minus && isExact(Minus))
      return add(Minus->getSubExpr(), -Factor, To, Depth + 1);
    const auto *Ref = dyn_cast<DeclRefExpr>(E);
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (!Var)
      return addTerm(E, Factor, To);
    if (const Terms *Counter = counter(Var, Depth)) {
      for (const auto &[Key, Times] : *Counter)
        addTo(To, Key, Factor * Times);
      return true;
    }
    // What it is made of may stand on the other side.
    if (isSetOnce(Var) && isExact(Ref) && !isa<ParmVarDecl>(Var) && Var->hasInit()) {
      Terms Of;
      SaveAndRestore Earlier(InFront, true);
      if (isExact(Var->getInit()) && add(Var->getInit(), 1, Of, Depth + 1)) {
        for (const auto &[Key, Times] : Of)
          addTo(To, Key, Factor * Times);
        return true;
      }
    }
    return addTerm(E, Factor, To);
  }

  bool addTerm(const Expr *E, int64_t Factor, Terms &To) const {
    if (!isOfConstants(E))
      return false;
    FoldingSetNodeID Key;
    if (const std::optional<BuiltinIndex> Index = asBuiltinIndex(E)) {
      Key.AddInteger(int(Index->Var)); // however it is written
      Key.AddInteger(Index->Dim);
    } else {
      E->Profile(Key, Context, /*Canonical=*/true);
    }
    addTo(To, Key, Factor);
    return true;
  }

  /// What of the loop's counter \p Var depends on the thread: of what it starts with, since it
  /// steps by what does not. Null: it is none, or not known.
  const Terms *counter(const VarDecl *Var, unsigned Depth) {
    auto [It, New] = Counters.try_emplace(Var);
    if (!New) // or it is asked of itself
      return It->second ? &*It->second : nullptr;
    const Expr *Start = startOf(Var);
    if (!Start || !isExact(Start) || Var->getType().isVolatileQualified() ||
        !Context.hasSameUnqualifiedType(Start->getType(), Var->getType()) ||
        Values.hasOtherNames(Var) || !Var->hasLocalStorage() || !stepsUniformly(Var))
      return nullptr;
    Terms Of;
    if (!add(Start, 1, Of, Depth + 1))
      return nullptr;
    std::optional<Terms> &Known = Counters[Var];
    Known = std::move(Of);
    return &*Known;
  }

  const Expr *startOf(const VarDecl *Var) const {
    if (const auto *Decl = dyn_cast_or_null<DeclStmt>(Loop->getInit()))
      return is_contained(Decl->decls(), Var) ? Var->getInit() : nullptr;
    const auto *Init = dyn_cast_or_null<Expr>(Loop->getInit());
    const Expr *Found = nullptr;
    for (const Expr *Part : Init ? commaParts(Init) : std::vector<const Expr *>())
      if (const auto *Set = dyn_cast<BinaryOperator>(Part->IgnoreParens());
          Set && Set->getOpcode() == BO_Assign && referencedVar(Set->getLHS()) == Var)
        Found = Set->getRHS();
    return Found;
  }

  /// The loop's head alone writes it, once in each turn, by adding what all threads have.
  bool stepsUniformly(const VarDecl *Var) const {
    const unsigned Writes = writesTo(Var);
    if (!Loop->getInc())
      return false;
    for (const Expr *Part : commaParts(Loop->getInc())) {
      const Expr *E = Part->IgnoreParens();
      if (const auto *Step = dyn_cast<UnaryOperator>(E);
          Step && Step->isIncrementDecrementOp() && referencedVar(Step->getSubExpr()) == Var)
        return Writes == 1;
      const auto *Set = dyn_cast<BinaryOperator>(E);
      if (!Set || !Set->isAssignmentOp() || referencedVar(Set->getLHS()) != Var)
        continue;
      const Expr *By = Set->getRHS();
      if (Set->getOpcode() == BO_Assign) { // `t = t + step`
        const auto *Sum = dyn_cast<BinaryOperator>(By->IgnoreParens());
        if (!Sum || !Sum->isAdditiveOp() || !isExact(Sum) || referencedVar(Sum->getLHS()) != Var)
          return false;
        By = Sum->getRHS();
      } else if (Set->getOpcode() != BO_AddAssign && Set->getOpcode() != BO_SubAssign) {
        return false;
      }
      // What is computed in an unsigned type wraps around.
      const auto *Compound = dyn_cast<CompoundAssignOperator>(Set);
      return Writes == 1 && isExact(By) && U.isUniform(By) &&
             Context.getTypeSize(By->getType()) <= Context.getTypeSize(Var->getType()) &&
             (!Compound ||
              Context.hasSameUnqualifiedType(Compound->getComputationResultType(), Var->getType()));
    }
    return false;
  }
};

} // namespace

bool takesSameTurns(const ForStmt *Loop, const Uniformity &U, const FunctionValues &Values,
                    const EffectCollector &Collector, ASTContext &Context) {
  return !Loop->getConditionVariable() && Loop->getCond() &&
         Differences(Loop, U, Values, Collector, Context).decidesAlike(Loop->getCond());
}

} // namespace cuda_pipeline
