//===- Compare.h - What two runs have left behind -------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_VERIFY_COMPARE_H
#define CUDA_PIPELINE_LIB_VERIFY_COMPARE_H

#include "cuda-pipeline/Verify.h"
#include "llvm/ADT/ArrayRef.h"

namespace cuda_pipeline {

/// A buffer before and after a run.
struct BufferState {
  llvm::ArrayRef<uint8_t> Before, After;
};

/// Bit for bit, except that
/// - an element that neither run has written counts as equal, though its poison differs, and
/// - two NaNs are equal: a GPU's arithmetic yields one and the same NaN, a CPU's passes on one of
/// its
///   operands', depending on the order in which the compiler has put them.
std::optional<VerifyDifference> compare(llvm::StringRef Name, const ElementType &Element,
                                        BufferState Old, BufferState New);

} // namespace cuda_pipeline

#endif
