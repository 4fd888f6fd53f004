//===- SoundParts.cpp - What to rely on in a file with errors -------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SoundParts.h"
#include "cuda-pipeline/DeclSet.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <set>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// A stretch of one file.
struct Stretch {
  FileID File;
  unsigned Begin, End;
  bool holds(FileID F, unsigned Offset) const {
    return F == File && Begin <= Offset && Offset <= End;
  }
};

/// `#define NAME ...` or `#undef NAME`.
struct MacroChange {
  SourceLocation Where;
  std::set<std::string> Names; ///< in its text
};

/// The conditionals and macros of one file of the user's, read as tokens.
class Directives {
public:
  struct Conditional {
    Stretch Text;                ///< from the #if to the end of the #endif
    std::set<std::string> Names; ///< in its conditions
    bool IncludeGuard = false;   ///< around the whole file
  };
  std::vector<Conditional> Conditionals;
  StringMap<std::vector<MacroChange>> Macros;

  void read(const SourceManager &SM, const LangOptions &Options, FileID File) {
    std::optional<StringRef> Text = SM.getBufferDataOrNone(File);
    if (!Text)
      return;
    Lexer Lex(SM.getLocForStartOfFile(File), Options, Text->begin(), Text->begin(), Text->end());
    std::vector<size_t> Open;
    bool CodeInFront = false;
    size_t Guard = ~size_t(0); // of an #ifndef with nothing in front
    std::string GuardName;
    Token T;
    Lex.LexFromRawLexer(T);
    while (T.isNot(tok::eof)) {
      if (!(T.is(tok::hash) && T.isAtStartOfLine())) {
        CodeInFront = true;
        if (Open.empty() && Guard < Conditionals.size())
          Conditionals[Guard].IncludeGuard = false; // something stands behind it
        Lex.LexFromRawLexer(T);
        continue;
      }
      const SourceLocation Hash = T.getLocation();
      const unsigned Begin = SM.getFileOffset(Hash);
      unsigned End = Begin;
      std::vector<std::string> Words;
      for (Lex.LexFromRawLexer(T); T.isNot(tok::eof) && !T.isAtStartOfLine();
           Lex.LexFromRawLexer(T)) {
        End = SM.getFileOffset(T.getLocation()) + T.getLength();
        if (T.is(tok::raw_identifier))
          Words.push_back(T.getRawIdentifier().str());
        else if (Words.empty())
          Words.push_back(""); // no name: `#if` is none of these
      }
      const std::string Name = Words.empty() ? "" : Words.front();
      std::set<std::string> Names;
      if (Words.size() > 1)
        Names.insert(Words.begin() + 1, Words.end());
      if (StringRef(Name).starts_with("if")) {
        if (!CodeInFront && Open.empty() && Conditionals.empty() && Name == "ifndef" &&
            Words.size() == 2) {
          Guard = Conditionals.size();
          GuardName = Words[1];
        }
        Open.push_back(Conditionals.size());
        Conditionals.push_back({{File, Begin, unsigned(Text->size())}, Names});
      } else if (StringRef(Name).starts_with("el") && !Open.empty()) {
        Conditionals[Open.back()].Names.insert(Names.begin(), Names.end());
      } else if (Name == "endif" && !Open.empty()) {
        Conditionals[Open.back()].Text.End = End;
        Conditionals[Open.back()].IncludeGuard = Open.back() == Guard && GuardDefined;
        Open.pop_back();
      } else if ((Name == "define" || Name == "undef") && Words.size() > 1) {
        GuardDefined |= Words[1] == GuardName && Open.size() == 1;
        Names.clear();
        Names.insert(Words.begin() + 2, Words.end());
        Macros[Words[1]].push_back({Hash, std::move(Names)});
      }
      CodeInFront |= Name != "pragma" && Open.empty();
    }
  }

private:
  bool GuardDefined = false;
};

} // namespace

struct SoundParts::Impl {
  ASTContext &Context;
  const SourceManager &SM;
  std::vector<std::pair<FileID, unsigned>> Errors; ///< where they show, and where their text stands
  bool ErrorWithoutPlace = false;
  SourceLocation FirstMissing; ///< a header that was not found; invalid: all were
  std::vector<Stretch> Uncertain;
  StringMap<std::vector<MacroChange>> Macros;
  struct Part {
    std::optional<Doubt> Own; ///< of its text
    SetVector<const Decl *> RefersTo;
  };
  DeclMap<Decl, Part> Parts;

  Impl(ASTContext &Context, ArrayRef<SourceError> All)
      : Context(Context), SM(Context.getSourceManager()) {
    for (const SourceError &E : All) {
      ErrorWithoutPlace |= E.Where.isInvalid();
      if (E.Where.isInvalid())
        continue;
      Errors.push_back(SM.getDecomposedLoc(SM.getExpansionLoc(E.Where)));
      Errors.push_back(SM.getDecomposedLoc(SM.getSpellingLoc(E.Where)));
      if (E.MissingFile &&
          (FirstMissing.isInvalid() || SM.isBeforeInTranslationUnit(E.Where, FirstMissing)))
        FirstMissing = E.Where;
    }
    if (FirstMissing.isValid())
      readDirectives();
  }

