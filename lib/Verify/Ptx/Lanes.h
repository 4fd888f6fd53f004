//===- Lanes.h - Meeting the other lanes of a warp ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Warp-wide instructions exchange what each lane has. A deposit begins with a mark that says which
/// instruction it is for, so that lanes that meet in different ones are found out, and lanes that
/// are not there (not in the mask, or gone) are told from lanes that gave zeros.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_VERIFY_PTX_LANES_H
#define CUDA_PIPELINE_VERIFY_PTX_LANES_H

#include "Code.h"
#include "llvm/ADT/Hashing.h"

namespace cuda_pipeline {
namespace emulator {

/// Of an instruction with all its modifiers; never zero.
inline uint32_t markOf(llvm::StringRef Mnemonic) {
  return static_cast<uint32_t>(llvm::hash_value(Mnemonic)) | 1;
}

template <class Payload> struct Deposit {
  uint32_t Mark;
  Payload Value;
  bool present() const { return Mark != 0; }
};

/// 32 deposits. Extra of \p I is its mark.
template <class Payload>
const Deposit<Payload> *meet(Frame &F, const Instruction &I, uint32_t Mask, const Payload &Mine,
                             bool Everyone) {
  Deposit<Payload> D;
  // Padding, too, is compared by nobody but copied.
  std::memset(static_cast<void *>(&D), 0, sizeof(D));
  D.Mark = I.Extra;
  D.Value = Mine;
  static_assert(sizeof(D) <= 1024, "the machine exchanges no more");
  auto *All = static_cast<const Deposit<Payload> *>(F.T.exchange(Mask, &D, sizeof(D), F.At));
  for (unsigned Lane = 0; Lane != 32; ++Lane) {
    uint32_t Mark = All[Lane].Mark;
    if (Mark == I.Extra || (Mark == 0 && !Everyone))
      continue;
    F.T.fault(Mark == 0 ? "an instruction of the whole warp (.aligned) that not all lanes execute"
                        : "lanes of a warp meet in different instructions",
              F.At);
  }
  return All;
}

} // namespace emulator
} // namespace cuda_pipeline

#endif
