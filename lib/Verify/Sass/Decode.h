//===- Decode.h - One instruction from its sixteen bytes ------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Bits of the 128, the same on all GPUs since Volta:
///
///       0..8    operation (Opcodes.def)          9..11   kind of the operands
///      12..14   predicate, 7: none               15      negated
///      16..23   destination register             24..31  first operand
///      32..39   second operand; of stores, the value     64..71  third operand
///      34..81   of branches, the way in units of four bytes from the next instruction, signed;
///      from sm_90 on there are eight more bits of
///               it, the lowest, at 16..23
///      73..75   bytes of a memory access: 1, 1, 2, 2, 4, 8, 16
///     105..108  cycles to wait  109 yield
///     110..112  scoreboard that is raised until the result is there, 7: none
///     113..115  scoreboard that is raised until the operands have been read, 7: none
///     116..121  scoreboards that are waited for
///
/// (Jia, Maggioni, Staiger, Scarpazza, "Dissecting the NVIDIA Volta GPU Architecture via
/// Microbenchmarking", 2018, section 2.1, for the control bits; the rest by comparison with
/// nvdisasm, as in Opcodes.def.)
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_VERIFY_SASS_DECODE_H
#define CUDA_PIPELINE_LIB_VERIFY_SASS_DECODE_H

#include "cuda-pipeline/Sass.h"

namespace cuda_pipeline {

constexpr unsigned SassInstructionBytes = 16;

/// \p Capability: 90 for sm_90. \p Address: of the instruction in its section, for branches.
SassInstruction decodeInstruction(uint64_t Low, uint64_t High, unsigned Capability,
                                  uint64_t Address);

/// The class of an operation by its name: "LDG.E.128" is an LDG.
SassClass classOfMnemonic(llvm::StringRef Mnemonic);

/// "sm_90a": 90; 0: it is none.
unsigned capabilityOf(llvm::StringRef Arch);

} // namespace cuda_pipeline

#endif
