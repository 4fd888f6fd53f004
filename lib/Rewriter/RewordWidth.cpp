//===- RewordWidth.cpp - Copies of several elements at once -----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// `for (int i = tid; i < N; i += 128) As[i / 32][i % 32] = A[..];` becomes
///
///   const bool As_wide = reinterpret_cast<size_t>(A) % 16 == 0 && K % 16 == 0;
///   ..
///   if (As_wide) {
///     for (int i = tid * 16; i < N; i += 128 * 16)
///       *reinterpret_cast<int4 *>(&As[i / 32][i % 32]) = *reinterpret_cast<const int4 *>(&A[..]);
///   } else {
///     the loop as it was
///   }
///
//===----------------------------------------------------------------------===//

#include "../Model/RawTokens.h"
#include "ExpressionText.h"
#include "Rewordings.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

constexpr size_t MaxColumns = 100;

/// The type of CUDA that has so many bytes, and its zero.
struct WideType {
  std::string Name, Make, Zero;
};
WideType wideType(QualType Element, unsigned Bytes) {
  if (Bytes == 4)
    return {"int", "", "0"};
  const bool Float = Element->isSpecificBuiltinType(BuiltinType::Float),
             Double = Element->isSpecificBuiltinType(BuiltinType::Double) && Bytes == 16;
  const unsigned Parts = Double ? 2 : Bytes / 4;
  const std::string Name = (Double ? "double" : Float ? "float" : "int") + std::to_string(Parts);
  std::string Zero;
  for (unsigned I = 0; I < Parts; ++I)
    Zero += (I ? ", " : "") + std::string(Double ? "0.0" : Float ? "0.0f" : "0");
  return {Name, "make_" + Name, "make_" + Name + "(" + Zero + ")"};
}

class Widen {
public:
  Widen(const TileModel &M, const ASTContext &Context, const SourceText &Source, const CopyWidth &W)
      : M(M), Context(Context), Source(Source), W(W), SM(Context.getSourceManager()),
        File(mainFileText(Context)) {}

  /// Empty: it cannot be said in the text. \p Test: gets what is asked in front of the tile loop.
  Rewording run(std::string &Test) {
    const std::optional<TextRange> Loop = rangeOf(W.Loop);
    const std::optional<TextRange> Function =
        textRange(M.Loop->Function->getBody()->getSourceRange(), Context);
    if (!Loop || !Function || !Function->contains(*Loop) ||
        otherMeaningsOf(M, Context).hasFunction(M.Loop->Function) ||
        saysCommandLine(M.Loop->Function) || !align() || !patch())
      return Rewording();
    Test = test();
    const unsigned For = SM.getFileOffset(SM.getExpansionLoc(W.Loop->getForLoc()));
    const std::string In = indentOf(File, For);
    if (Test.empty()) {
      append_range(Out.Edits, Patches);
    } else {
      const std::string Name =
          freeName(W.Tiles.front()->getNameAsString() + "_wide", Source.Names, Context);
      if (!declare(Name, Test))
        return Rewording();
      MadeLines New;
      // A pragma may stand further to the left.
      const std::string Pad = In.substr(std::min(In.size(), indentOf(File, Loop->Begin).size()));
      const std::string More = In + (StringRef(In).starts_with("\t") ? "\t" : "  ");
      addLoop(New, *Loop, For, patched({For, Loop->End}), In, More);
      New.add(In + "} else {");
      addLoop(New, *Loop, For, File.slice(For, Loop->End).str(), In, More);
      New.add(In + "}");
      Out.Edits.push_back(
          {Loop->Begin, Loop->End - Loop->Begin, Pad + "if (" + Name + ") {" + New.Text});
      Out.LinesOf[Loop->Begin] = New.From;
    }
    llvm::sort(Out.Edits, [](const Edit &A, const Edit &B) { return A.Offset < B.Offset; });
    Out.PinsArguments = M.Loop->IsTemplate;
    Out.PinAt = SM.getFileOffset(M.Loop->Begin) + 1;
    return std::move(Out);
  }

private:
  const TileModel &M;
  const ASTContext &Context;
  const SourceText &Source;
  const CopyWidth &W;
  const SourceManager &SM;
  const StringRef File;
  Rewording Out;
  std::vector<Edit> Patches; ///< in the copy loop

