//===- Values.cpp - Values of expressions inside of one function ----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"
#include "AstUtil.h"
#include "GivenValues.h"
#include "KnownFunctions.h"
#include "Names.h"
#include "clang/AST/Attr.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

namespace {
constexpr unsigned MaxDepth = 24;
} // namespace

FunctionValues::FunctionValues(const ASTContext &Context, const EffectCollector &Collector,
                               const FunctionDecl *Function, const GivenValues *Given)
    : Context(Context), Function(Function), Given(Given) {
  if (const auto *Bounds = Function->getAttr<CUDALaunchBoundsAttr>();
      Bounds && Function->hasAttr<CUDAGlobalAttr>())
    if (auto Threads = constantValue(Bounds->getMaxThreads(), Context);
        Threads && *Threads > 0 && *Threads < 1024)
      MaxThreads = *Threads;
  auto Found = std::make_shared<OfText>();
  // What a pointer leads to is not the pointer.
  const auto IsItself = [](const MemoryRoot &R) {
    const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
    return R.Decl &&
           (!Var || !Var->hasLocalStorage() || R.In == Space::Local || R.In == Space::Param);
  };
  for (const Access &A : Collector.collect(Function->getBody()).Accesses)
    if (A.Write)
      for (const MemoryRoot &R : A.Roots)
        if (IsItself(R))
          ++Found->Writes[R.Decl];
  Found->HaveOtherNames = namedElsewhere(Function->getBody(), Context, Function, NamesThat::Change);
  Found->findCounters(Function->getBody());
  Text = std::move(Found);
}

void FunctionValues::OfText::findCounters(const Stmt *S) {
  if (!S)
    return;
  if (const auto *For = dyn_cast<ForStmt>(S))
    if (const auto *Init = dyn_cast_or_null<DeclStmt>(For->getInit()); Init && Init->isSingleDecl())
      if (const auto *Var = dyn_cast<VarDecl>(Init->getSingleDecl());
          Var && Var->hasInit() && Var->hasLocalStorage() && Var->getType()->isIntegerType() &&
          !HaveOtherNames.count(Var) && Writes[Var] == 2)
        Counters[Var] = For;
  for (const Stmt *Child : S->children())
    findCounters(Child);
}

std::optional<ValueRange> FunctionValues::rangeOfCounter(const VarDecl *Var, unsigned Depth) const {
  auto It = Text->Counters.find(Var);
  if (It == Text->Counters.end())
    return std::nullopt;
  const Expr *Step = It->second->getInc() ? It->second->getInc()->IgnoreParens() : nullptr;
  std::optional<ValueRange> By;
  if (const auto *Unary = dyn_cast_or_null<UnaryOperator>(Step);
      Unary && Unary->isIncrementOp() && referencedVar(Unary->getSubExpr()) == Var)
    By = ValueRange{1, 1};
  if (const auto *Assign = dyn_cast_or_null<CompoundAssignOperator>(Step);
      Assign && Assign->getOpcode() == BO_AddAssign && referencedVar(Assign->getLHS()) == Var)
    By = range(Assign->getRHS(), Depth + 1);
  if (!By || By->Lo < 0)
    return std::nullopt;
  const std::optional<ValueRange> From = range(Var->getInit(), Depth + 1);
  const QualType T = Var->getType();
  // Up from where it begins, whatever the condition says: a signed one does not go round.
  const auto *Sum = dyn_cast_or_null<CompoundAssignOperator>(Step);
  std::optional<ValueRange> Upwards;
  if (From && T->isSignedIntegerType() && Context.getIntWidth(T) == 32 &&
      (!Sum || (Sum->getRHS()->getType()->isSignedIntegerType() &&
                Context.getIntWidth(Sum->getRHS()->getType()) <= 32)))
    Upwards = ValueRange{From->Lo, INT32_MAX};
  const auto *Cond = dyn_cast_or_null<BinaryOperator>(
      It->second->getCond() ? It->second->getCond()->IgnoreParens() : nullptr);
  if (!Cond || (Cond->getOpcode() != BO_LT && Cond->getOpcode() != BO_LE) ||
      referencedVar(Cond->getLHS()->IgnoreParenImpCasts()) != Var)
    return Upwards;
  const std::optional<ValueRange> To = range(Cond->getRHS(), Depth + 1);
  // Compared as what it is: a negative one would be a large one of an unsigned type.
  if (!From || !To || From->Lo < 0 || To->Lo < 0)
    return Upwards;
  // Where the condition is asked, it may have passed the end.
  constexpr int64_t Far = int64_t(1) << 40;
  if (From->Hi > Far || To->Hi > Far || By->Hi > Far)
    return Upwards;
  return ValueRange{From->Lo, std::max(From->Hi, To->Hi + By->Hi)};
}

