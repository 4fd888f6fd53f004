//===- LoopPlaces.cpp - Where the parts of a loop stand in the file ------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopPlaces.h"
#include "../Model/RawTokens.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

LoopPlaces::LoopPlaces(const TileModel &M, ASTContext &Context, const SourceText &Source)
    : File(mainFileText(Context)), M(M), Context(Context), Source(Source) {
  joinComments();
  if (Refusals.empty())
    wordsOfLanguage();
  if (Refusals.empty() && locate())
    wholeLoadPhase();
}

/// What is written says these words, and means what they mean.
void LoopPlaces::wordsOfLanguage() {
  for (StringRef Word : {"alignas",     "asm",      "auto",
                         "bool",        "char",     "const",
                         "constexpr",   "decltype", "do",
                         "double",      "else",     "float",
                         "for",         "if",       "int",
                         "long",        "return",   "short",
                         "signed",      "sizeof",   "static_assert",
                         "struct",      "unsigned", "using",
                         "void",        "volatile", "while",
                         "static_cast", "typename", "template",
                         "inline",      "static",   "reinterpret_cast",
                         "namespace"})
    if (const auto Known = Context.Idents.find(Word);
        Known != Context.Idents.end() && Known->second->hadMacroDefinition())
      return refuse(Reason::NotYet, M.Loop->Begin,
                    {("a file in which '" + Word + "' is a macro").str()});
}

std::shared_ptr<const LoopPlaces> findPlaces(const TileModel &Model, ASTContext &Context,
                                             const SourceText &Source) {
  return std::make_shared<const LoopPlaces>(Model, Context, Source);
}

/// `// C:\data\` and an empty line: who puts text behind the first line has it in the comment.
void LoopPlaces::joinComments() {
  auto GoesOn = [&](const std::pair<unsigned, unsigned> &C) {
    const StringRef Text = File.slice(C.first, C.second);
    return !Text.starts_with("/*") && Text.contains('\n');
  };
  if (none_of(Source.Comments, GoesOn))
    return;
  for (char Mark = 1; Mark < 9 && !ReturnMark; ++Mark)
    if (!File.contains(Mark))
      (LineBreakMark ? ReturnMark : LineBreakMark) = Mark;
  if (!ReturnMark)
    return refuse(Reason::NotYet, M.Loop->Begin,
                  {"a file with control characters and a comment that goes on in the next line"});
  OneLineComments = File.str();
  for (const auto &C : make_filter_range(Source.Comments, GoesOn))
    for (unsigned I = C.first; I < C.second; ++I) {
      char &At = (*OneLineComments)[I];
      At = At == '\n' ? LineBreakMark : At == '\r' ? ReturnMark : At;
    }
  File = *OneLineComments;
}

std::string LoopPlaces::withLineBreaks(StringRef Text) const {
  std::string Out;
  for (char C : Text)
    if (C == '\n' || (LineBreakMark && C == LineBreakMark))
      Out += Newline;
    else if (C != '\r' && !(ReturnMark && C == ReturnMark))
      Out += C;
  return Out;
}

void LoopPlaces::refuse(Reason Why, SourceLocation Where, std::vector<std::string> Args) {
  Refusals.push_back({Why, Where, std::move(Args), {}});
}

std::string LoopPlaces::indentAt(unsigned Offset) const {
  return File.drop_front(lineStart(File, Offset))
      .take_while([](char C) { return C == ' ' || C == '\t'; })
      .str();
}

/// Between these places there is nothing else.
bool LoopPlaces::onlyComments(unsigned At, unsigned End) const {
  for (auto C = partition_point(Source.Comments, [&](const auto &C) { return C.first < At; });
       C != Source.Comments.end() && C->second <= End; ++C) {
    if (!File.slice(At, C->first).trim().empty())
      return false;
    At = C->second;
  }
  return File.slice(At, std::max(At, End)).trim().empty();
}

