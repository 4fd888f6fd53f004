//===- SameTurns.cpp - Loops that all threads run as often ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SameTurns.h"
#include "../Model/AstUtil.h"
#include "../Model/ModelStep.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// What of a number depends on the thread: a sum of terms, each so many times. Two terms are the
/// same if they are spelt alike of the same variables, each with the value that it has when the
/// loop's condition is asked for the first time. A pointer counts in elements of its type.
using Terms = std::map<FoldingSetNodeID, int64_t>;

unsigned countWrites(const Effects &Part, const VarDecl *Var) {
  unsigned N = 0;
  for (const Access &A : Part.Accesses)
    if (A.Write)
      for (const MemoryRoot &R : A.Roots)
        N += R.Decl == Var;
  return N;
}

/// What runs in front of a loop, in the order of the text, as far as each part runs once from any
/// earlier one to the loop. A loop or a switch around it is a part as a whole, and behind that come
/// the parts in it.
class RunBefore {
public:
  RunBefore(const Stmt *Body, const Stmt *Loop, const EffectCollector &Collector)
      : Collector(Collector) {
    find(Body, Loop);
    if (const auto *For = dyn_cast<ForStmt>(Loop); For && For->getInit())
      Parts.push_back(For->getInit());
    Writes.resize(Parts.size());
  }

  size_t size() const { return Parts.size(); }

  /// The part that declares \p Var; none: it is declared elsewhere.
  std::optional<size_t> declarationOf(const VarDecl *Var) const {
    for (size_t I = 0; I < Parts.size(); ++I)
      if (declares(Parts[I], Var))
        return I;
    return std::nullopt;
  }

  /// Writes to \p Var in the part number \p From and behind it; its initial value counts as one.
  unsigned writesTo(const VarDecl *Var, size_t From) const {
    unsigned N = 0;
    for (size_t I = From; I < Parts.size(); ++I) {
      if (!Writes[I])
        Writes[I] = Collector.collect(Parts[I]);
      N += countWrites(*Writes[I], Var);
    }
    return N;
  }

private:
  const EffectCollector &Collector;
  std::vector<const Stmt *> Parts;
  mutable std::vector<std::optional<Effects>> Writes;

  bool find(const Stmt *S, const Stmt *Loop) {
    if (!S || isa<LambdaExpr>(S))
      return false;
    if (S == Loop)
      return true;
    const size_t Here = Parts.size();
    const bool Once = isa<CompoundStmt>(S) || isa<IfStmt>(S) || isa<AttributedStmt>(S);
    if (!Once)
      Parts.push_back(S);
    for (const Stmt *Child : S->children()) {
      if (find(Child, Loop))
        return true;
      if (Child && Once)
        Parts.push_back(Child);
    }
    Parts.resize(Here);
    return false;
  }
};

class Differences {
public:
  Differences(const Stmt *Loop, const Uniformity &U, const FunctionValues &Values,
              const EffectCollector &Collector, ASTContext &Context)
      : Loop(Loop), U(U), Values(Values), Collector(Collector), Context(Context),
        Before(Values.function()->getBody(), Loop, Collector), InLoop(Before.size()) {
    const auto *For = dyn_cast<ForStmt>(Loop);
    for (const Stmt *Part :
         {static_cast<const Stmt *>(conditionOf(Loop)),
          static_cast<const Stmt *>(For ? For->getInc() : nullptr), bodyOf(Loop)})
      if (Part)
        Turn.push_back(Collector.collect(Part));
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
    if (!Op || !Op->isComparisonOp() || Op->getOpcode() == BO_Cmp)
      return false;
    if (endsWithGroup(Op))
      return true;
    if (!(isExact(Op->getLHS()) && isExact(Op->getRHS())) &&
        !(isPointer(Op->getLHS()) && pointsAlike(Op->getLHS()->getType(), Op->getRHS()->getType())))
      return false;
    Terms Left, Right;
    return add(Op->getLHS(), 1, InLoop, Left) && add(Op->getRHS(), 1, InLoop, Right) &&
           Left == Right;
  }

private:
  /// Where a value is computed: in a part that runs in front of the loop, or in each turn
  /// (`InLoop`). None: somewhere in front.
  using Place = std::optional<size_t>;

