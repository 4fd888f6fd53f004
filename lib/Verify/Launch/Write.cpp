//===- Write.cpp - A launch description as text ---------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Write.h"
#include "Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/YAMLParser.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace cuda_pipeline;
using namespace cuda_pipeline::launch;

static std::string inQuotes(StringRef Text) {
  std::string Result = "'";
  for (char C : Text)
    Result += C == '\'' ? "''" : std::string(1, C);
  return Result + "'";
}

// Other readers take `on` and `no` for truth values (but not `N`); quoting is never wrong.
std::string launch::quotedName(StringRef Text) {
  static constexpr StringLiteral Safe = "_<>:. ";
  const bool Plain =
      !Text.empty() && (isAlpha(Text[0]) || Text[0] == '_') &&
      all_of(Text, [](char C) { return isAlnum(C) || Safe.contains(C) || C == ','; }) &&
      !Text.contains(": ") && !Text.ends_with(":") && Text != "null" &&
      (Text.size() == 1 || !yaml::parseBool(Text));
  return Plain ? Text.str() : inQuotes(Text);
}

std::string launch::inComment(StringRef Text) {
  std::string Result = Text.trim().str();
  for (char &C : Result)
    if (!isPrint(C) && static_cast<unsigned char>(C) < 0x80)
      C = ' ';
  return Result;
}

namespace {

/// An expression, or a fill with expressions in parentheses.
std::string expression(StringRef Text) {
  static constexpr StringLiteral Safe = "_+-/*()<>=., ";
  const bool Plain = !Text.empty() && (isAlnum(Text[0]) || StringRef("_-(.").contains(Text[0])) &&
                     all_of(Text, [](char C) { return isAlnum(C) || Safe.contains(C); }) &&
                     Text.count('(') == Text.count(')') && !Text.starts_with("- ");
  // A comma ends a value unless it is in parentheses.
  size_t Depth = 0;
  bool Comma = false;
  for (char C : Text) {
    Depth += C == '(' ? 1 : 0;
    Depth -= C == ')' && Depth ? 1 : 0;
    Comma |= C == ',' && Depth == 0;
  }
  return Plain && !Comma ? Text.str() : inQuotes(Text);
}

std::string listOf(ArrayRef<LaunchDescription::Expression> Es, bool Always) {
  std::string Text;
  for (const LaunchDescription::Expression &E : Es)
    Text += (Text.empty() ? "" : ", ") + expression(E.Text);
  return Always || Es.size() != 1 ? "[" + Text + "]" : Text;
}

std::string fillText(const LaunchDescription::Fill &F) {
  using Kind = BufferFill::Kind;
  switch (F.K) {
  case Kind::Random:
    return "random";
  case Kind::Poison:
    return "poison";
  case Kind::Uniform:
    return expression("uniform(" + F.Low.Text + ", " + F.High.Text + ")");
  case Kind::Index:
    return expression("index(" + F.Low.Text + ")");
  case Kind::Value:
    return expression("value(" + F.Low.Text + ")");
  }
  llvm_unreachable("unknown fill");
}

std::string argumentText(const LaunchDescription::Argument &A) {
  std::string Text;
  auto Add = [&](const Twine &Part) { Text += (Text.empty() ? "" : ", ") + Part.str(); };
  if (!A.Name.empty())
    Add("name: " + quotedName(A.Name));
  const bool Moved = !A.Offset.Text.empty() && A.Offset.Text != "0";
  if (A.Null) {
    Add("buffer: null");
  } else if (!A.SameAs.empty()) {
    Add("same_as: " + quotedName(A.SameAs));
    if (Moved)
      Add("offset: " + expression(A.Offset.Text));
  } else if (A.IsBuffer) {
    Add("buffer: " + quotedName(A.TypeName));
    Add("count: " + expression(A.Count.Text));
    if (Moved)
      Add("offset: " + expression(A.Offset.Text));
    Add(A.Role == BufferRole::Input    ? "role: input"
        : A.Role == BufferRole::Output ? "role: output"
                                       : "role: inout");
    if (A.Contents.K !=
        (A.Role == BufferRole::Output ? BufferFill::Kind::Poison : BufferFill::Kind::Random))
      Add("fill: " + fillText(A.Contents));
  } else if (!A.Fields.empty()) {
    std::string Fields;
    for (const LaunchDescription::Field &F : A.Fields)
      Fields += (Fields.empty() ? "" : ", ") + ("{scalar: " + quotedName(F.TypeName) +
                                                ", value: " + listOf(F.Values, false) + "}");
    Add("fields: [" + Fields + "]");
  } else {
    if (!A.TypeName.empty())
      Add("scalar: " + quotedName(A.TypeName));
    Add("value: " + listOf(A.Values, false));
  }
  return "{" + Text + "}";
}

/// A line with a comment behind it, where there is one.
void line(raw_ostream &OS, StringRef Text, StringRef Comment) {
  if (Comment.empty())
    OS << Text << "\n";
  else
    OS << formatv("{0,-29} # {1}", Text, inComment(Comment)) << "\n";
}

StringRef commentOf(ArrayRef<std::string> Comments, size_t Index) {
  return Index < Comments.size() ? StringRef(Comments[Index]) : StringRef();
}

} // namespace

