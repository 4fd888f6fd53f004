//===- HtmlPage.cpp - What is around the HTML report, and its letters ----===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Support/Printable.h"
#include "HtmlParts.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace cuda_pipeline {

namespace {

struct PageFile {
  StringLiteral Name;
  const char *Text;
};
const PageFile PageFiles[] = {
#include "HtmlFiles.inc"
};

StringRef fileNamed(StringRef Name) {
  for (const PageFile &F : PageFiles)
    if (F.Name == Name)
      return F.Text;
  llvm_unreachable("not among the files of the page");
}

} // namespace

std::string escaped(StringRef Raw) {
  const std::string Fixed = json::isUTF8(Raw) ? Raw.str() : json::fixUTF8(Raw);
  std::string Out;
  Out.reserve(Fixed.size() + Fixed.size() / 8);
  const auto *At = reinterpret_cast<const UTF8 *>(Fixed.data()), *End = At + Fixed.size();
  while (At != End) {
    const UTF8 *Begin = At;
    UTF32 C = *At;
    if (C < 0x80)
      ++At;
    else if (convertUTF8Sequence(&At, End, &C, strictConversion) != conversionOK)
      ++At;
    switch (C) {
    case '&':
      Out += "&amp;";
      break;
    case '<':
      Out += "&lt;";
      break;
    case '>':
      Out += "&gt;";
      break;
    case '"':
      Out += "&quot;";
      break;
    case '\'':
      Out += "&#39;";
      break;
    case '\n':
    case '\t':
      Out += char(C);
      break;
    default:
      // HTML has no such characters: controls, and what Unicode keeps for nobody.
      if (C < 0x20 || (C >= 0x7f && C < 0xa0) || (C & 0xfffe) == 0xfffe ||
          (C >= 0xfdd0 && C <= 0xfdef))
        Out += "\xef\xbf\xbd";
      else if (isHiddenCharacter(C))
        Out += formatv("[U+{0}]", utohexstr(C, /*LowerCase=*/false, /*Width=*/4)).str();
      else
        Out.append(reinterpret_cast<const char *>(Begin), size_t(At - Begin));
    }
  }
  return Out;
}

void writePage(StringRef Title, StringRef Body, raw_ostream &OS) {
  StringRef Rest = fileNamed("page.html");
  while (true) {
    auto [Text, Behind] = Rest.split("{{");
    OS << Text;
    if (Behind.empty())
      return;
    auto [Name, After] = Behind.split("}}");
    if (Name == "title")
      OS << escaped(Title);
    else if (Name == "style")
      OS << fileNamed("page.css");
    else if (Name == "body")
      OS << Body;
    else if (Name == "version")
      OS << CPR_VERSION;
    Rest = After;
  }
}

} // namespace cuda_pipeline