bool FunctionValues::isSetOnce(const VarDecl *Var) const {
  if (!Var->hasInit() || isa<ParmVarDecl>(Var))
    return false;
  if (isConstObject(Var->getType()))
    return true;
  if (Text->HaveOtherNames.count(Var))
    return false;
  auto It = Text->Writes.find(Var);
  // The initialisation itself is the one write.
  return Var->hasLocalStorage() && It != Text->Writes.end() && It->second == 1;
}

bool FunctionValues::isUnchangedParameter(const VarDecl *Var) const {
  return isa<ParmVarDecl>(Var) && !Text->HaveOtherNames.count(Var) && !Text->Writes.count(Var);
}

const Expr *FunctionValues::onlyValue(const VarDecl *Var) const {
  const Expr *Given = givenTo(Var);
  return Given ? Given : isSetOnce(Var) ? Var->getInit() : nullptr;
}

const Expr *FunctionValues::givenTo(const VarDecl *Var) const {
  if (!Given || (Var->getParentFunctionOrMethod() == Function && !isUnchangedParameter(Var)))
    return nullptr;
  return Given->lookup(Var);
}

std::optional<int64_t> FunctionValues::fold(const Expr *E, unsigned Depth) const {
  if (!E || Depth > MaxDepth)
    return std::nullopt;
  if (std::optional<int64_t> V = constantValue(E, Context))
    return V;
  if (!E->getType()->isIntegralOrEnumerationType())
    return std::nullopt;
  if (std::optional<BuiltinIndex> B = Block ? asBuiltinIndex(E) : std::nullopt;
      B && B->Var == BuiltinVar::BlockDim)
    return (*Block)[B->Dim - 'x'];
  E = E->IgnoreParens();
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    if (Cast->getCastKind() != CK_LValueToRValue && Cast->getCastKind() != CK_IntegralCast &&
        Cast->getCastKind() != CK_NoOp)
      return std::nullopt;
    std::optional<int64_t> V = fold(Cast->getSubExpr(), Depth + 1);
    // A value that the narrower type cannot hold is not looked at further.
    unsigned Bits = Context.getIntWidth(E->getType());
    if (V && Bits < 64 &&
        (E->getType()->isUnsignedIntegerType() ? !isUIntN(Bits, *V) : !isIntN(Bits, *V)))
      return std::nullopt;
    if (V && E->getType()->isUnsignedIntegerType() && *V < 0)
      return std::nullopt;
    return V;
  }
  if (const VarDecl *Var = referencedVar(E))
    return isSetOnce(Var) ? fold(Var->getInit(), Depth + 1) : std::nullopt;
  if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
    std::optional<int64_t> L = fold(Op->getLHS(), Depth + 1), R = fold(Op->getRHS(), Depth + 1);
    if (!L || !R)
      return std::nullopt;
    int64_t V = 0;
    switch (Op->getOpcode()) {
    case BO_Add:
      if (AddOverflow(*L, *R, V))
        return std::nullopt;
      break;
    case BO_Sub:
      if (SubOverflow(*L, *R, V))
        return std::nullopt;
      break;
    case BO_Mul:
      if (MulOverflow(*L, *R, V))
        return std::nullopt;
      break;
    case BO_Div:
      if (*R == 0 || (*L == INT64_MIN && *R == -1))
        return std::nullopt;
      V = *L / *R;
      break;
    case BO_Rem:
      if (*R == 0 || (*L == INT64_MIN && *R == -1))
        return std::nullopt;
      V = *L % *R;
      break;
    default:
      return std::nullopt;
    }
    unsigned Bits = Context.getIntWidth(E->getType());
    bool Fits = E->getType()->isUnsignedIntegerType() ? V >= 0 && (Bits >= 63 || isUIntN(Bits, V))
                                                      : (Bits >= 64 || isIntN(Bits, V));
    return Fits ? std::optional<int64_t>(V) : std::nullopt;
  }
  return std::nullopt;
}

unsigned FunctionValues::extentsIn(const Expr *E, unsigned Depth) const {
  E = E ? E->IgnoreParenImpCasts() : nullptr;
  if (!E || Depth > MaxDepth)
    return 0;
  if (std::optional<BuiltinIndex> B = asBuiltinIndex(E))
    return B->Var == BuiltinVar::BlockDim ? 1u << (B->Dim - 'x') : 0;
  if (asBlockNumber(E) == BlockNumber::Size)
    return 7;
  if (const VarDecl *Var = referencedVar(E))
    return isSetOnce(Var) && Var->getType()->isIntegerType() &&
                   Context.getTypeSize(Var->getType()) >= 16
               ? extentsIn(Var->getInit(), Depth + 1)
               : 0;
  const auto *Op = dyn_cast<BinaryOperator>(E);
  if (!Op || Op->getOpcode() != BO_Mul)
    return 0;
  const unsigned L = extentsIn(Op->getLHS(), Depth + 1), R = extentsIn(Op->getRHS(), Depth + 1);
  return L && R && !(L & R) ? L | R : 0;
}

