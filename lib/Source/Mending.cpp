//===- Mending.cpp - What nvcc reads and Clang does not -------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Mending.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include <vector>

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

struct Piece {
  tok::TokenKind Kind;
  size_t Begin, End;
  unsigned Directive; ///< of which line of the preprocessor's; 0: of none
};

std::vector<Piece> piecesOf(StringRef Text) {
  LangOptions Options;
  Options.CPlusPlus = Options.CPlusPlus11 = Options.CPlusPlus14 = Options.CPlusPlus17 = true;
  Options.LineComment = true;
  std::vector<Piece> All;
  // A lexer wants a zero behind the text.
  const std::string Copy = Text.str();
  Lexer Lex(SourceLocation(), Options, Copy.data(), Copy.data(), Copy.data() + Copy.size());
  Token T;
  unsigned Directive = 0, Directives = 0;
  for (Lex.LexFromRawLexer(T); T.isNot(tok::eof); Lex.LexFromRawLexer(T)) {
    const size_t End = size_t(Lex.getBufferLocation() - Copy.data());
    if (T.isAtStartOfLine())
      Directive = T.is(tok::hash) ? ++Directives : 0;
    All.push_back({T.getKind(), End - T.getLength(), End, Directive});
  }
  return All;
}

class Mender {
public:
  Mender(StringRef Text, bool IsLinked)
      : Text(Text), IsLinked(IsLinked), Out(Text), All(piecesOf(Text)) {}
  std::optional<std::string> run() {
    for (size_t I = 0; I < All.size(); ++I) {
      launch(I);
      if (StringRef W = word(I); W == "asm" || W == "__asm__" || W == "__asm")
        assembly(I);
      if (!All[I].Directive && !IsLinked && word(I) == "extern")
        sharedObject(I);
    }
    return Out == Text ? std::nullopt : std::optional(Out);
  }

private:
  const StringRef Text;
  const bool IsLinked;
  std::string Out;
  const std::vector<Piece> All;

  StringRef word(size_t I) const {
    return I < All.size() ? Text.slice(All[I].Begin, All[I].End) : StringRef();
  }

  /// The tokens from \p I that are nothing but \p C, three of them together, in one line of the
  /// preprocessor's or in none; 0: they are not.
  size_t threeOf(char C, size_t I) const {
    std::string Seen;
    size_t N = 0;
    while (Seen.size() < 3 && I + N < All.size() && All[I + N].Directive == All[I].Directive &&
           word(I + N).find_first_not_of(C) == StringRef::npos)
      Seen += word(I + N++);
    return Seen.size() == 3 ? N : 0;
  }
  /// Together, and the space between them behind.
  void join(size_t I, size_t Count, char C) {
    const size_t Begin = All[I].Begin, End = All[I + Count - 1].End;
    std::string Between;
    for (size_t K = I; K + 1 < I + Count; ++K)
      Between += Text.slice(All[K].End, All[K + 1].Begin);
    Out.replace(Begin, End - Begin, std::string(3, C) + Between);
  }

  /// No expression has `<< <`: a template's operator has, behind its word.
  void launch(size_t I) {
    const size_t Opens = threeOf('<', I);
    if (Opens == 0 || I == 0 || word(I - 1) == "operator")
      return;
    unsigned Depth = 0;
    for (size_t K = I + Opens; K < All.size(); ++K) {
      if (All[K].Directive != All[I].Directive) {
        if (All[I].Directive) // a macro's launch is in it as a whole
          return;
        continue;
      }
      const StringRef W = word(K);
      if (W == "(" || W == "[" || W == "{")
        ++Depth;
      else if ((W == ")" || W == "]" || W == "}") && Depth-- == 0)
        return;
      else if (W == ";" && Depth == 0)
        return;
      if (Depth != 0)
        continue;
      const size_t Closes = threeOf('>', K);
      if (Closes == 0 || word(K + Closes) != "(")
        continue;
      if (Opens > 1)
        join(I, Opens, '<');
      if (Closes > 1)
        join(K, Closes, '>');
      return;
    }
  }

  /// The instructions of `asm("mov.u32 %0, %tid.x;" : ..)`: the registers that nvcc takes with one
  /// percent sign get the second one for a blank that stands behind a comma or another blank.
  void assembly(size_t I) {
    size_t K = I + 1;
    while (K < All.size() && word(K) != "(" && All[K].Kind == tok::raw_identifier)
      ++K;
    if (word(K) != "(")
      return;
    while (++K < All.size() && All[K].Kind == tok::string_literal)
      registers(All[K].Begin, All[K].End);
  }
  void registers(size_t Begin, size_t End) {
    std::string Line = Out.substr(Begin, End - Begin);
    for (size_t At = Line.find('%'); At != std::string::npos; At = Line.find('%', At)) {
      const StringRef Behind = StringRef(Line).drop_front(At + 1);
      const bool Name =
          Behind.size() > 1 && isAlpha(Behind[0]) && (isAlpha(Behind[1]) || Behind[1] == '_');
      if (!Name) { // an operand, maybe with a modifier, or two of them
        At += 2;
        continue;
      }
      size_t Blank = std::string::npos;
      for (size_t J = 1; J < Line.size(); ++J)
        if (Line[J] == ' ' && (Line[J - 1] == ',' || Line[J - 1] == ' '))
          Blank = J;
      if (Blank == std::string::npos)
        return;
      Line.insert(At, "%");
      Line.erase(Blank < At ? Blank : Blank + 1, 1);
      At += Blank < At ? 1 : 2;
    }
    Out.replace(Begin, End - Begin, Line);
  }

