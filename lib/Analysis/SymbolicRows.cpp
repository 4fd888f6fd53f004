//===- SymbolicRows.cpp - Rows of tiles, and places in them ---------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// An array of several dimensions has rows; one of one dimension has them where its indices say so:
/// `As[row * BK + k]`. What such an index adds to the place in the row is what is left of it
/// without the rows. Whether it stays in the row is asked later, and no other question depends on
/// this: an element has one row and one place in it, if that is in front of the row's end.
///
//===----------------------------------------------------------------------===//

#include "SymbolicRun.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

/// Bytes of a row of the array: of its innermost dimension, or as somebody has found out. 0: it has
/// none.
uint64_t SymbolicRun::rowBytes(const VarDecl *Array) const {
  if (const auto It = Pitches.find(Array); It != Pitches.end())
    return It->second;
  uint64_t Bytes = 0;
  const auto *Outer = Context.getAsConstantArrayType(Array->getType());
  while (Outer) {
    const auto *Inner = Context.getAsConstantArrayType(Outer->getElementType());
    if (Inner)
      Bytes = sizeOf(Outer->getElementType());
    Outer = Inner;
  }
  return Bytes;
}

/// \p Index of elements of \p Element bytes, without the rows that \p Said has. What says the
/// pitch there is noted.
IslPwAff SymbolicRun::inRow(const VarDecl *Array, const Expr *Said, const IslPwAff &Index,
                            uint64_t Element) {
  const uint64_t Row = rowBytes(Array);
  if (!Said || !Row || !Element || Row % Element != 0 || Row == Element)
    return Index;
  const int64_t Pitch = int64_t(Row / Element);
  std::vector<const Expr *> Leaves;
  const IslPwAff Rows = rowsIn(Said, Pitch, Leaves);
  if (!Rows && Index && Pitches.count(Array) && computesOnly(Said) &&
      !holds(Syms.between(Index, 0, Pitch - 1), Index) &&
      // Division of C++ is another one below zero.
      holds(compare(isl_pw_aff_ge_set, Index, Syms.constant(0)), Index)) {
    // It goes through the rows one behind the other: `As[i]` is `As[i / BK * BK + i % BK]`.
    FlatSaid[Array].insert({Said, Element});
    return IslPwAff(isl_pw_aff_mod_val(Index.take(), isl_val_int_from_si(Syms.isl(), Pitch)));
  }
  if (!Rows)
    return Index;
  for (const Expr *Leaf : Leaves)
    PitchSaid[Array].insert({Leaf, Element});
  return Index - Syms.scaled(Rows, Pitch);
}

/// The factor of the pitch in \p E, a sum of products; null: it has none. \p Said: what says the
/// pitch, a constant factor each.
IslPwAff SymbolicRun::rowsIn(const Expr *E, int64_t Pitch, std::vector<const Expr *> &Said) {
  E = E->IgnoreParens();
  if (const auto *Cast = dyn_cast<CastExpr>(E);
      Cast && (Cast->getCastKind() == CK_IntegralCast || Cast->getCastKind() == CK_NoOp)) {
    // Where a number fits into a narrow type, a larger one need not.
    const QualType To = Cast->getType(), From = Cast->getSubExpr()->getType();
    const bool Narrows = Context.getIntWidth(To) < Context.getIntWidth(From) || To->isBooleanType();
    return Narrows ? IslPwAff() : rowsIn(Cast->getSubExpr(), Pitch, Said);
  }
  const auto *Op = dyn_cast<BinaryOperator>(E);
  if (!Op)
    return IslPwAff();
  const Expr *L = Op->getLHS(), *R = Op->getRHS();
  if (Op->isAdditiveOp()) {
    const IslPwAff A = rowsIn(L, Pitch, Said), B = rowsIn(R, Pitch, Said);
    if (Op->getOpcode() == BO_Sub && B)
      return A ? A - B : Syms.constant(0) - B;
    return A && B ? A + B : A ? A : B;
  }
  if (Op->getOpcode() != BO_Mul)
    return IslPwAff();
  // Evaluated once more: nothing may happen in it.
  const auto Number = [&](const Expr *Of) {
    SymValue V = computesOnly(Of) ? asInteger(evaluate(Of), Of) : SymValue();
    return V.Kind == SymValue::Int ? V.Number : IslPwAff();
  };
  const std::pair<const Expr *, const Expr *> BothWays[] = {{R, L}, {L, R}};
  for (const auto &[Factor, Other] : BothWays)
    if (constantValue(Factor, Context) == Pitch) {
      const IslPwAff Rows = Number(Other);
      if (Rows)
        Said.push_back(Factor);
      return Rows;
    }
  for (const auto &[Factor, Other] : BothWays) {
    const std::optional<int64_t> Times = constantValue(Factor, Context);
    if (!Times)
      continue;
    // `warp * (16 * BK)`
    if (const std::optional<int64_t> Each = Syms.asConstant(rowsIn(Factor, Pitch, Said))) {
      const IslPwAff Count = Number(Other);
      return Count ? Syms.scaled(Count, *Each) : Count;
    }
    const IslPwAff Rows = rowsIn(Other, Pitch, Said);
    return Rows ? Syms.scaled(Rows, *Times) : Rows;
  }
  return IslPwAff();
}

/// Arithmetic on local variables, indices and constants: nothing happens in it.
bool SymbolicRun::computesOnly(const Expr *E) {
  E = E->IgnoreParens();
  if (asBuiltinIndex(E) || constantValue(E, Context))
    return true;
  if (const auto *Op = dyn_cast<BinaryOperator>(E))
    return !Op->isAssignmentOp() && computesOnly(Op->getLHS()) && computesOnly(Op->getRHS());
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    return (Op->getOpcode() == UO_Minus || Op->getOpcode() == UO_Plus) &&
           computesOnly(Op->getSubExpr());
  const auto *Cast = dyn_cast<CastExpr>(E);
  if (!Cast || Cast->getCastKind() != CK_LValueToRValue)
    return Cast && Cast->getCastKind() == CK_IntegralCast && computesOnly(Cast->getSubExpr());
  const VarDecl *Var = referencedVar(Cast->getSubExpr());
  return Var && placeOf(Var).Kind == Place::Local;
}

} // namespace cuda_pipeline
