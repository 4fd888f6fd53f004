//===- IdleStages.h - Names of first stages that nobody uses -----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Each loop by itself gives its tile's name to the first stage, where something outside of it
/// names the tile: `auto &tile = tile_stages[0];`. If that is another loop, and has stages of its
/// own now, nobody asks for the name any more, and compilers warn of it.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_REWRITER_IDLESTAGES_H
#define CUDA_PIPELINE_LIB_REWRITER_IDLESTAGES_H

#include "Reading.h"

namespace cuda_pipeline {

/// \p All, the edits of all loops of \p P, by offset and without those names.
std::vector<Edit> withoutIdleStages(const Pass &P, std::vector<Edit> All);

} // namespace cuda_pipeline

#endif