bool LoopPlaces::locate() {
  SourceLocation Where = M.Loop->Begin;
  auto Range = textRange(M.Loop->Loop->getSourceRange(), Context);
  const SourceManager &SM = Context.getSourceManager();
  if (!Range || M.Loop->Loop->getBeginLoc().isMacroID() ||
      M.Loop->Body->getLBracLoc().isMacroID() || M.Loop->Body->getRBracLoc().isMacroID()) {
    refuse(Reason::MacroText, Where, {"the loop"});
    return false;
  }
  const auto Whole = statementRange(M.Loop->Loop, Context);
  if (M.Loop->testsLast() && !Whole) {
    refuse(Reason::MacroText, Where, {"the loop"});
    return false;
  }
  LoopText = *Range;
  ForBegin = LoopText.Begin;
  // A macro that is empty in this build (`UNROLL for (..)`) stays in front of the loop.
  if (Whole)
    LoopText.Begin = Whole->Begin;
  if (M.Loop->testsLast()) // with the semicolon behind `while (condition)`
    LoopText.End = Whole->End;
  BodyOpen = SM.getFileOffset(M.Loop->Body->getLBracLoc()) + 1;
  if (File[BodyOpen - 1] != '{' || File[SM.getFileOffset(M.Loop->Body->getRBracLoc())] != '}') {
    refuse(Reason::NotYet, Where, {"a loop body in digraphs, <% and %>,"});
    return false;
  }
  Newline = File.take_front(lineEnd(File, BodyOpen)).ends_with("\r") ? "\r\n" : "\n";

  // The pragmas in front belong to the loop, with the comments between the two. Unknown ones are
  // not in the AST.
  const auto Behind = partition_point(
      Source.Directives, [&](const SourceText::Directive &D) { return D.Begin < LoopText.Begin; });
  for (const SourceText::Directive &D :
       reverse(ArrayRef(Source.Directives).take_front(Behind - Source.Directives.begin()))) {
    StringRef InFront = File.slice(lineStart(File, LoopText.Begin), LoopText.Begin);
    if (D.Name != "pragma" || !InFront.trim().empty() ||
        !File.slice(lineStart(File, D.Begin), D.Begin).trim().empty() ||
        !onlyComments(D.End, LoopText.Begin))
      break;
    LoopText.Begin = D.Begin;
  }
  if (M.Loop->Pragma && LoopText.Begin == ForBegin) {
    refuse(Reason::MacroText, Where, {"the pragma of the loop"});
    return false;
  }
  Indent = indentAt(ForBegin);
  // Several statements take the place of one.
  ArrayRef<const Stmt *> Around(M.Loop->Ancestors);
  while (!Around.empty() && isa<AttributedStmt>(Around.back()))
    Around = Around.drop_back();
  if (Around.empty() || !isa<CompoundStmt>(Around.back()))
    NeedsBraces = true;
  else if (Around.size() > 1 && isa<SwitchStmt>(Around[Around.size() - 2]))
    NeedsBraces = true; // a later case label must not jump over the declarations
  else if (M.Facts->Function->HasGoto)
    NeedsBraces = true; // nor a goto
  if (!Around.empty() && isa<LabelStmt>(Around.back())) {
    refuse(Reason::EarlyExit, Where, {"label"});
    return false;
  }
  // A macro in front of a barrier that is left out may be a statement in another build.
  const Stmt *First = M.Barriers[0] ? M.Barriers[0] : M.Barriers[1],
             *Second = M.Barriers[1] ? M.Barriers[1] : M.Barriers[0];
  if (First) {
    auto B0 = statementNodeRange(First, Context), B1 = statementNodeRange(Second, Context);
    if (!B0 || !B1) {
      refuse(Reason::MacroText, (B0 ? Second : First)->getBeginLoc(), {"the barrier"});
      return false;
    }
    Barrier0 = *B0;
    Barrier1 = *B1;
  }
  unsigned FirstBegin = 0, LastEnd = 0;
  std::vector<const Stmt *> InFront(M.Segments[0]);
  append_range(InFront, M.MovedToCompute);
  for (const Stmt *S : InFront) {
    auto R = statementRange(S, Context);
    if (!R) {
      refuse(Reason::MacroText, S->getBeginLoc(), {"this statement"});
      return false;
    }
    if (!FirstBegin || R->Begin < FirstBegin)
      FirstBegin = R->Begin;
    LastEnd = std::max(LastEnd, R->End);
  }
  for (unsigned I = 1; I < 3; ++I)
    for (const Stmt *S : M.Segments[I])
      if (is_contained(map_range(M.Advances, [](const Advance &A) { return A.Statement; }), S) &&
          !statementRange(S, Context)) {
        refuse(Reason::MacroText, S->getBeginLoc(), {"this statement"});
        return false;
      }
  // How far the body is indented: as its barriers are, or its first statement.
  Unit = "  ";
  for (unsigned At : {FirstBegin, Barrier1.Begin ? Barrier1.Begin : FirstBegin,
                      Barrier0.Begin ? Barrier0.Begin : FirstBegin})
    if (std::string Inner = indentAt(At); Inner.size() > Indent.size() &&
                                          StringRef(Inner).starts_with(Indent) &&
                                          lineStart(File, At) + Inner.size() == At)
      Unit = Inner.substr(Indent.size());
  // Whole lines where possible: comments above the first statement, and behind the last one.
  unsigned TextBegin = BodyOpen;
  if (File.slice(BodyOpen, lineEnd(File, BodyOpen)).trim().empty())
    TextBegin = std::min<unsigned>(lineEnd(File, BodyOpen) + 1, FirstBegin);
  unsigned TextEnd = withTrailingComment({LastEnd, LastEnd}).End;
  LoadText = {TextBegin, TextEnd};
  // Where no barrier ends it, the load phase itself does.
  if (!M.Barriers[0])
    Barrier0 = {TextEnd, TextEnd};
  BarrierComment = File.slice(TextEnd, Barrier0.Begin).trim().str();
  if (!keepsDirectives()) {
    refuse(Reason::PreprocessorInLoop, Where, {});
    return false;
  }
  return true;
}

