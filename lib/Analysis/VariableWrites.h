//===- VariableWrites.h - What sets a variable ----------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// For who follows all values of a local variable without other names: the assignments to it, and
/// whether anything else sets it.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_ANALYSIS_VARIABLEWRITES_H
#define CUDA_PIPELINE_LIB_ANALYSIS_VARIABLEWRITES_H

#include "../Model/AstUtil.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

namespace cuda_pipeline {

/// What a variable is set to in a statement, besides its initialiser.
struct VariableWrites : clang::ConstDynamicRecursiveASTVisitor {
  VariableWrites(const clang::VarDecl *Var, const clang::Stmt *In) : Var(Var) {
    TraverseStmt(const_cast<clang::Stmt *>(In));
  }
  /// With every operator.
  std::vector<const clang::BinaryOperator *> Assignments;
  bool Steps = false;     ///< by ++ or --
  bool Otherwise = false; ///< in a way that is not followed

  /// `*=`, `<<=` or `&=` by an integer: a multiple of a power of two stays one.
  static bool keepsMultiples(const clang::BinaryOperator *Op) {
    return (Op->getOpcode() == clang::BO_MulAssign || Op->getOpcode() == clang::BO_ShlAssign ||
            Op->getOpcode() == clang::BO_AndAssign) &&
           Op->getRHS()->getType()->isIntegerType();
  }

  bool VisitBinaryOperator(const clang::BinaryOperator *Op) override {
    if (Op->isAssignmentOp() && names(Op->getLHS()))
      Assignments.push_back(Op);
    return true;
  }
  bool VisitUnaryOperator(const clang::UnaryOperator *Op) override {
    Steps |= Op->isIncrementDecrementOp() && names(Op->getSubExpr());
    return true;
  }
  bool VisitGCCAsmStmt(const clang::GCCAsmStmt *Asm) override {
    for (unsigned I = 0; I < Asm->getNumOutputs(); ++I)
      Otherwise |= mentionedVars(Asm->getOutputExpr(I)).count(Var) != 0;
    return true;
  }
  bool VisitCXXForRangeStmt(const clang::CXXForRangeStmt *For) override {
    Otherwise |= For->getLoopVariable() == Var;
    return true;
  }

private:
  const clang::VarDecl *Var;

  /// \p Place is the variable. `(c ? a : b)` may be either.
  bool names(const clang::Expr *Place) {
    Place = Place->IgnoreParens();
    if (referencedVar(Place) == Var)
      return true;
    const auto *Star = llvm::dyn_cast<clang::UnaryOperator>(Place);
    const bool IsMemory = llvm::isa<clang::ArraySubscriptExpr, clang::MemberExpr>(Place) ||
                          (Star && Star->getOpcode() == clang::UO_Deref);
    Otherwise |= !IsMemory && mentionedVars(Place).count(Var) != 0;
    return false;
  }
};

} // namespace cuda_pipeline

#endif
