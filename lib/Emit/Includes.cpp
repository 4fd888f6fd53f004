//===- Includes.cpp - Edits of several loops become one text -------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Where another #include goes: behind the <headers> at the top, in front of everything that may
/// define macros. (Clang's HeaderIncludes sorts by a style's categories, and looks neither at
/// conditions nor at macros, which could take the header's names away.)
///
//===----------------------------------------------------------------------===//

#include "LoopPlaces.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

namespace {

/// A file's #include directives that are always active (outside of every conditional but an include
/// guard around the whole file) and outside of all braces.
struct IncludeLines {
  std::vector<std::pair<unsigned, std::string>> Active; ///< offset behind the line, header's name
  unsigned Top = 0; ///< behind the leading comments, `#pragma once` and the guard
  /// Where another header goes: behind the <headers> at the top, but in front of everything that
  /// may define macros, which could take its names away (`#define N 1024`).
  unsigned Insert = 0;
};

struct Directive {
  std::string Name, Rest;
  unsigned Next = 0;   ///< offset of the line behind it
  unsigned Braces = 0; ///< how deep in braces
};

/// What the preprocessor would see of the directives, as tokens: nothing inside of comments and
/// strings.
class DirectiveReader {
public:
  explicit DirectiveReader(StringRef Source) : Text(Source.str()) {
    LangOptions Options;
    Options.CPlusPlus = true;
    Options.LineComment = true;
    Lexer Lex(SourceLocation(), Options, Text.data(), Text.data(), Text.data() + Text.size());
    Lex.SetCommentRetentionState(true);
    bool First = true;
    Token T;
    Lex.LexFromRawLexer(T);
    auto Begin = [&] { return unsigned(Lex.getBufferLocation() - Text.data()) - T.getLength(); };
    while (T.isNot(tok::eof)) {
      unsigned At = Begin();
      if (T.is(tok::comment)) {
        // Behind a directive on its line: the line ends where the comment does.
        unsigned Behind = lineEnd(Text, At + T.getLength()) + 1;
        if (!List.empty() && At < List.back().Next)
          List.back().Next = std::max(List.back().Next, Behind);
        else if (First)
          LeadingComments = Behind;
      } else if (T.is(tok::hash) && T.isAtStartOfLine()) {
        First = false;
        Directive D;
        unsigned RestBegin = 0, RestEnd = At + 1;
        Lex.LexFromRawLexer(T);
        if (T.is(tok::raw_identifier) && !T.isAtStartOfLine()) {
          D.Name = T.getRawIdentifier().str();
          RestBegin = RestEnd = Begin() + T.getLength();
          Lex.LexFromRawLexer(T);
        }
        while (T.isNot(tok::eof) && !T.isAtStartOfLine() && T.isNot(tok::comment)) {
          RestEnd = Begin() + T.getLength();
          Lex.LexFromRawLexer(T);
        }
        if (RestBegin)
          D.Rest = StringRef(Text).slice(RestBegin, RestEnd).trim().str();
        D.Next = lineEnd(Text, RestEnd) + 1;
        D.Braces = Braces;
        List.push_back(std::move(D));
        CodeBehind = false;
        continue; // T is the next token already
      } else {
        First = false;
        CodeBehind = true;
        CodeInFront |= List.empty();
        Braces += T.is(tok::l_brace);
        Braces -= T.is(tok::r_brace) && Braces > 0;
      }
      Lex.LexFromRawLexer(T);
    }
  }

  std::vector<Directive> List;
  unsigned LeadingComments = 0; ///< offset behind them
  bool CodeInFront = false;     ///< of the first directive
  bool CodeBehind = false;      ///< of the last directive

  /// `#ifndef X`, `#define X` ... `#endif` around everything.
  bool hasGuard() const {
    if (List.size() < 3 || CodeInFront || CodeBehind || List[0].Name != "ifndef" ||
        List[1].Name != "define" || List[1].Rest != List[0].Rest)
      return false;
    int Depth = 0;
    for (size_t I = 0; I < List.size(); ++I) {
      Depth += StringRef(List[I].Name).starts_with("if");
      Depth -= List[I].Name == "endif";
      if (Depth == 0)
        return I + 1 == List.size();
      if (Depth == 1 && StringRef(List[I].Name).starts_with("el"))
        return false;
    }
    return false;
  }

private:
  std::string Text;
  unsigned Braces = 0;
};

IncludeLines scanIncludes(StringRef Text) {
  IncludeLines Out;
  DirectiveReader Reader(Text);
  auto Bounded = [&](unsigned Offset) { return std::min<unsigned>(Offset, Text.size()); };
  Out.Top = Text.starts_with("\xef\xbb\xbf") ? 3 : 0; // a byte order mark stays first
  Out.Top = std::max(Out.Top, Bounded(Reader.LeadingComments));
  bool Guard = Reader.hasGuard();
  if (Guard)
    Out.Top = Bounded(Reader.List[1].Next);
  else if (!Reader.CodeInFront && !Reader.List.empty() && Reader.List[0].Name == "pragma" &&
           Reader.List[0].Rest == "once")
    Out.Top = Bounded(Reader.List[0].Next);
  int Depth = Guard ? -1 : 0;
  bool Macros = false;
  Out.Insert = Out.Top;
  for (const Directive &D : Reader.List) {
    Depth += StringRef(D.Name).starts_with("if");
    Depth -= D.Name == "endif";
    StringRef Rest = D.Rest;
    Macros |= (D.Name == "define" && !(Guard && &D == &Reader.List[1])) || D.Name == "undef" ||
              (D.Name == "include" && !Rest.starts_with("<"));
    if (!Macros && D.Name == "include" && Depth == 0 && D.Braces == 0)
      Out.Insert = Bounded(D.Next);
    if (D.Name == "include" && Depth == 0 && D.Braces == 0 &&
        (Rest.starts_with("<") || Rest.starts_with("\"")))
      Out.Active.push_back(
          {Bounded(D.Next),
           Rest.drop_front().take_until([](char C) { return C == '>' || C == '"'; }).str()});
  }
  return Out;
}

} // namespace