  void readDirectives() {
    std::vector<Directives::Conditional> All;
    DenseSet<const SrcMgr::ContentCache *> Seen;
    for (unsigned I = 0, N = SM.local_sloc_entry_size(); I < N; ++I) {
      const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
      if (!Entry.isFile() || SrcMgr::isSystem(Entry.getFile().getFileCharacteristic()) ||
          !Seen.insert(&Entry.getFile().getContentCache()).second)
        continue;
      Directives Of;
      Of.read(SM, Context.getLangOpts(),
              SM.getFileID(SourceLocation::getFromRawEncoding(Entry.getOffset())));
      append_range(All, Of.Conditionals);
      for (auto &[Name, Changes] : Of.Macros)
        append_range(Macros[Name], Changes);
    }
    // A condition is certain if a missing header has no say in its names: those of the
    // implementation, and those that are defined between that header and the condition, outside of
    // conditionals that are not certain. What is found not to be certain makes fewer others
    // certain.
    auto IsCertain = [&](StringRef Name, SourceLocation Condition) {
      if (Name == "defined" || Name.starts_with("__"))
        return true;
      auto It = Macros.find(Name);
      return It != Macros.end() && any_of(It->second, [&](const MacroChange &M) {
               return SM.isBeforeInTranslationUnit(FirstMissing, M.Where) &&
                      SM.isBeforeInTranslationUnit(M.Where, Condition) && !isUncertain(M.Where);
             });
    };
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (auto It = All.begin(); It != All.end();) {
        const SourceLocation Begin =
            SM.getLocForStartOfFile(It->Text.File).getLocWithOffset(It->Text.Begin);
        if (It->IncludeGuard || SM.isBeforeInTranslationUnit(Begin, FirstMissing) ||
            all_of(It->Names, [&](const std::string &Name) { return IsCertain(Name, Begin); })) {
          ++It;
          continue;
        }
        Uncertain.push_back(It->Text);
        It = All.erase(It);
        Changed = true;
      }
    }
  }

  bool isUncertain(SourceLocation Loc) const {
    auto [File, Offset] = SM.getDecomposedLoc(SM.getExpansionLoc(Loc));
    return any_of(Uncertain, [File = File, Offset = Offset](const Stretch &S) {
      return S.holds(File, Offset);
    });
  }

  /// The user's text of \p Range; none in a system header.
  std::optional<Stretch> stretchOf(SourceRange Range) const {
    if (Range.isInvalid() || SM.isInSystemHeader(SM.getExpansionLoc(Range.getBegin())))
      return std::nullopt;
    auto [File, Begin] = SM.getDecomposedLoc(SM.getExpansionLoc(Range.getBegin()));
    auto [EndFile, End] =
        SM.getDecomposedExpansionLoc(SM.getExpansionRange(Range.getEnd()).getEnd());
    return Stretch{File, Begin, File == EndFile ? End : Begin};
  }

  std::optional<Doubt> inText(SourceRange Range, const std::string &Who) const {
    std::optional<Stretch> S = stretchOf(Range);
    if (!S)
      return std::nullopt;
    for (auto [File, Offset] : Errors)
      if (S->holds(File, Offset))
        return Doubt{Who + " has an error", SM.getLocForStartOfFile(File).getLocWithOffset(Offset)};
    if (FirstMissing.isInvalid())
      return std::nullopt;
    if (isUncertain(Range.getBegin()))
      return Doubt{Who + " stands in a conditional on what a header that was not found may define",
                   Range.getBegin()};
    for (const Stretch &U : Uncertain)
      if (U.File == S->File && U.Begin < S->End && S->Begin < U.End)
        return Doubt{Who + " has a conditional on what a header that was not found may define",
                     SM.getLocForStartOfFile(U.File).getLocWithOffset(U.Begin)};
    if (std::string Macro = uncertainMacro(*S); !Macro.empty())
      return Doubt{Who + " uses the macro '" + Macro +
                       "', which a header that was not found may have a say in",
                   Range.getBegin()};
    return std::nullopt;
  }

  /// A macro in the text, or in the text of one, that is defined on a condition that is not
  /// certain; empty: none.
  std::string uncertainMacro(const Stretch &S) const {
    std::vector<std::string> Names;
    StringRef Text = SM.getBufferData(S.File).substr(S.Begin);
    Lexer Lex(SM.getLocForStartOfFile(S.File).getLocWithOffset(S.Begin), Context.getLangOpts(),
              Text.begin(), Text.begin(), Text.end());
    Token T;
    for (Lex.LexFromRawLexer(T); T.isNot(tok::eof) && SM.getFileOffset(T.getLocation()) <= S.End;
         Lex.LexFromRawLexer(T))
      if (T.is(tok::raw_identifier))
        Names.push_back(T.getRawIdentifier().str());
    std::set<std::string> Done;
    while (!Names.empty()) {
      const std::string Name = Names.back();
      Names.pop_back();
      auto It = Macros.find(Name);
      if (It == Macros.end() || !Done.insert(Name).second)
        continue;
      for (const MacroChange &M : It->second) {
        if (isUncertain(M.Where))
          return Name;
        Names.insert(Names.end(), M.Names.begin(), M.Names.end());
      }
    }
    return "";
  }

  struct References;
  const Part &partOf(const Decl *D);
};

