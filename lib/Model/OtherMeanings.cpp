//===- OtherMeanings.cpp - Names that mean something else in another build -===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OtherMeanings.h"
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
