//===- OutputCheck.cpp - The written text is read again -------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputCheck.h"
#include "../Model/AstUtil.h"
#include "../Model/RawTokens.h"
#include "../Report/UnifiedDiff.h"
#include "../Source/ReadParts.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// Where \p Loc, that of its expansion, stands in the main file; none: elsewhere.
std::optional<unsigned> offsetOf(SourceLocation Loc, const SourceManager &SM) {
  const SourceLocation At = SM.getExpansionLoc(Loc);
  if (At.isInvalid() || !isInMainFile(SM, At))
    return std::nullopt;
  return SM.getFileOffset(At);
}

/// Something that a function declares, and that another declaration could hide.
bool isLocal(const NamedDecl *D) {
  return D->getIdentifier() && D->getDeclContext()->isFunctionOrMethod() &&
         isa<VarDecl, BindingDecl, TypedefNameDecl, TagDecl>(D);
}

/// Local or not: what a name of this kind in a function may mean.
bool mayBeHidden(const NamedDecl *D) {
  return D->getIdentifier() &&
         isa<VarDecl, BindingDecl, TypedefNameDecl, TagDecl, EnumConstantDecl, FunctionDecl>(D) &&
         !D->isCXXClassMember();
}

NamesMeant::Side sideOf(const NamedDecl *D, unsigned Begin, unsigned End, const SourceManager &SM) {
  const std::optional<unsigned> At = offsetOf(D->getLocation(), SM);
  return At && Begin <= *At && *At < End && isLocal(D) ? NamesMeant::Inside : NamesMeant::Outside;
}

/// Clang has made functions of \p Template: as many have a body.
unsigned madeOf(const FunctionTemplateDecl &Template) {
  return unsigned(
      count_if(Template.specializations(), [](const FunctionDecl *F) { return F->hasBody(); }));
}

/// Bytes of a text.
struct Region {
  unsigned Begin, End;
};

/// What is a comment, or a string, in C++.
LangOptions ofCPlusPlus() {
  LangOptions Lang;
  Lang.CPlusPlus = Lang.CPlusPlus11 = Lang.LineComment = Lang.RawStringLiterals = true;
  return Lang;
}

/// Closes no brace but those that it opens.
bool isBalanced(StringRef Piece) {
  int Open = 0, Least = 0;
  forEachRawToken(Piece.str(), [&](const Token &T, unsigned) {
    Open += T.is(tok::l_brace) - T.is(tok::r_brace);
    Least = std::min(Least, Open);
  });
  return Open == 0 && Least == 0;
}

/// Where \p New differs from \p Old, in pieces that close what they open. None: it might not be in
/// the same functions.
std::optional<std::vector<Region>> changedRegions(StringRef Old, StringRef New) {
  std::vector<Region> Out;
  long Moved = 0;
  std::optional<Region> OfOld, OfNew; // a piece that does not yet
  for (const Edit &E : lineEdits(Old, New)) {
    const unsigned Begin = unsigned(long(E.Offset) + Moved), End = Begin + unsigned(E.Text.size());
    if (New.substr(Begin, E.Text.size()) != E.Text)
      return std::nullopt;
    OfOld = {OfOld ? OfOld->Begin : E.Offset, E.Offset + E.Length};
    OfNew = {OfNew ? OfNew->Begin : Begin, End};
    Moved += long(E.Text.size()) - long(E.Length);
    if (!isBalanced(Old.slice(OfOld->Begin, OfOld->End)) ||
        !isBalanced(New.slice(OfNew->Begin, OfNew->End)))
      continue;
    Out.push_back(*OfNew);
    OfOld = OfNew = std::nullopt;
  }
  if (OfNew)
    return std::nullopt;
  return Out;
}

/// The changed functions of a text. What else is read does not matter; that they were is looked
/// at by allRead().
class ChangedFunctions {
public:
  ChangedFunctions(StringRef Text, std::vector<Region> Regions, ArrayRef<WrittenLoop> Loops)
      : Text(Text), Loops(Loops) {
    for (const Region &R : Regions)
      if (isIncludes(Text.slice(R.Begin, R.End)))
        Includes = true;
      else
        Changed.push_back(R);
  }

