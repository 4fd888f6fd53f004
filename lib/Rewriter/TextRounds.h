//===- TextRounds.h - Loops that need another text first ------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Only what stands in the loop, in front of its first barrier, can run ahead. Where it says the
/// same in other words (in a called function, in a lambda, behind another barrier), the words are
/// changed and the file is read again; what comes of it is taken if it is a rewrite, and reported
/// at the places of the file as it was.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_REWRITER_TEXTROUNDS_H
#define CUDA_PIPELINE_LIB_REWRITER_TEXTROUNDS_H

#include "Reading.h"

namespace cuda_pipeline {

/// \p P: what the first reading made of it; afterwards, the last.
void lookAgain(Pass &P, llvm::ArrayRef<ParseRequest> Units, const RewriteOptions &Options);

} // namespace cuda_pipeline

#endif
