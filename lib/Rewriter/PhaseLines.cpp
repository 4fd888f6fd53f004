//===- PhaseLines.cpp - Which lines load, wait and compute ----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PhaseLines.h"
#include "../Model/AstUtil.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

const char *nameOf(PhaseKind Kind) {
  switch (Kind) {
  case PhaseKind::Load:
    return "load";
  case PhaseKind::Barrier:
    return "barrier";
  case PhaseKind::Compute:
    return "compute";
  case PhaseKind::Advance:
    return "advance";
  }
  llvm_unreachable("unknown phase");
}

struct Word {
  std::string Text;
  unsigned Begin, End; ///< bytes
  bool IsName;
};

/// Without comments and directives.
std::vector<Word> wordsOf(StringRef Text) {
  std::vector<Word> Out;
  const std::string Copy = Text.str(); // the lexer wants a zero behind it
  LangOptions Options;
  Options.CPlusPlus = Options.CPlusPlus11 = Options.LineComment = true;
  Lexer Lex(SourceLocation(), Options, Copy.data(), Copy.data(), Copy.data() + Copy.size());
  Token T;
  for (Lex.LexFromRawLexer(T); T.isNot(tok::eof);) {
    if (T.is(tok::hash) && T.isAtStartOfLine()) {
      do
        Lex.LexFromRawLexer(T);
      while (T.isNot(tok::eof) && !T.isAtStartOfLine());
      continue;
    }
    const unsigned End = unsigned(Lex.getBufferLocation() - Copy.data()),
                   Begin = End - T.getLength();
    Out.push_back({Text.slice(Begin, End).str(), Begin, End, T.is(tok::raw_identifier)});
    Lex.LexFromRawLexer(T);
  }
  return Out;
}

/// What ends with a semicolon, or stands in front of a brace.
struct Piece {
  std::string Text; ///< its words, with blanks between them
  unsigned Begin = 0, End = 0;
  std::vector<StringRef> Names;
  std::string Defines; ///< `auto f = [&](..)`: f
  bool OpensBlock = false;
  size_t BlockEnd = 0;   ///< the piece behind the block
  unsigned BraceEnd = 0; ///< byte behind its brace
};

std::vector<Piece> piecesOf(ArrayRef<Word> Words) {
  std::vector<Piece> Out;
  std::vector<size_t> Open; // pieces with a block; npos: none
  Piece Now;
  unsigned Depth = 0;
  auto Finish = [&] {
    if (!Now.Text.empty())
      Out.push_back(std::move(Now));
    Now = Piece();
  };
  for (size_t I = 0; I < Words.size(); ++I) {
    const StringRef W = Words[I].Text;
    Depth += W == "(";
    Depth -= W == ")" && Depth > 0;
    // The braces of an initialiser belong to it.
    const bool OfValue = Depth > 0 || (W == "{" && !Now.Text.empty() && I > 0 &&
                                       StringRef("=,").contains(Words[I - 1].Text));
    if (!OfValue && W == "{") {
      if (Now.Text.empty()) {
        Open.push_back(~size_t(0));
        continue;
      }
      Now.OpensBlock = true;
      Open.push_back(Out.size());
      Finish();
      continue;
    }
    if (!OfValue && W == "}") {
      Finish();
      if (!Open.empty()) {
        if (Open.back() != ~size_t(0)) {
          Out[Open.back()].BlockEnd = Out.size();
          Out[Open.back()].BraceEnd = Words[I].End;
        }
        Open.pop_back();
      }
      continue;
    }
    if (Now.Text.empty()) {
      if (W == ";")
        continue;
      Now.Begin = Words[I].Begin;
    }
    Now.Text += (Now.Text.empty() ? "" : " ") + W.str();
    Now.End = Words[I].End;
    if (Words[I].IsName)
      Now.Names.push_back(W);
    if (W == "[" && I >= 3 && Words[I - 1].Text == "=" && Words[I - 3].Text == "auto")
      Now.Defines = Words[I - 2].Text;
    if (W == ";" && Depth == 0)
      Finish();
  }
  Finish();
  return Out;
}