  bool mayBe(const FunctionDecl &F) const {
    const SourceManager &SM = F.getASTContext().getSourceManager();
    const std::optional<unsigned> Begin = offsetOf(F.getBeginLoc(), SM);
    if (!Begin || isa<CXXConstructorDecl>(F))
      return true;
    const StringRef Rest = Text.drop_front(*Begin);
    const LangOptions Lang = ofCPlusPlus();
    Lexer Lex(SourceLocation(), Lang, Rest.begin(), Rest.begin(), Rest.end());
    Token T;
    int Braces = 0, Parens = 0;
    bool Names = false;
    for (Lex.LexFromRawLexer(T); T.isNot(tok::eof); Lex.LexFromRawLexer(T)) {
      if (T.is(tok::raw_identifier))
        Names |= any_of(
            Loops, [&](const WrittenLoop &L) { return T.getRawIdentifier() == L.Meant->Template; });
      Parens += T.is(tok::l_paren) - T.is(tok::r_paren);
      if (Parens != 0)
        continue;
      Braces += T.is(tok::l_brace) - T.is(tok::r_brace);
      if (T.is(tok::r_brace) && Braces <= 0)
        break;
    }
    const unsigned End = *Begin + unsigned(Lex.getBufferLocation() - Rest.begin());
    return Names ||
           any_of(Changed, [&](const Region &R) { return *Begin <= R.End && R.Begin <= End; });
  }

  /// Nothing of what the included files declare, or define as macros, is named anywhere in the text
  /// but in its changes, or could be meant without being named.
  bool includesAreNewNames(const ASTContext &Context, const Preprocessor &PP) const {
    struct Names : ConstDynamicRecursiveASTVisitor {
      const SourceManager &SM;
      StringSet<> Found;
      bool Unnamed = false;
      explicit Names(const SourceManager &SM) : SM(SM) {
        ShouldVisitTemplateInstantiations = false;
      }
      bool TraverseStmt(const Stmt *) override { return true; }
      bool VisitNamedDecl(const NamedDecl *D) override {
        if (isInMainFile(SM, SM.getExpansionLoc(D->getLocation())))
          return true;
        if (D->getIdentifier())
          Found.insert(D->getName());
        else if (!D->isCXXClassMember() && !isa<ParmVarDecl, UsingDirectiveDecl>(D) &&
                 !isa<TemplateTypeParmDecl, NonTypeTemplateParmDecl, TemplateTemplateParmDecl>(D))
          Unnamed = true; // an operator
        Unnamed |=
            isa<UsingDirectiveDecl, ClassTemplateSpecializationDecl, VarTemplateSpecializationDecl>(
                D);
        return true;
      }
    } V(Context.getSourceManager());
    V.TraverseAST(Context);
    if (V.Unnamed)
      return false;
    const std::string Code = Text.str();
    const LangOptions Lang = ofCPlusPlus();
    Lexer Lex(SourceLocation(), Lang, Code.data(), Code.data(), Code.data() + Code.size());
    Token T;
    const SourceManager &SM = Context.getSourceManager();
    for (Lex.LexFromRawLexer(T); T.isNot(tok::eof); Lex.LexFromRawLexer(T)) {
      if (T.isNot(tok::raw_identifier))
        continue;
      const unsigned At = unsigned(StringRef(T.getRawIdentifier()).data() - Code.data());
      if (any_of(Changed, [&](const Region &R) { return R.Begin <= At && At < R.End; }))
        continue;
      if (V.Found.contains(T.getRawIdentifier()))
        return false;
      const MacroInfo *Macro = PP.getMacroInfo(PP.getIdentifierInfo(T.getRawIdentifier()));
      if (Macro && SM.isLocalSourceLocation(Macro->getDefinitionLoc()) &&
          !isInMainFile(SM, Macro->getDefinitionLoc()) &&
          !SM.isWrittenInBuiltinFile(Macro->getDefinitionLoc()) &&
          !SM.isWrittenInCommandLineFile(Macro->getDefinitionLoc()))
        return false;
    }
    return true;
  }

