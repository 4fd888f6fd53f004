//===- ExpressionText.cpp - Expressions of the text as parts of new ones ----===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExpressionText.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

std::string asOperandOfAny(const Expr *E, const ASTContext &Context) {
  const std::string Text = textOf(E, Context);
  const bool Primary =
      isa<DeclRefExpr, MemberExpr, IntegerLiteral, ParenExpr, CallExpr, PseudoObjectExpr,
          ArraySubscriptExpr, SubstNonTypeTemplateParmExpr>(E->IgnoreImpCasts());
  return Primary || Text.empty() ? Text : "(" + Text + ")";
}

std::string asSummand(const Expr *E, const ASTContext &Context) {
  const auto *Op = dyn_cast<BinaryOperator>(E->IgnoreImpCasts());
  return Op && (Op->isMultiplicativeOp() || Op->isAdditiveOp()) ? textOf(E, Context)
                                                                : asOperandOfAny(E, Context);
}

std::string asFactor(const Expr *E, const ASTContext &Context) {
  const auto *Op = dyn_cast<BinaryOperator>(E->IgnoreImpCasts());
  return Op && Op->isMultiplicativeOp() ? textOf(E, Context) : asOperandOfAny(E, Context);
}

std::optional<TextRange> writtenRange(const Expr *E, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  // What a macro is given may stand in several places.
  for (SourceLocation At : {E->getBeginLoc(), E->getEndLoc()})
    for (; At.isMacroID(); At = SM.getImmediateExpansionRange(At).getBegin())
      if (SM.isMacroArgExpansion(At))
        return std::nullopt;
  return isInMainFile(SM, SM.getExpansionLoc(E->getBeginLoc()))
             ? textRange(E->getSourceRange(), Context)
             : std::nullopt;
}

} // namespace cuda_pipeline