  const Stmt *Loop;
  const Uniformity &U;
  const FunctionValues &Values;
  const EffectCollector &Collector;
  ASTContext &Context;
  const RunBefore Before;
  const size_t InLoop;
  std::vector<Effects> Turn;
  std::map<const VarDecl *, std::optional<Terms>> Starts; ///< none: being asked

  /// Computed with as a number: of a signed type that is not promoted to another one.
  bool isExact(const Expr *E) const {
    return E->getType()->isSignedIntegerType() && !E->getType()->isBooleanType() &&
           Context.getTypeSize(E->getType()) >= Context.getTypeSize(Context.IntTy);
  }

  /// To elements of one size.
  static bool isPointer(const Expr *E) {
    const QualType To = E->getType()->getPointeeType();
    return E->getType()->isPointerType() && To->isObjectType() && !To->isIncompleteType() &&
           !To->isDependentType() && !To->isVariablyModifiedType();
  }

  bool pointsAlike(QualType A, QualType B) const {
    return A->isPointerType() && B->isPointerType() &&
           Context.hasSameUnqualifiedType(A->getPointeeType(), B->getPointeeType());
  }

  static bool isPlain(const VarDecl *Var) {
    return !Var->getType().isVolatileQualified() && Var->hasLocalStorage() &&
           !Var->getType()->isReferenceType();
  }

  /// It has one value from its declaration on, under no other name.
  bool isSetOnce(const VarDecl *Var) const {
    return isPlain(Var) && (Values.isSetOnce(Var) || Values.isUnchangedParameter(Var));
  }

  unsigned writesInTurn(const VarDecl *Var) const {
    unsigned N = 0;
    for (const Effects &Part : Turn)
      N += countWrites(Part, Var);
    return N;
  }

  /// What \p Var holds at \p At is what it holds when the condition is asked for the first time.
  bool isConstant(const VarDecl *Var, Place At) const {
    if (isSetOnce(Var))
      return true;
    if (!At || !isPlain(Var) || Values.hasOtherNames(Var))
      return false;
    if (*At == InLoop)
      return writesInTurn(Var) == 0;
    const bool Begins = Before.declarationOf(Var) == At && Var->hasInit();
    return Before.writesTo(Var, *At) == Begins;
  }

  static bool addTo(Terms &To, const FoldingSetNodeID &Key, int64_t Times, int64_t Factor) {
    int64_t All, &Sum = To[Key];
    if (MulOverflow(Times, Factor, All) || AddOverflow(Sum, All, Sum))
      return false;
    if (Sum == 0)
      To.erase(Key);
    return true;
  }

  static FoldingSetNodeID keyOf(const VarDecl *Var) {
    FoldingSetNodeID Key;
    Key.AddPointer(Var->getCanonicalDecl());
    Key.AddBoolean(true);
    return Key;
  }