  /// The loop \p Text in place of that in \p Old, which begins at \p For, and the pragmas in front.
  void addLoop(MadeLines &New, TextRange Old, unsigned For, const std::string &Text,
               const std::string &In, const std::string &More) const {
    const auto LineOf = [&](unsigned At) { return SM.getLineNumber(SM.getMainFileID(), At); };
    SmallVector<StringRef, 4> Pragmas;
    File.slice(Old.Begin, For).split(Pragmas, '\n', -1, /*KeepEmpty=*/false);
    unsigned Line = LineOf(Old.Begin);
    for (StringRef Pragma : Pragmas)
      if (!Pragma.trim().empty())
        New.add(More + Pragma.trim().str(), {Line++, 0});
    New.addMoved(In + Text, LineOf(For), More);
  }

  /// Of a loop, with the pragmas in front of it.
  std::optional<TextRange> rangeOf(const Stmt *S) const {
    std::optional<TextRange> R = statementRange(S, Context);
    if (!R)
      return std::nullopt;
    const size_t LineBegin = File.take_front(R->Begin).rfind('\n') + 1;
    if (!File.slice(LineBegin, R->Begin).trim().empty())
      return R;
    for (size_t Begin = LineBegin; Begin > 0;) {
      const size_t Above = File.take_front(Begin - 1).rfind('\n') + 1;
      const StringRef Line = File.slice(Above, Begin);
      if (!Line.ltrim().starts_with("#") ||
          !Line.ltrim().drop_front().ltrim().starts_with("pragma"))
        break;
      Begin = Above;
      R->Begin = unsigned(Above + (Line.size() - Line.ltrim().size()));
    }
    return R;
  }

  bool replace(const Expr *E, const std::string &Text) {
    const std::optional<TextRange> R = writtenRange(E, Context);
    const std::optional<TextRange> Loop = statementRange(W.Loop, Context);
    if (!R || Text.empty() || !Loop || !Loop->contains(*R))
      return false;
    const Edit New = {R->Begin, R->End - R->Begin, Text};
    if (!is_contained(Patches, New))
      Patches.push_back(New);
    return true;
  }

  /// It names something that is declared in the tile loop.
  bool isOfLoop(const Expr *E) const {
    return any_of(namesOf(E), [&](const NamedAt &Name) {
      return standsIn(Name.Decl->getLocation(), M.Loop->Loop, SM);
    });
  }

