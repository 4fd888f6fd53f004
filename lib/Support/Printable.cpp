//===- Printable.cpp - Text that does nothing but be read ---------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Printable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

using namespace llvm;

namespace cuda_pipeline {

bool isHiddenCharacter(uint32_t C) {
  return (C >= 0x202a && C <= 0x202e) || (C >= 0x2066 && C <= 0x2069) || C == 0x200e ||
         C == 0x200f || C == 0x061c || C == 0xfeff;
}

std::string printable(StringRef Text) {
  auto Acts = [](uint32_t C) { return (C < 0x20 && C != '\t') || (C >= 0x7f && C < 0xa0); };
  std::string Out;
  Out.reserve(Text.size());
  const auto *At = reinterpret_cast<const UTF8 *>(Text.data()), *End = At + Text.size();
  while (At != End) {
    const UTF8 *Begin = At;
    UTF32 C = *At;
    const bool IsUTF8 = C < 0x80
                            ? (++At, true)
                            : convertUTF8Sequence(&At, End, &C, strictConversion) == conversionOK;
    if (!IsUTF8) {
      C = *Begin;
      At = Begin + 1;
    }
    if (Acts(C) || (IsUTF8 && isHiddenCharacter(C)))
      Out += IsUTF8 ? "<U+" + utohexstr(C, /*LowerCase=*/false, /*Width=*/4) + ">"
                    : "<" + utohexstr(C, false, 2) + ">";
    else
      Out.append(reinterpret_cast<const char *>(Begin), size_t(At - Begin));
  }
  return Out;
}

} // namespace cuda_pipeline
