//===- RawTokens.h - The tokens of a piece of text ------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_RAWTOKENS_H
#define CUDA_PIPELINE_LIB_MODEL_RAWTOKENS_H

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace cuda_pipeline {

/// Calls \p Do(token, offset) for the tokens of \p Text as C++ has them, without its comments and
/// before any macro is expanded. (A std::string, since the lexer wants a nought behind its text.)
template <typename Fn> void forEachRawToken(const std::string &Text, Fn Do) {
  clang::LangOptions Options;
  Options.CPlusPlus = true;
  Options.CPlusPlus11 = true;
  Options.LineComment = true;
  Options.RawStringLiterals = true;
  clang::Lexer Lex(clang::SourceLocation(), Options, Text.data(), Text.data(),
                   Text.data() + Text.size());
  clang::Token T;
  for (Lex.LexFromRawLexer(T); T.isNot(clang::tok::eof); Lex.LexFromRawLexer(T))
    Do(T, unsigned(Lex.getBufferLocation() - Text.data()) - T.getLength());
}

/// A string may go on in the next line of \p Text, where blanks at the margin are a part of it.
inline bool mayHaveStringOfLines(llvm::StringRef Text) {
  return Text.contains("R\"") || Text.contains("\\\n") || Text.contains("\\\r");
}

} // namespace cuda_pipeline

#endif
