//===- OtherMeanings.cpp - Names that mean something else in another build -===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OtherMeanings.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// Counts what `#define` and `using .. =` define, and the last name of a `typedef`. What a
/// directive asks for, or takes back, somebody else may have defined.
void countDefinitions(FileID File, const SourceManager &SM, const LangOptions &Options,
                      StringMap<unsigned> &Count) {
  const std::optional<StringRef> Text = SM.getBufferDataOrNone(File);
  if (!Text)
    return;
  Lexer Lex(SM.getLocForStartOfFile(File), Options, Text->begin(), Text->begin(), Text->end());
  StringRef Before[2], Typedef; // the last two tokens, and the name in a typedef so far
  bool IsTypedef = false;
  int Depth = 0;
  Token T;
  for (Lex.LexFromRawLexer(T); T.isNot(tok::eof); Lex.LexFromRawLexer(T)) {
    const StringRef Word = Text->substr(SM.getFileOffset(T.getLocation()), T.getLength());
    if (T.is(tok::raw_identifier)) {
      if (Before[0] == "#" && is_contained({"define", "undef", "ifdef", "ifndef"}, Before[1]))
        ++Count[Word];
      else if (Before[1] == "defined" || (Before[1] == "(" && Before[0] == "defined"))
        ++Count[Word];
      if (Word == "typedef")
        IsTypedef = true, Depth = 0, Typedef = "";
      else if (IsTypedef && Depth == 0)
        Typedef = Word;
    } else if (T.is(tok::equal) && !Before[1].empty() && Before[0] == "using") {
      ++Count[Before[1]];
    } else if (IsTypedef) {
      Depth += T.isOneOf(tok::l_brace, tok::l_square, tok::less)      ? 1
               : T.isOneOf(tok::r_brace, tok::r_square, tok::greater) ? -1
                                                                      : 0;
      if (T.is(tok::semi) && Depth <= 0) {
        if (!Typedef.empty())
          ++Count[Typedef];
        IsTypedef = false;
      }
    }
    Before[0] = Before[1];
    Before[1] = Word;
  }
}

} // namespace

bool OtherMeanings::has(StringRef Name) const {
  if (!Definitions) {
    Definitions.emplace();
    const SourceManager &SM = Context.getSourceManager();
    DenseSet<const FileEntry *> Seen;
    for (unsigned I = 0, N = SM.local_sloc_entry_size(); I != N; ++I) {
      const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
      if (!Entry.isFile() || SrcMgr::isSystem(Entry.getFile().getFileCharacteristic()))
        continue;
      const OptionalFileEntryRef File = Entry.getFile().getContentCache().OrigEntry;
      if (File && Seen.insert(&File->getFileEntry()).second)
        countDefinitions(SM.getFileID(SourceLocation::getFromRawEncoding(Entry.getOffset())), SM,
                         Context.getLangOpts(), *Definitions);
    }
  }
  const auto It = Definitions->find(Name);
  return It != Definitions->end() && It->second > 1;
}

