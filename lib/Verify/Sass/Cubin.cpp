//===- Cubin.cpp - From nvcc's file to functions of instructions ----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cubin is an ELF file: a section .text.SYMBOL for each kernel, .nv.shared.SYMBOL as large as its
// shared memory, .debug_line with addresses that relocations refer to the sections. Registers stand
// in .nv.info.SYMBOL or in the header of the section, which one depends on the toolkit; here they
// are what ptxas says (CompileSass.cpp), and the file is asked only for what it always has.
//
//===----------------------------------------------------------------------===//

#include "Decode.h"
#include "Lines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace llvm;
using namespace llvm::object;

namespace cuda_pipeline {
namespace {

constexpr unsigned MachineCuda = 190; // EM_CUDA
// A relocated address of .debug_line is the number of its section times this, and the offset there.
constexpr uint64_t SectionStride = uint64_t(1) << 40;

Error notACubin(const Twine &Why) {
  return createStringError("nvcc's output is no cubin that this program can read: " + Why);
}

class Reader {
public:
  Reader(const ELFFile<ELF64LE> &File, unsigned Capability, StringRef MainFile)
      : File(File), Capability(Capability), MainFile(MainFile) {}

  Expected<std::vector<SassFunction>> read() {
    auto Sections = File.sections();
    if (!Sections)
      return Sections.takeError();
    std::vector<SassFunction> Out;
    for (const auto &[Index, S] : enumerate(*Sections)) {
      Expected<StringRef> Name = File.getSectionName(S);
      if (!Name)
        return Name.takeError();
      Names.push_back(*Name);
      if (*Name == ".debug_line")
        if (Error E = readDebugLine(*Sections, S, Index))
          return E;
    }
    for (const auto &[Index, S] : enumerate(*Sections)) {
      StringRef Symbol = Names[Index];
      if (!Symbol.consume_front(".text.") || S.sh_type != ELF::SHT_PROGBITS)
        continue;
      Expected<ArrayRef<uint8_t>> Bytes = File.getSectionContents(S);
      if (!Bytes)
        return Bytes.takeError();
      if (Bytes->size() % SassInstructionBytes != 0)
        return notACubin("the code of '" + Symbol + "' is not made of instructions of 16 bytes");
      SassFunction F;
      F.Symbol = Symbol.str();
      F.Name = demangle(F.Symbol);
      for (uint64_t At = 0; At != Bytes->size(); At += SassInstructionBytes) {
        const uint8_t *P = Bytes->data() + At;
        F.Code.push_back(decodeInstruction(support::endian::read64le(P),
                                           support::endian::read64le(P + 8), Capability, At));
        F.Code.back().Line = lineAt(Index * SectionStride + At);
      }
      for (const auto &[Other, T] : enumerate(*Sections))
        if (Names[Other] == (".nv.shared." + Symbol).str())
          F.Resources.SharedBytes = T.sh_size;
      Out.push_back(std::move(F));
    }
    return Out;
  }

private:
  const ELFFile<ELF64LE> &File;
  const unsigned Capability;
  const StringRef MainFile;
  std::vector<StringRef> Names;
  std::map<uint64_t, unsigned> LineFrom; ///< address -> the line from there on

  /// The line in the main file that \p Row is from, through the calls that it was inlined at; 0: it
  /// is not from there.
  unsigned lineOf(ArrayRef<LineRow> Rows, const LineRow &Row) const {
    const LineRow *R = &Row;
    for (unsigned Depth = 0; Depth != 64; ++Depth) {
      if (sys::path::filename(R->File) == sys::path::filename(MainFile))
        return R->Line;
      if (R->CalledAt == 0 || R->CalledAt > Rows.size())
        return 0;
      R = &Rows[R->CalledAt - 1];
    }
    return 0;
  }

  unsigned lineAt(uint64_t Address) const {
    auto It = LineFrom.upper_bound(Address);
    return It == LineFrom.begin() ? 0 : std::prev(It)->second;
  }

  Error readDebugLine(ELFFile<ELF64LE>::Elf_Shdr_Range Sections, const ELF64LE::Shdr &Lines,
                      size_t LinesIndex) {
    Expected<ArrayRef<uint8_t>> Bytes = File.getSectionContents(Lines);
    if (!Bytes)
      return Bytes.takeError();
    std::string Text(reinterpret_cast<const char *>(Bytes->data()), Bytes->size());
    for (const ELF64LE::Shdr &S : Sections) {
      const bool Adds = S.sh_type == ELF::SHT_RELA;
      if ((!Adds && S.sh_type != ELF::SHT_REL) || S.sh_info != LinesIndex)
        continue;
      Expected<const ELF64LE::Shdr *> Table = File.getSection(S.sh_link);
      if (!Table)
        return Table.takeError();
      auto Apply = [&](uint64_t At, uint32_t Symbol, uint64_t Addend) -> Error {
        Expected<const ELF64LE::Sym *> Sym =
            File.getRelocationSymbol(relocation(At, Symbol), *Table);
        if (!Sym)
          return Sym.takeError();
        if (*Sym && At + 8 <= Text.size())
          support::endian::write64le(Text.data() + At,
                                     (*Sym)->st_shndx * SectionStride + (*Sym)->st_value + Addend);
        return Error::success();
      };
      if (Adds) {
        auto Relocations = File.relas(S);
        if (!Relocations)
          return Relocations.takeError();
        for (const auto &R : *Relocations)
          if (Error E = Apply(R.r_offset, R.getSymbol(false), uint64_t(R.r_addend)))
            return E;
      } else {
        auto Relocations = File.rels(S);
        if (!Relocations)
          return Relocations.takeError();
        for (const auto &R : *Relocations)
          if (Error E = Apply(R.r_offset, R.getSymbol(false),
                              R.r_offset + 8 <= Text.size()
                                  ? support::endian::read64le(Text.data() + R.r_offset)
                                  : 0))
            return E;
      }
    }
    const std::vector<LineRow> Rows = readLines(Text);
    for (const LineRow &R : Rows)
      LineFrom[R.Address] = R.Ends ? 0 : lineOf(Rows, R);
    return Error::success();
  }

  static ELF64LE::Rel relocation(uint64_t At, uint32_t Symbol) {
    ELF64LE::Rel R;
    R.r_offset = At;
    R.setSymbolAndType(Symbol, 0, false);
    return R;
  }
};

} // namespace

Expected<std::vector<SassFunction>> readCubin(StringRef Cubin, StringRef Arch, StringRef MainFile) {
  const unsigned Capability = capabilityOf(Arch);
  if (Capability == 0)
    return createStringError("'" + Arch + "' is no architecture");
  Expected<ELFFile<ELF64LE>> File = ELFFile<ELF64LE>::create(Cubin);
  if (!File)
    return notACubin(toString(File.takeError()));
  if (File->getHeader().e_machine != MachineCuda)
    return notACubin("it is for another machine");
  Expected<std::vector<SassFunction>> Out = Reader(*File, Capability, MainFile).read();
  if (!Out)
    return notACubin(toString(Out.takeError()));
  return Out;
}

} // namespace cuda_pipeline
