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

#include "../Model/Declarators.h"
#include "../Model/ModelStep.h"
#include "Rewordings.h"
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
    const std::optional<StringRef> Specifiers = commonSpecifiers(*Whole, Vars.front(), Context);
    if (!Specifiers)
      return;
    const size_t Line = File.rfind('\n', Whole->Begin) + 1;
    const std::string Break = "\n" + File.slice(Line, Whole->Begin)
                                         .take_while([](char C) { return C == ' ' || C == '\t'; })
                                         .str();
    std::vector<Edit> Edits;
    for (size_t I = 1; I < Vars.size(); ++I) {
      const std::optional<DeclaratorGap> Between = gapBetween(Vars[I - 1], Vars[I], Context);
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
};

} // namespace

Rewording rewordDeclarations(const TileModel &M, ASTContext &Context) {
  // Without both barriers there is no load phase.
  if (!M.Loop->Body || M.Loop->IsPattern || !M.Facts || !M.Facts->Collector || !M.Barriers[0])
    return Rewording();
  return DeclarationSplitter(M, Context).run();
}

} // namespace cuda_pipeline