  /// The function, or what it is made of, says a macro of the command line: with another value the
  /// same text is built elsewhere, and what was shown of this one is not shown of that.
  bool saysCommandLine(const FunctionDecl *Function) const {
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      const SourceManager &SM;
      std::set<const Decl *> Seen;
      bool Found = false;
      explicit Visitor(const SourceManager &SM) : SM(SM) {}
      void at(SourceLocation Where) {
        Found |= Where.isMacroID() && SM.isWrittenInCommandLineFile(SM.getSpellingLoc(Where));
      }
      void also(const Decl *D) {
        if (D && !SM.isInSystemHeader(D->getLocation()) && Seen.insert(D).second)
          TraverseDecl(D);
      }
      bool VisitStmt(const Stmt *S) override {
        at(S->getBeginLoc());
        at(S->getEndLoc());
        if (const auto *E = dyn_cast<Expr>(S))
          at(E->getExprLoc());
        return !Found;
      }
      bool VisitTypeLoc(TypeLoc T) override {
        at(T.getBeginLoc());
        if (const auto Alias = T.getAs<TypedefTypeLoc>())
          also(Alias.getTypePtr()->getDecl());
        return !Found;
      }
      bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
        const ValueDecl *D = Ref->getDecl();
        const auto *Called = dyn_cast<FunctionDecl>(D);
        also(Called ? Called->getDefinition() : D);
        return !Found;
      }
    } V(SM);
    V.Seen.insert(Function);
    V.TraverseDecl(Function);
    return V.Found;
  }

  /// The names mean what CUDA means by them.
  bool isMeant(StringRef Name) const {
    if (Name.empty())
      return true;
    const DeclarationName Id(&Context.Idents.get(Name));
    if (Context.Idents.get(Name).hasMacroDefinition() ||
        Context.getTranslationUnitDecl()->lookup(Id).empty())
      return false;
    for (const DeclContext *In = M.Loop->Function->getDeclContext(); In && !In->isTranslationUnit();
         In = In->getParent())
      if (!In->lookup(Id).empty())
        return false;
    struct Visitor : ConstDynamicRecursiveASTVisitor {
      StringRef Name;
      bool Found = false;
      bool VisitNamedDecl(const NamedDecl *D) override {
        Found |= D->getDeclName().isIdentifier() && D->getName() == Name;
        return true;
      }
    } V;
    V.Name = Name;
    V.TraverseDecl(const_cast<FunctionDecl *>(M.Loop->Function));
    return !V.Found;
  }

  bool patch() {
    const std::string By = std::to_string(W.group());
    for (const Expr *E : W.Scaled)
      if (const std::string Factor = asFactor(E, Context);
          Factor.empty() || !replace(E, Factor + " * " + By))
        return false;
    if (W.Divided)
      if (const std::string Factor = asFactor(W.Divided, Context);
          Factor.empty() || !replace(W.Divided, Factor + " / " + By))
        return false;
    // Both ends of a copy are the same type, which is that of the tile.
    const WideType Type = wideType(W.Wider.front().What->getType(), W.NewBytes);
    if ((Type.Name != "int" && !isMeant(Type.Name)) || (!W.Zeros.empty() && !isMeant(Type.Make)))
      return false;
    for (const CopyWidth::Element &E : W.Wider) {
      const auto *Call = E.What->isGLValue() ? nullptr : dyn_cast<CallExpr>(E.What);
      const std::string Of = textOf(Call ? Call->getArg(0) : E.What, Context);
      if (Of.empty())
        return false;
      const std::string Pointer =
          "reinterpret_cast<" + std::string(E.Stored ? "" : "const ") + Type.Name + " *>(";
      if (!replace(E.Written, Call ? textOf(Call->getCallee(), Context) + "(" + Pointer + Of + "))"
                                   : "*" + Pointer + "&" + Of + ")"))
        return false;
    }
    return all_of(W.Through, [&](const VarDecl *Var) { return declareWide(Var, Type.Name); }) &&
           all_of(W.Zeros, [&](const Expr *E) { return replace(E, Type.Zero); });
  }

  /// `float v` becomes `float4 v`.
  bool declareWide(const VarDecl *Var, const std::string &Type) {
    const SourceLocation Begin = Var->getBeginLoc(), Name = Var->getLocation();
    const std::optional<TextRange> Loop = statementRange(W.Loop, Context);
    if (Begin.isMacroID() || Name.isMacroID() || !isInMainFile(SM, Begin) || !Loop)
      return false;
    const unsigned From = SM.getFileOffset(Begin), To = SM.getFileOffset(Name);
    if (From >= To || !Loop->contains({From, To}))
      return false;
    Patches.push_back(
        {From, To - From, (Var->getType().isConstQualified() ? "const " : "") + Type + " "});
    return true;
  }

  /// The text of \p Loop with the patches; they do not add lines.
  std::string patched(TextRange Loop) {
    llvm::sort(Patches, [](const Edit &A, const Edit &B) { return A.Offset < B.Offset; });
    std::string Text;
    unsigned At = Loop.Begin;
    for (const Edit &E : Patches) {
      Text += File.slice(At, E.Offset).str() + E.Text;
      At = E.Offset + E.Length;
    }
    return Text + File.slice(At, Loop.End).str();
  }

  std::string test() const {
    std::string All;
    const auto Add = [&](const std::string &Text) { All += (All.empty() ? "" : " && ") + Text; };
    for (const MultipleTest &T : W.Tests) {
      const std::string Of = textOf(T.Of, Context);
      Add((T.IsAddress ? "reinterpret_cast<size_t>(" + Of + ")" : Of) + " % " +
          std::to_string(T.Multiple) + " == 0");
    }
    if (W.Threads && !isOfLoop(W.Threads))
      Add("blockDim.x == " + asOperandOfAny(W.Threads, Context));
    else if (!W.BlockTest.empty())
      Add(W.BlockTest);
    return All;
  }

  /// In front of the tile loop.
  bool declare(const std::string &Name, const std::string &Test) {
    const Stmt *Loop = M.Loop->Loop;
    const Stmt *Around = nullptr;
    for (const Stmt *S : reverse(M.Loop->Ancestors)) {
      Around = S;
      if (!isa<AttributedStmt>(S))
        break;
      Loop = S;
    }
    const std::optional<TextRange> At = rangeOf(Loop);
    if (!At || !isa_and_nonnull<CompoundStmt>(Around) || Test.empty() ||
        (Test.find("blockDim") != std::string::npos && !isMeant("blockDim")) ||
        any_of(W.Tests, [&](const MultipleTest &T) {
          return textOf(T.Of, Context).empty() || !writtenRange(T.Of, Context);
        }))
      return false;
    // Whole lines in front of it, so that its own keep what they are.
    const unsigned Begin = unsigned(File.take_front(At->Begin).rfind('\n') + 1);
    if (!File.slice(Begin, At->Begin).trim().empty())
      return false;
    const std::string Break = breakAt(File, At->Begin), In = indentOf(File, At->Begin);
    std::string Line = "const bool " + Name + " = " + Test + ";";
    const std::string Further = Break + "    ";
    for (size_t From = 0; In.size() + Line.size() - From > MaxColumns;) {
      size_t At = Line.rfind(" && ", From + MaxColumns - In.size() - 3);
      if (At == std::string::npos || At <= From)
        break;
      Line.replace(At, 4, " &&" + Further);
      From = At + 4; // in front of the indentation
    }
    Out.Edits.push_back({Begin, 0,
                         In + "// Where this holds, " + tiles() + " copied " +
                             std::to_string(W.NewBytes) + " bytes at a time, else one by one." +
                             Break + Line + StringRef(Break).rtrim(" \t").str()});
    return true;
  }
  std::string tiles() const {
    std::string All;
    for (const VarDecl *Tile : W.Tiles)
      All += (All.empty() ? "" : Tile == W.Tiles.back() ? " and " : ", ") + Tile->getNameAsString();
    return "elements of " + All + " are";
  }

  /// The tiles begin at multiples of the new width.
  bool align() {
    return all_of(W.Tiles, [&](const VarDecl *Tile) {
      if (uint64_t(Context.getDeclAlign(Tile).getQuantity()) >= W.NewBytes)
        return true;
      const DeclStmt *Statement = nullptr;
      for (const auto &B : M.Buffers)
        if (B->Decl == Tile)
          Statement = B->Statement;
      const std::optional<TextRange> R =
          Statement ? statementRange(Statement, Context) : std::nullopt;
      constexpr StringRef Word = "__shared__";
      const unsigned Name = SM.getFileOffset(SM.getExpansionLoc(Tile->getLocation()));
      std::optional<unsigned> At;
      if (R)
        forEachRawToken(File.slice(R->Begin, R->End).str(), [&](const Token &T, unsigned Of) {
          if (!At && T.is(tok::raw_identifier) && T.getRawIdentifier() == Word)
            At = Of;
        });
      if (!At || R->Begin + *At > Name)
        return false;
      const Edit New = {unsigned(R->Begin + *At + Word.size()), 0,
                        " __align__(" + std::to_string(W.NewBytes) + ")"};
      if (!is_contained(Out.Edits, New))
        Out.Edits.push_back(New);
      return true;
    });
  }
};

} // namespace

Rewording rewordWidth(const TileModel &M, const ASTContext &Context, const SourceText &Source,
                      MutableArrayRef<CopyWidth> Widths, std::vector<std::string> *Tests) {
  Rewording Out;
  for (CopyWidth &W : Widths) {
    std::string Test;
    Rewording Of = W.changes() ? Widen(M, Context, Source, W).run(Test) : Rewording();
    if (Of.empty() && W.changes())
      W.stay("its text cannot be changed, or may be another one in another build",
             W.Loop->getBeginLoc());
    if (Tests)
      Tests->push_back(Test);
    Out.add(std::move(Of));
  }
  llvm::stable_sort(Out.Edits, [](const Edit &A, const Edit &B) { return A.Offset < B.Offset; });
  // What goes to one place goes there as one edit, and once.
  std::vector<Edit> Joined;
  for (Edit &E : Out.Edits)
    if (Joined.empty() || Joined.back().Offset != E.Offset || E.Length || Joined.back().Length)
      Joined.push_back(std::move(E));
    else if (Joined.back().Text != E.Text)
      Joined.back().Text += E.Text;
  Out.Edits = std::move(Joined);
  return Out;
}

} // namespace cuda_pipeline