  /// `extern __shared__ Type name;`, with attributes.
  void sharedObject(size_t I) {
    bool Shared = I != 0 && word(I - 1) == "__shared__";
    unsigned Depth = 0;
    for (size_t K = I + 1; K < All.size(); ++K) {
      const StringRef W = word(K);
      Shared |= W == "__shared__";
      if (W == "(")
        ++Depth;
      else if (W == ")")
        --Depth;
      else if (Depth == 0 && (W == "[" || W == "{" || W == "=" || All[K].Directive ||
                              tok::isStringLiteral(All[K].Kind)))
        return;
      if (W != ";" || Depth != 0)
        continue;
      if (Shared)
        std::fill(Out.begin() + All[I].Begin, Out.begin() + All[I].End, ' ');
      return;
    }
  }
};

/// Found quickly where there is nothing to do, which is nearly everywhere: every header that is
/// read comes by here, so that it looks for rare letters alone.
bool mayNeedIt(StringRef Text) {
  for (size_t At = Text.find('<'); At != StringRef::npos; At = Text.find('<', At + 1)) {
    const StringRef Rest = Text.substr(At + 1);
    if (Rest.starts_with("<") ? Rest.drop_front().ltrim().starts_with("<")
                              : Rest.starts_with(" <<"))
      return true;
  }
  if (memmem(Text.data(), Text.size(), "__shared__", strlen("__shared__"))) {
    for (size_t At = Text.find("extern"); At != StringRef::npos; At = Text.find("extern", At + 6))
      if (Text.substr(At + 6).ltrim().take_front(64).contains("__shared__"))
        return true;
    if (Text.contains("__shared__ extern"))
      return true;
  }
  for (size_t At = Text.find('%'); At != StringRef::npos; At = Text.find('%', At + 1))
    if (At + 2 < Text.size() && (At == 0 || Text[At - 1] != '%') && isAlpha(Text[At + 1]) &&
        (isAlpha(Text[At + 2]) || Text[At + 2] == '_'))
      return Text.contains("asm");
  return false;
}

class MendedFile : public vfs::File {
public:
  MendedFile(std::unique_ptr<vfs::File> Inner, bool AsItIs, bool IsLinked)
      : Inner(std::move(Inner)), AsItIs(AsItIs), IsLinked(IsLinked) {}
  ErrorOr<vfs::Status> status() override { return Inner->status(); }
  ErrorOr<std::string> getName() override { return Inner->getName(); }
  /// Volatile whatever was asked for: what is mapped into memory is gone when somebody makes the
  /// file shorter.
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &Name, int64_t FileSize,
                                                   bool RequiresNullTerminator, bool) override {
    auto Buffer = Inner->getBuffer(Name, FileSize, RequiresNullTerminator, /*IsVolatile=*/true);
    if (!Buffer || AsItIs || !mayNeedIt((*Buffer)->getBuffer()))
      return Buffer;
    if (std::optional<std::string> New = mended((*Buffer)->getBuffer(), IsLinked))
      return MemoryBuffer::getMemBufferCopy(*New, (*Buffer)->getBufferIdentifier());
    return Buffer;
  }
  std::error_code close() override { return Inner->close(); }

private:
  std::unique_ptr<vfs::File> Inner;
  const bool AsItIs, IsLinked;
};

class Mending : public vfs::ProxyFileSystem {
public:
  Mending(IntrusiveRefCntPtr<vfs::FileSystem> Files, bool IsLinked, StringRef AsTheyAre)
      : ProxyFileSystem(std::move(Files)), IsLinked(IsLinked),
        AsTheyAre(AsTheyAre.empty() ? "" : AsTheyAre.str() + "/") {}
  ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const Twine &Path) override {
    auto Opened = ProxyFileSystem::openFileForRead(Path);
    if (!Opened)
      return Opened;
    SmallString<256> Name;
    const bool AsItIs = !AsTheyAre.empty() && Path.toStringRef(Name).starts_with(AsTheyAre);
    return std::unique_ptr<vfs::File>(
        std::make_unique<MendedFile>(std::move(*Opened), AsItIs, IsLinked));
  }

private:
  const bool IsLinked;
  const std::string AsTheyAre; ///< with a slash at the end
};

} // namespace

std::optional<std::string> mended(StringRef Text, bool IsLinked) {
  return mayNeedIt(Text) ? Mender(Text, IsLinked).run() : std::nullopt;
}

IntrusiveRefCntPtr<vfs::FileSystem> mendFiles(IntrusiveRefCntPtr<vfs::FileSystem> Files,
                                              bool IsLinked, StringRef AsTheyAre) {
  return makeIntrusiveRefCnt<Mending>(std::move(Files), IsLinked, AsTheyAre);
}

} // namespace cuda_pipeline