std::optional<ValueRange> FunctionValues::range(const Expr *E, unsigned Depth) const {
  if (!E || Depth > MaxDepth)
    return std::nullopt;
  if (std::optional<int64_t> V = fold(E, Depth))
    return ValueRange{*V, *V};
  if (std::optional<BuiltinIndex> B = asBuiltinIndex(E)) {
    // Limits of all compute capabilities (CUDA programming guide, technical specifications).
    switch (B->Var) {
    case BuiltinVar::ThreadIdx:
      if (Block)
        return ValueRange{0, int64_t((*Block)[B->Dim - 'x']) - 1};
      return ValueRange{0, std::min<int64_t>(MaxThreads - 1, B->Dim == 'z' ? 63 : 1023)};
    case BuiltinVar::BlockDim:
      return ValueRange{Least.Of == BlockTest::Kind::AtLeast ? Least.Extents[B->Dim - 'x'] : 1,
                        std::min<int64_t>(MaxThreads, B->Dim == 'z' ? 64 : 1024)};
    case BuiltinVar::BlockIdx:
      return ValueRange{0, B->Dim == 'x' ? 0x7ffffffell : 65534};
    case BuiltinVar::GridDim:
      return ValueRange{1, B->Dim == 'x' ? 0x7fffffffll : 65535};
    case BuiltinVar::WarpSize:
      return ValueRange{32, 32};
    }
  }
  if (std::optional<BlockNumber> N = asBlockNumber(E))
    return *N == BlockNumber::Rank
               ? ValueRange{0, MaxThreads - 1}
               : ValueRange{Least.empty() ? 1 : int64_t(Least.threads()), MaxThreads};
  E = E->IgnoreParens();
  auto Fit = [&](std::optional<ValueRange> R) -> std::optional<ValueRange> {
    if (!R || !E->getType()->isIntegralOrEnumerationType())
      return std::nullopt;
    unsigned Bits = Context.getIntWidth(E->getType());
    bool Unsigned = E->getType()->isUnsignedIntegerType();
    int64_t Lo = Unsigned ? 0 : (Bits >= 64 ? INT64_MIN : -(int64_t(1) << (Bits - 1)));
    int64_t Hi = Unsigned ? (Bits >= 63 ? INT64_MAX : (int64_t(1) << Bits) - 1)
                          : (Bits >= 64 ? INT64_MAX : (int64_t(1) << (Bits - 1)) - 1);
    // Wrapping (or undefined) arithmetic gives up.
    if (R->Lo < Lo || R->Hi > Hi)
      return std::nullopt;
    return R;
  };
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    switch (Cast->getCastKind()) {
    case CK_LValueToRValue:
    case CK_NoOp:
    case CK_IntegralCast:
      return Fit(range(Cast->getSubExpr(), Depth + 1));
    default:
      return std::nullopt;
    }
  }
  if (const VarDecl *Var = referencedVar(E)) {
    const Expr *Value = onlyValue(Var);
    return Fit(Value ? range(Value, Depth + 1) : rangeOfCounter(Var, Depth));
  }
  const auto *Op = dyn_cast<BinaryOperator>(E);
  if (!Op)
    return std::nullopt;
  if (Least.Of == BlockTest::Kind::ThreadsLeast && Op->getOpcode() == BO_Mul) {
    unsigned Asked = 0;
    for (unsigned Dim = 0; Dim != 3; ++Dim)
      Asked |= Least.Extents[Dim] > 1 ? 1u << Dim : 0;
    if ((extentsIn(Op) & Asked) == Asked)
      return ValueRange{int64_t(Least.threads()), MaxThreads};
  }
  std::optional<ValueRange> L = range(Op->getLHS(), Depth + 1), R = range(Op->getRHS(), Depth + 1);
  if (Op->getOpcode() == BO_And && (!L || !R)) {
    // Masking with a non-negative value bounds the result.
    const std::optional<ValueRange> &Known = L ? L : R;
    if (Known && Known->Lo >= 0)
      return ValueRange{0, Known->Hi};
    return std::nullopt;
  }
  // So it is, too, with what is left of a division of an unsigned number.
  if (Op->getOpcode() == BO_Rem && !L && R && R->Lo > 0 && Op->getType()->isUnsignedIntegerType())
    return ValueRange{0, R->Hi - 1};
  if (!L || !R)
    return std::nullopt;
  // All bounds are far inside of 64 bits unless something is odd; then give up.
  auto Small = [](const ValueRange &V) {
    return V.Lo > -(int64_t(1) << 40) && V.Hi < (int64_t(1) << 40);
  };
  switch (Op->getOpcode()) {
  case BO_Add:
    return Small(*L) && Small(*R) ? Fit(ValueRange{L->Lo + R->Lo, L->Hi + R->Hi}) : std::nullopt;
  case BO_Sub:
    return Small(*L) && Small(*R) ? Fit(ValueRange{L->Lo - R->Hi, L->Hi - R->Lo}) : std::nullopt;
  case BO_Mul: {
    if (L->Lo < 0 || R->Lo < 0)
      return std::nullopt;
    int64_t Hi;
    if (MulOverflow(L->Hi, R->Hi, Hi))
      return std::nullopt;
    return Fit(ValueRange{L->Lo * R->Lo, Hi});
  }
  case BO_Div:
    if (L->Lo < 0 || R->Lo <= 0)
      return std::nullopt;
    // `(n + b - 1) / b`: one more than what is left divided by it.
    if (const std::optional<ValueRange> Rest = without(Op->getRHS(), Op->getLHS(), Depth);
        Rest && Rest->Hi >= 0)
      return Fit(ValueRange{L->Lo / R->Hi, 1 + Rest->Hi / R->Lo});
    return Fit(ValueRange{L->Lo / R->Hi, L->Hi / R->Lo});
  case BO_Rem:
    if (L->Lo < 0 || R->Lo <= 0)
      return std::nullopt;
    return ValueRange{0, std::min(L->Hi, R->Hi - 1)};
  case BO_And:
    if (L->Lo < 0 && R->Lo < 0)
      return std::nullopt;
    return ValueRange{0, L->Lo < 0 ? R->Hi : R->Lo < 0 ? L->Hi : std::min(L->Hi, R->Hi)};
  case BO_Shr:
    if (L->Lo < 0 || R->Lo < 0 || R->Hi > 62)
      return std::nullopt;
    return ValueRange{L->Lo >> R->Hi, L->Hi >> R->Lo};
  case BO_Shl:
    if (L->Lo < 0 || R->Lo < 0 || R->Hi > 20 || !Small(*L))
      return std::nullopt;
    return Fit(ValueRange{L->Lo << R->Lo, L->Hi << R->Hi});
  default:
    return std::nullopt;
  }
}

