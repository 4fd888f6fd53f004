//===- Decode.cpp - One instruction from its sixteen bytes ----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace cuda_pipeline {
namespace {

struct Operation {
  unsigned Code;
  StringLiteral Mnemonic;
  unsigned From, To;
};
constexpr Operation Operations[] = {
#define CPR_SASS_OPCODE(Code, Mnemonic, From, To) {Code, #Mnemonic, From, To},
#include "Opcodes.def"
};

struct ClassInfo {
  SassClass Class;
  SassRole Role;
  StringLiteral Name, Mnemonics;
};
constexpr ClassInfo Classes[] = {
#define CPR_SASS_CLASS(Name, Role, Mnemonics, What)                                                \
  {SassClass::Name, SassRole::Role, #Name, Mnemonics},
#include "cuda-pipeline/SassClasses.def"
};

/// Bits [\p From, \p To) of an instruction.
uint64_t bits(uint64_t Low, uint64_t High, unsigned From, unsigned To) {
  uint64_t Value = From >= 64  ? High >> (From - 64)
                   : From == 0 ? Low
                               : Low >> From | High << (64 - From);
  return Value & maskTrailingOnes<uint64_t>(To - From);
}

bool isMemory(SassClass C) {
  switch (C) {
  case SassClass::LD:
  case SassClass::ST:
  case SassClass::LDG:
  case SassClass::LDS:
  case SassClass::LDL:
  case SassClass::STS:
  case SassClass::STG:
  case SassClass::STL:
    return true;
  default:
    return false;
  }
}

bool isStore(SassClass C) {
  return C == SassClass::STS || C == SassClass::STG || C == SassClass::STL || C == SassClass::ST;
}

/// Operations without a destination register.
bool hasResult(SassClass C) {
  switch (roleOf(C)) {
  case SassRole::AsyncCopy:
  case SassRole::BulkCopy:
  case SassRole::SharedStore:
  case SassRole::Barrier:
  case SassRole::Commit:
  case SassRole::Wait:
  case SassRole::Branch:
    return false;
  default:
    return !isStore(C);
  }
}

/// Operations without a class that write no general register: predicates, uniform registers, order.
bool writesElsewhere(uint64_t Code) {
  static constexpr uint16_t Codes[] = {
      0x004, 0x00b, 0x00c, 0x01c, 0x02a,
      0x02f, 0x034, // R2P, FSETP, ISETP, PLOP3, DSETP, ELECT, HSETP2
      0x118, 0x141, 0x142, 0x145, 0x146,
      0x148, 0x15d,                      // NOP, BSYNC, BREAK, BSSY, YIELD, WARPSYNC, NANOSLEEP
      0x18e, 0x18f, 0x192, 0x1ab, 0x1ac, // RED, CCTL, MEMBAR, ERRBAR, LDCU
      0x1c2, 0x1c3, 0x1c5, 0x1c6};       // R2UR, S2UR, WARPGROUP, FENCE
  // The uniform data path: UMOV, UIADD3, ...
  return is_contained(Codes, Code) || (0x080 <= Code && Code < 0x100);
}

} // namespace

StringRef toString(SassClass C) {
  for (const ClassInfo &I : Classes)
    if (I.Class == C)
      return I.Name;
  return "other";
}

SassRole roleOf(SassClass C) {
  for (const ClassInfo &I : Classes)
    if (I.Class == C)
      return I.Role;
  return SassRole::Other;
}

SassClass classOfMnemonic(StringRef Mnemonic) {
  Mnemonic = Mnemonic.split('.').first;
  for (const ClassInfo &I : Classes) {
    SmallVector<StringRef, 8> Words;
    StringRef(I.Mnemonics).split(Words, ' ');
    if (is_contained(Words, Mnemonic))
      return I.Class;
  }
  return SassClass::Other;
}

unsigned capabilityOf(StringRef Arch) {
  unsigned Value = 0;
  if (!Arch.consume_front("sm_") || Arch.consumeInteger(10, Value))
    return 0;
  return Value;
}

SassInstruction decodeInstruction(uint64_t Low, uint64_t High, unsigned Capability,
                                  uint64_t Address) {
  auto Bits = [&](unsigned From, unsigned To) { return bits(Low, High, From, To); };
  auto Register = [&](unsigned From) { // 255 is the one that is always zero
    const uint64_t R = Bits(From, From + 8);
    return R == 255 ? -1 : int(R);
  };
  auto Scoreboard = [&](unsigned From) {
    return Bits(From, From + 3) == 7 ? int8_t(-1) : int8_t(Bits(From, From + 3));
  };

  SassInstruction I;
  I.Address = Address;
  const uint64_t Code = Bits(0, 9);
  StringRef Mnemonic;
  for (const Operation &O : Operations)
    if (O.Code == Code && O.From <= Capability && Capability <= O.To)
      Mnemonic = O.Mnemonic;
  I.Class = classOfMnemonic(Mnemonic);
  I.Raises = Scoreboard(110);
  I.RaisesForSources = Scoreboard(113);
  I.WaitsFor = uint8_t(Bits(116, 122));
  if (I.Class == SassClass::DEPBAR) {
    I.DepbarScoreboard = int8_t(Bits(44, 47));
    I.DepbarCount = unsigned(Bits(38, 44));
  }

  // `@!PT LDS RZ, [RZ]` is how ptxas writes a distance to keep: it never runs.
  const bool Never = Bits(12, 15) == 7 && Bits(15, 16) == 1;
  if (Never)
    I.Class = SassClass::Other;
  const bool Always = Bits(12, 15) == 7 && Bits(15, 16) == 0;
  I.Conditional = !Always;
  if (Mnemonic == "BRA" || Mnemonic == "CALL") {
    I.Goes = Mnemonic == "BRA" ? SassInstruction::Flow::Jump : SassInstruction::Flow::Call;
    // The form with a uniform predicate, or with any thread's (BRA.U.ANY), has its condition
    // elsewhere.
    const bool Plain = Code == 0x147 && Bits(9, 12) == 4 && Bits(87, 90) == 7;
    I.Conditional |= Mnemonic == "BRA" && !Plain;
    int64_t Way = Capability < 90 ? SignExtend64<48>(Bits(34, 82))
                                  : SignExtend64<56>(Bits(34, 82) << 8 | Bits(16, 24));
    I.Target = Address + SassInstructionBytes + uint64_t(Way) * 4;
  } else if (Mnemonic == "BRX" || Mnemonic == "JMP" || Mnemonic == "JMX") {
    I.Goes = SassInstruction::Flow::Indirect;
  } else if (Mnemonic == "RET" || Mnemonic == "EXIT") {
    I.Goes = SassInstruction::Flow::Stop;
  }

  static constexpr unsigned Widths[] = {1, 1, 2, 2, 4, 8, 16, 16};
  if (isMemory(I.Class))
    I.Width = Widths[Bits(73, 76)];
  const unsigned Registers = std::max(1u, I.Width / 4);
  if (hasResult(I.Class) && !writesElsewhere(Code) && I.Goes == SassInstruction::Flow::Next) {
    I.Destination = Register(16);
    I.DestinationCount = isMemory(I.Class) ? Registers : 1;
  }
  const unsigned Kind = unsigned(Bits(9, 12));
  if (isStore(I.Class)) {
    I.StoredRegister = Register(32);
    I.Sources = {{Register(24), 2}, {Register(32), Registers}};
  } else if (isMemory(I.Class)) {
    I.Sources = {{Register(24), 2}};
  } else {
    // Of kind 1 all three are registers; of the others the second one is a constant, or stands
    // where the third one does.
    I.Sources = {{Register(24), 1}, {Register(64), 1}};
    if (Kind == 1)
      I.Sources.push_back({Register(32), 1});
  }

  // A constant is sometimes made by arithmetic on the register that is zero: `HFMA2.MMA R5, -RZ,
  // RZ, 0, 0`.
  I.MakesConstant = roleOf(I.Class) == SassRole::Math && Register(24) < 0;
  if (I.MakesConstant)
    I.Class = SassClass::Other;

  // What there is to show where there is no disassembler.
  I.Text = Mnemonic.str();
  if (isMemory(I.Class) && I.Width != 4)
    I.Text += I.Width < 4 ? "." + std::to_string(8 * I.Width) : "." + std::to_string(8 * I.Width);
  if (I.Goes == SassInstruction::Flow::Jump)
    I.Text += formatv(" {0:x}", I.Target).str();
  else if (isStore(I.Class) && I.StoredRegister >= 0)
    I.Text += " R" + std::to_string(I.StoredRegister);
  else if (I.Destination >= 0)
    I.Text += " R" + std::to_string(I.Destination);
  if (I.Class == SassClass::DEPBAR)
    I.Text += formatv(" SB{0}, {1}", int(I.DepbarScoreboard), I.DepbarCount).str();
  return I;
}

} // namespace cuda_pipeline