  /// All that has changed is in bodies that \p Context has, on which nothing elsewhere depends; and
  /// of those that are templates the same was made as before.
  bool allRead(const ASTContext &Context, const Preprocessor &PP) const {
    if (Includes && !includesAreNewNames(Context, PP))
      return false;
    struct Bodies : ConstDynamicRecursiveASTVisitor {
      const SourceManager &SM;
      std::vector<std::pair<Region, const FunctionDecl *>> Found;
      explicit Bodies(const SourceManager &SM) : SM(SM) {}
      bool TraverseDecl(const Decl *D) override {
        const auto *F = dyn_cast_or_null<FunctionDecl>(D);
        if (!F)
          return ConstDynamicRecursiveASTVisitor::TraverseDecl(D);
        if (F->doesThisDeclarationHaveABody() && F->getBody() && !F->hasSkippedBody()) {
          const std::optional<unsigned> Begin = offsetOf(F->getBody()->getBeginLoc(), SM),
                                        End = offsetOf(F->getBody()->getEndLoc(), SM);
          if (Begin && End)
            Found.push_back({{*Begin, *End}, F});
        }
        return true;
      }
    } V(Context.getSourceManager());
    V.TraverseAST(Context);
    auto Around = [&](Region R) -> const FunctionDecl * {
      for (const auto &[Body, F] : V.Found)
        if (Body.Begin < R.Begin && R.End <= Body.End)
          return F;
      return nullptr;
    };
    return all_of(Changed,
                  [&](const Region &R) {
                    const FunctionDecl *F = Around(R);
                    return F && !F->isConstexpr() &&
                           !F->getDeclaredReturnType()->getContainedDeducedType() &&
                           (!F->isDependentContext() || any_of(Loops, [&](const WrittenLoop &L) {
                             return Around({L.Begin, L.End}) == F;
                           }));
                  }) &&
           all_of(Loops, [&](const WrittenLoop &L) {
             const FunctionDecl *F = Around({L.Begin, L.End});
             if (!F || !L.Meant->Made)
               return false;
             const FunctionTemplateDecl *Template = F->getDescribedFunctionTemplate();
             if (L.Meant->Template.empty())
               return !F->isDependentContext();
             return Template && madeOf(*Template) == *L.Meant->Made;
           });
  }

private:
  const StringRef Text;
  std::vector<Region> Changed; ///< but for what is included
  const ArrayRef<WrittenLoop> Loops;
  bool Includes = false;

  static bool isIncludes(StringRef Lines) {
    SmallVector<StringRef, 4> Each;
    Lines.split(Each, '\n');
    return all_of(Each, [](StringRef L) { return L.empty() || L.starts_with("#include <"); });
  }
};

} // namespace

NamesMeant namesMeant(const TileModel &Model, const ASTContext &Context) {
  NamesMeant Out;
  const SourceManager &SM = Context.getSourceManager();
  const PhaseText Loop = phaseText(Model, Context);
  auto Add = [&](const Stmt *S) {
    for (const NamedAt &Name : namesOf(S))
      if (mayBeHidden(Name.Decl))
        Out.Of[Name.Decl->getNameAsString()] |= sideOf(Name.Decl, Loop.Begin, Loop.End, SM);
  };
  Add(Model.Loop->Loop);
  for (const TileView &V : Model.Views) // they are declared anew in it
    Add(V.Statement);
  const FunctionDecl *Function = Model.Loop->Function;
  const FunctionTemplateDecl *Template = Function->getPrimaryTemplate();
  if (!Template)
    Template = Function->getDescribedFunctionTemplate();
  if (Template) {
    Out.Template = Template->getNameAsString();
    Out.Made = madeOf(*Template);
  }
  if (Function->isDependentContext() ? !Template : Function->isTemplateInstantiation() && !Template)
    Out.Made = std::nullopt;
  for (const auto &B : Model.Buffers)
    Out.Rebound.insert(B->Decl->getNameAsString());
  for (const TileView &V : Model.Views)
    Out.Rebound.insert(V.Var->getNameAsString());
  return Out;
}

