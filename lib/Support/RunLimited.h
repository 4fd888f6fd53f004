//===- RunLimited.h - Another program, for so many seconds -----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_SUPPORT_RUNLIMITED_H
#define CUDA_PIPELINE_LIB_SUPPORT_RUNLIMITED_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cuda_pipeline {

/// Runs the program at the path Words.front(), with all that it prints in the file \p Log. When
/// \p Seconds are over (0: never) it is ended with what it has started: nvcc is a driver, and its
/// compilers would go on without it. Its exit code; less than 0, with the \p Problem in words: it
/// was not run, or not to its end.
int runLimited(std::vector<std::string> Words, llvm::StringRef Log, unsigned Seconds,
               std::string &Problem);

} // namespace cuda_pipeline

#endif
