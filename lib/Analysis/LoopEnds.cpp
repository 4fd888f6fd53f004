//===- LoopEnds.cpp - Loops that end whatever memory says -------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopEnds.h"
#include "../Model/AstUtil.h"
#include "Isl.h"
#include "cuda-pipeline/DeclSet.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// Past these the loop is not one that anybody would call a search.
constexpr size_t MaxPaths = 64, MaxRankings = 24, MaxSymbols = 400;
constexpr unsigned long MaxOperations = 400000;

/// A sum of symbols, each an unknown whole number; symbol 0 is 2^62.
struct Sum {
  std::map<unsigned, int64_t> Terms; ///< none of them zero
  int64_t Constant = 0;

  static Sum of(unsigned Symbol) {
    Sum S;
    S.Terms[Symbol] = 1;
    return S;
  }
  static Sum number(int64_t N) {
    Sum S;
    S.Constant = N;
    return S;
  }
  bool isNumber() const { return Terms.empty(); }
};

/// Where the numbers get too large for that, none.
using MaybeSum = std::optional<Sum>;

MaybeSum plus(const MaybeSum &A, const MaybeSum &B, int64_t Times = 1) {
  if (!A || !B)
    return std::nullopt;
  Sum S = *A;
  auto Add = [&](int64_t &To, int64_t N) {
    int64_t Product = 0;
    return !MulOverflow(N, Times, Product) && !AddOverflow(To, Product, To);
  };
  if (!Add(S.Constant, B->Constant))
    return std::nullopt;
  for (const auto &[Symbol, Factor] : B->Terms) {
    if (!Add(S.Terms[Symbol], Factor))
      return std::nullopt;
    if (S.Terms[Symbol] == 0)
      S.Terms.erase(Symbol);
  }
  return S;
}
MaybeSum minus(const MaybeSum &A, const MaybeSum &B) { return plus(A, B, -1); }
MaybeSum times(const MaybeSum &A, int64_t By) { return plus(Sum(), A, By); }

class EndFinder {
public:
  EndFinder(const Stmt *Loop, const FunctionDecl *Function, const ASTContext &Context)
      : Loop(Loop), Function(Function), Context(Context), Isl(MaxOperations) {}

  bool ends() {
    if (!isa<WhileStmt, DoStmt, ForStmt>(Loop) || hasGoto(Function->getBody()))
      return false;
    findTracked(Function->getBody(), nullptr, false);
    for (const VarDecl *V : Other)
      Tracked.erase(V);
    if (Tracked.empty())
      return false;
    for (const VarDecl *V : Tracked)
      if (isNumber(V->getType()) && !isa<ParmVarDecl>(V))
        Least[V] = 1;
    // What is said of one may be needed for what is said of another one.
    while (true) {
      Less.clear();
      const bool Ends = tryAll();
      if (Failed || Isl.exhausted())
        return false;
      if (Less.empty())
        return Ends;
      for (const VarDecl *V : Less)
        if (Least[V]-- == 0)
          Least.erase(V);
    }
  }

private:
  const Stmt *Loop;
  const FunctionDecl *Function;
  const ASTContext &Context;
  IslContext Isl;
  bool Failed = false; ///< something in the loop is not understood

  using Vars = DeclSet<VarDecl>;
  Vars Tracked; ///< numbers and pointers that nothing but their names stands for
  Vars Other;   ///< those that are used in another way
  /// At all times they are 1 at least, or 0, as far as is known.
  DeclMap<VarDecl, int> Least;
  Vars Less;                                 ///< of these: what is given to them may be less
  DenseMap<const VarDecl *, unsigned> Start; ///< symbols of the values at the start of a turn
  std::vector<Sum> Types;                    ///< what is known of symbols by their types: >= 0
  unsigned Symbols = 1;

  struct State {
    DenseMap<const VarDecl *, Sum> Values;
    std::vector<Sum> Facts; ///< each >= 0
  };
  using States = std::vector<State>;
  States Continued; ///< at a `continue` of the loop

  //===-- Variables ---------------------------------------------------------------===//

