//===- Runtime.h - What compiled kernels call -----------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The addresses behind the symbols that compiled kernels leave open: the machine's functions
/// (`__cpr_emu_*`, and `__cpr_num_*` for numbers of values) and those of the host's C library.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_VERIFY_EMULATOR_RUNTIME_H
#define CUDA_PIPELINE_VERIFY_EMULATOR_RUNTIME_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace cuda_pipeline {
namespace emulator {

struct RuntimeSymbol {
  const char *Name;
  void *Address;
};
llvm::ArrayRef<RuntimeSymbol> machineFunctions();
/// Null: not one that kernels may call.
void *hostFunction(llvm::StringRef Name);
/// All of them: the code generator calls some that no IR names (floorf for llvm.floor).
std::vector<RuntimeSymbol> hostFunctions();

} // namespace emulator
} // namespace cuda_pipeline

#endif
