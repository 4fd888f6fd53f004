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
  if (const auto *Bounds = Function->getAttr<CUDALaunchBoundsAttr>())
    if (auto Threads = constantValue(Bounds->getMaxThreads(), Context);
        Threads && *Threads > 0 && *Threads < 1024)
      MaxThreads = *Threads;
  auto Found = std::make_shared<OfText>();
  for (const Access &A : Collector.collect(Function->getBody()).Accesses)
    if (A.Write)
      for (const MemoryRoot &R : A.Roots)
        if (R.Decl)
          ++Found->Writes[R.Decl];
  Found->HaveOtherNames = namedElsewhere(Function->getBody(), Context, NamesThat::Change);
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
  const auto *Cond = dyn_cast_or_null<BinaryOperator>(
      It->second->getCond() ? It->second->getCond()->IgnoreParens() : nullptr);
  if (!By || By->Lo < 0 || !Cond || (Cond->getOpcode() != BO_LT && Cond->getOpcode() != BO_LE) ||
      referencedVar(Cond->getLHS()->IgnoreParenImpCasts()) != Var)
    return std::nullopt;
  const std::optional<ValueRange> From = range(Var->getInit(), Depth + 1),
                                  To = range(Cond->getRHS(), Depth + 1);
  // Compared as what it is: a negative one would be a large one of an unsigned type.
  if (!From || !To || From->Lo < 0 || To->Lo < 0)
    return std::nullopt;
  // Where the condition is asked, it may have passed the end.
  constexpr int64_t Far = int64_t(1) << 40;
  if (From->Hi > Far || To->Hi > Far || By->Hi > Far)
    return std::nullopt;
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
      return ValueRange{1, std::min<int64_t>(MaxThreads, B->Dim == 'z' ? 64 : 1024)};
    case BuiltinVar::BlockIdx:
      return ValueRange{0, B->Dim == 'x' ? 0x7ffffffell : 65534};
    case BuiltinVar::GridDim:
      return ValueRange{1, B->Dim == 'x' ? 0x7fffffffll : 65535};
    case BuiltinVar::WarpSize:
      return ValueRange{32, 32};
    }
  }
  if (std::optional<BlockNumber> N = asBlockNumber(E))
    return *N == BlockNumber::Rank ? ValueRange{0, MaxThreads - 1} : ValueRange{1, MaxThreads};
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
    const Expr *Value = givenTo(Var);
    Value = Value ? Value : isSetOnce(Var) ? Var->getInit() : nullptr;
    return Fit(Value ? range(Value, Depth + 1) : rangeOfCounter(Var, Depth));
  }
  const auto *Op = dyn_cast<BinaryOperator>(E);
  if (!Op)
    return std::nullopt;
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

} // namespace cuda_pipeline