  /// An expression of constants alone, that is computed in one way: the same value at \p At as if
  /// it stood in the loop's condition.
  bool isOfConstants(const Expr *E, Place At) const {
    E = E->IgnoreParens();
    if (isa<IntegerLiteral>(E) || asBuiltinIndex(E))
      return true;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
      const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
      return Var && Var->getType()->isIntegerType() && isConstant(Var, At);
    }
    if (const auto *Cast = dyn_cast<CastExpr>(E))
      return (isa<ImplicitCastExpr>(Cast) || isa<CStyleCastExpr, CXXStaticCastExpr>(Cast)) &&
             is_contained({CK_LValueToRValue, CK_NoOp, CK_IntegralCast}, Cast->getCastKind()) &&
             isOfConstants(Cast->getSubExpr(), At);
    if (const auto *Op = dyn_cast<BinaryOperator>(E))
      return (Op->isMultiplicativeOp() || Op->isAdditiveOp() || Op->isShiftOp() ||
              Op->isBitwiseOp()) &&
             isOfConstants(Op->getLHS(), At) && isOfConstants(Op->getRHS(), At);
    return false;
  }

  /// Adds \p Factor times what of \p E, computed at \p At, depends on the thread. False: that is
  /// not known.
  bool add(const Expr *E, int64_t Factor, Place At, Terms &To, unsigned Depth = 0) {
    if (Depth > 32)
      return false;
    E = E->IgnoreParens();
    if (U.isUniform(E))
      return true;
    if (const auto *Cast = dyn_cast<CastExpr>(E)) {
      if (!isa<ImplicitCastExpr, CStyleCastExpr, CXXStaticCastExpr>(Cast))
        return false;
      if (is_contained({CK_LValueToRValue, CK_NoOp}, Cast->getCastKind()))
        return add(Cast->getSubExpr(), Factor, At, To, Depth + 1);
      if (Cast->getCastKind() != CK_IntegralCast || !isExact(Cast))
        return false;
      // To a wider type, or of what no launch has more than 1024 of.
      const Expr *Of = Cast->getSubExpr();
      const std::optional<BuiltinIndex> Index = asBuiltinIndex(Of->IgnoreParenImpCasts());
      const bool Wider = Of->getType()->isSignedIntegerType() &&
                         Context.getTypeSize(Of->getType()) <= Context.getTypeSize(Cast->getType());
      return (Wider || (Index && Index->Var == BuiltinVar::ThreadIdx)) &&
             add(Of, Factor, At, To, Depth + 1);
    }
    if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
      const int64_t Second = Op->getOpcode() == BO_Sub ? -Factor : Factor;
      if (isPointer(Op) && Op->isAdditiveOp()) {
        const bool First = Op->getLHS()->getType()->isPointerType();
        return addElement(First ? Op->getLHS() : Op->getRHS(), First ? Op->getRHS() : Op->getLHS(),
                          Factor, Second, At, To, Depth);
      }
      if (!isExact(Op))
        return addTerm(Op, Factor, At, To);
      if (Op->isAdditiveOp()) {
        for (const Expr *Operand : {Op->getLHS(), Op->getRHS()})
          if (!Operand->getType()->isIntegerType() && !isPointer(Operand))
            return false;
        return add(Op->getLHS(), Factor, At, To, Depth + 1) &&
               add(Op->getRHS(), Second, At, To, Depth + 1);
      }
      if (Op->getOpcode() == BO_Mul)
        for (const auto &[Of, By] :
             {std::pair(Op->getLHS(), Op->getRHS()), std::pair(Op->getRHS(), Op->getLHS())})
          if (const std::optional<int64_t> Times = Values.fold(By))
            if (int64_t All; *Times != 0 && !MulOverflow(Factor, *Times, All) && isInt<32>(All))
              return add(Of, All, At, To, Depth + 1);
      return addTerm(Op, Factor, At, To);
    }
    if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
      if (Op->getOpcode() == UO_Minus && isExact(Op))
        return add(Op->getSubExpr(), -Factor, At, To, Depth + 1);
      const auto *Element = Op->getOpcode() == UO_AddrOf
                                ? dyn_cast<ArraySubscriptExpr>(Op->getSubExpr()->IgnoreParens())
                                : nullptr;
      return Element && isPointer(Op) &&
             addElement(Element->getBase(), Element->getIdx(), Factor, Factor, At, To, Depth);
    }
    const auto *Ref = dyn_cast<DeclRefExpr>(E);
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (!Var || (!isExact(Ref) && !isPointer(Ref)))
      return addTerm(E, Factor, At, To);
    if (!isConstant(Var, At) && !(At == InLoop && isCounter(Var)))
      return false;
    const Terms *Start = atStart(Var, Depth);
    return Start && all_of(*Start, [&](const auto &Term) {
             return addTo(To, Term.first, Term.second, Factor);
           });
  }

  /// `pointer + index`, by which sign \p IndexFactor says.
  bool addElement(const Expr *Pointer, const Expr *Index, int64_t Factor, int64_t IndexFactor,
                  Place At, Terms &To, unsigned Depth) {
    return isPointer(Pointer) && Index->getType()->isIntegerType() &&
           Context.getTypeSize(Index->getType()) <= Context.getTypeSize(Pointer->getType()) &&
           add(Pointer, Factor, At, To, Depth + 1) && add(Index, IndexFactor, At, To, Depth + 1);
  }

  bool addTerm(const Expr *E, int64_t Factor, Place At, Terms &To) const {
    if (!isOfConstants(E, At))
      return false;
    if (const VarDecl *Var = referencedVar(E))
      return addTo(To, keyOf(Var), 1, Factor);
    FoldingSetNodeID Key;
    if (const std::optional<BuiltinIndex> Index = asBuiltinIndex(E)) {
      Key.AddInteger(int(Index->Var)); // however it is written
      Key.AddInteger(Index->Dim);
    } else {
      E->Profile(Key, Context, /*Canonical=*/true);
    }
    return addTo(To, Key, 1, Factor);
  }

  /// What depends on the thread of what \p Var holds when the condition is asked for the first
  /// time: of what it was made of, which may stand on the other side, or all of it. Null: it is
  /// being asked.
  const Terms *atStart(const VarDecl *Var, unsigned Depth) {
    auto [It, New] = Starts.try_emplace(Var);
    if (!New)
      return It->second ? &*It->second : nullptr;
    Terms Of;
    auto [Value, At] = startOf(Var);
    if (!Value || !(isExact(Value) || isPointer(Value)) ||
        !Context.hasSameUnqualifiedType(Value->getType(), Var->getType()) ||
        !add(Value, 1, At, Of, Depth + 1))
      Of = {{keyOf(Var), 1}};
    std::optional<Terms> &Known = Starts[Var];
    Known = std::move(Of);
    return &*Known;
  }

  /// The value that \p Var holds when the condition is asked for the first time, and where it is
  /// computed; null: not known.
  std::pair<const Expr *, Place> startOf(const VarDecl *Var) const {
    const auto *For = dyn_cast<ForStmt>(Loop);
    if (const auto *Init = For ? dyn_cast_or_null<Expr>(For->getInit()) : nullptr)
      for (const Expr *Part : commaParts(Init))
        if (const auto *Set = dyn_cast<BinaryOperator>(Part->IgnoreParens());
            Set && Set->getOpcode() == BO_Assign && referencedVar(Set->getLHS()) == Var)
          return {Before.writesTo(Var, InLoop - 1) == 1 ? Set->getRHS() : nullptr, InLoop - 1};
    if (!Var->hasInit() || isa<ParmVarDecl>(Var))
      return {};
    if (const Place Declared = Before.declarationOf(Var); Declared && isConstant(Var, Declared))
      return {Var->getInit(), Declared};
    return {isSetOnce(Var) ? Var->getInit() : nullptr, std::nullopt};
  }

  /// The loop alone writes it while it runs, as often in all threads, by adding what all have.
  bool isCounter(const VarDecl *Var) const {
    if (!isPlain(Var) || Values.hasOtherNames(Var))
      return false;
    const auto *For = dyn_cast<ForStmt>(Loop);
    const unsigned Steps =
        stepsIn(bodyOf(Loop), Var) + (For && For->getInc() ? stepsIn(For->getInc(), Var) : 0);
    return Steps != 0 && Steps == writesInTurn(Var);
  }

  /// Those that run in each turn, unless all threads go on to the next one.
  unsigned stepsIn(const Stmt *S, const VarDecl *Var) const {
    unsigned Steps = 0;
    if (const auto *Compound = dyn_cast<CompoundStmt>(S))
      for (const Stmt *Child : Compound->body())
        Steps += stepsIn(Child, Var);
    else if (const auto *E = dyn_cast<Expr>(S))
      for (const Expr *Part : commaParts(E))
        Steps += isUniformStep(Part->IgnoreParens(), Var);
    return Steps;
  }

  //===-- Groups of numbers ---------------------------------------------------===//

  /// `t < end` where \p end is a multiple of the counter's only step, and all threads begin between
  /// two neighbouring multiples of it: from turn to turn they are between the next two, on the same
  /// side of the end.
  bool endsWithGroup(const BinaryOperator *Op) const {
    if (Op->getOpcode() != BO_LT && Op->getOpcode() != BO_GT)
      return false;
    const bool Less = Op->getOpcode() == BO_LT;
    const Expr *Counter = Less ? Op->getLHS() : Op->getRHS(),
               *End = Less ? Op->getRHS() : Op->getLHS();
    const VarDecl *Var = referencedVar(Counter->IgnoreParenImpCasts());
    if (!Var || !isPlain(Var) || Values.hasOtherNames(Var) || !isNumber(Var->getType()) ||
        !isNumber(Counter->getType()) ||
        Context.getTypeSize(Counter->getType()) != Context.getTypeSize(Var->getType()))
      return false;
    const std::optional<int64_t> Step = onlyStep(Var);
    // Where numbers go round they do so at a multiple of a power of two, all threads in one turn.
    if (!Step || *Step <= 0 ||
        !(isPowerOf2_64(*Step) || (isExact(Counter) && Var->getType()->isSignedIntegerType())))
      return false;
    const Expr *Begin = startOf(Var).first;
    const std::optional<ValueRange> R = Begin ? Values.range(Begin) : std::nullopt;
    return R && R->Lo >= 0 && R->Lo / *Step == R->Hi / *Step && U.isUniform(End) &&
           isMultiple(End, *Step, {});
  }

  bool isNumber(QualType T) const {
    return T->isIntegerType() && !T->isBooleanType() && !T->isEnumeralType() &&
           Context.getTypeSize(T) >= Context.getTypeSize(Context.IntTy);
  }

  /// What each turn adds to \p Var, if it writes it once.
  std::optional<int64_t> onlyStep(const VarDecl *Var) const {
    if (writesInTurn(Var) != 1)
      return std::nullopt;
    std::optional<int64_t> Step;
    auto Look = [&](const Stmt *S) {
      if (const auto *E = dyn_cast_or_null<Expr>(S))
        for (const Expr *Part : commaParts(E))
          if (const std::optional<int64_t> By = stepOf(Part->IgnoreParens(), Var))
            Step = By;
    };
    if (const auto *For = dyn_cast<ForStmt>(Loop))
      Look(For->getInc());
    if (const auto *Body = dyn_cast<CompoundStmt>(bodyOf(Loop)))
      for (const Stmt *Child : Body->body())
        Look(Child);
    return Step;
  }

  /// Adds a number that is a power of two, in whatever type, or one in the variable's own.
  std::optional<int64_t> stepOf(const Expr *E, const VarDecl *Var) const {
    const auto *Set = dyn_cast<BinaryOperator>(E);
    if (!Set || !Set->isAssignmentOp() || referencedVar(Set->getLHS()) != Var)
      return std::nullopt;
    const Expr *By = Set->getRHS();
    if (Set->getOpcode() == BO_Assign) { // `t = t + step`
      const auto *Sum = dyn_cast<BinaryOperator>(By->IgnoreParenImpCasts());
      if (!Sum || Sum->getOpcode() != BO_Add ||
          referencedVar(Sum->getLHS()->IgnoreParenImpCasts()) != Var || !isNumber(Sum->getType()))
        return std::nullopt;
      By = Sum->getRHS();
    } else if (Set->getOpcode() != BO_AddAssign) {
      return std::nullopt;
    }
    const std::optional<int64_t> Step =
        By->getType()->isIntegerType() ? Values.fold(By) : std::nullopt;
    return Step && (isPowerOf2_64(*Step) || isUniformStep(E, Var)) ? Step : std::nullopt;
  }

  /// What the parameters of a function are called with, seen from where it is called.
  struct Arguments {
    const CallExpr *Call = nullptr;
    const FunctionDecl *Callee = nullptr;
    const Arguments *Around = nullptr;

    const Expr *of(const VarDecl *Var) const {
      const auto *Param = dyn_cast_or_null<ParmVarDecl>(Var);
      return Call && Param && Param->getDeclContext() == Callee &&
                     Param->getFunctionScopeIndex() < Call->getNumArgs()
                 ? Call->getArg(Param->getFunctionScopeIndex())
                 : nullptr;
    }
  };

  /// A function that does nothing else than to compute a value of numbers, and the value.
  std::pair<const FunctionDecl *, const Expr *> valueOf(const CallExpr *Call) const {
    const FunctionDecl *Callee = Call->getDirectCallee(), *Body = nullptr;
    if (!Callee || isa<CXXMethodDecl>(Callee) || !Callee->hasBody(Body) || Body->isVariadic() ||
        Body == Values.function() ||
        !llvm::all_of(Body->parameters(),
                      [&](const ParmVarDecl *Param) { return isNumber(Param->getType()); }))
      return {};
    const auto *Block = dyn_cast_or_null<CompoundStmt>(Body->getBody());
    const auto *Return =
        Block && Block->size() == 1 ? dyn_cast<ReturnStmt>(Block->body_front()) : nullptr;
    const Expr *Value = Return ? Return->getRetValue() : nullptr;
    if (!Value || !writtenVars(Collector.collect(Value)).empty())
      return {};
    return {Body, Value};
  }

  /// Of \p Step, also if it has gone round.
  bool isMultiple(const Expr *E, int64_t Step, const Arguments &In, unsigned Depth = 0) const {
    if (Depth > 32)
      return false;
    if (const std::optional<int64_t> Value = Values.fold(E))
      return *Value % Step == 0;
    E = E->IgnoreParens();
    const bool Round = isPowerOf2_64(Step);
    if (!isNumber(E->getType()) || !(Round || E->getType()->isSignedIntegerType()))
      return false;
    auto Is = [&](const Expr *Part) { return isMultiple(Part, Step, In, Depth + 1); };
    if (const auto *Cast = dyn_cast<CastExpr>(E)) {
      if (!isa<ImplicitCastExpr, CStyleCastExpr, CXXStaticCastExpr, CXXFunctionalCastExpr>(Cast) ||
          !is_contained({CK_LValueToRValue, CK_NoOp, CK_IntegralCast}, Cast->getCastKind()))
        return false;
      const QualType Of = Cast->getSubExpr()->getType();
      return (Round || Context.getTypeSize(Of) <= Context.getTypeSize(Cast->getType())) &&
             Is(Cast->getSubExpr());
    }
    if (const auto *Cond = dyn_cast<ConditionalOperator>(E))
      return Is(Cond->getTrueExpr()) && Is(Cond->getFalseExpr());
    if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
      switch (Op->getOpcode()) {
      case BO_Sub:
        if (const std::optional<int64_t> Of = takenFromItself(Op, In))
          return *Of % Step == 0;
        [[fallthrough]];
      case BO_Add:
        return Is(Op->getLHS()) && Is(Op->getRHS());
      case BO_Mul:
        return Is(Op->getLHS()) || Is(Op->getRHS());
      case BO_And: // `n & ~63`
        return Round && (Is(Op->getLHS()) || Is(Op->getRHS()));
      case BO_Shl: {
        const std::optional<int64_t> By = Values.fold(Op->getRHS());
        return Round && By && *By >= 0 && *By < 32 && (int64_t(1) << *By) % Step == 0;
      }
      default:
        return false;
      }
    }
    if (const auto *Call = dyn_cast<CallExpr>(E)) {
      const auto [Callee, Value] = valueOf(Call);
      return Value && isMultiple(Value, Step, {Call, Callee, &In}, Depth + 1);
    }
    const VarDecl *Var = referencedVar(E);
    if (const Expr *Given = In.of(Var))
      return isMultiple(Given, Step, *In.Around, Depth + 1);
    return Var && isPlain(Var) && Values.isSetOnce(Var) && Is(Var->getInit());
  }

  /// Of `n - n % 32` and `n - (n & 31)`, which are multiples of 32: the 32.
  std::optional<int64_t> takenFromItself(const BinaryOperator *Minus, const Arguments &In) const {
    const VarDecl *Var = referencedVar(Minus->getLHS()->IgnoreParenImpCasts());
    const auto *Rest = dyn_cast<BinaryOperator>(Minus->getRHS()->IgnoreParenImpCasts());
    if (!Var || !isPlain(Var) || !Rest || !isNumber(Var->getType()) ||
        referencedVar(Rest->getLHS()->IgnoreParenImpCasts()) != Var)
      return std::nullopt;
    // In one type all along: another one may have other bits.
    for (const Expr *Part : {static_cast<const Expr *>(Minus), static_cast<const Expr *>(Rest)})
      if (!Context.hasSameUnqualifiedType(Part->getType(), Var->getType()))
        return std::nullopt;
    const Expr *By = Rest->getRHS();
    const Arguments *Of = &In;
    while (const Expr *Given = Of->of(referencedVar(By->IgnoreParenImpCasts()))) {
      By = Given;
      Of = Of->Around;
    }
    const std::optional<int64_t> N = Values.fold(By);
    if (!N || *N <= 0)
      return std::nullopt;
    if (Rest->getOpcode() == BO_Rem)
      return *N;
    return Rest->getOpcode() == BO_And && isPowerOf2_64(uint64_t(*N) + 1)
               ? std::optional<int64_t>(*N + 1)
               : std::nullopt;
  }

  bool isUniformStep(const Expr *E, const VarDecl *Var) const {
    if (const auto *Step = dyn_cast<UnaryOperator>(E))
      return Step->isIncrementDecrementOp() && referencedVar(Step->getSubExpr()) == Var;
    const auto *Set = dyn_cast<BinaryOperator>(E);
    if (!Set || !Set->isAssignmentOp() || referencedVar(Set->getLHS()) != Var)
      return false;
    const bool Pointer = isPointer(Set->getLHS());
    const Expr *By = Set->getRHS();
    if (Set->getOpcode() == BO_Assign) { // `t = t + step`
      const auto *Sum = dyn_cast<BinaryOperator>(By->IgnoreParens());
      if (!Sum || !Sum->isAdditiveOp() || !(Pointer ? isPointer(Sum) : isExact(Sum)) ||
          referencedVar(Sum->getLHS()) != Var)
        return false;
      By = Sum->getRHS();
    } else if (Set->getOpcode() != BO_AddAssign && Set->getOpcode() != BO_SubAssign) {
      return false;
    }
    // What is computed in an unsigned type wraps around.
    const auto *Compound = dyn_cast<CompoundAssignOperator>(Set);
    return By->getType()->isIntegerType() && (Pointer || isExact(By)) && U.isUniform(By) &&
           Context.getTypeSize(By->getType()) <= Context.getTypeSize(Var->getType()) &&
           (!Compound ||
            Context.hasSameUnqualifiedType(Compound->getComputationResultType(), Var->getType()));
  }
};

} // namespace

