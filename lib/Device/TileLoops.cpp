//===- TileLoops.cpp - Which parameters bound the loops over tiles --------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
///   const int tiles = (n + 255) / 256;
///   for (int t = 0; t < tiles; ++t) { ... __syncthreads(); ... }
///
/// A guess for a launch that turns such loops often enough, no more: the parameters in the
/// condition, through variables by what they start with, and how much of one makes a turn, from the
/// step and from constants that are divided by.
///
//===----------------------------------------------------------------------===//
#include "../Model/AstUtil.h"
#include "Collect.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

namespace {

/// By its name: what threads of a block wait in.
bool waits(const CallExpr *Call) {
  const FunctionDecl *F = Call->getDirectCallee();
  if (!F || !F->getIdentifier())
    return false;
  StringRef Name = F->getName();
  return Name.contains("sync") || Name.contains("wait") || Name.contains("barrier");
}

struct Waits : ConstDynamicRecursiveASTVisitor {
  bool Found = false;
  bool VisitCallExpr(const CallExpr *Call) override {
    Found |= waits(Call);
    return !Found;
  }
};

/// What a bound is made of.
struct Bound : ConstDynamicRecursiveASTVisitor {
  const ASTContext &Context;
  SmallPtrSet<const ParmVarDecl *, 4> Parameters;
  SmallPtrSet<const VarDecl *, 8> Seen;
  uint64_t Divisor = 1;
  explicit Bound(const ASTContext &Context) : Context(Context) {}

  bool VisitDeclRefExpr(const DeclRefExpr *E) override {
    const auto *Var = dyn_cast<VarDecl>(E->getDecl());
    if (!Var || !Seen.insert(Var).second)
      return true;
    if (const auto *P = dyn_cast<ParmVarDecl>(Var)) {
      if (P->getType()->isIntegerType())
        Parameters.insert(P);
    } else if (Var->hasInit() && Var->getType()->isIntegerType() && Var->isLocalVarDecl()) {
      TraverseStmt(Var->getInit());
    }
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *B) override {
    std::optional<int64_t> By = B->getOpcode() == BO_Div || B->getOpcode() == BO_Shr
                                    ? constantValue(B->getRHS(), Context)
                                    : std::nullopt;
    if (By && *By > 0 && B->getOpcode() == BO_Div)
      Divisor *= static_cast<uint64_t>(*By);
    else if (By && *By > 0 && *By < 20)
      Divisor <<= *By;
    return true;
  }
};

struct Loops : ConstDynamicRecursiveASTVisitor {
  const ASTContext &Context;
  std::vector<TileLoopBound> Found;
  explicit Loops(const ASTContext &Context) : Context(Context) { ShouldVisitImplicitCode = true; }

  void look(const Expr *Condition, const Expr *Step, const Stmt *Body) {
    Waits W;
    W.TraverseStmt(Body);
    if (!W.Found || !Condition)
      return;
    Bound B(Context);
    B.TraverseStmt(Condition);
    uint64_t Turn = 0;
    if (const auto *Add = dyn_cast_or_null<CompoundAssignOperator>(Step)) {
      if (std::optional<int64_t> By = constantValue(Add->getRHS(), Context); By && *By != 0)
        Turn = static_cast<uint64_t>(*By < 0 ? -*By : *By);
    } else if (isa_and_nonnull<clang::UnaryOperator>(Step)) {
      Turn = 1;
    }
    for (const ParmVarDecl *P : B.Parameters)
      if (none_of(Found, [&](const TileLoopBound &L) { return L.Parameter == P->getName(); }))
        Found.push_back({P->getNameAsString(), std::min<uint64_t>(Turn * B.Divisor, 4096)});
  }
  bool VisitForStmt(const ForStmt *S) override {
    look(S->getCond(), S->getInc() ? S->getInc()->IgnoreParenImpCasts() : nullptr, S->getBody());
    return true;
  }
  bool VisitWhileStmt(const WhileStmt *S) override {
    look(S->getCond(), nullptr, S->getBody());
    return true;
  }
  bool VisitDoStmt(const DoStmt *S) override {
    look(S->getCond(), nullptr, S->getBody());
    return true;
  }
};

} // namespace

std::vector<TileLoopBound> tileLoops(const FunctionDecl *Kernel, const ASTContext &Context) {
  Loops L(Context);
  L.TraverseStmt(Kernel->getBody());
  return std::move(L.Found);
}

} // namespace cuda_pipeline
