//===- CommandParts.h - What a compiler's command works on ------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_SOURCE_COMMANDPARTS_H
#define CUDA_PIPELINE_LIB_SOURCE_COMMANDPARTS_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cuda_pipeline {

/// nvcc and Clang take this extension for CUDA without being told.
inline bool isCudaName(llvm::StringRef Path) { return Path.ends_with(".cu"); }
/// Of -x: nvcc's word, and Clang's.
inline bool isCudaLanguage(llvm::StringRef Language) {
  return Language == "cu" || Language == "cuda";
}

/// What nvcc means by -arch=all, and by -arch=all-major.
std::vector<std::string> everyArch(bool MajorOnly);

} // namespace cuda_pipeline

#endif
