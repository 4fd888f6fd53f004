//===- Loops.h - Loops of machine code --------------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The control flow of a kernel, instruction by instruction, and the loops in it: what is strongly
/// connected is one, and what is still so without the edges that lead to its entry is a loop
/// within. Code that is entered in two places is a loop like any other.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_VERIFY_SASS_LOOPS_H
#define CUDA_PIPELINE_LIB_VERIFY_SASS_LOOPS_H

#include "cuda-pipeline/Sass.h"
#include "llvm/ADT/SmallVector.h"

namespace cuda_pipeline {

/// Instructions by their number.
using SassFlow = std::vector<llvm::SmallVector<unsigned, 2>>;

/// Where each instruction goes on. A call comes back; where an indirect branch leads is not known,
/// and it has no edge.
SassFlow flowOf(const std::vector<SassInstruction> &Code);

struct MachineLoop {
  std::vector<unsigned> Body; ///< ascending, with what is in loops within
  unsigned Entry = 0;
  int Parent = -1; ///< number of the loop around it
  unsigned Depth = 0;
};

/// Those around others come first.
std::vector<MachineLoop> loopsOf(const SassFlow &Flow);

} // namespace cuda_pipeline

#endif