std::string cuda_pipeline::launchText(const LaunchDescription &D, const LaunchComments &Comments) {
  std::string Text;
  raw_string_ostream OS(Text);
  for (const std::string &Line : Comments.Above)
    OS << "# " << inComment(Line) << "\n";
  OS << "kernel: " << quotedName(D.Kernel) << "\n";
  const bool Named = any_of(D.Cases, [](const auto &Case) { return !Case.empty(); });
  if (Named)
    OS << "cases:\n";
  for (const auto &[Index, Case] : enumerate(D.Cases)) {
    if (!Named)
      break;
    std::string Values;
    for (const auto &[Name, Value] : Case)
      Values += (Values.empty() ? "" : ", ") + (quotedName(Name) + ": " + std::to_string(Value));
    line(OS, "  - {" + Values + "}", commentOf(Comments.Cases, Index));
  }
  if (!D.Let.empty())
    OS << "let:\n";
  for (const auto &[Name, E] : D.Let)
    OS << "  " << quotedName(Name) << ": " << expression(E.Text) << "\n";
  OS << "grid: " << listOf(D.Grid, true) << "\n";
  OS << "block: " << listOf(D.Block, true) << "\n";
  if (!D.Shared.Text.empty() && D.Shared.Text != "0")
    line(OS, "shared: " + expression(D.Shared.Text), "bytes of dynamic shared memory");
  if (D.NewShared)
    OS << "new_shared: " << expression(D.NewShared->Text) << "\n";
  if (D.Flops)
    OS << "flops: " << expression(D.Flops->Text) << "\n";
  if (D.Bytes)
    OS << "bytes: " << expression(D.Bytes->Text) << "\n";
  if (!D.Unit.empty())
    OS << "unit: " << D.Unit << "\n";
  if (D.Arguments.empty())
    OS << "arguments: []\n";
  else
    line(OS, "arguments:", "in the order of the parameters");
  for (const auto &[Index, A] : enumerate(D.Arguments)) {
    if (StringRef Comment = commentOf(Comments.Arguments, Index); !Comment.empty())
      OS << "  # " << inComment(Comment) << "\n";
    OS << "  - " << argumentText(A) << "\n";
  }
  if (!D.Globals.empty())
    OS << "globals:\n";
  for (const LaunchDescription::Global &G : D.Globals)
    OS << "  - {name: " << quotedName(G.Name) << ", type: " << quotedName(G.TypeName)
       << ", fill: " << fillText(G.Contents) << "}\n";
  return Text;
}
