//===- RewordDeclarations.cpp - One declaration for each variable ---------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// `float a = A[i], b = B[j];` is two statements, of which each half of the load phase may want
/// another. The specifiers are said once more in front of each further declarator; what stands
/// behind these is left as it is.
///
//===----------------------------------------------------------------------===//

#include "../Model/ModelStep.h"
#include "Rewordings.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

class DeclarationSplitter {
public:
  DeclarationSplitter(const TileModel &M, ASTContext &Context)
      : M(M), Context(Context), SM(Context.getSourceManager()), File(mainFileText(Context)) {}

  Rewording run() {
    for (const Stmt *S : M.Segments[0])
      forEachLeaf(S, [&](const Stmt *Leaf) {
        const Effects E = M.Facts->Collector->collect(Leaf);
        if (readsLoadable(E))
          Loaded.merge(writtenVars(E));
      });
    within(M.Segments[0]);
    if (!Out.Edits.empty())
      Out.Said.push_back("a declaration of several variables in the load phase is taken as one for "
                         "each");
    return std::move(Out);
  }

private:
  const TileModel &M;
  ASTContext &Context;
  const SourceManager &SM;
  const StringRef File;
  VarSet Loaded; ///< set by statements of the load phase that read memory
  Rewording Out;

  template <typename Range> void within(const Range &Statements) {
    for (const Stmt *S : Statements)
      if (const auto *Decl = dyn_cast_or_null<DeclStmt>(S))
        split(Decl);
      else
        inside(S);
  }
  /// Of other statements the blocks in them: a declaration by itself has no room for another.
  void inside(const Stmt *S) {
    if (const auto *Block = dyn_cast_or_null<CompoundStmt>(S))
      return within(Block->body());
    if (isa_and_nonnull<AttributedStmt, IfStmt, ForStmt, WhileStmt, DoStmt>(S))
      for (const Stmt *Child : S->children())
        inside(Child);
  }

  static bool isPointerLike(QualType T) {
    while (const auto *Array = T->getAsArrayTypeUnsafe())
      T = Array->getElementType();
    return T->isAnyPointerType() || T->isReferenceType() || T->isMemberPointerType();
  }

  void split(const DeclStmt *Decl) {
    std::vector<const VarDecl *> Vars;
    bool Wanted = false;
    for (const clang::Decl *D : Decl->decls()) {
      const auto *Var = dyn_cast<VarDecl>(D);
      if (!Var || isa<DecompositionDecl>(Var) || !Var->hasLocalStorage() ||
          Var->getLocation().isMacroID() || !isInMainFile(SM, Var->getLocation()) ||
          Var->getEndLoc().isMacroID())
        return;
      Wanted |= Loaded.count(Var) ||
                (Var->hasInit() && readsLoadable(M.Facts->Collector->collect(Var->getInit())));
      Vars.push_back(Var);
    }
    const std::optional<TextRange> Whole = statementRange(Decl, Context);
    if (Vars.size() < 2 || !Wanted || !Whole || Decl->getBeginLoc().isMacroID())
      return;
    const std::optional<StringRef> Specifiers = specifiers(*Whole, Vars.front());
    if (!Specifiers)
      return;
    const size_t Line = File.rfind('\n', Whole->Begin) + 1;
    const std::string Break = "\n" + File.slice(Line, Whole->Begin)
                                         .take_while([](char C) { return C == ' ' || C == '\t'; })
                                         .str();
    std::vector<Edit> Edits;
    for (size_t I = 1; I < Vars.size(); ++I) {
      const std::optional<Gap> Between = between(Vars[I - 1], Vars[I]);
      if (!Between)
        return;
      Edits.push_back({Between->Comma, 1, ";"});
      const StringRef Space = File.slice(Between->Comma + 1, Between->Declarator);
      if (Space.trim(" \t").empty())
        Edits.push_back(
            {Between->Comma + 1, unsigned(Space.size()), Break + Specifiers->str() + " "});
      else
        Edits.push_back({Between->Declarator, 0, Specifiers->str() + " "});
    }
    append_range(Out.Edits, Edits);
  }

  /// What the declarators of \p Whole have in common; nothing where that is not plain to see.
  std::optional<StringRef> specifiers(TextRange Whole, const VarDecl *First) const {
    StringRef Text = File.slice(Whole.Begin, SM.getFileOffset(First->getLocation()));
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
  /// `struct S a, b;`: said again it may declare another class.
  static bool isElaborated(StringRef Text) {
    SmallVector<StringRef, 4> Words;
    Text.split(Words, ' ', -1, false);
    return any_of(Words, [](StringRef W) {
      return is_contained(ArrayRef<StringRef>({"struct", "class", "union", "enum"}), W.trim());
    });
  }

  struct Gap {
    unsigned Comma, Declarator;
  };
  /// Where the declarator of \p Var begins, and the comma in front of it.
  std::optional<Gap> between(const VarDecl *Before, const VarDecl *Var) const {
    const SourceLocation End =
        Lexer::getLocForEndOfToken(Before->getEndLoc(), 0, SM, Context.getLangOpts());
    if (End.isInvalid())
      return std::nullopt;
    const FileID Id = SM.getMainFileID();
    const unsigned To = SM.getFileOffset(Var->getLocation());
    Lexer Lex(SM.getLocForStartOfFile(Id), Context.getLangOpts(), File.begin(),
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
    return Gap{*Comma, Declarator.value_or(To)};
  }
};

} // namespace

Rewording rewordDeclarations(const TileModel &M, ASTContext &Context) {
  // Without both barriers there is no load phase.
  if (!M.Loop->Body || M.Loop->IsPattern || !M.Facts || !M.Facts->Collector || !M.Barriers[0])
    return Rewording();
  return DeclarationSplitter(M, Context).run();
}

} // namespace cuda_pipeline
