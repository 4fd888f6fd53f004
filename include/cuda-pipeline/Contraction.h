//===- Contraction.h - Products that the compiler may fuse or not ---------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// In `sum = sum * 0.99f + tile[i]` the compiler may fuse the product and the sum into one operation with
/// one rounding (nvcc's -fmad=true, the default), and does so where both stand in one basic block. The
/// product needs nothing of the tile, so that an optimiser may also move it in front of the barrier that
/// the sum has to wait behind; then it is not fused. Which it does depends on how it unrolls the loop, and
/// that is another one after a rewrite. Products of what an iteration loads cannot be moved so.
///
/// Seen on an H200 in 16 of 300 generated kernels, most of which have such a product
/// (docs/measurements/fuzz-gpu.md).
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_CONTRACTION_H
#define CUDA_PIPELINE_CONTRACTION_H

#include "cuda-pipeline/TileModel.h"

namespace cuda_pipeline {

/// The compute phase has a floating-point sum of a product that nothing keeps behind the barrier.
bool mayContractDifferently(const TileModel &M);

} // namespace cuda_pipeline

#endif
