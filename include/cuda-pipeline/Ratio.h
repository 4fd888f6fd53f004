//===- Ratio.h - Compute/load ratio of a tile loop ------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Step 5c: floating-point (or integer tensor) operations per byte loaded, per block and iteration.
///
/// The seed's formula for a GEMM-like tile: (2*BM*BN*BK) / ((BM*BK + BK*BN) * sizeof(T)). It is
/// reported; it does not choose by itself (it rates its own best example as hopeless).
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_RATIO_H
#define CUDA_PIPELINE_RATIO_H

#include <cstdint>

namespace cuda_pipeline {

struct ComputeLoadRatio {
  uint64_t Flops = 0; ///< operations per block and iteration; a multiply-add counts two
  uint64_t Bytes = 0; ///< bytes of the tiles filled per iteration
  bool Known = false; ///< false when a loop bound or the block size is unknown
  double value() const { return Bytes ? double(Flops) / double(Bytes) : 0; }
};

} // namespace cuda_pipeline

#endif