std::optional<ValueRange> FunctionValues::without(const Expr *Part, const Expr *Sum,
                                                  unsigned Depth) const {
  const auto *Op = dyn_cast<BinaryOperator>(Sum->IgnoreParenImpCasts());
  if (!Op || !Op->isAdditiveOp() || Depth > MaxDepth)
    return std::nullopt;
  const bool Plus = Op->getOpcode() == BO_Add;
  for (const auto &[From, Other] :
       {std::pair(Op->getLHS(), Op->getRHS()), std::pair(Op->getRHS(), Op->getLHS())}) {
    if (!Plus && From == Op->getRHS())
      break;
    const bool All =
        sameExpression(From->IgnoreParenImpCasts(), Part->IgnoreParenImpCasts(), Context);
    const std::optional<ValueRange> Left = All ? ValueRange{0, 0} : without(Part, From, Depth + 1);
    const std::optional<ValueRange> O = Left ? range(Other, Depth + 1) : std::nullopt;
    if (O && O->Lo > INT32_MIN && O->Hi < INT32_MAX)
      return Plus ? ValueRange{Left->Lo + O->Lo, Left->Hi + O->Hi}
                  : ValueRange{Left->Lo - O->Hi, Left->Hi - O->Lo};
  }
  return std::nullopt;
}

//===-- Bounds of sums --------------------------------------------------------------===//

namespace {

/// A number, and variables with factors.
struct Sum {
  std::map<const VarDecl *, int64_t> Terms;
  int64_t Constant = 0;