bool OtherMeanings::has(QualType T) const {
  const SourceManager &SM = Context.getSourceManager();
  while (const auto *Alias = T.isNull() ? nullptr : T->getAs<TypedefType>()) {
    const TypedefNameDecl *D = Alias->getDecl();
    if (SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
      return false;
    if (has(D->getName()) ||
        (D->getTypeSourceInfo() && hasMacro(D->getTypeSourceInfo()->getTypeLoc().getBeginLoc())))
      return true;
    T = Alias->desugar();
  }
  return false;
}

bool OtherMeanings::hasMacro(SourceLocation At) const {
  const SourceManager &SM = Context.getSourceManager();
  for (; At.isMacroID(); At = SM.getImmediateMacroCallerLoc(At))
    if (has(Lexer::getImmediateMacroName(At, SM, Context.getLangOpts())))
      return true;
  return false;
}

bool OtherMeanings::hasNumber(const Expr *E, unsigned Depth) const {
  constexpr unsigned MaxDepth = 16;
  if (!E || Depth > MaxDepth)
    return E != nullptr;
  if (hasMacro(E->getBeginLoc()) || hasMacro(E->getEndLoc()))
    return true;
  if (const auto *Var = referencedVar(E); Var && Var->hasInit())
    if (isInBranch(Var->getLocation(), E->getBeginLoc(), Context) ||
        hasNumber(Var->getInit(), Depth + 1))
      return true;
  return any_of(E->children(), [&](const Stmt *Child) {
    return hasNumber(dyn_cast_or_null<Expr>(Child), Depth + 1);
  });
}

namespace {
struct Branch {
  unsigned Begin; ///< of the directive that it is behind
  unsigned Asked; ///< where the first one of that `#if` asks
  std::string
      Condition; ///< `defined(X)` or `!defined(X)`, which holds in it; empty: something else
};
} // namespace

/// What the directive asks, if that is no more than which macros there are: conditions all of which
/// hold behind it. Else one that is empty.
static SmallVector<std::string, 2> conditionsOf(StringRef Line) {
  const StringRef Word = Line.take_while(isAlpha);
  const StringRef Asked = Line.drop_front(Word.size()).split("//").first.split("/*").first.trim();
  if (Word != "if")
    return {((Word == "ifndef" ? "!defined(" : "defined(") + Asked + ")").str()};
  SmallVector<StringRef, 2> Parts;
  Asked.split(Parts, "&&");
  SmallVector<std::string, 2> Out;
  for (StringRef Part : Parts) {
    Part = Part.trim();
    const bool Not = Part.consume_front("!");
    Part = Part.ltrim();
    if (!Part.consume_front("defined"))
      return {""};
    Part = Part.trim();
    if (Part.consume_front("(") && !Part.consume_back(")"))
      return {""};
    Part = Part.trim();
    if (!isValidAsciiIdentifier(Part))
      return {""};
    Out.push_back(((Not ? "!defined(" : "defined(") + Part + ")").str());
  }
  return Out;
}

/// Every compiler of CUDA answers alike: it is a question to those of C and C++.
static bool asksForCuda(ArrayRef<std::string> Conditions) {
  return all_of(Conditions, [](StringRef C) {
    return C == "defined(__CUDACC__)" || C == "defined(__cplusplus)";
  });
}

/// The branches that are open at \p At.
static SmallVector<Branch, 4> branchesAt(SourceLocation At, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const auto [File, Offset] = SM.getDecomposedExpansionLoc(At);
  SmallVector<Branch, 4> Out;
  const std::optional<StringRef> Text = SM.getBufferDataOrNone(File);
  if (!Text)
    return Out;
  struct If {
    unsigned Begin, Asked;
    SmallVector<std::string, 2> Conditions;
    bool Counts; ///< it is neither the guard of a header nor a question to C++ compilers
  };
  SmallVector<If, 4> Open;
  Lexer Lex(SM.getLocForStartOfFile(File), Context.getLangOpts(), Text->begin(), Text->begin(),
            Text->end());
  Token T;
  bool Hash = false, First = true; // no token but of directives so far
  StringRef Guard;                 // the name that the last #ifndef at the top asks for
  unsigned Since = 0;              // tokens behind that
  for (Lex.LexFromRawLexer(T); T.isNot(tok::eof) && SM.getFileOffset(T.getLocation()) < Offset;
       Lex.LexFromRawLexer(T)) {
    const unsigned Begin = SM.getFileOffset(T.getLocation());
    const StringRef Word = Text->substr(Begin, T.getLength());
    ++Since;
    if (Hash && Word.starts_with("if")) {
      const StringRef Line =
          Text->substr(Begin).take_until([](char C) { return C == '\n' || C == '\r'; });
      const SmallVector<std::string, 2> Conditions = conditionsOf(Line);
      Open.push_back({Begin, Begin, Conditions, !asksForCuda(Conditions)});
      Guard = First && Word == "ifndef" ? Line.drop_front(Word.size()).trim() : StringRef();
      Since = 0;
    } else if (Hash && Word.starts_with("el") && !Open.empty()) {
      If &Last = Open.back();
      Last.Begin = Begin;
      std::string &Only = Last.Conditions.front();
      if (Word == "else" && Last.Conditions.size() == 1 && !Only.empty())
        Only = Only.front() == '!' ? Only.substr(1) : "!" + Only;
      else
        Last.Conditions = {""};
    } else if (Hash && Word == "endif" && !Open.empty()) {
      Open.pop_back();
    } else if (Since == 4 && !Guard.empty() && Word == Guard && !Open.empty()) {
      Open.back().Counts = false; // `#ifndef X`, `#define X`
    }
    Hash = T.is(tok::hash) && T.isAtStartOfLine();
    First &= Hash || (Since < 3 && !Guard.empty());
  }
  for (const If &I : Open)
    if (I.Counts)
      for (const std::string &Condition : I.Conditions)
        Out.push_back({I.Begin, I.Asked, Condition});
  return Out;
}

/// A directive between the two may change which macros there are.
static bool mayChangeMacros(FileID File, unsigned Begin, unsigned End, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const std::optional<StringRef> Text = SM.getBufferDataOrNone(File);
  if (!Text)
    return true;
  Lexer Lex(SM.getLocForStartOfFile(File).getLocWithOffset(Begin), Context.getLangOpts(),
            Text->begin() + Begin, Text->begin() + Begin, Text->end());
  Token T;
  bool Hash = false;
  for (Lex.LexFromRawLexer(T); T.isNot(tok::eof) && SM.getFileOffset(T.getLocation()) < End;
       Lex.LexFromRawLexer(T)) {
    if (Hash && T.is(tok::raw_identifier) &&
        is_contained({"define", "undef", "include", "include_next", "import", "pragma"},
                     T.getRawIdentifier()))
      return true;
    Hash = T.is(tok::hash) && T.isAtStartOfLine();
  }
  return false;
}

bool OtherMeanings::isInBranch(SourceLocation At, SourceLocation From, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  if (At.isInvalid() || SM.isInSystemHeader(SM.getExpansionLoc(At)))
    return false;
  const FileID File = SM.getFileID(SM.getExpansionLoc(At));
  SmallVector<Branch, 4> Here;
  if (File == SM.getFileID(SM.getExpansionLoc(From)))
    Here = branchesAt(From, Context);
  const auto AskTheSame = [&](const Branch &B, const Branch &H) {
    return !B.Condition.empty() && B.Condition == H.Condition &&
           !mayChangeMacros(File, std::min(B.Asked, H.Asked), std::max(B.Asked, H.Asked), Context);
  };
  return any_of(branchesAt(At, Context), [&](const Branch &B) {
    return none_of(Here, [&](const Branch &H) { return H.Begin == B.Begin || AskTheSame(B, H); });
  });
}

std::string OtherMeanings::macroAround(const Expr *E) const {
  const SourceManager &SM = Context.getSourceManager();
  for (SourceLocation At = E->getBeginLoc(); At.isMacroID();
       At = SM.getImmediateMacroCallerLoc(At)) {
    if (SM.isMacroArgExpansion(At)) {
      // Where the parameter stands in the macro's body, and where that is expanded.
      const SourceLocation Use =
          SM.getSLocEntry(SM.getFileID(At)).getExpansion().getExpansionLocStart();
      const SourceLocation Name = SM.getSpellingLoc(SM.getImmediateExpansionRange(Use).getBegin());
      const std::string Macro =
          Lexer::getSourceText(CharSourceRange::getTokenRange(Name), SM, Context.getLangOpts())
              .str();
      if (has(Macro))
        return Macro;
    }
  }
  return "";
}

} // namespace cuda_pipeline