/// What a declaration refers to.
struct SoundParts::Impl::References : ConstDynamicRecursiveASTVisitor {
  std::vector<const Decl *> All;
  SourceLocation Broken; ///< an expression that Clang made up after an error

  References() { ShouldVisitImplicitCode = true; }
  void add(const Decl *D) {
    if (!D)
      return;
    All.push_back(D);
    // What could have been meant in its place, and did not parse.
    if (const auto *Function = dyn_cast<FunctionDecl>(D))
      for (const NamedDecl *Other :
           Function->getDeclContext()->getRedeclContext()->lookup(Function->getDeclName()))
        All.push_back(Other);
    if (const auto *Class = dyn_cast<ClassTemplateSpecializationDecl>(D)) {
      ClassTemplateDecl *Template = Class->getSpecializedTemplate();
      SmallVector<ClassTemplatePartialSpecializationDecl *, 4> Partial;
      Template->getPartialSpecializations(Partial);
      All.insert(All.end(), Partial.begin(), Partial.end());
      for (const ClassTemplateSpecializationDecl *Other : Template->specializations())
        if (Other->getTemplateSpecializationKind() == TSK_ExplicitSpecialization)
          All.push_back(Other);
    }
  }
  void type(QualType T) {
    if (T.isNull())
      return;
    if (const TagDecl *Tag = T->getAsTagDecl())
      add(Tag);
    if (const auto *Named = T->getAs<TypedefType>())
      add(Named->getDecl());
    if (QualType Pointee = T->getPointeeType(); !Pointee.isNull())
      type(Pointee);
    else if (const clang::Type *Element = T->getArrayElementTypeNoTypeQual())
      type(QualType(Element, 0));
  }
  bool VisitExpr(const Expr *E) override {
    if (isa<RecoveryExpr>(E))
      Broken = E->getExprLoc();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      add(Ref->getDecl());
    else if (const auto *Member = dyn_cast<MemberExpr>(E))
      add(Member->getMemberDecl());
    else if (const auto *Made = dyn_cast<CXXConstructExpr>(E))
      add(Made->getConstructor());
    else if (const auto *Lookup = dyn_cast<OverloadExpr>(E))
      for (const NamedDecl *D : Lookup->decls())
        add(D);
    type(E->getType());
    return Broken.isInvalid();
  }
  bool VisitTypeLoc(TypeLoc T) override {
    type(T.getType());
    return true;
  }
  bool VisitValueDecl(const ValueDecl *D) override {
    type(D->getType());
    return true;
  }
};

const SoundParts::Impl::Part &SoundParts::Impl::partOf(const Decl *D) {
  auto [It, New] = Parts.try_emplace(D);
  Part &P = It->second;
  if (!New || SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
    return P;
  const auto *Named = dyn_cast<NamedDecl>(D);
  const std::string Who =
      Named && Named->getIdentifier() ? "'" + Named->getNameAsString() + "'" : "it";
  P.Own = D->isInvalidDecl() ? Doubt{Who + " has an error", D->getLocation()}
                             : inText(D->getSourceRange(), Who);
  References Refs;
  Refs.TraverseDecl(const_cast<Decl *>(D));
  if (Refs.Broken.isValid() && !P.Own)
    P.Own = Doubt{Who + " has an error", Refs.Broken};
  // What it is a member of, too.
  if (const auto *In = dyn_cast<Decl>(D->getDeclContext());
      In && !isa<NamespaceDecl, TranslationUnitDecl, LinkageSpecDecl>(In))
    Refs.add(In);
  for (const Decl *Ref : Refs.All) {
    const FunctionDecl *Body = nullptr;
    if (const auto *Function = dyn_cast<FunctionDecl>(Ref); Function && Function->hasBody(Body))
      Ref = Body;
    if (const auto *Tag = dyn_cast<TagDecl>(Ref); Tag && Tag->getDefinition())
      Ref = Tag->getDefinition();
    P.RefersTo.insert(Ref);
  }
  return P;
}

SoundParts::SoundParts(ASTContext &Context, ArrayRef<SourceError> Errors)
    : P(std::make_unique<Impl>(Context, Errors)) {}
SoundParts::~SoundParts() = default;

std::optional<SoundParts::Doubt> SoundParts::doubt(const FunctionDecl *Function) {
  if (P->ErrorWithoutPlace)
    return Doubt{"the file has an error that stands at no place in it", Function->getLocation()};
  SetVector<const Decl *> Reached;
  Reached.insert(Function);
  for (size_t I = 0; I < Reached.size(); ++I) {
    const Impl::Part &Part = P->partOf(Reached[I]);
    if (Part.Own)
      return Part.Own;
    Reached.insert(Part.RefersTo.begin(), Part.RefersTo.end());
  }
  return std::nullopt;
}

} // namespace cuda_pipeline
