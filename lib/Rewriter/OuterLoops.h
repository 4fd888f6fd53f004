//===- OuterLoops.h - Tile loops around tile loops ---------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Of two nested tile loops the inner one is rewritten first. What becomes of it is a statement
/// with barriers, so that the outer one, which loads a tile of its own, is a tile loop of the new
/// text.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_REWRITER_OUTERLOOPS_H
#define CUDA_PIPELINE_LIB_REWRITER_OUTERLOOPS_H

#include "cuda-pipeline/Rewriter.h"

namespace cuda_pipeline {

/// \p Result, of \p Units and \p Options, gets the outer loops as well that stayed because of their
/// inner ones, if they are rewritten in its new text. \p Process: processFile().
void addOuterLoops(
    FileResult &Result, llvm::ArrayRef<ParseRequest> Units, const RewriteOptions &Options,
    llvm::function_ref<FileResult(llvm::ArrayRef<ParseRequest>, const RewriteOptions &)> Process);

} // namespace cuda_pipeline

#endif
