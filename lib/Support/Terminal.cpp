//===- Terminal.cpp - Standard output and standard error ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Terminal.h"
#include "Printable.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ConvertUTF.h"

using llvm::raw_ostream;
using llvm::StringRef;

namespace cuda_pipeline {

raw_ostream &outs() {
  static HarmlessStream Stream(llvm::outs(), llvm::outs().is_displayed());
  return Stream;
}

raw_ostream &errs() {
  static HarmlessStream Stream(llvm::errs(), /*Filters=*/true);
  return Stream;
}

void flushOutput() { llvm::outs().flush(); }

void clearLine() { llvm::errs() << "\r\x1b[K"; }

/// Bytes of \p Text that are complete: all but the beginning of a character, or of a line end, at
/// its end.
static size_t completeBytes(StringRef Text) {
  if (Text.ends_with("\r"))
    return Text.size() - 1;
  for (size_t Back = 1; Back <= 3 && Back <= Text.size(); ++Back) {
    const auto Byte = static_cast<unsigned char>(Text[Text.size() - Back]);
    if ((Byte & 0xc0) == 0x80)
      continue;
    return Byte >= 0xc0 && llvm::getNumBytesForUTF8(Byte) > Back ? Text.size() - Back : Text.size();
  }
  return Text.size();
}

static void writeHarmless(StringRef Text, raw_ostream &To) {
  while (!Text.empty()) {
    const size_t End = Text.find('\n');
    StringRef Line = Text.take_front(End);
    const bool Ends = End != StringRef::npos;
    const bool Windows = Ends && Line.consume_back("\r");
    To << printable(Line) << (Windows ? "\r" : "") << (Ends ? "\n" : "");
    Text = Ends ? Text.drop_front(End + 1) : "";
  }
}

std::string harmless(StringRef Text) {
  std::string Out;
  llvm::raw_string_ostream OS(Out);
  writeHarmless(Text, OS);
  return Out;
}

void HarmlessStream::write_impl(const char *Bytes, size_t Size) {
  if (!Filters) {
    To.write(Bytes, Size);
    return;
  }
  Begun.append(Bytes, Size);
  const size_t Complete = completeBytes(Begun);
  writeHarmless(StringRef(Begun).take_front(Complete), To);
  Begun.erase(0, Complete);
}

void HarmlessStream::settle() {
  writeHarmless(Begun, To);
  Begun.clear();
}

raw_ostream &HarmlessStream::changeColor(Colors Color, bool Bold, bool Background) {
  settle();
  To.changeColor(Color, Bold, Background);
  return *this;
}

raw_ostream &HarmlessStream::resetColor() {
  settle();
  To.resetColor();
  return *this;
}

raw_ostream &HarmlessStream::reverseColor() {
  settle();
  To.reverseColor();
  return *this;
}

void HarmlessStream::enable_colors(bool Enable) {
  raw_ostream::enable_colors(Enable);
  To.enable_colors(Enable);
}

MessageLine::~MessageLine() {
  StringRef Line = Text;
  Line.consume_back("\n");
  To << printable(Line) << '\n';
}

} // namespace cuda_pipeline
