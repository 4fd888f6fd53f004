//===- NoLint.cpp - Lines that a comment keeps findings away from ---------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/NoLint.h"
#include "../Support/Lines.h"
#include "cuda-pipeline/Reasons.h"
#include "llvm/ADT/STLExtras.h"
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

/// One word of them, as it stands in a text.
struct Directive {
  Kind Which;
  unsigned Line;
  std::optional<StringRef> Checks; ///< the list in parentheses
};

constexpr StringLiteral Words[] = {"NOLINT", "NOLINTNEXTLINE", "NOLINTBEGIN", "NOLINTEND"};

std::optional<Kind> kindOf(StringRef Word) {
  return StringSwitch<std::optional<Kind>>(Word)
      .Case("NOLINT", Kind::Line)
      .Case("NOLINTNEXTLINE", Kind::NextLine)
      .Case("NOLINTBEGIN", Kind::Begin)
      .Case("NOLINTEND", Kind::End)
      .Default(std::nullopt);
}

std::vector<Directive> directivesOf(StringRef Text) {
  std::vector<Directive> Found;
  unsigned Line = 1;
  size_t Counted = 0, Pos = 0;
  while ((Pos = Text.find(Words[0], Pos)) != StringRef::npos) {
    const size_t Begin = Pos;
    Line += lineEnds(Text.slice(Counted, Begin));
    Counted = Begin;
    Pos += Words[0].size();
    while (Pos < Text.size() && isAlpha(Text[Pos]))
      ++Pos;
    const auto Which = kindOf(Text.slice(Begin, Pos));
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
    Found.push_back({*Which, Line, Checks});
  }
  return Found;
}

bool listNames(const std::optional<StringRef> &Checks, StringRef Check) {
  return globListContains(Checks.value_or("*"), Check, /*KeepNegative=*/false) ||
         (Checks && globListContains(*Checks, BothChecksName, /*KeepNegative=*/false));
}

} // namespace

SuppressedLines::SuppressedLines(StringRef Text, StringRef Check) {
  if (!Text.contains(Words[0]))
    return;
  Lines.resize(lineEnds(Text) + 3);
  std::vector<Directive> Open;
  for (const Directive &D : directivesOf(Text)) {
    const bool Matches = listNames(D.Checks, Check);
    switch (D.Which) {
    case Kind::Line:
    case Kind::NextLine:
      if (Matches)
        Lines[D.Line + (D.Which == Kind::NextLine)] = true;
      break;
    case Kind::Begin:
      Open.push_back(D);
      break;
    case Kind::End:
      if (Open.empty() || Open.back().Checks != D.Checks)
        break;
      if (Matches)
        std::fill(Lines.begin() + Open.back().Line, Lines.begin() + D.Line + 1, true);
      Open.pop_back();
      break;
    }
  }
}

//===--- what was meant -------------------------------------------------------===//

static std::string spelled(const Directive &D) {
  return (Words[static_cast<size_t>(D.Which)] + (D.Checks ? "(" + *D.Checks + ")" : "")).str();
}

/// Of a list: what looks like a name of ours and is none.
static void checkNames(const Directive &D, std::vector<NoLintProblem> &To) {
  static constexpr StringLiteral Ours[] = {TileLoopCheckName, RefusedCheckName, BothChecksName};
  SmallVector<StringRef, 4> Names;
  D.Checks->split(Names, ',');
  for (StringRef Name : Names) {
    Name = Name.trim(" \t");
    if (any_of(Ours, [&](StringRef Own) { return globMatches(Name, Own); }))
      continue;
    const bool Near =
        Name.starts_with(BothChecksName) || (Name.size() > 8 && any_of(Ours, [&](StringRef Own) {
                                               return Name.edit_distance(Own, true, 4) <= 3;
                                             }));
    const bool IsReason = reasonFromId(Name).has_value();
    if (!Near && !IsReason)
      continue;
    To.push_back({D.Line,
                  ("'" + spelled(D) + "' suppresses nothing of this tool: '" + Name +
                   (IsReason ? "' is a reason; the check is '" : "' is no check; did you mean '") +
                   TileLoopCheckName + (IsReason ? "'" : "'?"))
                      .str(),
                  true});
  }
}

/// Words that are nearly one of ours in front of a list with our checks:
/// NOLNIT(cuda-pipeline-tile-loop).
static void checkWords(StringRef Text, std::vector<NoLintProblem> &To) {
  for (size_t At = 0; (At = Text.find(BothChecksName, At)) != StringRef::npos;
       At += BothChecksName.size()) {
    const size_t LineBegin = Text.find_last_of("\r\n", At) + 1; // 0: the first line
    const StringRef Before = Text.slice(LineBegin, At);
    const size_t Open = Before.rfind('(');
    if (Open == StringRef::npos || Before.drop_front(Open + 1).contains(')'))
      continue;
    const StringRef InFront = Before.take_front(Open).rtrim(' ');
    const StringRef Word = InFront.drop_front(
        InFront.find_last_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-") + 1);
    const bool Blank = InFront.size() != Open;
    if ((!Blank && kindOf(Word)) || Word.size() < 4)
      continue;
    const auto *Best =
        std::min_element(std::begin(Words), std::end(Words), [&](StringRef A, StringRef B) {
          return Word.edit_distance_insensitive(A) < Word.edit_distance_insensitive(B);
        });
    // With a blank it is the word without a list, as for clang-tidy.
    const StringRef Effect = kindOf(Word)
                                 ? " (' is for all checks: a list stands directly behind the word"
                                 : "(' suppresses nothing of this tool";
    if (Word.edit_distance_insensitive(*Best) <= 2)
      To.push_back({lineEnds(Text.take_front(At)) + 1,
                    ("'" + Word + (Blank && !kindOf(Word) ? " " : "") + Effect +
                     "; did you mean '" + *Best + "('?")
                        .str(),
                    true});
  }
}

std::vector<NoLintProblem> noLintProblems(StringRef Text) {
  std::vector<NoLintProblem> Problems;
  checkWords(Text, Problems);
  const auto IsOurs = [](const Directive &D) {
    return listNames(D.Checks, TileLoopCheckName) || listNames(D.Checks, RefusedCheckName);
  };
  const auto NamesUs = [](const Directive &D) {
    return D.Checks && D.Checks->contains(BothChecksName);
  };
  std::vector<Directive> Open;
  for (const Directive &D : directivesOf(Text)) {
    if (D.Checks)
      checkNames(D, Problems);
    if (D.Which == Kind::Begin) {
      Open.push_back(D);
    } else if (D.Which == Kind::End) {
      if (!Open.empty() && Open.back().Checks == D.Checks)
        Open.pop_back();
      else if (IsOurs(D))
        Problems.push_back(
            {D.Line,
             "'" + spelled(D) +
                 "' ends nothing: there is no NOLINTBEGIN with the same list open in front of it",
             NamesUs(D)});
    }
  }
  for (const Directive &D : Open)
    if (IsOurs(D))
      Problems.push_back(
          {D.Line,
           "'" + spelled(D) +
               "' suppresses nothing: there is no NOLINTEND with the same list behind it",
           NamesUs(D)});
  stable_sort(Problems,
              [](const NoLintProblem &A, const NoLintProblem &B) { return A.Line < B.Line; });
  return Problems;
}

} // namespace cuda_pipeline
