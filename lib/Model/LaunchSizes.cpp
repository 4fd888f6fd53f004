//===- LaunchSizes.cpp - Grid, block and sizes in host code --------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaunchSizes.h"
#include "AstUtil.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cuda_pipeline {

std::optional<uint64_t> LaunchSizes::count(const Expr *E) const {
  std::optional<int64_t> V = Values.fold(E);
  return V && *V >= 0 ? std::optional<uint64_t>(*V) : std::nullopt;
}

std::optional<std::array<uint64_t, 3>> LaunchSizes::dim3(const Expr *E, unsigned Depth) const {
  if (!E || Depth > 8)
    return std::nullopt;
  E = stripNoOps(E);
  if (const auto *Cast = dyn_cast<CastExpr>(E); Cast && Cast->getType()->isRecordType())
    return dim3(Cast->getSubExpr(), Depth + 1);
  if (const auto *Init = dyn_cast<InitListExpr>(E); Init && Init->getNumInits() == 1)
    return dim3(Init->getInit(0), Depth + 1);
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    if (Construct->getConstructor()->isCopyOrMoveConstructor() && Construct->getNumArgs() == 1)
      return dim3(Construct->getArg(0), Depth + 1);
    std::array<uint64_t, 3> Result = {1, 1, 1};
    if (Construct->getNumArgs() > 3)
      return std::nullopt;
    for (unsigned I = 0; I != Construct->getNumArgs(); ++I) {
      const Expr *Arg = Construct->getArg(I);
      if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(Arg))
        Arg = Default->getExpr();
      std::optional<uint64_t> V = count(Arg);
      if (!V)
        return std::nullopt;
      Result[I] = *V;
    }
    return Result;
  }
  if (const VarDecl *Var = referencedVar(E); Var && Var->getType()->isRecordType())
    return Var->hasInit() && (isConstObject(Var->getType()) || Values.isSetOnce(Var))
               ? dim3(Var->getInit(), Depth + 1)
               : std::nullopt;
  if (std::optional<uint64_t> V = count(E))
    return std::array<uint64_t, 3>{*V, 1, 1};
  return std::nullopt;
}

} // namespace cuda_pipeline
