//===- Alignment.h - What an address is a multiple of ---------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// What the language says of a place is the alignment of its type, `alignmentOf()`. Under the
/// assumption `aligned16` there is more: pointers into global memory that a kernel is given are
/// multiples of 16, and what is computed from them is a multiple of what is added. Powers of two up
/// to 16; whatever is not followed counts as its type does.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_ANALYSIS_ALIGNMENT_H
#define CUDA_PIPELINE_LIB_ANALYSIS_ALIGNMENT_H

#include "cuda-pipeline/TileModel.h"

namespace cuda_pipeline {

/// Of the lvalue \p E, or of a call that loads through a pointer: what its address is a multiple
/// of, if the pointers that the kernel is given and the tiles are multiples of 16.
uint64_t alignmentIfGiven16(const clang::Expr *E, const TileModel &Model,
                            const clang::ASTContext &Context);

} // namespace cuda_pipeline

#endif