  static Sum of(int64_t N) { return {{}, N}; }
  bool add(const Sum &O, int64_t Factor) {
    int64_t N;
    if (MulOverflow(O.Constant, Factor, N) || AddOverflow(Constant, N, Constant))
      return false;
    for (auto [Var, F] : O.Terms) {
      int64_t &To = Terms[Var];
      if (MulOverflow(F, Factor, N) || AddOverflow(To, N, To))
        return false;
      if (To == 0)
        Terms.erase(Var);
    }
    return true;
  }
};
constexpr size_t MaxSums = 8;

/// The two operands of a library's `min` or `max`, by value or by reference.
struct Selection {
  const Expr *A = nullptr, *B = nullptr;
  bool Least = false;
};
Selection asSelection(const Expr *E, const ASTContext &Context) {
  const auto *Call = dyn_cast<CallExpr>(E);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (!Callee || !Callee->getIdentifier() || Call->getNumArgs() != 2 ||
      (Callee->getName() != "min" && Callee->getName() != "max") ||
      classifyFunction(Callee, Context) != FunctionKind::Pure)
    return {};
  auto Value = [](const Expr *Arg) {
    if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(Arg))
      Arg = Temporary->getSubExpr();
    return Arg;
  };
  return {Value(Call->getArg(0)), Value(Call->getArg(1)), Callee->getName() == "min"};
}

} // namespace

/// Sums that a value is not above, or not below. Signed arithmetic does not overflow; of other
/// types only ranges are known, and what is left of a loop's own way (unsignedMost).
struct FunctionValues::Sums {
  const FunctionValues &Of;
  using Set = std::vector<Sum>;

  bool isPlainVariable(const VarDecl *Var) const {
    return Var->hasLocalStorage() && !Of.Text->HaveOtherNames.count(Var) &&
           !Var->getType().isVolatileQualified() && isSigned(Var->getType());
  }
  bool isSigned(QualType T) const {
    return T->isSignedIntegerOrEnumerationType() && Of.Context.getIntWidth(T) >= 32;
  }

  /// \p E itself.
  std::optional<Sum> exact(const Expr *E, unsigned Depth) const {
    const Set S = bounds(E, true, Depth, /*Exact=*/true);
    return S.empty() ? std::nullopt : std::optional<Sum>(S.front());
  }

  static void append(Set &To, Set From) {
    for (Sum &S : From)
      if (To.size() < MaxSums)
        To.push_back(std::move(S));
  }
  Set combined(const Set &A, const Set &B, int64_t FactorA, int64_t FactorB) const {
    Set Out;
    for (const Sum &X : A)
      for (const Sum &Y : B)
        if (Sum S; Out.size() < MaxSums && S.add(X, FactorA) && S.add(Y, FactorB))
          Out.push_back(std::move(S));
    return Out;
  }

  /// All of which are, each by itself, not below \p E, or, with \p Above false, not above it.
  Set bounds(const Expr *E, bool Above, unsigned Depth, bool Exact = false) const {
    if (!E || Depth > MaxDepth)
      return {};
    if (std::optional<int64_t> N = Of.fold(E, Depth))
      return {Sum::of(*N)};
    E = E->IgnoreParens();
    if (const auto *Wrapped = dyn_cast<FullExpr>(E))
      return bounds(Wrapped->getSubExpr(), Above, Depth + 1, Exact);
    if (const VarDecl *Var = referencedVar(E); Var && isPlainVariable(Var)) {
      Sum S;
      S.Terms[Var] = 1;
      return {S};
    }
    Set Out;
    if (isSigned(E->getType()))
      Out = ofSigned(E, Above, Depth, Exact);
    if (Out.empty() && !Exact) {
      if (std::optional<ValueRange> R = Of.range(E, Depth))
        Out.push_back(Sum::of(Above ? R->Hi : R->Lo));
      else if (std::optional<int64_t> N = Above ? unsignedMost(E, Depth) : std::nullopt)
        Out.push_back(Sum::of(*N));
    }
    return Out;
  }

  static bool isUnsigned(const Expr *E, const ASTContext &Context) {
    return E->getType()->isUnsignedIntegerType() && Context.getIntWidth(E->getType()) >= 32;
  }

  /// `min(a, b)`, `a < b ? a : b`, which is what a macro makes of it, and the same of the larger
  /// one.
  Selection selectionOf(const Expr *E) const {
    if (const Selection S = asSelection(E, Of.Context); S.A)
      return S;
    const auto *Cond = dyn_cast<ConditionalOperator>(E);
    const auto *Op =
        Cond ? dyn_cast<BinaryOperator>(Cond->getCond()->IgnoreParenImpCasts()) : nullptr;
    if (!Op || !Op->isRelationalOp() || Cond->HasSideEffects(Of.Context))
      return {};
    const Expr *A = Cond->getTrueExpr()->IgnoreParens(), *B = Cond->getFalseExpr()->IgnoreParens();
    const Expr *L = Op->getLHS()->IgnoreParens(), *R = Op->getRHS()->IgnoreParens();
    // Compared as what they are.
    if (!Of.Context.hasSameUnqualifiedType(A->getType(), L->getType()) ||
        !Of.Context.hasSameUnqualifiedType(B->getType(), L->getType()))
      return {};
    const bool Straight = sameExpression(A, L, Of.Context) && sameExpression(B, R, Of.Context),
               Crossed = sameExpression(A, R, Of.Context) && sameExpression(B, L, Of.Context);
    if (!Straight && !Crossed)
      return {};
    const bool Less = Op->getOpcode() == BO_LT || Op->getOpcode() == BO_LE;
    return {A, B, Straight == Less};
  }

