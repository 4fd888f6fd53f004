//===- PoolParts.h - One shared array that is as good as several ----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// `float *Q = pool, *K = pool + N, *S = K + N;`: the loop loads K, and computes with Q and S.
/// Bytes that it touches by one of these names alone need not be in every stage (PoolParts in
/// TileModel.h).
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_ANALYSIS_POOLPARTS_H
#define CUDA_PIPELINE_LIB_ANALYSIS_POOLPARTS_H

#include "Rules/Rules.h"

namespace cuda_pipeline {

/// The parts of the tiles' arrays; null: there are none, or they are not shown. The loop is looked
/// at without any.
std::shared_ptr<const PoolParts> findParts(RuleContext &RC);

} // namespace cuda_pipeline

#endif