/// The directives inside of the loop leave what is said of it true: what `#if` selects was not all
/// analysed, but the compute phase stays where it is, and so do the names that it defines, and what
/// it includes, as long as nobody else speaks of them.
bool LoopPlaces::keepsDirectives() const {
  std::map<std::string, unsigned> Defined; // and where first
  for (auto D = partition_point(
           Source.Directives,
           [&](const SourceText::Directive &D) { return D.Begin <= LoopText.Begin; });
       D != Source.Directives.end() && D->Begin < LoopText.End; ++D) {
    if (D->Name == "pragma")
      continue;
    // In the compute phase, on a line of its own.
    if (D->Begin < Barrier0.End || !File.slice(lineStart(File, D->Begin), D->Begin).trim().empty())
      return false;
    if (D->Name == "include") {
      if (!includesCodeAlone(*D))
        return false;
      continue;
    }
    const StringRef Words = File.slice(D->Begin, D->End);
    StringRef Name = Words.drop_front(Words.find(D->Name) + D->Name.size()).ltrim(" \t");
    Name = Name.take_while([](char C) { return isAsciiIdentifierContinue(C); });
    if ((D->Name != "define" && D->Name != "undef") || !isValidAsciiIdentifier(Name) ||
        Name.starts_with("__") || hasMeaning(Name))
      return false;
    Defined.try_emplace(Name.str(), D->Begin);
  }
  // Pragmas that give names another meaning, also as operators.
  const StringRef Loop = File.slice(LoopText.Begin, LoopText.End);
  if (Loop.contains("push_macro") || Loop.contains("pop_macro"))
    return false;
  if (Defined.empty())
    return true;
  // What is written twice, or elsewhere, means there what it means where it stands: the names are
  // said in the compute phase behind their definition alone, and by no macro.
  bool Elsewhere = false;
  forEachRawToken(File.str(), [&](const Token &T, unsigned At) {
    const auto Name = Defined.find(File.substr(At, T.getLength()).str());
    Elsewhere |= Name != Defined.end() && (At < Name->second || At >= LoopText.End);
  });
  // Nor in what is said again in front of the loop.
  std::vector<TextRange> Again;
  if (Barrier1.Begin > Barrier0.End)
    Again.push_back(Barrier1);
  if (const Expr *Condition = M.Loop->testsLast() ? M.Loop->condition() : nullptr)
    if (const auto R = textRange(Condition->getSourceRange(), Context))
      Again.push_back(*R);
  for (const Advance &A : M.Advances)
    if (const auto R = statementRange(A.Statement, Context))
      Again.push_back(*R);
  for (const TextRange &R : Again)
    forEachRawToken(File.slice(R.Begin, R.End).str(), [&](const Token &T, unsigned At) {
      Elsewhere |= Defined.count(File.substr(R.Begin + At, T.getLength()).str()) != 0;
    });
  return !Elsewhere && none_of(Defined, [&](const auto &Name) { return isInHeaders(Name.first); });
}

/// The language, or somebody in the file, has given a meaning to the name: what is generated may
/// say it.
bool LoopPlaces::hasMeaning(StringRef Name) const {
  IdentifierInfo &Word = Context.Idents.get(Name);
  return Word.isKeyword(Context.getLangOpts()) ||
         !Context.getTranslationUnitDecl()->lookup(&Word).empty();
}

