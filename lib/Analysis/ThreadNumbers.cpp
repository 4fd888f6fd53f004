//===- ThreadNumbers.cpp - Which number each thread of a block has --------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadNumbers.h"
#include "../Model/AstUtil.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

namespace {

constexpr unsigned Deepest = 16;
constexpr size_t MostTerms = 16;
/// Products of a few of these stay numbers.
constexpr int64_t Largest = int64_t(1) << 20;

/// It may cut such a number.
bool isNarrow(QualType T) {
  T = T.getCanonicalType().getUnqualifiedType();
  return T->isBooleanType() || T->isCharType() || T->isSpecificBuiltinType(BuiltinType::Short) ||
         T->isSpecificBuiltinType(BuiltinType::UShort) || T->isBitIntType();
}

} // namespace

void ThreadNumber::add(const std::string &Of, int64_t By) {
  const auto It = Terms.try_emplace(Of, 0).first;
  if ((It->second += By) == 0)
    Terms.erase(It);
}

ThreadNumber ThreadNumber::number(int64_t N) {
  ThreadNumber Out;
  Out.add("", N);
  return Out;
}

ThreadNumber ThreadNumber::one(const char *Of) {
  ThreadNumber Out;
  Out.add(Of, 1);
  return Out;
}

ThreadNumber ThreadNumber::times(const ThreadNumber &O) const {
  ThreadNumber Out;
  for (const auto &[A, N] : Terms)
    for (const auto &[B, K] : O.Terms) {
      std::string Both = A + B;
      llvm::sort(Both);
      Out.add(Both, N * K);
    }
  return Out;
}

ThreadNumber ThreadNumber::plus(const ThreadNumber &O, int64_t Sign) const {
  ThreadNumber Out = *this;
  for (const auto &[Of, N] : O.Terms)
    Out.add(Of, Sign * N);
  return Out;
}

int64_t ThreadNumber::constant() const {
  const auto It = Terms.find("");
  return It == Terms.end() ? 0 : It->second;
}

std::optional<ThreadNumber> ThreadNumber::of(const Expr *E, const FunctionValues &Values,
                                             const VarDecl *Counter) {
  return ofValue(E, Values, Counter, 0);
}

std::optional<ThreadNumber> ThreadNumber::ofValue(const Expr *E, const FunctionValues &Values,
                                                  const VarDecl *Counter, unsigned Depth) {
  const auto Fits = [](std::optional<ThreadNumber> N) {
    const bool Small =
        N && N->Terms.size() <= MostTerms && all_of(N->Terms, [](const auto &Term) {
          return -Largest < Term.second && Term.second < Largest && Term.first.size() <= 6;
        });
    return Small ? N : std::nullopt;
  };
  E = E->IgnoreParens();
  if (!E->getType()->isIntegerType() || Depth == Deepest || isNarrow(E->getType()))
    return std::nullopt;
  if (const std::optional<int64_t> Known = Values.fold(E))
    return Fits(number(*Known));
  if (const std::optional<BuiltinIndex> B = asBuiltinIndex(E)) {
    const char Thread[] = {B->Dim, 0}, Block[] = {char(B->Dim - 'x' + 'X'), 0};
    return B->Var == BuiltinVar::ThreadIdx  ? std::optional(one(Thread))
           : B->Var == BuiltinVar::BlockDim ? std::optional(one(Block))
                                            : std::nullopt;
  }
  if (const std::optional<BlockNumber> B = asBlockNumber(E)) {
    const ThreadNumber Row = one("X"), Plane = Row.times(one("Y"));
    return *B == BlockNumber::Size
               ? Plane.times(one("Z"))
               : one("x").plus(Row.times(one("y")), 1).plus(Plane.times(one("z")), 1);
  }
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    const Expr *Sub = Cast->getSubExpr();
    if (Cast->getCastKind() == CK_LValueToRValue) {
      const VarDecl *Var = referencedVar(Sub);
      if (!Var)
        return ofValue(Sub, Values, Counter, Depth + 1);
      if (Var == Counter)
        return one("i");
      const Expr *Value = Var->getType().isVolatileQualified() ? nullptr : Values.onlyValue(Var);
      return Value ? ofValue(Value, Values, Counter, Depth + 1) : std::nullopt;
    }
    // As large as the numbers are, no type of these cuts them.
    const bool Wide = Cast->getCastKind() == CK_IntegralCast && Sub->getType()->isIntegerType() &&
                      !Cast->getType()->isBooleanType() && !Sub->getType()->isBooleanType();
    return Wide || Cast->getCastKind() == CK_NoOp ? ofValue(Sub, Values, Counter, Depth + 1)
                                                  : std::nullopt;
  }
  const auto *Op = dyn_cast<BinaryOperator>(E);
  if (!Op || !is_contained({BO_Add, BO_Sub, BO_Mul, BO_Shl}, Op->getOpcode()))
    return std::nullopt;
  const auto L = ofValue(Op->getLHS(), Values, Counter, Depth + 1),
             R = ofValue(Op->getRHS(), Values, Counter, Depth + 1);
  if (!L || !R)
    return std::nullopt;
  if (Op->getOpcode() == BO_Shl)
    return R->isConstant() && R->constant() >= 0 && R->constant() < 16
               ? Fits(L->times(number(int64_t(1) << R->constant())))
               : std::nullopt;
  return Fits(Op->getOpcode() == BO_Mul ? L->times(*R)
                                        : L->plus(*R, Op->getOpcode() == BO_Add ? 1 : -1));
}