class NewText {
public:
  NewText(StringRef Old, const PhaseText &Phases, const EmittedWords &Words) : Words(Words) {
    for (const PhaseText::Part &P : Phases.Parts)
      for (const Piece &Is : pieces(Old.slice(P.Begin, P.End)))
        Known.try_emplace(Is.Text, P.Kind);
    for (const std::string &B : Words.Barriers)
      for (const Piece &Is : pieces(B))
        Known[Is.Text] = PhaseKind::Barrier;
  }

  /// What \p Text does where, in bytes of it.
  std::vector<PhaseText::Part> read(StringRef Text, unsigned Shift) const {
    std::vector<Word> All = wordsOf(Text);
    const std::vector<Piece> Pieces = piecesOf(All);
    std::vector<std::optional<PhaseKind>> Kinds(Pieces.size());
    for (size_t I = 0; I < Pieces.size(); ++I) {
      if (Kinds[I])
        continue; // of a load function
      Kinds[I] = kindOf(Pieces[I]);
      if (Words.LoadFunctions.count(Pieces[I].Defines)) {
        for (size_t K = I; K < std::max(Pieces[I].BlockEnd, I + 1); ++K)
          Kinds[K] = PhaseKind::Load;
        continue;
      }
    }
    // `if (t_next < n) {`: what it is about is what is done there.
    for (size_t I = Pieces.size(); I-- > 0;) {
      if (!Pieces[I].OpensBlock || Pieces[I].BlockEnd <= I + 1)
        continue;
      const bool Guards = !Kinds[I] && StringRef(Pieces[I].Text).starts_with("if (") &&
                          all_of(ArrayRef(Kinds).slice(I + 1, Pieces[I].BlockEnd - I - 1),
                                 [&](const auto &K) { return K == Kinds[I + 1]; });
      if (Kinds[I] == PhaseKind::Advance || Guards)
        Kinds[I] = Kinds[I + 1];
    }
    std::vector<PhaseText::Part> Out;
    for (size_t I = 0; I < Pieces.size(); ++I) {
      if (!Kinds[I])
        continue;
      const bool Whole = Pieces[I].OpensBlock && Pieces[I].BraceEnd != 0 &&
                         all_of(ArrayRef(Kinds).slice(I, Pieces[I].BlockEnd - I),
                                [&](const auto &K) { return K == Kinds[I]; });
      Out.push_back({*Kinds[I], Shift + Pieces[I].Begin,
                     Shift + (Whole ? Pieces[I].BraceEnd : Pieces[I].End)});
      if (Whole)
        I = Pieces[I].BlockEnd - 1;
    }
    return Out;
  }

private:
  const EmittedWords &Words;
  std::map<std::string, PhaseKind> Known;

  static std::vector<Piece> pieces(StringRef Text) {
    const std::vector<Word> All = wordsOf(Text);
    std::vector<Piece> Out = piecesOf(All);
    for (Piece &P : Out)
      P.Names.clear(); // they are All's
    return Out;
  }

  std::optional<PhaseKind> kindOf(const Piece &P) const {
    if (auto It = Known.find(P.Text); It != Known.end() && It->second == PhaseKind::Barrier)
      return PhaseKind::Barrier;
    std::optional<PhaseKind> Said;
    for (StringRef Name : P.Names)
      if (auto It = Words.Phases.find(Name.str());
          It != Words.Phases.end() && (!Said || It->second < *Said))
        Said = It->second; // a load may say which stage it fills
    if (Said && *Said != PhaseKind::Advance)
      return Said;
    if (auto It = Known.find(P.Text); It != Known.end())
      return It->second;
    // The tile that is computed on gets its name. What comes first in `auto &As_first = ..` is
    // declared there.
    const auto Tile =
        find_if(P.Names, [&](StringRef N) { return Words.Tiles.count(N.str()) != 0; });
    if (Tile != P.Names.end() && !is_contained(P.Names, "__shared__") &&
        !StringRef(P.Text).starts_with(("auto & " + *Tile).str()))
      return PhaseKind::Compute;
    return Said;
  }
};

/// Neighbours of one kind are one phase, but for what stands between them and belongs to none.
std::vector<PhaseReport> asLines(StringRef Text, const LineTable &Lines,
                                 ArrayRef<PhaseText::Part> Parts) {
  std::vector<PhaseReport> Out;
  unsigned LastEnd = 0;
  for (const PhaseText::Part &P : Parts) {
    const unsigned First = Lines.lineOf(P.Begin),
                   Last = Lines.lineOf(P.End > P.Begin ? P.End - 1 : P.Begin);
    const bool Joins = !Out.empty() && Out.back().Kind == nameOf(P.Kind) && LastEnd <= P.Begin &&
                       wordsOf(Text.slice(LastEnd, P.Begin)).empty();
    if (Joins)
      Out.back().EndLine = std::max(Out.back().EndLine, Last);
    else
      Out.push_back({nameOf(P.Kind), First, Last});
    LastEnd = P.End;
  }
  return Out;
}

} // namespace