/// A loop that asks a condition by itself, and all of whose turns begin at the top of its body.
static bool isPlainLoop(const Stmt *Loop, const FunctionValues &Values) {
  const auto *For = dyn_cast<ForStmt>(Loop);
  const auto *While = dyn_cast<WhileStmt>(Loop);
  if ((!For && !While && !isa<DoStmt>(Loop)) || (For && For->getConditionVariable()) ||
      (While && While->getConditionVariable()) || !conditionOf(Loop))
    return false;
  // Who jumps may miss what stands in between.
  return !hasGoto(Values.function()->getBody()) && !hasCase(bodyOf(Loop));
}

bool takesSameTurns(const Stmt *Loop, const Uniformity &U, const FunctionValues &Values,
                    const EffectCollector &Collector, ASTContext &Context) {
  return isPlainLoop(Loop, Values) &&
         Differences(Loop, U, Values, Collector, Context).decidesAlike(conditionOf(Loop));
}

bool decidesAlikeInTurn(const Expr *Condition, const Stmt *Loop, const Uniformity &U,
                        const FunctionValues &Values, const EffectCollector &Collector,
                        ASTContext &Context) {
  return isPlainLoop(Loop, Values) && !U.isLeftBySome(Loop) &&
         Differences(Loop, U, Values, Collector, Context).decidesAlike(Condition);
}

} // namespace cuda_pipeline