/// The header that an #include names has \p Header, too.
static bool brings(StringRef Included, StringRef Header) {
  auto Is = [&](StringRef Name) {
    return Included == Name ||
           (Included.ends_with(Name) && Included.drop_back(Name.size()).ends_with("/"));
  };
  return Is(Header) || (Header == "cuda_pipeline_primitives.h" && Is("cuda_pipeline.h"));
}

ArrayRef<StringRef> namesOfPipelineHeader() {
  // The identifiers of cuda_pipeline_primitives.h, cuda_pipeline_helpers.h,
  // cuda_awbarrier_primitives.h and cuda_awbarrier_helpers.h (CUDA 13.0) that the language does not
  // reserve. The C++ library's headers have reserved ones.
  static const StringRef Names[] = {"AWBarrier",
                                    "Align",
                                    "CopySize",
                                    "CpAsyncChooser",
                                    "ImplementationChooser",
                                    "N",
                                    "SourceSize",
                                    "UseHwAsyncCopy",
                                    "awbarrier",
                                    "awbarrier_arrive",
                                    "awbarrier_arrive_drop",
                                    "awbarrier_init",
                                    "awbarrier_inval",
                                    "awbarrier_test_wait",
                                    "awbarrier_test_wait_parity",
                                    "awbarrier_try_wait",
                                    "awbarrier_try_wait_parity",
                                    "awbarrier_wait",
                                    "barrier",
                                    "copy_source",
                                    "copy_step_size",
                                    "count",
                                    "cp_async",
                                    "dst",
                                    "dst_shared",
                                    "expected",
                                    "expected_count",
                                    "experimental",
                                    "i",
                                    "int2",
                                    "int4",
                                    "max_sleep_nanosec",
                                    "new_expected",
                                    "new_pending",
                                    "nvcuda",
                                    "old_pending",
                                    "pending",
                                    "phase_parity",
                                    "pipeline_arrive_on",
                                    "pipeline_commit",
                                    "pipeline_copy_relaxed",
                                    "pipeline_copy_strict",
                                    "pipeline_memcpy_async",
                                    "pipeline_memcpy_sync",
                                    "pipeline_wait_prior",
                                    "prior",
                                    "raw",
                                    "remaining",
                                    "reset",
                                    "size_and_align",
                                    "size_t",
                                    "split",
                                    "src",
                                    "src_global",
                                    "token",
                                    "uint16_t",
                                    "uint32_t",
                                    "uint64_t",
                                    "uintptr_t",
                                    "x",
                                    "zfill"};
  return Names;
}

unsigned placeOfIncludes(StringRef Text) { return scanIncludes(Text).Insert; }

std::vector<Edit> withIncludes(StringRef Text, std::vector<Edit> List,
                               ArrayRef<std::string> Headers, ArrayRef<std::string> InTheWay) {
  std::string Newline = Text.contains("\r\n") ? "\r\n" : "\n";
  unsigned FirstEdit = Text.size();
  for (const Edit &E : List)
    FirstEdit = std::min(FirstEdit, E.Offset);
  IncludeLines Lines = scanIncludes(Text);
  unsigned At = Lines.Insert <= FirstEdit ? Lines.Insert : Lines.Top;
  std::string Includes;
  for (const std::string &H : Headers) {
    bool Present = any_of(
        Lines.Active, [&](const auto &L) { return L.first <= FirstEdit && brings(L.second, H); });
    if (Present)
      continue;
    const bool Aside = H == "cuda_pipeline_primitives.h";
    for (const std::string &Name : Aside ? InTheWay : ArrayRef<std::string>())
      Includes += "#pragma push_macro(\"" + Name + "\")" + Newline + "#undef " + Name + Newline;
    Includes += "#include <" + H + ">" + Newline;
    for (const std::string &Name : Aside ? InTheWay : ArrayRef<std::string>())
      Includes += "#pragma pop_macro(\"" + Name + "\")" + Newline;
  }
  bool OwnLine = At == 0 || Text[At - 1] == '\n' || At == 3; // behind a byte order mark
  if (!Includes.empty())
    List.push_back({At, 0, (OwnLine ? "" : Newline) + Includes});
  llvm::stable_sort(List, [](const Edit &A, const Edit &B) { return A.Offset < B.Offset; });
  return List;
}

std::string applyEdits(StringRef Text, std::vector<Edit> List, ArrayRef<std::string> Headers,
                       ArrayRef<std::string> InTheWay) {
  std::string Out;
  unsigned At = 0;
  for (const Edit &E : withIncludes(Text, std::move(List), Headers, InTheWay)) {
    assert(E.Offset >= At && "edits overlap");
    Out += Text.slice(At, E.Offset);
    Out += E.Text;
    At = E.Offset + E.Length;
  }
  Out += Text.drop_front(At);
  return Out;
}

} // namespace cuda_pipeline