/// A file that the main file includes, and which is none of the system's, has the word in it.
bool LoopPlaces::isInHeaders(StringRef Word) const {
  const SourceManager &SM = Context.getSourceManager();
  for (unsigned I = 0; I != SM.local_sloc_entry_size(); ++I) {
    const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    if (!Entry.isFile() || Entry.getFile().getFileCharacteristic() != SrcMgr::C_User ||
        Entry.getFile().getIncludeLoc().isInvalid())
      continue;
    const auto Text = Entry.getFile().getContentCache().getBufferDataIfLoaded();
    if (Text && Text->contains(Word))
      return true;
  }
  return false;
}

/// Nothing but C++ is in the file that \p D includes: no name means something else behind it.
bool LoopPlaces::includesCodeAlone(const SourceText::Directive &D) const {
  const SourceManager &SM = Context.getSourceManager();
  for (unsigned I = 0; I != SM.local_sloc_entry_size(); ++I) {
    const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    if (!Entry.isFile())
      continue;
    const SourceLocation From = Entry.getFile().getIncludeLoc();
    if (From.isInvalid() || SM.getFileID(From) != SM.getMainFileID() ||
        SM.getFileOffset(From) < D.Begin || SM.getFileOffset(From) >= D.End)
      continue;
    const auto Text = Entry.getFile().getContentCache().getBufferDataIfLoaded();
    if (!Text)
      return false;
    bool Directs = false;
    forEachRawToken(Text->str(), [&](const Token &T, unsigned) {
      Directs |= T.is(tok::hash) && T.isAtStartOfLine();
    });
    return !Directs;
  }
  return false;
}

/// A branch that no instantiation takes leaves nothing in the syntax tree, and stays in the text;
/// so does what a pack expands to.
void LoopPlaces::wholeLoadPhase() {
  if (!M.Loop->IsTemplate)
    return;
  const std::string Text = File.slice(LoadText.Begin, Barrier0.Begin).str();
  StringRef Before;
  forEachRawToken(Text, [&](const Token &T, unsigned At) {
    const StringRef Here = StringRef(Text).substr(At, T.getLength());
    if (Here == "constexpr" && Before == "if")
      refuse(Reason::NotYet, M.Loop->Begin, {"'if constexpr' in the load phase"});
    else if (T.is(tok::ellipsis) && Before != "sizeof")
      refuse(Reason::NotYet, M.Loop->Begin, {"a pack expansion in the load phase"});
    Before = Here;
  });
}

TextRange LoopPlaces::withTrailingComment(TextRange R) const {
  unsigned End = lineEnd(File, R.End);
  auto First = partition_point(Source.Comments, [&](const auto &C) { return C.first < R.End; });
  for (auto It = First; It != Source.Comments.end() && It->first < End; ++It)
    if (TextRange C = {It->first, It->second}; C.Begin >= R.End && C.End <= End &&
                                               File.slice(R.End, C.Begin).trim().empty() &&
                                               File.slice(C.End, End).trim().empty())
      R.End = C.Begin + File.slice(C.Begin, C.End).rtrim().size();
  return R;
}

TextRange LoopPlaces::withComments(TextRange R) const {
  R = withTrailingComment(R);
  TextRange Above = commentsAbove(R.Begin);
  if (Above.Begin < Above.End)
    R.Begin = Above.Begin + File.slice(Above.Begin, Above.End).find_first_not_of(" \t");
  return R;
}

TextRange LoopPlaces::commentsAbove(unsigned At) const {
  unsigned Line = lineStart(File, At);
  TextRange R = {Line, Line};
  if (!File.slice(Line, At).trim().empty())
    return R;
  // Inside of the loop, or in front of it.
  unsigned Limit = At > BodyOpen ? BodyOpen : 0;
  auto Behind =
      partition_point(Source.Comments, [&](const auto &C) { return C.second <= R.Begin; });
  for (auto [From, To] :
       reverse(ArrayRef(Source.Comments).take_front(Behind - Source.Comments.begin()))) {
    TextRange C = {From, To};
    if (C.End > R.Begin)
      continue;
    unsigned Begin = lineStart(File, C.Begin);
    // Its lines, the last one directly above, and nothing else on them.
    if (Begin < Limit || !File.slice(Begin, C.Begin).trim().empty() ||
        !File.slice(C.End, R.Begin).trim().empty() || File.slice(C.End, R.Begin).count('\n') != 1)
      break;
    R.Begin = Begin;
  }
  return R;
}

} // namespace cuda_pipeline
