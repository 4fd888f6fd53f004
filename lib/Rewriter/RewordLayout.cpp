//===- RewordLayout.cpp - Longer rows of tiles ----------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// `half As[BM][BK];` becomes `constexpr int As_PITCH = BK + 8; half As[BM][As_PITCH];`. The
/// constants of the user keep their values, as they say more than how far rows are from each other;
/// what says only that, the leading dimension of a fragment, is the pitch from now on.
///
//===----------------------------------------------------------------------===//

#include "../Model/AstUtil.h"
#include "../Model/RawTokens.h"
#include "ExpressionText.h"
#include "Rewordings.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/TypeLoc.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// How many elements a row has, as the declaration says it; null: it does not.
const Expr *rowSize(const VarDecl *Tile) {
  const TypeSourceInfo *Written = Tile->getTypeSourceInfo();
  if (!Written)
    return nullptr;
  const Expr *Size = nullptr;
  for (auto Array = Written->getTypeLoc().IgnoreParens().getAs<ArrayTypeLoc>(); Array;
       Array = Array.getElementLoc().IgnoreParens().getAs<ArrayTypeLoc>())
    // The innermost one may be in an alias.
    Size = Array.getTypePtr()->getElementType()->isArrayType() ? nullptr : Array.getSizeExpr();
  return Size;
}

/// Every variable that \p E names is called so all through \p Function, and nothing else is.
bool isNamedAlike(const Expr *E, const FunctionDecl *Function) {
  struct Visitor : ConstDynamicRecursiveASTVisitor {
    std::set<const ValueDecl *> Named;
    std::vector<const VarDecl *> Declared;
    bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
      return Named.insert(Ref->getDecl()), true;
    }
    bool VisitVarDecl(const VarDecl *Var) override { return Declared.push_back(Var), true; }
  } Of, In;
  Of.TraverseStmt(E);
  In.TraverseDecl(Function);
  return all_of(Of.Named, [&](const ValueDecl *D) {
    return none_of(In.Declared, [&](const VarDecl *Var) {
      return Var->getDeclName() == D->getDeclName() && Var->getLocation() != D->getLocation();
    });
  });
}

class Relayout {
public:
  Relayout(const TileModel &M, const ASTContext &Context, const SourceText &Source,
           const TileLayout &L)
      : M(M), Context(Context), Source(Source), L(L), SM(Context.getSourceManager()),
        File(mainFileText(Context)) {}

  /// Empty: it cannot be said in the text.
  Rewording run() {
    const DeclStmt *Statement = nullptr;
    for (const auto &B : M.Buffers)
      if (B->Decl == L.Tile)
        Statement = B->Statement;
    const Expr *Size = rowSize(L.Tile);
    const std::optional<TextRange> Declaration =
        Statement ? statementRange(Statement, Context) : std::nullopt;
    const std::optional<TextRange> Function =
        textRange(M.Loop->Function->getBody()->getSourceRange(), Context);
    const std::optional<TextRange> Row = Size ? writtenRange(Size, Context) : std::nullopt;
    if (!Declaration || !Function || !Row || !Declaration->contains(*Row) ||
        !Function->contains(*Declaration) || !standsAlone(*Declaration) ||
        otherMeaningsOf(M, Context).hasFunction(M.Loop->Function) || isNamedElsewhere(*Function))
      return Rewording();
    const std::string Name = freeName(L.Tile->getNameAsString() + "_PITCH", Source.Names, Context);
    const std::optional<Pitch> P = pitchOf(Size, Name);
    if (!P || P->Old.empty())
      return Rewording();
    const std::string More = std::to_string((L.NewPitch - L.Pitch) / L.ElementBytes);
    Rewording Out;
    Out.Edits.push_back({Declaration->Begin, 0,
                         "constexpr int " + Name + " = " + P->Old + " + " + More +
                             "; // rows begin in other banks" + breakAt(File, Declaration->Begin)});
    Out.Edits.push_back({Row->Begin, Row->End - Row->Begin, P->NewSize});
    for (const auto &[Said, Bytes] : L.Said) {
      const std::optional<TextRange> R = writtenRange(Said, Context);
      // Behind the declaration, where the name is known.
      if (!R || R->Begin < Declaration->End || !Function->contains(*R))
        return Rewording();
      const Edit E = {R->Begin, R->End - R->Begin, inUnits(Name, Bytes)};
      if (!is_contained(Out.Edits, E))
        Out.Edits.push_back(E);
    }
    for (const auto &[Index, Bytes] : L.Flat) {
      const std::optional<TextRange> R = writtenRange(Index, Context);
      const std::string I = asOperandOfAny(Index, Context);
      if (!R || I.empty() || R->Begin < Declaration->End || !Function->contains(*R))
        return Rewording();
      const std::string Row = Bytes == L.ElementBytes && isNamedAlike(Size, M.Loop->Function)
                                  ? P->OldFactor
                                  : std::to_string(L.Pitch / Bytes);
      const std::string Sum =
          I + " / " + Row + " * " + inUnits(Name, Bytes) + " + " + I + " % " + Row;
      const bool IsWhole = R->Begin > 0 && File[R->Begin - 1] == '[' && File[R->End] == ']';
      Out.Edits.push_back({R->Begin, R->End - R->Begin, IsWhole ? Sum : "(" + Sum + ")"});
    }
    llvm::sort(Out.Edits, [](const Edit &A, const Edit &B) { return A.Offset < B.Offset; });
    Out.PinsArguments = M.Loop->IsTemplate;
    Out.PinAt = SM.getFileOffset(M.Loop->Begin) + 1;
    return Out;
  }

private:
  const TileModel &M;
  const ASTContext &Context;
  const SourceText &Source;
  const TileLayout &L;
  const SourceManager &SM;
  const StringRef File;

