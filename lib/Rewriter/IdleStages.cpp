//===- IdleStages.cpp - Names of first stages that nobody uses ---------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IdleStages.h"
#include "../Model/RawTokens.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {
namespace {

/// \p Name stands in \p Text, up to the end of the block in which that begins, where none of the
/// references of this name that are declared in it holds.
bool isNamedUnbound(StringRef Name, const std::string &Text) {
  // Brackets and words that are spelled in another way are not read.
  if (StringRef(Text).contains("<%") || StringRef(Text).contains("%>") ||
      StringRef(Text).contains("??"))
    return true;
  std::vector<unsigned> Bound; // how deep the blocks are that declare one
  unsigned Depth = 0, InParens = 0;
  bool Found = false, Over = false, Directive = false;
  std::string Before, BeforeThat;
  forEachRawToken(Text, [&](const Token &T, unsigned At) {
    if (Over || Found)
      return;
    const StringRef Word = StringRef(Text).substr(At, T.getLength());
    // Who knows what the text is in another build.
    Found = std::exchange(Directive, T.is(tok::hash)) && Word != "pragma";
    Found |= T.is(tok::raw_identifier) && (T.needsCleaning() || T.hasUCN());
    if (T.is(tok::l_paren)) {
      ++InParens;
    } else if (T.is(tok::r_paren)) {
      InParens -= InParens != 0;
    } else if (T.is(tok::l_brace)) {
      ++Depth;
    } else if (T.is(tok::r_brace)) {
      while (!Bound.empty() && Bound.back() >= Depth)
        Bound.pop_back();
      Over = Depth == 0;
      Depth -= Depth != 0;
    } else if (Word == Name && !is_contained({".", "->", "::"}, Before)) {
      // A parameter, or what a header declares, ends before the block does.
      if (Before == "&" && BeforeThat == "auto" && InParens == 0)
        Bound.push_back(Depth);
      else
        Found |= Bound.empty();
    }
    BeforeThat = std::exchange(Before, Word.str());
  });
  return Found;
}

/// A macro of the file may say it wherever it is used, or begin or end a block there.
bool isInMacro(StringRef Name, const std::string &Text) {
  bool Found = false, Macro = false;
  forEachRawToken(Text, [&](const Token &T, unsigned At) {
    const StringRef Word = StringRef(Text).substr(At, T.getLength());
    if (T.isAtStartOfLine())
      Macro = false;
    Macro |= Word == "define";
    Found |= Macro && (Word == Name || T.isOneOf(tok::l_brace, tok::r_brace, tok::hashhash) ||
                       T.needsCleaning());
  });
  return Found;
}

} // namespace

std::vector<Edit> withoutIdleStages(const Pass &P, std::vector<Edit> All) {
  auto InOrder = [](const Edit &E) { return std::make_pair(E.Offset, E.Length > 0); };
  llvm::stable_sort(All, [&](const Edit &A, const Edit &B) { return InOrder(A) < InOrder(B); });
  for (const LoopOutcome &L : P.Loops)
    for (const FirstStage &F : L.FirstStages) {
      const auto Of = find_if(All, [&](const Edit &E) {
        return E.Offset == F.Offset && StringRef(E.Text).contains(F.Text);
      });
      if (L.List.empty() || Of == All.end() || isInMacro(F.Tile, P.Text))
        continue;
      const size_t Place = Of->Text.find(F.Text);
      std::string Behind = Of->Text.substr(Place + F.Text.size());
      unsigned At = Of->Offset + Of->Length;
      for (const Edit &E : make_range(std::next(Of), All.end())) {
        Behind += StringRef(P.Text).slice(At, E.Offset).str() + E.Text;
        At = E.Offset + E.Length;
      }
      Behind += StringRef(P.Text).drop_front(At);
      if (!isNamedUnbound(F.Tile, Behind))
        Of->Text.erase(Place, F.Text.size());
    }
  return All;
}

} // namespace cuda_pipeline
