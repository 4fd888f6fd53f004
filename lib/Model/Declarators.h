//===- Declarators.h - Variables that share a declaration -----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The text of `float *a = x, *b = y;` taken apart: what the variables have in common, where each
/// begins, and how one of them is declared alone. Nothing where that is not plain to see.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_DECLARATORS_H
#define CUDA_PIPELINE_LIB_MODEL_DECLARATORS_H

#include "AstUtil.h"

namespace cuda_pipeline {

/// What the declarators of the declaration at \p Whole have in common, \p First among them:
/// `const float`.
std::optional<llvm::StringRef> commonSpecifiers(TextRange Whole, const clang::VarDecl *First,
                                                const clang::ASTContext &Context);

/// Offsets in the main file: of the comma between two variables, and of what follows it.
struct DeclaratorGap {
  unsigned Comma, Declarator;
};
/// Of \p Before and \p Var, neighbours in a declaration of the main file.
std::optional<DeclaratorGap> gapBetween(const clang::VarDecl *Before, const clang::VarDecl *Var,
                                        const clang::ASTContext &Context);

/// The declaration of \p Var, which \p Statement declares beside others, without these: `float *b =
/// y;`.
std::optional<std::string> declarationAlone(const clang::VarDecl *Var,
                                            const clang::DeclStmt *Statement,
                                            const clang::ASTContext &Context);

} // namespace cuda_pipeline

#endif
