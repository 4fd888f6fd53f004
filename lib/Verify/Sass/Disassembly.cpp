//===- Disassembly.cpp - The words of nvdisasm or cuobjdump ---------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both print one instruction per line behind its address:
//
//     //--------------------- .text._Z4gemmPKf ------      nvdisasm -c
//             /*00b0*/              @!P1 BRA `(.L_x_0) ;
//                     Function : _Z4gemmPKf                 cuobjdump -sass
//             /*00b0*/              @!P1 BRA 0x3c0 ;        /* 0x... */
//
//===----------------------------------------------------------------------===//

#include "Decode.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace cuda_pipeline {
namespace {

/// "@!P1 BRA ..." without the predicate; whether there is one.
bool takePredicate(StringRef &Text) {
  if (!Text.consume_front("@"))
    return false;
  Text = Text.drop_until([](char C) { return C == ' ' || C == '\t'; }).ltrim();
  return true;
}

/// A branch that says its label says its address instead.
std::string withAddress(StringRef Text, const SassInstruction &I) {
  const size_t Begin = Text.find("`(");
  const size_t End = Begin == StringRef::npos ? StringRef::npos : Text.find(')', Begin);
  if (End == StringRef::npos || I.Target == 0)
    return Text.str();
  return (Text.take_front(Begin) + formatv("{0:x}", I.Target).str() + Text.drop_front(End + 1))
      .str();
}

} // namespace

Error applyDisassembly(StringRef Printed, std::vector<SassFunction> &Functions) {
  StringMap<SassFunction *> BySymbol;
  for (SassFunction &F : Functions)
    BySymbol[F.Symbol] = &F;
  SassFunction *Current = nullptr;
  size_t Applied = 0, All = 0;
  for (const SassFunction &F : Functions)
    All += F.Code.size();
  while (!Printed.empty()) {
    auto [Line, Rest] = Printed.split('\n');
    Printed = Rest;
    Line = Line.trim();
    StringRef Name;
    if (Line.starts_with("//---") && Line.contains(".text."))
      Name = Line.drop_front(Line.find(".text.") + 6).split(' ').first;
    else if (Line.starts_with("Function :"))
      Name = Line.drop_front(10).trim();
    if (!Name.empty()) {
      auto It = BySymbol.find(Name);
      Current = It == BySymbol.end() ? nullptr : It->second;
      continue;
    }
    uint64_t Address;
    StringRef Text = Line;
    if (!Text.consume_front("/*") || Text.consumeInteger(16, Address) ||
        !Text.consume_front("*/") || !Text.contains(';'))
      continue;
    if (!Current || Address % SassInstructionBytes != 0 ||
        Address / SassInstructionBytes >= Current->Code.size())
      return createStringError(
          formatv("the disassembler prints an instruction at {0:x} that is not in the code",
                  Address)
              .str());
    SassInstruction &I = Current->Code[Address / SassInstructionBytes];
    Text = Text.take_front(Text.find(';')).trim();
    I.Text = withAddress(Text, I);
    StringRef Words = Text;
    const bool Predicate = takePredicate(Words);
    StringRef Mnemonic = Words.take_until([](char C) { return C == ' '; });
    I.Class =
        Text.starts_with("@!PT ") || I.MakesConstant ? SassClass::Other : classOfMnemonic(Mnemonic);
    if (I.Goes == SassInstruction::Flow::Jump)
      I.Conditional = Predicate || Mnemonic != "BRA" || Words.contains(',');
    ++Applied;
  }
  if (Applied != All)
    return createStringError(
        formatv("the disassembler prints {0} instructions of {1}", Applied, All).str());
  return Error::success();
}

} // namespace cuda_pipeline
