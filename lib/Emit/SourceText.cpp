//===- SourceText.cpp - What is read of the text once for all loops ------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Model/AstUtil.h"
#include "cuda-pipeline/Edits.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

SourceText readSourceText(const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  SourceText Out;
  DenseSet<const SrcMgr::ContentCache *> Seen; // without an include guard a file is entered often
  for (unsigned I = 0, E = SM.local_sloc_entry_size(); I < E; ++I) {
    const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    if (!Entry.isFile() || !Seen.insert(&Entry.getFile().getContentCache()).second)
      continue;
    // What is no file: the definitions of the command line, and tokens that were pasted together.
    if (Entry.getFile().getContentCache().OrigEntry &&
        SrcMgr::isSystem(Entry.getFile().getFileCharacteristic()))
      continue;
    FileID Id = SM.getFileID(SourceLocation::getFromRawEncoding(Entry.getOffset()));
    std::optional<StringRef> Text = SM.getBufferDataOrNone(Id);
    if (!Text)
      continue;
    // Macro bodies included, comments and strings not.
    Lexer Lex(SM.getLocForStartOfFile(Id), Context.getLangOpts(), Text->begin(), Text->begin(),
              Text->end());
    Lex.SetCommentRetentionState(Id == SM.getMainFileID());
    Token T;
    bool FirstOfLine = false; // nothing but comments in front of it
    SourceText::Directive *Current = nullptr;
    for (Lex.LexFromRawLexer(T); T.isNot(tok::eof); Lex.LexFromRawLexer(T)) {
      FirstOfLine |= T.isAtStartOfLine();
      if (T.isAtStartOfLine())
        Current = nullptr;
      const unsigned Begin = SM.getFileOffset(T.getLocation());
      if (T.is(tok::comment)) {
        Out.Comments.push_back({Begin, Begin + T.getLength()});
        continue;
      }
      if (T.is(tok::raw_identifier))
        Out.Names.insert(T.needsCleaning() // it goes on in the next line
                             ? Lexer::getSpelling(T, SM, Context.getLangOpts())
                             : T.getRawIdentifier().str());
      if (FirstOfLine && T.is(tok::hash) && Id == SM.getMainFileID()) {
        Out.Directives.push_back({Begin, 0, ""});
        Current = &Out.Directives.back();
      } else if (Current && Current->Name.empty() && T.is(tok::raw_identifier)) {
        Current->Name = T.getRawIdentifier().str();
      }
      if (Current)
        Current->End = Begin + T.getLength();
      FirstOfLine = false;
    }
  }
  return Out;
}

std::set<std::string> namesUnderConditions(const SourceText &Source, StringRef Text,
                                           std::pair<unsigned, unsigned> Of,
                                           std::pair<unsigned, unsigned> But) {
  std::set<std::string> Names;
  auto Collect = [&](unsigned From, unsigned To) {
    StringRef Rest = From < To ? Text.slice(From, To) : "";
    auto IsPart = [](char C) { return isAsciiIdentifierContinue(C); };
    while (!Rest.empty()) {
      Rest = Rest.drop_until(IsPart);
      const StringRef Word = Rest.take_while(IsPart);
      if (!Word.empty())
        Names.insert(Word.str());
      Rest = Rest.drop_front(Word.size());
    }
  };
  unsigned Depth = 0, Behind = 0;
  for (const SourceText::Directive &D : Source.Directives) {
    if (D.Begin < Of.first || D.Begin >= Of.second)
      continue;
    if (Depth != 0) {
      Collect(Behind, std::min(D.Begin, But.first));
      Collect(std::max(Behind, But.second), D.Begin);
    }
    Behind = D.End;
    if (StringRef(D.Name).starts_with("if"))
      ++Depth;
    else if (D.Name == "endif" && Depth != 0)
      --Depth;
  }
  return Names;
}

bool isTaken(StringRef Name, const SourceText &Source, const ASTContext &Context) {
  return Source.Names.count(Name.str()) || Context.Idents.get(Name).hadMacroDefinition();
}

void GivenNames::add(const GivenNames &More) {
  Names.insert(More.Names.begin(), More.Names.end());
  for (const auto &[Name, Number] : More.Last)
    Last[Name] = Number;
  Staged.insert(More.Staged.begin(), More.Staged.end());
  Aligned.insert(More.Aligned.begin(), More.Aligned.end());
  Declared.insert(More.Declared.begin(), More.Declared.end());
}

} // namespace cuda_pipeline
