//===- NoLint.cpp - Lines that a comment keeps findings away from ---------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/NoLint.h"
#include "../Support/Lines.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <optional>

using namespace llvm;

namespace cuda_pipeline {

static bool globMatches(StringRef Glob, StringRef Name) {
  const size_t Star = Glob.find('*');
  if (Star == StringRef::npos)
    return Glob == Name;
  if (!Name.consume_front(Glob.take_front(Star)))
    return false;
  for (Glob = Glob.drop_front(Star + 1);; Name = Name.drop_front()) {
    if (globMatches(Glob, Name))
      return true;
    if (Name.empty())
      return false;
  }
}

bool globListContains(StringRef List, StringRef Name, bool KeepNegative) {
  bool Contains = false;
  while (!List.empty()) {
    // Items end at a comma or a line break; blanks around them do not count.
    const size_t End = std::min(List.find_first_of(",\n"), List.size());
    StringRef Glob = List.take_front(End).trim(" \t\r");
    List = List.drop_front(std::min(End + 1, List.size()));
    const bool Negative = Glob.consume_front("-");
    if (Negative && !KeepNegative)
      continue;
    if (globMatches(Glob.trim(" \t\r"), Name))
      Contains = !Negative;
  }
  return Contains;
}

namespace {

enum class Kind { Line, NextLine, Begin, End };

struct Block {
  unsigned Line;
  std::optional<StringRef> Checks;
};

} // namespace

SuppressedLines::SuppressedLines(StringRef Text, StringRef Check) {
  static constexpr StringLiteral Word = "NOLINT";
  if (!Text.contains(Word))
    return;
  Lines.resize(lineEnds(Text) + 3);
  std::vector<Block> Open;
  unsigned Line = 1;
  size_t Counted = 0, Pos = 0;
  while ((Pos = Text.find(Word, Pos)) != StringRef::npos) {
    const size_t Begin = Pos;
    Line += lineEnds(Text.slice(Counted, Begin));
    Counted = Begin;
    Pos += Word.size();
    while (Pos < Text.size() && isAlpha(Text[Pos]))
      ++Pos;
    const auto Which = StringSwitch<std::optional<Kind>>(Text.slice(Begin, Pos))
                           .Case("NOLINT", Kind::Line)
                           .Case("NOLINTNEXTLINE", Kind::NextLine)
                           .Case("NOLINTBEGIN", Kind::Begin)
                           .Case("NOLINTEND", Kind::End)
                           .Default(std::nullopt);
    if (!Which)
      continue;
    std::optional<StringRef> Checks;
    if (Pos < Text.size() && Text[Pos] == '(') {
      const size_t Close = Text.find_first_of("\r\n)", Pos);
      if (Close != StringRef::npos && Text[Close] == ')') {
        Checks = Text.slice(Pos + 1, Close);
        Pos = Close + 1;
      }
    }
    const bool Matches = globListContains(Checks.value_or("*"), Check, /*KeepNegative=*/false);
    switch (*Which) {
    case Kind::Line:
    case Kind::NextLine:
      if (Matches)
        Lines[Line + (*Which == Kind::NextLine)] = true;
      break;
    case Kind::Begin:
      Open.push_back({Line, Checks});
      break;
    case Kind::End:
      if (Open.empty() || Open.back().Checks != Checks)
        break;
      if (Matches)
        std::fill(Lines.begin() + Open.back().Line, Lines.begin() + Line + 1, true);
      Open.pop_back();
      break;
    }
  }
}

} // namespace cuda_pipeline
