//===- Budget.h - Shared memory and occupancy, before and after -----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Step 5b: what the multi-buffered tiles cost. Plain data, no Clang.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_BUDGET_H
#define CUDA_PIPELINE_BUDGET_H

#include "cuda-pipeline/GpuTarget.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace cuda_pipeline {

/// One shared array of the kernel as it enters the budget.
struct BufferSize {
  uint64_t Bytes = 0;     ///< of one stage, unpadded
  uint64_t Alignment = 1; ///< strictest alignment of any access, in bytes
  bool IsTile = false;    ///< gets one copy per stage; others stay single
};

/// Bytes from one stage of \p B to the next: rounded up so that every stage keeps the alignment.
uint64_t stagePitch(const BufferSize &B);

struct Budget {
  uint64_t SharedBefore = 0; ///< bytes of static shared memory of the kernel
  uint64_t SharedAfter = 0;  ///< bytes with the stages applied
  uint64_t Limit = 0;        ///< bytes: the static limit, smallest of the architectures
  uint64_t Given =
      0; ///< bytes of dynamic shared memory that the launches give besides, which stay as they are
  bool Complete = true;    ///< false: they give some, and it is not known how much
  Occupancy Before, After; ///< only meaningful when the block size is known
  bool HasOccupancy = false;
  bool fits() const { return SharedAfter <= Limit; }
};

/// Budget for all static shared arrays \p Buffers of one kernel with \p Stages copies of each tile.
/// Over several architectures the smallest limit counts and the occupancy is that of the first. \p
/// Given: Budget::Given.
Budget computeBudget(llvm::ArrayRef<const GpuTarget *> Gpus, llvm::ArrayRef<BufferSize> Buffers,
                     unsigned Stages, const LaunchShape &Shape, uint64_t Given = 0);

} // namespace cuda_pipeline

#endif