PhaseText phaseText(const TileModel &Model, const ASTContext &Context) {
  PhaseText Out;
  const SourceManager &SM = Context.getSourceManager();
  const Stmt *Whole =
      Model.Loop->Pragma ? static_cast<const Stmt *>(Model.Loop->Pragma) : Model.Loop->Loop;
  Out.Begin = SM.getFileOffset(Model.Loop->Begin);
  if (std::optional<TextRange> R = statementRange(Whole, Context)) {
    Out.Begin = std::min(Out.Begin, R->Begin);
    Out.End = R->End;
  }
  for (const Phase &P : Model.Phases)
    for (const Stmt *S : P.Statements)
      if (std::optional<TextRange> R = S ? statementRange(S, Context) : std::nullopt)
        Out.Parts.push_back({P.Kind, R->Begin, R->End});
  return Out;
}

std::vector<PhaseReport> phaseLines(StringRef Text, const LineTable &Lines,
                                    const PhaseText &Phases) {
  return asLines(Text, Lines, Phases.Parts);
}

std::string ChangedText::applied(StringRef Text, ArrayRef<Edit> All, std::vector<Change> &Changes) {
  std::string New;
  unsigned At = 0;
  for (const Edit &E : All) {
    New += Text.slice(At, E.Offset);
    Changes.push_back({E.Offset, E.Offset + E.Length, unsigned(New.size()),
                       unsigned(New.size() + E.Text.size())});
    New += E.Text;
    At = E.Offset + E.Length;
  }
  New += Text.drop_front(At);
  return New;
}

std::pair<unsigned, unsigned> ChangedText::rangeOf(const PhaseText &Phases) const {
  if (Phases.End <= Phases.Begin)
    return {0, 0};
  const auto First = partition_point(Changes, [&](const Change &C) { return C.To < Phases.Begin; });
  if (First == Changes.end())
    return {0, 0};
  const unsigned Begin = First->NewFrom - (First->From - std::min(First->From, Phases.Begin));
  const auto Last = partition_point(Changes, [&](const Change &C) { return C.To < Phases.End; });
  unsigned End = unsigned(New.size()) - (unsigned(Old.size()) - Phases.End);
  if (Last != Changes.end())
    End = Last->From > Phases.End ? Last->NewFrom - (Last->From - Phases.End) : Last->NewTo;
  return {Begin, std::max(Begin, End)};
}

std::vector<PhaseReport> ChangedText::phaseLines(const PhaseText &Phases,
                                                 const EmittedWords &Words) const {
  const auto [Begin, End] = rangeOf(Phases);
  if (End <= Begin)
    return {};
  return asLines(New, Lines,
                 NewText(Old, Phases, Words).read(StringRef(New).slice(Begin, End), Begin));
}

NewLines ChangedText::linesOf(const PhaseText &Phases, const EmittedWords &Words) const {
  const auto [Begin, End] = rangeOf(Phases);
  if (End <= Begin)
    return {};
  NewLines Out;
  Out.First = Lines.lineOf(Begin);
  Out.Last = Lines.lineOf(End - 1);
  const StringRef Text = StringRef(New).slice(Begin, End);
  const size_t Kept = Words.Kept.empty() ? StringRef::npos : Text.rfind(Words.Kept);
  const size_t Test = Kept == StringRef::npos ? Kept : Text.take_front(Kept).find(Words.Test);
  if (Test != StringRef::npos) {
    Out.Kept = Lines.lineOf(Begin + unsigned(Kept));
    Out.TestBegin = Begin + unsigned(Test);
    Out.TestEnd = Out.TestBegin + unsigned(Words.Test.size());
  }
  return Out;
}

void moveLines(std::vector<PhaseReport> &Phases, unsigned By) {
  for (PhaseReport &P : Phases) {
    P.Line += By;
    P.EndLine += By;
  }
}

} // namespace cuda_pipeline
