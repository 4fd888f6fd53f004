//===- Ptx.cpp - Inline PTX, run by one thread --------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Code.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace llvm;
using namespace cuda_pipeline;
using namespace cuda_pipeline::emulator;

void Code::run(Thread &T, uint64_t *Operands, Site At) const {
  // On the thread's own stack, because the thread may be switched away from within an instruction.
  uint64_t Registers[MaxRegisters];
  std::copy_n(Operands, OperandCount, Registers);
  std::copy(Initial.begin(), Initial.end(), Registers + OperandCount);
  Frame F{T, *this, Registers, At};
  const size_t End = Instructions.size();
  while (F.Next < End) {
    const Instruction &I = Instructions[F.Next++];
    if (I.Guard != NoRegister && F.predicate(I.Guard) == I.GuardNot)
      continue;
    I.Run(F, I);
  }
  std::copy_n(Registers, OperandCount, Operands);
}

bool Code::branches() const {
  return any_of(Instructions, [](const Instruction &I) { return I.Guard != NoRegister; });
}

void Thread::needGlobal(uint64_t Address, Site At) {
  for (StringRef Other : {"shared", "local"})
    if (isSpace(Address, Other))
      fault(formatv("an access to global memory at an address of {0} memory", Other).str(), At);
}

void Frame::checkSpace(const Instruction &I, uint64_t Address) const {
  if (I.has(Instruction::SharedSpace) && Address >> 32)
    T.fault(
        formatv("an instruction on shared memory at the address {0:x}, which is not one of shared "
                "memory (a generic address that was not converted?)",
                Address)
            .str(),
        At);
  if (I.has(Instruction::GlobalSpace))
    T.needGlobal(Address, At);
}
