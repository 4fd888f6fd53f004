//===- Code.h - Parsed PTX ------------------------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// What a PtxBlock consists of. All values live in one file of 64-bit registers: first the operands
/// of the statement, then registers that the text declares, temporaries and constants. A register
/// holds its value in the low bits; what lies above is not defined, so whoever reads names a width.
///
/// An instruction is a function and its registers. Everything that can be decided when the text is
/// parsed (types, modifiers) is in the choice of the function or in the instruction's fields;
/// running allocates nothing and compares no text.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_VERIFY_PTX_CODE_H
#define CUDA_PIPELINE_VERIFY_PTX_CODE_H

#include "Convert.h"
#include "Ptx.h"
#include "llvm/ADT/ArrayRef.h"
#include <deque>
#include <string>
#include <type_traits>
#include <vector>

namespace cuda_pipeline {
namespace emulator {

struct Frame;
struct Instruction;
using Handler = void (*)(Frame &, const Instruction &);

constexpr uint16_t NoRegister = 0xffff;
constexpr unsigned MaxRegisters = 1024;

struct Instruction {
  enum Flag : uint16_t {
    Ftz = 1, ///< subnormal inputs and results are zeros of their sign
    Saturate = 2,
    Relu = 4,     ///< negative results become zero
    KeepNaN = 8,  ///< min, max: a NaN operand makes the result NaN
    XorSign = 16, ///< min, max: of magnitudes, with the product's sign
    CarryIn = 32,
    CarryOut = 64,
    NarrowAddress = 128, ///< the base is a 32-bit register
    SharedSpace = 256,   ///< the address must be one of shared memory
    GlobalSpace = 512,   ///< ... must not be one of shared or local memory
    Fence = 1024,        ///< an access that orders others: acquire, release
    Strong = 2048,       ///< relaxed, acquire, release, volatile: no data race
  };

  Handler Run = nullptr;
  uint16_t Guard = NoRegister; ///< runs if this predicate is true, or with GuardNot false
  bool GuardNot = false;
  Rounding Round = Rounding::NearestEven;
  uint16_t Flags = 0;
  /// Registers: results, and operands in the order of the text.
  uint16_t D = NoRegister, D2 = NoRegister;
  uint16_t A = NoRegister, B = NoRegister, C = NoRegister, E = NoRegister;
  /// What the family makes of them.
  uint8_t Mode = 0, Mode2 = 0, Width = 0, Count = 0;
  /// Vector operands, one after the other in Code's list.
  uint32_t Lists = 0;
  uint8_t Lengths[4] = {0, 0, 0, 0};
  uint32_t Extra = 0; ///< index of a shape or a name; a mark that all lanes must agree on
  int64_t Offset = 0; ///< displacement of an address, an immediate, the target of a jump

  bool has(Flag F) const { return Flags & F; }
};

class Code final : public PtxBlock {
public:
  void run(Thread &T, uint64_t *Operands, Site At) const override;
  bool isEmpty() const override { return Instructions.empty(); }
  bool branches() const override;
  uint64_t textHash() const override { return TextHash; }

  std::vector<Instruction> Instructions;
  std::vector<uint16_t> Lists;
  /// The register file at entry, without the operands: constants, and poison.
  std::vector<uint64_t> Initial;
  unsigned OperandCount = 0;
  uint64_t TextHash = 0;
  /// Names of special registers and of instructions, for messages.
  std::deque<std::string> Names;
};

/// One thread in one block of PTX.
struct Frame {
  Thread &T;
  const Code &C;
  uint64_t *R;
  Site At;
  size_t Next = 0;
  uint64_t Jumps = 0;
  bool Carry = false;

  /// \p List-th vector operand of \p I.
  const uint16_t *list(const Instruction &I, unsigned List) const {
    const uint16_t *P = C.Lists.data() + I.Lists;
    for (unsigned L = 0; L != List; ++L)
      P += I.Lengths[L];
    return P;
  }

  template <class T> T get(uint16_t Register) const {
    if constexpr (std::is_same_v<T, float>)
      return bitCast<float>(static_cast<uint32_t>(R[Register]));
    else if constexpr (std::is_same_v<T, double>)
      return bitCast<double>(R[Register]);
    else
      return static_cast<T>(R[Register]);
  }
  /// Signed values fill a wider register with their sign, as `ld.s8` into a 32-bit register does.
  template <class T> void set(uint16_t Register, T Value) {
    if constexpr (std::is_same_v<T, float>)
      R[Register] = bitCast<uint32_t>(Value);
    else if constexpr (std::is_same_v<T, double>)
      R[Register] = bitCast<uint64_t>(Value);
    else if constexpr (std::is_signed_v<T>)
      R[Register] = static_cast<uint64_t>(static_cast<int64_t>(Value));
    else
      R[Register] = static_cast<uint64_t>(Value);
  }
  bool predicate(uint16_t Register) const { return R[Register] & 1; }

  /// The address of a memory operand; faults where it is not in the named space.
  uint64_t address(const Instruction &I) const {
    uint64_t Address = (I.A == NoRegister ? 0 : R[I.A]) + static_cast<uint64_t>(I.Offset);
    if (I.has(Instruction::NarrowAddress))
      Address = static_cast<uint32_t>(Address);
    noteAddress(I.A);
    if ((I.Flags & (Instruction::SharedSpace | Instruction::GlobalSpace)) != 0)
      checkSpace(I, Address);
    return Address;
  }
  void checkSpace(const Instruction &I, uint64_t Address) const;
  void noteAddress(uint16_t Register) const {
    if (LLVM_UNLIKELY(T.Follows) && Register != NoRegister)
      T.addressed(Register, Register < C.OperandCount);
  }
};

} // namespace emulator
} // namespace cuda_pipeline

#endif