std::vector<OutputProblem> checkOutput(ArrayRef<ParseRequest> Ways, StringRef Original,
                                       const std::string &Text, ArrayRef<WrittenLoop> Loops) {
  std::vector<OutputProblem> Problems;
  auto LoopAt = [&](std::optional<unsigned> At) -> std::optional<size_t> {
    for (size_t I = 0; At && I < Loops.size(); ++I)
      if (Loops[I].Begin <= *At && *At < Loops[I].End)
        return I;
    return std::nullopt;
  };
  auto Add = [&](std::optional<size_t> Loop, std::string What) {
    if (none_of(Problems, [&](const OutputProblem &P) { return P.Loop == Loop; }))
      Problems.push_back({Loop, std::move(What)});
  };

  struct Reader : ConstDynamicRecursiveASTVisitor {
    ArrayRef<WrittenLoop> Loops;
    const SourceManager &SM;
    /// Of a name in a loop, and (\p Within is false) of one elsewhere that means what a loop's text
    /// declares.
    function_ref<void(size_t, const NamedDecl *, bool)> Found;
    Reader(ArrayRef<WrittenLoop> Loops, const SourceManager &SM,
           function_ref<void(size_t, const NamedDecl *, bool)> Found)
        : Loops(Loops), SM(SM), Found(Found) {}
    bool TraverseDecl(const Decl *D) override {
      // Whole functions alone are looked at, and of them those with a loop.
      const auto *Function = dyn_cast_or_null<FunctionDecl>(D);
      if (!Function || !Function->hasBody() || !Function->isThisDeclarationADefinition())
        return ConstDynamicRecursiveASTVisitor::TraverseDecl(D);
      const std::optional<unsigned> Begin = offsetOf(Function->getBody()->getBeginLoc(), SM),
                                    End = offsetOf(Function->getBody()->getEndLoc(), SM);
      if (!Begin || !End || none_of(Loops, [&](const WrittenLoop &L) {
            return *Begin <= L.Begin && L.End <= *End + 1;
          }))
        return true;
      for (const NamedAt &Name : namesOf(Function->getBody()))
        if (std::optional<unsigned> At =
                mayBeHidden(Name.Decl) ? offsetOf(Name.Where, SM) : std::nullopt) {
          for (size_t I = 0; I < Loops.size(); ++I) {
            const bool Within = Loops[I].Begin <= *At && *At < Loops[I].End;
            if (Within || sideOf(Name.Decl, Loops[I].Begin, Loops[I].End, SM) == NamesMeant::Inside)
              Found(I, Name.Decl, Within);
          }
        }
      return true;
    }
  };

  const auto MeansTheSame = [&](size_t I, const NamedDecl *D, bool Within) {
    const SourceManager &SM = D->getASTContext().getSourceManager();
    const WrittenLoop &L = Loops[I];
    const std::string Name = D->getNameAsString();
    const auto Meant = L.Meant->Of.find(Name);
    // What was declared in front of the loop may stand behind it as well.
    if (!Within) {
      if (Meant != L.Meant->Of.end() && Meant->second == NamesMeant::Inside)
        Add(I, "'" + Name + "' means something of it elsewhere");
      return;
    }
    // State that the load side steps by itself is a parameter of its function, by its own name.
    if (Meant == L.Meant->Of.end() || L.Meant->Rebound.count(Name) || isa<ParmVarDecl>(D))
      return;
    if (!(Meant->second & sideOf(D, L.Begin, L.End, SM)))
      Add(I, "'" + Name + "' means another thing in it");
  };
  std::optional<ChangedFunctions> Changed;
  if (std::optional<std::vector<Region>> Regions = changedRegions(Original, Text))
    Changed.emplace(Text, std::move(*Regions), Loops);

  for (ParseRequest R : Ways) {
    (R.Edited ? R.EditedContents : R.Contents) = Text;
    bool AllRead = false;
    if (Changed &&
        readParts(
            R, [&](const FunctionDecl &F) { return Changed->mayBe(F); },
            [&](ASTContext &Context, const Preprocessor &PP) {
              AllRead = Changed->allRead(Context, PP);
              if (AllRead)
                Reader(Loops, Context.getSourceManager(), MeansTheSame).TraverseAST(Context);
            }) &&
        AllRead)
      continue;
    std::vector<SourceError> Errors;
    IgnoringDiagConsumer Silent;
    CompilerQuestions Questions;
    std::shared_ptr<ASTUnit> Written = parse(R, &Silent, &Errors, &Questions);
    if (!Written && R.Edited && Questions.NotIncluded)
      continue; // the header is none of this one
    if (!Written) {
      Add(std::nullopt, "it cannot be read");
      continue;
    }
    const ASTContext &Context = Written->getASTContext();
    const SourceManager &SM = Context.getSourceManager();
    // The original's own errors, elsewhere, are its own affair (--keep-going).
    for (const SourceError &E : Errors)
      if (const std::optional<size_t> Loop =
              LoopAt(E.Where.isValid() ? offsetOf(E.Where, SM) : std::nullopt))
        Add(Loop, "it does not compile");
      else if (!R.KeepGoing)
        Add(std::nullopt, "it does not compile");
    if (!R.KeepGoing && Errors.empty() && Written->getDiagnostics().hasErrorOccurred())
      Add(std::nullopt, "it does not compile");
    Reader Names(Loops, SM, MeansTheSame);
    Names.TraverseAST(Context);
  }
  return Problems;
}

} // namespace cuda_pipeline