  /// Constants that an unsigned value, which goes round, is not above.
  std::optional<int64_t> unsignedMost(const Expr *E, unsigned Depth) const {
    if (!E || Depth > MaxDepth)
      return std::nullopt;
    E = E->IgnoreParens();
    if (const std::optional<ValueRange> R = Of.range(E, Depth))
      return R->Lo >= 0 ? std::optional<int64_t>(R->Hi) : std::nullopt;
    if (const auto *Wrapped = dyn_cast<FullExpr>(E))
      return unsignedMost(Wrapped->getSubExpr(), Depth + 1);
    if (const VarDecl *Var = referencedVar(E)) {
      const Expr *Value = Of.onlyValue(Var);
      return Value && Var->getType()->isIntegerType() ? unsignedMost(Value, Depth + 1)
                                                      : std::nullopt;
    }
    if (const auto *Cast = dyn_cast<CastExpr>(E)) {
      const Expr *From = Cast->getSubExpr();
      const std::optional<int64_t> N =
          is_contained({CK_LValueToRValue, CK_NoOp, CK_IntegralCast}, Cast->getCastKind())
              ? unsignedMost(From, Depth + 1)
              : std::nullopt;
      const unsigned Bits =
          Of.Context.getIntWidth(E->getType()) - (E->getType()->isSignedIntegerType() ? 1 : 0);
      return N && (Bits >= 63 || *N < int64_t(1) << Bits) ? N : std::nullopt;
    }
    if (!isUnsigned(E, Of.Context))
      return std::nullopt;
    if (const Selection S = selectionOf(E); S.A) {
      const auto A = unsignedMost(S.A, Depth + 1), B = unsignedMost(S.B, Depth + 1);
      if (A && B)
        return S.Least ? std::min(*A, *B) : std::max(*A, *B);
      return S.Least ? (A ? A : B) : std::nullopt;
    }
    return leftOfTurn(E);
  }

  /// `min(p + 64, n) - p` in the body of `for (..; p < n; ..)`: 64 where the sum is the smaller
  /// one, which may have gone round; else n is not above the sum, and p is below n.
  std::optional<int64_t> leftOfTurn(const Expr *E) const {
    const auto *Sub = dyn_cast<BinaryOperator>(E);
    if (!Sub || Sub->getOpcode() != BO_Sub)
      return std::nullopt;
    auto Is = [&](const Expr *Part) { // with no conversion on the way
      return Of.Context.hasSameUnqualifiedType(Part->getType(), E->getType());
    };
    const VarDecl *P = Is(Sub->getRHS()) ? plainVariable(Sub->getRHS()) : nullptr;
    if (!P || !P->hasLocalStorage() || Of.hasOtherNames(P))
      return std::nullopt;
    const Selection Chosen = selectionOf(Sub->getLHS()->IgnoreParens());
    if (!Chosen.A || !Chosen.Least || !Is(Sub->getLHS()))
      return std::nullopt;
    for (auto [Sum, End] : {std::pair(Chosen.A, Chosen.B), std::pair(Chosen.B, Chosen.A)}) {
      const auto *Add = dyn_cast<BinaryOperator>(Sum->IgnoreParens());
      const VarDecl *N = plainVariable(End);
      if (!Add || Add->getOpcode() != BO_Add || !Is(Add) || !N || !Is(End) ||
          !(Of.isSetOnce(N) || Of.isUnchangedParameter(N)))
        continue;
      for (auto [From, Size] :
           {std::pair(Add->getLHS(), Add->getRHS()), std::pair(Add->getRHS(), Add->getLHS())}) {
        const std::optional<int64_t> K = Of.fold(Size, 0);
        if (Is(From) && plainVariable(From) == P && K && *K >= 0 && *K < INT32_MAX &&
            isBelowIn(Of.Function->getBody(), P, N, E))
          return K;
      }
    }
    return std::nullopt;
  }
  static const VarDecl *plainVariable(const Expr *E) {
    const auto *Cast = dyn_cast<ImplicitCastExpr>(E->IgnoreParens());
    if (Cast && Cast->getCastKind() != CK_LValueToRValue)
      return nullptr;
    const VarDecl *Var = referencedVar(Cast ? Cast->getSubExpr() : E);
    return Var && !Var->getType().isVolatileQualified() ? Var : nullptr;
  }
  /// \p E stands in the body of a loop in \p S whose condition says so, and which changes \p Less
  /// in its header alone.
  bool isBelowIn(const Stmt *S, const VarDecl *Less, const VarDecl *More, const Expr *E) const {
    if (!S || !encloses(S, E))
      return false;
    if (const auto *For = dyn_cast<ForStmt>(S);
        For && isBelow(For->getCond(), Less, More, E->getType()) && encloses(For->getBody(), E) &&
        !changes(For->getBody(), Less))
      return true;
    return any_of(S->children(),
                  [&](const Stmt *Child) { return isBelowIn(Child, Less, More, E); });
  }
  /// By its own name.
  static bool changes(const Stmt *S, const VarDecl *Var) {
    if (!S)
      return false;
    const auto *Step = dyn_cast<UnaryOperator>(S);
    const auto *Set = dyn_cast<BinaryOperator>(S);
    if ((Step && Step->isIncrementDecrementOp() && referencedVar(Step->getSubExpr()) == Var) ||
        (Set && Set->isAssignmentOp() && referencedVar(Set->getLHS()) == Var))
      return true;
    return any_of(S->children(), [&](const Stmt *Child) { return changes(Child, Var); });
  }
  /// \p Cond says that \p Less is not above \p More.
  bool isBelow(const Expr *Cond, const VarDecl *Less, const VarDecl *More, QualType T) const {
    const auto *Op = Cond ? dyn_cast<BinaryOperator>(Cond->IgnoreParenImpCasts()) : nullptr;
    if (!Op || !Op->isRelationalOp() ||
        !Of.Context.hasSameUnqualifiedType(Op->getLHS()->getType(), T))
      return false;
    const Expr *L = Op->getLHS(), *R = Op->getRHS();
    if (Op->getOpcode() == BO_GT || Op->getOpcode() == BO_GE)
      std::swap(L, R);
    return plainVariable(L) == Less && plainVariable(R) == More;
  }

