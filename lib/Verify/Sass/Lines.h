//===- Lines.h - Which source line an instruction is from -----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The line table that `nvcc -lineinfo` writes: DWARF 2, with two operations of NVIDIA's own. One
/// of them names the row of the call that an instruction was inlined at, without which what comes
/// from a header has no line in the file. LLVM's reader skips it, hence this one. (DWARF 2.0.0,
/// section 6.2; the operations as elfutils' libdw reads them, DW_LNE_NVIDIA_inlined_call.)
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_VERIFY_SASS_LINES_H
#define CUDA_PIPELINE_LIB_VERIFY_SASS_LINES_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace cuda_pipeline {

struct LineRow {
  uint64_t Address = 0; ///< as it stands in the section; relocations have been applied
  std::string File;     ///< folder and name as nvcc was given them
  unsigned Line = 0;
  unsigned CalledAt =
      0; ///< number of the row of the call among all that are read, from 1; 0: not inlined
  bool Ends = false; ///< of a sequence: the address is behind its last instruction
};

/// All rows of .debug_line, in its order. What is no such table ends the reading; rows before it
/// remain.
std::vector<LineRow> readLines(llvm::StringRef DebugLine);

} // namespace cuda_pipeline

#endif
