//===- WrittenNames.cpp - What a piece of the source names ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WrittenNames.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

const std::vector<WrittenNames::Expansion> &WrittenNames::expansions() const {
  if (Known)
    return *Known;
  Known.emplace();
  const SourceManager &SM = Context.getSourceManager();
  for (unsigned I = 0, N = SM.local_sloc_entry_size(); I < N; ++I) {
    const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    if (!Entry.isExpansion())
      continue;
    // Most are the headers'; isInMainFile() would search for the file of each.
    const SourceLocation At = SM.getExpansionLoc(Entry.getExpansion().getExpansionLocStart());
    if (!SM.isInFileID(At, SM.getMainFileID()))
      continue;
    // An entry is as long as the text that it stands for, and one.
    const auto End = I + 1 < N ? SM.getLocalSLocEntry(I + 1).getOffset() : SM.getNextLocalOffset();
    const auto [File, Begin] = SM.getDecomposedSpellingLoc(Entry.getExpansion().getSpellingLoc());
    Known->push_back(
        {SM.getFileOffset(At), SM.getBufferData(File).substr(Begin, End - Entry.getOffset() - 1)});
  }
  llvm::stable_sort(*Known, [](const Expansion &A, const Expansion &B) { return A.At < B.At; });
  return *Known;
}

std::set<std::string> WrittenNames::in(TextRange R) const {
  std::set<std::string> Names;
  LangOptions Options;
  Options.CPlusPlus = true;
  Options.LineComment = true;
  bool Macros = false;
  auto Add = [&](StringRef Piece) {
    const std::string Text = Piece.str(); // ends with a zero
    Lexer Lex(SourceLocation(), Options, Text.data(), Text.data(), Text.data() + Text.size());
    Token T;
    bool OfMember = false; // behind `.` or `->`
    std::string Member;    // a name that is looked for in the object's class first, if `::` follows
    for (Lex.LexFromRawLexer(T); T.isNot(tok::eof); Lex.LexFromRawLexer(T)) {
      if (T.is(tok::coloncolon) && !Member.empty())
        Names.insert(Member);
      Member.clear();
      if (T.is(tok::raw_identifier)) {
        auto Known = Context.Idents.find(T.getRawIdentifier());
        const bool Macro = Known != Context.Idents.end() && Known->second->hadMacroDefinition();
        Macros |= Macro;
        if (OfMember && !Macro)
          Member = T.getRawIdentifier().str();
        else
          Names.insert(T.getRawIdentifier().str());
      }
      OfMember = T.is(tok::period) || T.is(tok::arrow);
    }
  };
  Add(mainFileText(Context).slice(R.Begin, R.End));
  if (!Macros) // then nothing is expanded there, and all the file's expansions need not be looked
               // through
    return Names;
  const std::vector<Expansion> &All = expansions();
  for (auto It = llvm::partition_point(All, [&](const Expansion &E) { return E.At < R.Begin; });
       It != All.end() && It->At < R.End; ++It)
    Add(It->Body);
  return Names;
}

} // namespace cuda_pipeline
