//===- Declarators.cpp - Variables that share a declaration ---------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Declarators.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

static bool isPointerLike(QualType T) {
  while (const auto *Array = T->getAsArrayTypeUnsafe())
    T = Array->getElementType();
  return T->isAnyPointerType() || T->isReferenceType() || T->isMemberPointerType();
}

/// `struct S a, b;`: said again it may declare another class.
static bool isElaborated(StringRef Text) {
  SmallVector<StringRef, 4> Words;
  Text.split(Words, ' ', -1, false);
  return any_of(Words, [](StringRef W) {
    return is_contained(ArrayRef<StringRef>({"struct", "class", "union", "enum"}), W.trim());
  });
}

std::optional<StringRef> commonSpecifiers(TextRange Whole, const VarDecl *First,
                                          const ASTContext &Context) {
  StringRef Text = mainFileText(Context).slice(
      Whole.Begin, Context.getSourceManager().getFileOffset(First->getLocation()));
  if (Text.find_first_of("(){}[]/\\#\"'") != StringRef::npos)
    return std::nullopt;
  if (isPointerLike(First->getType())) {
    if (Text.contains('<')) // `T<U *> *p`
      return std::nullopt;
    Text = Text.take_front(Text.find_first_of("*&"));
  } else if (Text.contains('<') && Text.trim().back() != '>') {
    return std::nullopt;
  }
  Text = Text.trim();
  return Text.empty() || isElaborated(Text) ? std::nullopt : std::optional(Text);
}

std::optional<DeclaratorGap> gapBetween(const VarDecl *Before, const VarDecl *Var,
                                        const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const StringRef File = mainFileText(Context);
  const SourceLocation End = Lexer::getLocForEndOfToken(
      SM.getExpansionRange(Before->getEndLoc()).getEnd(), 0, SM, Context.getLangOpts());
  if (End.isInvalid())
    return std::nullopt;
  const unsigned To = SM.getFileOffset(Var->getLocation());
  Lexer Lex(SM.getLocForStartOfFile(SM.getMainFileID()), Context.getLangOpts(), File.begin(),
            File.begin() + SM.getFileOffset(End), File.end());
  std::optional<unsigned> Comma, Declarator;
  Token T;
  while (true) {
    Lex.LexFromRawLexer(T);
    const unsigned At = SM.getFileOffset(T.getLocation());
    if (T.is(tok::eof) || At > To || T.is(tok::hash))
      return std::nullopt;
    if (At == To)
      break;
    if (T.is(tok::comma) && !Comma) {
      Comma = At;
      continue;
    }
    const bool Word = T.is(tok::raw_identifier) &&
                      is_contained(ArrayRef<StringRef>({"const", "__restrict__", "__restrict"}),
                                   T.getRawIdentifier());
    // Of `int a(1), b` the parenthesis may be behind what ends the first one.
    if (!(Comma ? T.isOneOf(tok::star, tok::amp, tok::ampamp) || Word : T.is(tok::r_paren)))
      return std::nullopt;
    if (Comma && !Declarator)
      Declarator = At;
  }
  if (!Comma)
    return std::nullopt;
  return DeclaratorGap{*Comma, Declarator.value_or(To)};
}

std::optional<std::string> declarationAlone(const VarDecl *Var, const DeclStmt *Statement,
                                            const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const std::optional<TextRange> Whole = statementRange(Statement, Context);
  const auto *First = dyn_cast<VarDecl>(*Statement->decl_begin());
  if (!Whole || !First)
    return std::nullopt;
  std::optional<unsigned> Begin, End;
  const VarDecl *Before = nullptr;
  for (const Decl *D : Statement->decls()) {
    const auto *Each = dyn_cast<VarDecl>(D);
    if (!Each || isa<DecompositionDecl>(Each) || Each->getLocation().isMacroID() ||
        !isInMainFile(SM, Each->getLocation()))
      return std::nullopt;
    if (Begin) { // of the one behind it
      const std::optional<DeclaratorGap> Gap = gapBetween(Before, Each, Context);
      if (!Gap)
        return std::nullopt;
      End = Gap->Comma;
      break;
    }
    if (Each == Var && Before) {
      const std::optional<DeclaratorGap> Gap = gapBetween(Before, Each, Context);
      if (!Gap)
        return std::nullopt;
      Begin = Gap->Declarator;
    } else if (Each == Var) {
      Begin = Whole->Begin;
    }
    Before = Each;
  }
  if (!Begin)
    return std::nullopt;
  const StringRef File = mainFileText(Context);
  if (!End) // the last one, in front of the `;`
    End = Whole->Begin + unsigned(File.slice(Whole->Begin, Whole->End).rtrim("; \t\r\n").size());
  const StringRef Own = File.slice(*Begin, *End).rtrim();
  if (Own.contains("//") || Own.contains('#'))
    return std::nullopt;
  const std::string Text = Own.str() + ";";
  if (Var == First)
    return Text;
  const std::optional<StringRef> Specifiers = commonSpecifiers(*Whole, First, Context);
  if (!Specifiers)
    return std::nullopt;
  return (*Specifiers + " " + Text).str();
}

} // namespace cuda_pipeline