  Set ofSigned(const Expr *E, bool Above, unsigned Depth, bool Exact) const {
    auto Inner = [&](const Expr *Of, bool Way) { return bounds(Of, Way, Depth + 1, Exact); };
    if (const auto *Cast = dyn_cast<CastExpr>(E)) {
      const Expr *From = Cast->getSubExpr();
      const bool Same = Cast->getCastKind() == CK_LValueToRValue || Cast->getCastKind() == CK_NoOp;
      const bool Wider =
          Cast->getCastKind() == CK_IntegralCast && isSigned(From->getType()) &&
          Of.Context.getIntWidth(From->getType()) <= Of.Context.getIntWidth(E->getType());
      return Same || Wider ? Inner(From, Above) : Set();
    }
    if (const Selection Chosen = Exact ? Selection() : asSelection(E, Of.Context); Chosen.A) {
      Set A = Inner(Chosen.A, Above), B = Inner(Chosen.B, Above);
      if (Chosen.Least == Above) { // each by itself
        append(A, std::move(B));
        return A;
      }
      return inBoth(A, B, Above);
    }
    if (const auto *Cond = Exact ? nullptr : dyn_cast<ConditionalOperator>(E)) {
      Set A = Inner(Cond->getTrueExpr(), Above), B = Inner(Cond->getFalseExpr(), Above);
      // F <= 0 in the first case, F >= 1 in the other one.
      if (const std::optional<Sum> F = notAbove(Cond->getCond(), Depth + 1)) {
        const Set A2 = combined(A, {*F}, 1, Above ? -1 : 1);
        append(A, A2);
        Sum Less = *F;
        Less.Constant -= 1;
        const Set B2 = combined(B, {Less}, 1, Above ? 1 : -1);
        append(B, B2);
      }
      return inBoth(A, B, Above);
    }
    const auto *Op = dyn_cast<BinaryOperator>(E);
    if (!Op)
      return {};
    switch (Op->getOpcode()) {
    case BO_Add:
      return combined(Inner(Op->getLHS(), Above), Inner(Op->getRHS(), Above), 1, 1);
    case BO_Sub:
      return combined(Inner(Op->getLHS(), Above), Inner(Op->getRHS(), !Above), 1, -1);
    case BO_Mul: {
      std::optional<int64_t> L = Of.fold(Op->getLHS(), Depth + 1),
                             R = Of.fold(Op->getRHS(), Depth + 1);
      const int64_t Factor = L ? *L : R ? *R : 0;
      if (!L && !R)
        return {};
      return combined(Inner(L ? Op->getRHS() : Op->getLHS(), (Factor >= 0) == Above), {Sum::of(0)},
                      Factor, 1);
    }
    default:
      return {};
    }
  }

