//===- AccessMap.h - Elements that the stores of a tile touch -------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Byte offsets of stores as quasi-affine functions of copy-loop counters and of parameters (anything
/// that one thread does not change during one load phase), decided with isl. Every question has an
/// operation limit; past it, and for what is not quasi-affine, the answer is "unknown".
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_ANALYSIS_ACCESSMAP_H
#define CUDA_PIPELINE_LIB_ANALYSIS_ACCESSMAP_H

#include "../Model/LoopFacts.h"
#include "Isl.h"
#include "cuda-pipeline/TileModel.h"

namespace cuda_pipeline {



/// May two stores of one thread in one load phase (two copies, or two turns of the same copy) write
/// the same byte of \p Buffer?
Answer storesOfOneThreadOverlap(const TileModel &Model, const TileBuffer &Buffer,
                                const clang::ASTContext &Context);

} // namespace cuda_pipeline

#endif
