//===- Waits.h - Loops that wait for somebody else's store ------*- C++ -*-===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A kernel that waits for other blocks needs all of them on the GPU at the same time. The machine
/// runs blocks one after the other, and finds no launch in which such a loop waits; that it waits,
/// only the code says.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_VERIFY_EMULATOR_WAITS_H
#define CUDA_PIPELINE_VERIFY_EMULATOR_WAITS_H

#include "llvm/IR/Module.h"

namespace cuda_pipeline {
namespace emulator {

/// What decides whether a loop goes on, and is read anew in each turn from memory that others may
/// write: atomically, as volatile, by an asm statement, or plainly in a loop with a fence. A
/// counter that each turn moves on is none. Null: there is no such loop. All that
/// \p M has counts: what no kernel reaches is gone from it, and bodies of the device library are
/// inlined.
const llvm::Instruction *waitsFor(llvm::Module &M);

} // namespace emulator
} // namespace cuda_pipeline

#endif
