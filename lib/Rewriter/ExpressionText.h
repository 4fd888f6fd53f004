//===- ExpressionText.h - Expressions of the text as parts of new ones ------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// What the user has written, put into other expressions: with parentheses where these need them,
/// and only if it stands in the text as it is.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_REWRITER_EXPRESSIONTEXT_H
#define CUDA_PIPELINE_LIB_REWRITER_EXPRESSIONTEXT_H

#include "../Model/AstUtil.h"
#include <string>

namespace cuda_pipeline {

/// As an operand of anything. A macro's text may have operators of its own. Empty: it has no text.
std::string asOperandOfAny(const clang::Expr *E, const clang::ASTContext &Context);
/// As the first operand of `+`.
std::string asSummand(const clang::Expr *E, const clang::ASTContext &Context);
/// As the first operand of `*` or `/`.
std::string asFactor(const clang::Expr *E, const clang::ASTContext &Context);
/// Where it stands, in so many words and in none of a macro's.
std::optional<TextRange> writtenRange(const clang::Expr *E, const clang::ASTContext &Context);

} // namespace cuda_pipeline

#endif