  struct Pitch {
    /// In elements: of a row, as it was; the same as a factor; of the innermost dimension.
    std::string Old, OldFactor, NewSize;
  };
  std::string inUnits(const std::string &Name, uint64_t Bytes) const {
    if (Bytes == L.ElementBytes)
      return Name;
    const bool Wider = Bytes > L.ElementBytes;
    return "(" + Name + (Wider ? " / " : " * ") +
           std::to_string(Wider ? Bytes / L.ElementBytes : L.ElementBytes / Bytes) + ")";
  }
  /// \p Size: of that dimension. A factor of it that is the pitch is another one then.
  std::optional<Pitch> pitchOf(const Expr *Size, const std::string &Name) const {
    if (Context.getAsConstantArrayType(
            Context.getAsConstantArrayType(L.Tile->getType())->getElementType()))
      return Pitch{asSummand(Size, Context), asOperandOfAny(Size, Context), Name};
    const int64_t Elements = int64_t(L.Pitch / L.ElementBytes);
    const std::string Whole = textOf(Size, Context);
    const auto *Product = dyn_cast<BinaryOperator>(Size->IgnoreParenImpCasts());
    if (Product && Product->getOpcode() == BO_Mul)
      for (const auto &[Rows, Row] : {std::pair(Product->getLHS(), Product->getRHS()),
                                      std::pair(Product->getRHS(), Product->getLHS())}) {
        const std::string Of = asOperandOfAny(Rows, Context);
        if (constantValue(Row, Context) == Elements && !Of.empty())
          return Pitch{asSummand(Row, Context), asOperandOfAny(Row, Context),
                       Rows == Product->getLHS() ? Of + " * " + Name : Name + " * " + Of};
      }
    const std::string Old = std::to_string(Elements);
    if (Whole.empty())
      return std::nullopt;
    return Pitch{Old, Old, asOperandOfAny(Size, Context) + " / " + Old + " * " + Name};
  }

  /// The function's text has its name in a place that this build knows nothing of: in a branch that
  /// is left out, or for something else.
  bool isNamedElsewhere(TextRange Function) const {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      const VarDecl *Tile;
      const SourceManager &SM;
      std::set<unsigned> Known;
      Visitor(const VarDecl *Tile, const SourceManager &SM) : Tile(Tile), SM(SM) {}
      bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
        // What a macro is given stands in the text, too.
        if (Ref->getDecl() == Tile)
          Known.insert(SM.getFileOffset(SM.getSpellingLoc(Ref->getLocation())));
        return true;
      }
    } V(L.Tile, SM);
    V.TraverseStmt(M.Loop->Function->getBody());
    V.Known.insert(SM.getFileOffset(L.Tile->getLocation()));
    bool Elsewhere = false;
    forEachRawToken(
        File.slice(Function.Begin, Function.End).str(), [&](const Token &T, unsigned At) {
          Elsewhere |= T.is(tok::raw_identifier) && T.getRawIdentifier() == L.Tile->getName() &&
                       !V.Known.count(Function.Begin + At);
        });
    return Elsewhere;
  }
  /// Nothing is in front of it in its line.
  bool standsAlone(TextRange R) const {
    const size_t Line = File.take_front(R.Begin).rfind('\n') + 1;
    return File.slice(Line, R.Begin).trim().empty();
  }
};

} // namespace

Rewording rewordLayout(const TileModel &M, const ASTContext &Context, const SourceText &Source,
                       MutableArrayRef<TileLayout> Layouts) {
  Rewording Out;
  for (TileLayout &L : Layouts) {
    if (!L.changes())
      continue;
    Rewording Of = Relayout(M, Context, Source, L).run();
    if (Of.empty())
      L.stay("its text cannot be changed, or may be another one in another build",
             L.Tile->getLocation());
    Out.add(std::move(Of));
  }
  llvm::stable_sort(Out.Edits, [](const Edit &A, const Edit &B) { return A.Offset < B.Offset; });
  return Out;
}

} // namespace cuda_pipeline