  /// Bits and whether it is signed; no bits: it is no number of that kind.
  std::pair<unsigned, bool> widthOf(QualType T) const {
    T = T.getCanonicalType();
    if (T.isVolatileQualified() || T->isDependentType() ||
        !T->isIntegralOrUnscopedEnumerationType())
      return {0, false};
    if (const auto *Enum = T->getAs<EnumType>(); Enum && !Enum->getDecl()->isComplete())
      return {0, false};
    if (T->isBooleanType())
      return {1, false};
    const uint64_t Bits = Context.getIntWidth(T);
    if (Bits > 64)
      return {0, false};
    return {unsigned(Bits), T->isSignedIntegerOrEnumerationType()};
  }
  bool isNumber(QualType T) const { return widthOf(T).first != 0; }
  bool mayBeTracked(const VarDecl *V) const {
    const QualType T = V->getType();
    return V->hasLocalStorage() && V->getDeclContext() == Function && !T.isVolatileQualified() &&
           (isNumber(T) || isStepped(T));
  }
  static const VarDecl *varOf(const Expr *E) {
    const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParens());
    return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  }
  /// The variable that \p S itself writes by its name.
  static const VarDecl *writtenBy(const Stmt *S) {
    if (const auto *Op = dyn_cast<BinaryOperator>(S); Op && Op->isAssignmentOp())
      return varOf(Op->getLHS());
    if (const auto *Op = dyn_cast<UnaryOperator>(S); Op && Op->isIncrementDecrementOp())
      return varOf(Op->getSubExpr());
    return nullptr;
  }
  /// Variables are tracked if each mention of them reads them or writes them by their name. The
  /// \p User of \p S is what takes its value; null: nobody does.
  void findTracked(const Stmt *S, const Stmt *User, bool InLambda) {
    if (!S)
      return;
    const auto *Cast = dyn_cast_or_null<CastExpr>(User);
    const bool IsRead = Cast && Cast->getCastKind() == CK_LValueToRValue;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(S)) {
      const auto *V = dyn_cast<VarDecl>(Ref->getDecl());
      if (!V)
        return;
      const bool Writes = User && writtenBy(User) == V && !InLambda;
      (mayBeTracked(V) && (IsRead || Writes) ? Tracked : Other).insert(V);
      return;
    }
    // What has the same value, or place.
    if (isa<ParenExpr, FullExpr>(S)) {
      for (const Stmt *Child : S->children())
        findTracked(Child, User, InLambda);
      return;
    }
    if (const auto *Chosen = dyn_cast<ConditionalOperator>(S)) {
      findTracked(Chosen->getCond(), Chosen, InLambda);
      findTracked(Chosen->getTrueExpr(), User, InLambda);
      return findTracked(Chosen->getFalseExpr(), User, InLambda);
    }
    if (const auto *Op = dyn_cast<BinaryOperator>(S); Op && Op->getOpcode() == BO_Comma) {
      findTracked(Op->getLHS(), nullptr, InLambda);
      return findTracked(Op->getRHS(), User, InLambda);
    }
    // `int &r = ++lo`: the place that was written is given on.
    if (const VarDecl *V = writtenBy(S); V && cast<Expr>(S)->isGLValue() && User && !IsRead &&
                                         !(Cast && Cast->getCastKind() == CK_ToVoid))
      Other.insert(V);
    if (const auto *Op = dyn_cast<BinaryOperator>(S); Op && Op->isAssignmentOp()) {
      findTracked(Op->getLHS()->IgnoreParens(), Op, InLambda);
      return findTracked(Op->getRHS(), Op->getRHS(), InLambda);
    }
    const bool Uses = isa<Expr, DeclStmt, ReturnStmt>(S);
    for (const Stmt *Child : S->children())
      findTracked(Child, Uses ? S : nullptr, InLambda || isa<LambdaExpr>(S));
  }

  //===-- What is known -------------------------------------------------------------===//

  Sum fresh(QualType T) {
    const unsigned Symbol = Symbols++;
    if (Symbols > MaxSymbols)
      Failed = true;
    const auto [Bits, Signed] = widthOf(T);
    if (Bits) {
      const Sum S = Sum::of(Symbol);
      Types.push_back(*minus(S, lowest(Bits, Signed)));
      Types.push_back(*minus(highest(Bits, Signed), S));
    }
    return Sum::of(Symbol);
  }
  static Sum lowest(unsigned Bits, bool Signed) {
    return !Signed      ? Sum()
           : Bits == 64 ? *times(Sum::of(0), -2)
                        : Sum::number(-(int64_t(1) << (Bits - 1)));
  }
  static Sum highest(unsigned Bits, bool Signed) {
    const unsigned Ones = Bits - Signed;
    return Ones == 64   ? *plus(times(Sum::of(0), 4), Sum::number(-1))
           : Ones == 63 ? *plus(times(Sum::of(0), 2), Sum::number(-1))
                        : Sum::number((int64_t(1) << Ones) - 1);
  }

  /// \p S is not negative, by what is known in \p At.
  bool holds(const State &At, const MaybeSum &S) {
    if (!S || Failed)
      return false;
    if (S->isNumber())
      return S->Constant >= 0;
    std::vector<Sum> All = {*minus(Sum::number(-1), *S)};
    if (!minus(Sum::number(-1), *S))
      return false;
    DenseSet<unsigned> Seen;
    auto See = [&](const Sum &Of) {
      for (const auto &[Symbol, Factor] : Of.Terms)
        Seen.insert(Symbol);
    };
    See(All[0]);
    // What has to do with these.
    std::vector<const Sum *> Left;
    for (const ArrayRef<Sum> Known : {ArrayRef<Sum>(At.Facts), ArrayRef<Sum>(Types)})
      for (const Sum &F : Known)
        Left.push_back(&F);
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (const Sum *&F : Left)
        if (F && (F->isNumber() || any_of(F->Terms, [&](const auto &Term) {
                    return Term.first != 0 && Seen.contains(Term.first);
                  }))) {
          See(*F);
          All.push_back(*F);
          F = nullptr;
          Changed = true;
        }
    }
    std::string Text = "{ [s0";
    for (unsigned I = 1; I < Symbols; ++I)
      if (Seen.contains(I))
        Text += ",s" + std::to_string(I);
    Text += "] : s0 = 4611686018427387904";
    for (const Sum &F : All) {
      Text += " and " + std::to_string(F.Constant);
      for (const auto &[Symbol, Factor] : F.Terms)
        Text += (Factor < 0 ? " - " : " + ") +
                std::to_string(Factor < 0 ? 0 - uint64_t(Factor) : Factor) + "s" +
                std::to_string(Symbol);
      Text += " >= 0";
    }
    Text += " }";
    const IslSet Counter(isl_set_read_from_str(Isl.get(), Text.c_str()));
    return Counter && answer(isl_set_is_empty(Counter.get())) == Answer::Yes;
  }
  bool isAtLeast(const State &At, const MaybeSum &A, const MaybeSum &B) {
    return holds(At, minus(A, B));
  }
  void know(State &At, const MaybeSum &S) {
    if (S)
      At.Facts.push_back(*S);
  }

  //===-- Values --------------------------------------------------------------------===//

  /// \p S as a number of type \p T: itself, if it is one for sure.
  Sum asType(State &At, const MaybeSum &S, QualType T) {
    const auto [Bits, Signed] = widthOf(T);
    if (!S || !Bits || !isAtLeast(At, S, lowest(Bits, Signed)) ||
        !isAtLeast(At, highest(Bits, Signed), S))
      return fresh(T);
    return *S;
  }
  /// The value \p S of type \p From, converted to \p T.
  Sum converted(State &At, const Sum &S, QualType From, QualType T) {
    const auto [Bits, Signed] = widthOf(T);
    const auto [Before, WasSigned] = widthOf(From);
    const bool AllFit =
        Before && Bits && (Signed || !WasSigned) && Before - WasSigned <= Bits - Signed;
    return AllFit ? S : asType(At, S, T);
  }
  /// \p S was computed in type \p T. Signed numbers and pointers do not go round.
  Sum computed(State &At, const MaybeSum &S, QualType T) {
    const bool Exact =
        S && (T->isPointerType() ||
              (widthOf(T).first && widthOf(T).second &&
               Context.getLangOpts().getSignedOverflowBehavior() != LangOptions::SOB_Defined));
    if (!Exact)
      return asType(At, S, T);
    return *S;
  }

  /// \p N as what a pointer is moved by: one that is unsigned may stand for a negative one.
  Sum asDistance(State &At, const Sum &N) { return asType(At, N, Context.getPointerDiffType()); }
  Sum operation(State &At, BinaryOperatorKind Op, const Sum &L, const Sum &R, QualType T) {
    switch (Op) {
    case BO_Add:
      return computed(At, plus(L, R), T);
    case BO_Sub:
      return computed(At, minus(L, R), T);
    case BO_Mul:
      if (R.isNumber())
        return computed(At, times(L, R.Constant), T);
      if (L.isNumber())
        return computed(At, times(R, L.Constant), T);
      return fresh(T);
    case BO_Shl:
      if (R.isNumber() && R.Constant >= 0 && R.Constant < 62)
        return asType(At, times(L, int64_t(1) << R.Constant), T);
      return fresh(T);
    case BO_Div:
    case BO_Shr: {
      if (!R.isNumber() || R.Constant < 0 || (Op == BO_Div ? R.Constant == 0 : R.Constant > 61))
        return fresh(T);
      const int64_t By = Op == BO_Div ? R.Constant : int64_t(1) << R.Constant;
      const Sum Quotient = fresh(T);
      const MaybeSum Rest = minus(L, times(Quotient, By)); // of what was divided
      // A shift rounds down, a division to zero.
      const bool Down = Op == BO_Shr || isAtLeast(At, L, Sum());
      know(At, plus(Rest, Sum::number(Down ? 0 : By - 1)));
      know(At, minus(Sum::number(By - 1), Rest));
      return Quotient;
    }
    case BO_Rem: {
      const Sum Rest = fresh(T);
      if (R.isNumber() && R.Constant > 0 && isAtLeast(At, L, Sum())) {
        know(At, minus(Sum::number(R.Constant - 1), Rest));
        know(At, Rest);
        know(At, minus(L, Rest));
      }
      return Rest;
    }
    default:
      return fresh(T);
    }
  }

  static bool isStepped(QualType Pointer) {
    return Pointer->isPointerType() && !Pointer->getPointeeType()->isFunctionType();
  }
  static bool samePointee(QualType A, QualType B) {
    return isStepped(A) && isStepped(B) &&
           A->getPointeeType().getCanonicalType().getUnqualifiedType() ==
               B->getPointeeType().getCanonicalType().getUnqualifiedType();
  }

  /// The value of \p E, a number, or an address counted in what it points to.
  Sum value(State &At, const Expr *E) {
    E = E->IgnoreParens();
    const QualType T = E->getType();
    if (Failed || (!isNumber(T) && !isStepped(T)))
      return fresh(T);
    if (const std::optional<int64_t> N = constantValue(E, Context))
      return Sum::number(*N);
    if (const auto *Full = dyn_cast<FullExpr>(E))
      return value(At, Full->getSubExpr());
    if (const auto *Constant = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
      return value(At, Constant->getReplacement());
    if (const auto *Cast = dyn_cast<CastExpr>(E)) {
      const Expr *From = Cast->getSubExpr();
      switch (Cast->getCastKind()) {
      case CK_LValueToRValue: {
        const VarDecl *V = varOf(From);
        const auto It = V ? At.Values.find(V) : At.Values.end();
        return It == At.Values.end() ? fresh(T) : It->second;
      }
      case CK_NoOp:
        return From->isPRValue() ? value(At, From) : fresh(T);
      case CK_IntegralCast:
        return converted(At, value(At, From), From->getType(), T);
      default:
        return fresh(T);
      }
    }
    if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
      if (Op->getOpcode() == UO_Minus)
        return computed(At, times(value(At, Op->getSubExpr()), -1), T);
      if (Op->getOpcode() == UO_Plus)
        return value(At, Op->getSubExpr());
      // `&first[half]`
      const auto *Element = Op->getOpcode() == UO_AddrOf
                                ? dyn_cast<ArraySubscriptExpr>(Op->getSubExpr()->IgnoreParens())
                                : nullptr;
      if (Element && samePointee(Element->getBase()->getType(), T))
        return computed(
            At, plus(value(At, Element->getBase()), asDistance(At, value(At, Element->getIdx()))),
            T);
      return fresh(T);
    }
    if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
      if (Op->isAssignmentOp() || Op->isLogicalOp() || Op->isComparisonOp() ||
          Op->getOpcode() == BO_Comma || Op->isPtrMemOp())
        return fresh(T);
      const QualType Left = Op->getLHS()->getType(), Right = Op->getRHS()->getType();
      const bool Numbers = isNumber(Left) && isNumber(Right);
      // p + n, n + p, p - n, p - q.
      const bool Pointers = Op->isAdditiveOp() && (isStepped(T) ? isNumber(Left) || isNumber(Right)
                                                                : samePointee(Left, Right));
      if (!Numbers && !Pointers)
        return fresh(T);
      Sum L = value(At, Op->getLHS()), R = value(At, Op->getRHS());
      if (Pointers && isStepped(T))
        (isNumber(Left) ? L : R) = asDistance(At, isNumber(Left) ? L : R);
      return operation(At, Op->getOpcode(), L, R, T);
    }
    // One of two.
    if (const auto *Chosen = dyn_cast<ConditionalOperator>(E)) {
      const Sum A = value(At, Chosen->getTrueExpr()), B = value(At, Chosen->getFalseExpr());
      const bool Up = isAtLeast(At, B, A);
      const Sum Either = fresh(T);
      if (Up || isAtLeast(At, A, B)) {
        know(At, minus(Either, Up ? A : B));
        know(At, minus(Up ? B : A, Either));
      }
      return Either;
    }
    return fresh(T);
  }

  //===-- Paths ----------------------------------------------------------------------===//

  template <typename Fn> void forEachWrite(const Stmt *S, Fn Written) {
    if (!S)
      return;
    if (const VarDecl *V = writtenBy(S); V && Tracked.count(V))
      Written(V, cast<Expr>(S));
    if (const auto *Declared = dyn_cast<DeclStmt>(S))
      for (const Decl *D : Declared->decls())
        if (const auto *V = dyn_cast<VarDecl>(D); V && Tracked.count(V))
          Written(V, V->getInit());
    for (const Stmt *Child : S->children())
      forEachWrite(Child, Written);
  }

  void set(State &At, const VarDecl *V, const Sum &To) {
    if (const auto It = Least.find(V);
        It != Least.end() && !isAtLeast(At, To, Sum::number(It->second)))
      Less.insert(V);
    At.Values[V] = To;
  }

  /// A variable, of which at most is known what it is at all times.
  Sum any(State &At, const VarDecl *V) {
    const Sum S = fresh(V->getType());
    if (const auto It = Least.find(V); It != Least.end())
      know(At, minus(S, Sum::number(It->second)));
    return S;
  }
  /// What \p S writes, at a time that nobody knows.
  void forgetWritten(State &At, const Stmt *S) {
    forEachWrite(S, [&](const VarDecl *V, const Expr *By) {
      State Anywhere = somewhere();
      if (By && isa<BinaryOperator, UnaryOperator>(By) && writtenBy(By) == V)
        write(Anywhere, By);
      else if (By)
        set(Anywhere, V, value(Anywhere, By));
    });
    forEachWrite(S, [&](const VarDecl *V, const Expr *) { At.Values[V] = any(At, V); });
  }
  /// Of all variables no more is known than that.
  State somewhere() {
    State At;
    for (const VarDecl *V : Tracked)
      At.Values[V] = any(At, V);
    return At;
  }

  /// \p E writes a variable by its name, and nothing else in it does.
  void write(State &At, const Expr *E) {
    const VarDecl *V = writtenBy(E);
    const QualType T = V->getType();
    if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
      const Sum One = Sum::number(Op->isIncrementOp() ? 1 : -1);
      const MaybeSum Next = plus(At.Values[V], One);
      // Small types are computed in `int`.
      const bool Narrow =
          isNumber(T) && Context.getIntWidth(T) < Context.getIntWidth(Context.IntTy);
      return set(At, V, Narrow ? asType(At, Next, T) : computed(At, Next, T));
    }
    const auto *Op = cast<BinaryOperator>(E);
    if (!Op->isCompoundAssignmentOp())
      return set(At, V, value(At, Op->getRHS()));
    const auto *Compound = cast<CompoundAssignOperator>(Op);
    const Sum By = value(At, Op->getRHS());
    const QualType In = Compound->getComputationResultType();
    if (isStepped(T))
      return set(At, V,
                 operation(At, BinaryOperator::getOpForCompoundAssignment(Op->getOpcode()),
                           At.Values[V], asDistance(At, By), T));
    if (!isNumber(In) || !isNumber(Op->getRHS()->getType()))
      return set(At, V, fresh(T));
    const QualType Promoted = Compound->getComputationLHSType();
    const Sum Before = converted(At, At.Values[V], T, Promoted);
    const Sum After =
        operation(At, BinaryOperator::getOpForCompoundAssignment(Op->getOpcode()), Before, By, In);
    set(At, V, converted(At, After, In, T));
  }

  static bool hasAny(const Stmt *S, function_ref<bool(const Stmt *)> Is) {
    return S && (Is(S) || any_of(S->children(), [&](const Stmt *C) { return hasAny(C, Is); }));
  }
  /// Values that are computed for their effects, \p E or a part of it.
  void evaluate(State &At, const Expr *E) {
    if (!E)
      return;
    // Statements in it may leave the loop.
    if (hasAny(E, [](const Stmt *S) { return isa<StmtExpr>(S); }))
      Failed = true;
    const Expr *Inner = E->IgnoreParens();
    if (const auto *Full = dyn_cast<FullExpr>(Inner))
      return evaluate(At, Full->getSubExpr());
    if (const VarDecl *V = writtenBy(Inner); V && Tracked.count(V)) {
      unsigned Writes = 0;
      forEachWrite(Inner, [&](const VarDecl *, const Expr *) { ++Writes; });
      if (Writes == 1)
        return write(At, Inner);
    }
    forgetWritten(At, E);
  }

  void compare(State &At, BinaryOperatorKind Op, const Sum &L, const Sum &R) {
    const Sum One = Sum::number(1);
    switch (Op) {
    case BO_LT:
      return know(At, minus(minus(R, L), One));
    case BO_LE:
      return know(At, minus(R, L));
    case BO_GT:
      return know(At, minus(minus(L, R), One));
    case BO_GE:
      return know(At, minus(L, R));
    case BO_EQ:
      know(At, minus(L, R));
      return know(At, minus(R, L));
    case BO_NE:
      if (isAtLeast(At, L, R))
        return know(At, minus(minus(L, R), One));
      if (isAtLeast(At, R, L))
        return know(At, minus(minus(R, L), One));
      return;
    default:
      return;
    }
  }
  bool comparesNumbers(const BinaryOperator *Op) const {
    const QualType L = Op->getLHS()->getType(), R = Op->getRHS()->getType();
    return Op->isComparisonOp() && Op->getOpcode() != BO_Cmp &&
           ((isNumber(L) && isNumber(R)) || samePointee(L, R));
  }
  /// What it says that \p Cond, whose effects are done, is \p Value.
  void assume(State &At, const Expr *Cond, bool Value) {
    const Expr *E = Cond->IgnoreParens();
    if (const auto *Full = dyn_cast<FullExpr>(E))
      return assume(At, Full->getSubExpr(), Value);
    if (const auto *Not = dyn_cast<UnaryOperator>(E); Not && Not->getOpcode() == UO_LNot)
      return assume(At, Not->getSubExpr(), !Value);
    if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
      if (Op->isLogicalOp() && (Op->getOpcode() == BO_LAnd) == Value) {
        assume(At, Op->getLHS(), Value);
        return assume(At, Op->getRHS(), Value);
      }
      if (comparesNumbers(Op)) {
        const Sum L = value(At, Op->getLHS()), R = value(At, Op->getRHS());
        compare(At, Value ? Op->getOpcode() : BinaryOperator::negateComparisonOp(Op->getOpcode()),
                L, R);
      }
      return;
    }
    if (const auto *Cast = dyn_cast<CastExpr>(E);
        Cast && Cast->getCastKind() == CK_IntegralToBoolean)
      return compare(At, Value ? BO_NE : BO_EQ, value(At, Cast->getSubExpr()), Sum());
  }
  /// Behind \p Cond, where it is \p Value.
  State behind(State At, const Expr *Cond, bool Value) {
    // What is written in it is written before or behind what is compared.
    evaluate(At, Cond);
    assume(At, Cond, Value);
    return At;
  }

  States run(States From, const Stmt *S) {
    States To;
    for (State &At : From)
      for (State &Next : run(std::move(At), S))
        To.push_back(std::move(Next));
    if (To.size() > MaxPaths)
      Failed = true;
    return Failed ? States() : To;
  }
  /// What is behind \p S; nothing, where the loop is left or goes on.
  States run(State At, const Stmt *S) {
    if (Failed)
      return {};
    if (!S || isa<NullStmt>(S))
      return {std::move(At)};
    if (const auto *Compound = dyn_cast<CompoundStmt>(S)) {
      States Here = {std::move(At)};
      for (const Stmt *Child : Compound->body())
        Here = run(std::move(Here), Child);
      return Here;
    }
    if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
      return run(std::move(At), Attributed->getSubStmt());
    if (const auto *Declared = dyn_cast<DeclStmt>(S)) {
      for (const Decl *D : Declared->decls())
        if (const auto *V = dyn_cast<VarDecl>(D)) {
          evaluate(At, V->getInit());
          if (Tracked.count(V))
            set(At, V, V->getInit() ? value(At, V->getInit()) : any(At, V));
        }
      return {std::move(At)};
    }
    if (const auto *If = dyn_cast<IfStmt>(S); If && If->getCond()) {
      States To;
      for (State &Begun :
           run(run(std::move(At), If->getInit()), If->getConditionVariableDeclStmt()))
        for (const bool Value : {true, false})
          for (State &Next :
               run(behind(Begun, If->getCond(), Value), Value ? If->getThen() : If->getElse()))
            To.push_back(std::move(Next));
      return To;
    }
    if (isLoop(S) || isa<SwitchStmt>(S)) {
      // A `continue` of an inner loop is its own.
      if (isa<SwitchStmt>(S) && hasContinue(cast<SwitchStmt>(S)->getBody()))
        Failed = true;
      if (hasAny(S, [](const Stmt *In) { return isa<StmtExpr>(In); }))
        Failed = true;
      forgetWritten(At, S);
      return {std::move(At)};
    }
    if (isa<BreakStmt, ReturnStmt>(S)) {
      if (const auto *Return = dyn_cast<ReturnStmt>(S))
        evaluate(At, Return->getRetValue());
      return {};
    }
    if (isa<ContinueStmt>(S)) {
      Continued.push_back(std::move(At));
      return {};
    }
    if (const auto *Asm = dyn_cast<GCCAsmStmt>(S); Asm && Asm->getNumLabels() == 0) {
      forgetWritten(At, S);
      return {std::move(At)};
    }
    const auto *E = dyn_cast<Expr>(S);
    if (!E) {
      Failed = true;
      return {};
    }
    E = E->IgnoreParens();
    // `c ? (lo = mid) : (hi = mid)`
    if (const auto *Chosen = dyn_cast<ConditionalOperator>(E)) {
      States To;
      for (const bool Value : {true, false})
        for (State &Next : run(behind(At, Chosen->getCond(), Value),
                               Value ? Chosen->getTrueExpr() : Chosen->getFalseExpr()))
          To.push_back(std::move(Next));
      return To;
    }
    if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->getOpcode() == BO_Comma)
      return run(run(std::move(At), Op->getLHS()), Op->getRHS());
    // `lo = c ? mid : lo`
    if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->getOpcode() == BO_Assign)
      if (const auto *Chosen = dyn_cast<ConditionalOperator>(Op->getRHS()->IgnoreParens());
          const VarDecl *V = Chosen ? varOf(Op->getLHS()) : nullptr)
        if (Tracked.count(V)) {
          States To;
          for (const bool Value : {true, false}) {
            State Next = behind(At, Chosen->getCond(), Value);
            const Expr *Arm = Value ? Chosen->getTrueExpr() : Chosen->getFalseExpr();
            evaluate(Next, Arm);
            set(Next, V, value(Next, Arm));
            To.push_back(std::move(Next));
          }
          return To;
        }
    evaluate(At, E);
    return {std::move(At)};
  }

  //===-- Turns ----------------------------------------------------------------------===//

  /// One turn of the loop, from \p At; what goes on to the next one.
  States turn(State At) {
    Continued.clear();
    const auto *Do = dyn_cast<DoStmt>(Loop);
    States Here = {std::move(At)};
    auto Condition = [&] {
      const Expr *Cond = conditionOf(Loop);
      for (State &S : Here)
        if (Cond)
          S = behind(std::move(S), Cond, true);
    };
    if (const auto *While = dyn_cast<WhileStmt>(Loop))
      Here = run(std::move(Here), While->getConditionVariableDeclStmt());
    else if (const auto *For = dyn_cast<ForStmt>(Loop))
      Here = run(std::move(Here), For->getConditionVariableDeclStmt());
    if (!Do)
      Condition();
    Here = run(std::move(Here), bodyOf(Loop));
    for (State &S : Continued)
      Here.push_back(std::move(S));
    if (const auto *For = dyn_cast<ForStmt>(Loop))
      Here = run(std::move(Here), For->getInc());
    if (Do)
      Condition();
    return Here;
  }

  /// Differences of what is compared in \p S, of values at the start of the turn.
  void findRankings(State &At, const Stmt *S, std::vector<Sum> &Found) {
    if (!S || isa<LambdaExpr>(S) || Found.size() >= MaxRankings)
      return;
    auto Take = [&](const MaybeSum &S) {
      if (S && !S->isNumber() && all_of(S->Terms, [&](const auto &Term) {
            return Term.first == 0 ||
                   any_of(Start, [&](const auto &Of) { return Of.second == Term.first; });
          }))
        Found.push_back(*S);
    };
    if (const auto *Op = dyn_cast<BinaryOperator>(S); Op && comparesNumbers(Op)) {
      const Sum L = value(At, Op->getLHS()), R = value(At, Op->getRHS());
      Take(minus(L, R));
      Take(minus(R, L));
    } else if (const auto *Cast = dyn_cast<CastExpr>(S);
               Cast && Cast->getCastKind() == CK_IntegralToBoolean) {
      Take(value(At, Cast->getSubExpr()));
    }
    for (const Stmt *Child : S->children())
      findRankings(At, Child, Found);
  }

  /// \p Rank at the end of a turn.
  MaybeSum atEnd(const State &End, const Sum &Rank) const {
    MaybeSum Now = Sum::number(Rank.Constant);
    for (const auto &[Symbol, Factor] : Rank.Terms) {
      Sum Value = Sum::of(Symbol);
      for (const auto &[V, Of] : Start)
        if (Of == Symbol)
          Value = End.Values.find(V)->second;
      Now = plus(Now, Value, Factor);
    }
    return Now;
  }

  bool tryAll() {
    Symbols = 1;
    Types.clear();
    Start.clear();
    State Begin;
    for (const VarDecl *V : Tracked) {
      const Sum S = Begin.Values[V] = any(Begin, V);
      Start[V] = S.Terms.begin()->first;
    }
    std::vector<Sum> Ranks;
    State Compared = Begin;
    findRankings(Compared, Loop, Ranks);
    const States Ends = turn(std::move(Begin));
    if (Failed)
      return false;
    // What the function gives them elsewhere.
    for (const Stmt *S : outside(Function->getBody())) {
      State At = somewhere();
      forgetWritten(At, S);
    }
    if (Failed || !Less.empty())
      return false;
    return any_of(Ranks, [&](const Sum &Rank) {
      return all_of(Ends, [&](const State &End) {
        const MaybeSum Now = atEnd(End, Rank);
        return (holds(End, Rank) || holds(End, Now)) &&
               holds(End, minus(minus(Rank, Now), Sum::number(1)));
      });
    });
  }
  /// The parts of \p S that do not have the loop in them; its own first statement is one.
  std::vector<const Stmt *> outside(const Stmt *S) const {
    if (!S)
      return {};
    if (S == Loop) {
      const auto *For = dyn_cast<ForStmt>(Loop);
      return For && For->getInit() ? std::vector<const Stmt *>{For->getInit()}
                                   : std::vector<const Stmt *>();
    }
    if (!encloses(S, Loop))
      return {S};
    std::vector<const Stmt *> Parts;
    for (const Stmt *Child : S->children())
      append_range(Parts, outside(Child));
    return Parts;
  }
};

} // namespace

bool endsByItself(const Stmt *Loop, const FunctionDecl *Function, const ASTContext &Context) {
  return EndFinder(Loop, Function, Context).ends();
}

} // namespace cuda_pipeline
