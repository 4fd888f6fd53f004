//===- Lines.cpp - Which source line an instruction is from ---------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lines.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/Error.h"

using namespace llvm;

namespace cuda_pipeline {
namespace {

constexpr uint8_t InlinedCall = 0x90;

/// One unit's table.
class Program {
public:
  Program(StringRef Section, uint64_t Begin, std::vector<LineRow> &Rows)
      : Data(Section, /*IsLittleEndian=*/true, /*AddressSize=*/8), C(Begin), Rows(Rows),
        First(Rows.size()) {}

  ~Program() { consumeError(C.takeError()); }

  /// Where the next one begins; 0: this is none.
  uint64_t read() {
    const uint64_t Length = Data.getU32(C);
    const uint64_t End = C.tell() + Length;
    const unsigned Version = Data.getU16(C);
    if (!good() || Length == 0xffffffff || Version < 2 || Version > 4 || End > Data.size())
      return 0;
    const uint64_t HeaderLength = Data.getU32(C);
    const uint64_t Begin = C.tell() + HeaderLength;
    MinLength = Data.getU8(C);
    if (Version >= 4)
      Data.getU8(C); // operations per instruction
    Data.getU8(C);   // statement by default
    LineBase = int8_t(Data.getU8(C));
    LineRange = Data.getU8(C);
    OpcodeBase = Data.getU8(C);
    for (unsigned Op = 1; Op < OpcodeBase; ++Op)
      Operands.push_back(Data.getU8(C));
    if (!good() || LineRange == 0 || Begin > End)
      return 0;
    Folders.push_back("");
    for (StringRef Name = Data.getCStrRef(C); good() && !Name.empty(); Name = Data.getCStrRef(C))
      Folders.push_back(Name.str());
    Files.push_back("");
    for (StringRef Name = Data.getCStrRef(C); good() && !Name.empty(); Name = Data.getCStrRef(C)) {
      const uint64_t Folder = Data.getULEB128(C);
      Data.getULEB128(C); // time
      Data.getULEB128(C); // size
      Files.push_back(Folder != 0 && Folder < Folders.size() ? Folders[Folder] + "/" + Name.str()
                                                             : Name.str());
    }
    if (!good())
      return 0;
    C.seek(Begin);
    while (good() && C.tell() < End)
      step();
    return good() ? End : 0;
  }

private:
  DataExtractor Data;
  DataExtractor::Cursor C;
  std::vector<LineRow> &Rows;
  size_t First; ///< row of the sequence: calls are counted from it
  unsigned MinLength = 1, LineRange = 1, OpcodeBase = 1;
  int LineBase = 0;
  std::vector<uint8_t> Operands;
  std::vector<std::string> Folders, Files;
  // The state of the machine.
  uint64_t Address = 0, File = 1, CalledAt = 0;
  int64_t Line = 1;

  bool good() { return bool(C); }

  void row(bool Ends = false) {
    LineRow R;
    R.Address = Address;
    R.File = File < Files.size() ? Files[File] : "";
    R.Line = unsigned(std::max<int64_t>(Line, 0));
    // A call stands in front of what is inlined there, so that following rows ends.
    R.CalledAt = CalledAt != 0 && First + CalledAt <= Rows.size() ? unsigned(First + CalledAt) : 0;
    R.Ends = Ends;
    Rows.push_back(std::move(R));
  }

  void step() {
    const unsigned Op = Data.getU8(C);
    if (Op >= OpcodeBase) {
      Address += uint64_t(Op - OpcodeBase) / LineRange * MinLength;
      Line += LineBase + int(Op - OpcodeBase) % int(LineRange);
      row();
      return;
    }
    switch (Op) {
    case 0:
      extended();
      return;
    case dwarf::DW_LNS_copy:
      row();
      return;
    case dwarf::DW_LNS_advance_pc:
      Address += Data.getULEB128(C) * MinLength;
      return;
    case dwarf::DW_LNS_advance_line:
      Line += Data.getSLEB128(C);
      return;
    case dwarf::DW_LNS_set_file:
      File = Data.getULEB128(C);
      return;
    case dwarf::DW_LNS_const_add_pc:
      Address += uint64_t(255 - OpcodeBase) / LineRange * MinLength;
      return;
    case dwarf::DW_LNS_fixed_advance_pc:
      Address += Data.getU16(C);
      return;
    default: // columns, statements, basic blocks: of no use here
      for (unsigned I = 0; I != Operands[Op - 1]; ++I)
        Data.getULEB128(C);
    }
  }

  void extended() {
    const uint64_t Length = Data.getULEB128(C);
    const uint64_t End = C.tell() + Length;
    if (Length == 0 || !good())
      return;
    switch (Data.getU8(C)) {
    case dwarf::DW_LNE_end_sequence:
      row(/*Ends=*/true);
      Address = CalledAt = 0;
      File = 1;
      Line = 1;
      First = Rows.size();
      break;
    case dwarf::DW_LNE_set_address:
      Address = Data.getU64(C);
      break;
    case InlinedCall:
      CalledAt = Data.getULEB128(C);
      break;
    }
    if (good() && End <= Data.size())
      C.seek(End);
  }
};

} // namespace

std::vector<LineRow> readLines(StringRef DebugLine) {
  std::vector<LineRow> Rows;
  for (uint64_t At = 0; At < DebugLine.size();) {
    Program P(DebugLine, At, Rows);
    const uint64_t Next = P.read();
    if (Next <= At)
      break;
    At = Next;
  }
  return Rows;
}

} // namespace cuda_pipeline