std::optional<std::pair<ThreadNumber, ThreadNumber>> ThreadNumber::splitAtCounter() const {
  std::pair<ThreadNumber, ThreadNumber> Out;
  for (const auto &[Of, N] : Terms) {
    const size_t At = Of.find('i');
    if (At == std::string::npos) {
      Out.second.add(Of, N);
      continue;
    }
    std::string Rest = Of;
    Rest.erase(At, 1);
    if (Rest.find_first_of("ixyz") != std::string::npos)
      return std::nullopt;
    Out.first.add(Rest, N);
  }
  return Out;
}

int64_t ThreadNumber::at(const std::array<unsigned, 3> &Thread,
                         const std::array<unsigned, 3> &Block) const {
  int64_t Sum = 0;
  for (const auto &[Of, N] : Terms) {
    int64_t Product = N;
    for (char C : Of)
      Product *= C >= 'x' ? Thread[C - 'x'] : Block[C - 'X'];
    Sum += Product;
  }
  return Sum;
}

/// All numbers, and no others.
bool ThreadNumber::hasAllIn(const std::array<unsigned, 3> &Block, int64_t Number) const {
  if (Number <= 0 || Number > 1024 || uint64_t(Block[0]) * Block[1] * Block[2] > 1024)
    return false;
  std::vector<bool> Has(size_t(Number), false);
  for (unsigned Z = 0; Z < Block[2]; ++Z)
    for (unsigned Y = 0; Y < Block[1]; ++Y)
      for (unsigned X = 0; X < Block[0]; ++X) {
        const int64_t N = at({X, Y, Z}, Block);
        if (N < 0 || N >= Number)
          return false;
        Has[size_t(N)] = true;
      }
  return all_of(Has, [](bool One) { return One; });
}

std::optional<ThreadNumber::Blocks> ThreadNumber::covers(const ThreadNumber &Number,
                                                         const LaunchShape &Shape) const {
  const ThreadNumber X = one("X"), XY = X.times(one("Y")), XYZ = XY.times(one("Z"));
  const ThreadNumber Row = one("x"), Plane = Row.plus(X.times(one("y")), 1),
                     Whole = Plane.plus(XY.times(one("z")), 1);
  Blocks All;
  All.Any = true;
  for (const auto &[First, Many] :
       {std::pair(Row, X), std::pair(one("y"), one("Y")), std::pair(one("z"), one("Z")),
        std::pair(Plane, XY), std::pair(Whole, XYZ)})
    if (*this == First && Number == Many)
      return All;
  if (Shape.Exact && Shape.known()) {
    const std::array<unsigned, 3> Block = {Shape.X, Shape.Y, Shape.Z};
    if (hasAllIn(Block, Number.at({0, 0, 0}, Block)))
      return All;
  }
  // What is asked of the block then follows from what the thread's indices are multiplied by.
  if (!Number.isConstant())
    return std::nullopt;
  const int64_t N = Number.constant();
  const auto Times = [&](const char *Of) {
    const auto It = Terms.find(Of);
    return It == Terms.end() ? 0 : It->second;
  };
  const int64_t Rows = Times("y"), Planes = Times("z");
  std::array<int64_t, 3> Extents = {0, 0, 0};
  if (Planes > 0 && Rows > 0)
    Extents = {Rows, Planes / Rows, N / Planes};
  else if (Rows > 0 && !Planes)
    Extents = {Rows, N / Rows, 0};
  else if (!Rows && !Planes)
    Extents = {N, 0, 0};
  // `threadIdx.y` alone.
  if (Rows == 1 && !Times("x"))
    Extents = {0, N, 0};
  Blocks Some;
  std::array<unsigned, 3> Block = {1, 1, 1};
  for (unsigned I = 0; I < 3; ++I) {
    if (Extents[I] < 0 || Extents[I] > 1024)
      return std::nullopt;
    Some.Extents[I] = unsigned(Extents[I]);
    Block[I] = std::max(1u, Some.Extents[I]);
  }
  // Nobody launches fewer than a warp for the sake of this.
  if (Block[0] * Block[1] * Block[2] < 32 || !hasAllIn(Block, N) ||
      any_of(
          Terms,
          [](const auto &Term) { return Term.first.find_first_of("XYZi") != std::string::npos; }))
    return std::nullopt;
  // More threads in a direction that has no say have the numbers of others.
  return Some;
}

std::string ThreadNumber::Blocks::test() const {
  std::string Out;
  for (unsigned I = 0; I < 3; ++I)
    if (!Any && Extents[I])
      Out += (Out.empty() ? "" : " && ") + std::string("blockDim.") + char('x' + I) +
             " == " + std::to_string(Extents[I]);
  return Out;
}

} // namespace cuda_pipeline