  /// Bounds of whichever of two values it is.
  static Set inBoth(const Set &A, const Set &B, bool Above) {
    Set Out;
    for (const Sum &X : A)
      for (const Sum &Y : B)
        if (X.Terms == Y.Terms && Out.size() < MaxSums)
          Out.push_back({X.Terms, Above ? std::max(X.Constant, Y.Constant)
                                        : std::min(X.Constant, Y.Constant)});
    return Out;
  }

  /// What is at most zero where the comparison \p Cond holds, and above it where it does not.
  std::optional<Sum> notAbove(const Expr *Cond, unsigned Depth) const {
    const auto *Op = dyn_cast<BinaryOperator>(Cond->IgnoreParenImpCasts());
    if (!Op || !Op->isRelationalOp() || !isSigned(Op->getLHS()->getType()))
      return std::nullopt;
    std::optional<Sum> L = exact(Op->getLHS(), Depth), R = exact(Op->getRHS(), Depth);
    const BinaryOperatorKind Kind = Op->getOpcode();
    if (Kind == BO_GT || Kind == BO_GE)
      std::swap(L, R);
    if (!L || !R || !L->add(*R, -1))
      return std::nullopt;
    if (Kind == BO_LT || Kind == BO_GT)
      L->Constant += 1;
    return L;
  }

  /// Of a variable what it has been set to, where all that this is made of is what it was then.
  Set boundsOrOwn(const Expr *E, bool Above) const {
    const VarDecl *Var = referencedVar(E->IgnoreImpCasts());
    const Expr *Value = Var && isPlainVariable(Var) ? Of.onlyValue(Var) : nullptr;
    const auto Stays = [&](const VarDecl *V) {
      const auto Counter = Of.Text->Counters.find(V);
      return Of.isSetOnce(V) || Of.isUnchangedParameter(V) ||
             (Counter != Of.Text->Counters.end() && encloses(Counter->second->getBody(), Value));
    };
    return Value && Value == Var->getInit() && all_of(mentionedVars(Value), Stays)
               ? bounds(Value, Above, 1)
               : bounds(E, Above, 0);
  }

  std::optional<int64_t> most(const Expr *E, unsigned Depth) const {
    return most(bounds(E, true, Depth), Depth);
  }
  std::optional<int64_t> most(const Set &All, unsigned Depth) const {
    std::optional<int64_t> Best;
    for (const Sum &S : All) {
      std::optional<int64_t> N = S.Constant;
      for (auto [Var, Factor] : S.Terms) {
        const std::optional<int64_t> Value = Factor > 0 ? mostOf(Var, Depth) : leastOf(Var, Depth);
        int64_t Product, Total;
        if (!N || !Value || MulOverflow(*Value, Factor, Product) || AddOverflow(*N, Product, Total))
          N.reset();
        else
          N = Total;
      }
      if (N && (!Best || *N < *Best))
        Best = N;
    }
    return Best;
  }
  /// The variable has a value of its own: what cancels in it need not cancel elsewhere.
  std::optional<int64_t> mostOf(const VarDecl *Var, unsigned Depth) const {
    const Expr *Value = Of.onlyValue(Var);
    if (std::optional<int64_t> N = Value ? Of.atMost(Value, Depth + 1) : std::nullopt)
      return N;
    const std::optional<ValueRange> R = Of.rangeOfCounter(Var, Depth + 1);
    return R ? std::optional<int64_t>(R->Hi) : std::nullopt;
  }
  std::optional<int64_t> leastOf(const VarDecl *Var, unsigned Depth) const {
    const Expr *Value = Of.onlyValue(Var);
    const std::optional<ValueRange> R =
        Value ? Of.range(Value, Depth + 1) : Of.rangeOfCounter(Var, Depth + 1);
    return R ? std::optional<int64_t>(R->Lo) : std::nullopt;
  }
};

std::optional<int64_t> FunctionValues::atMost(const Expr *E, unsigned Depth) const {
  if (!E || Depth > MaxDepth || E->HasSideEffects(Context, /*IncludePossibleEffects=*/false))
    return std::nullopt;
  if (std::optional<ValueRange> R = range(E, Depth))
    return R->Hi;
  return Sums{*this}.most(E, Depth);
}

std::optional<int64_t> FunctionValues::atMostWithout(const Expr *E, const Expr *By) const {
  // Where their difference is not a number of its own, neither may overflow.
  const Sums All{*this};
  if (E->HasSideEffects(Context, false) || By->HasSideEffects(Context, false) ||
      !All.isSigned(E->getType()) || !All.isSigned(By->getType()))
    return std::nullopt;
  return All.most(All.combined(All.boundsOrOwn(E, true), All.boundsOrOwn(By, false), 1, -1), 0);
}

} // namespace cuda_pipeline
