//===- HtmlPage.cpp - What is around the HTML report, and its letters ----===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
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

/// Characters without a look of their own that change how the ones behind them are read.
bool isHidden(uint32_t C) {
  return (C >= 0x202a && C <= 0x202e) || (C >= 0x2066 && C <= 0x2069) || C == 0x200e || C == 0x200f || C == 0x061c || C == 0xfeff;
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
      // HTML has no such characters.
      if (C < 0x20 || (C >= 0x7f && C < 0xa0) || (C & 0xfffe) == 0xfffe)
        Out += "\xef\xbf\xbd";
      else if (isHidden(C))
        Out += formatv("[U+{0}]", utohexstr(C, /*LowerCase=*/false, /*Width=*/4)).str();
      else
        Out.append(reinterpret_cast<const char *>(Begin), size_t(At - Begin));
    }
  }
  return Out;
}

std::string number(double Value, unsigned Digits) {
  std::string Text = Digits == 0 ? formatv("{0:F0}", Value).str() : Digits == 1 ? formatv("{0:F1}", Value).str() : Digits == 2 ? formatv("{0:F2}", Value).str() : formatv("{0:F3}", Value).str();
  if (StringRef(Text).contains('.'))
    Text = StringRef(Text).rtrim('0').rtrim('.').str();
  return Text == "-0" ? "0" : Text;
}

std::string bytesInWords(uint64_t Bytes) {
  if (Bytes < 1024)
    return std::to_string(Bytes) + (Bytes == 1 ? " byte" : " bytes");
  return number(double(Bytes) / 1024, 1) + " KiB";
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
