//===- SeenFiles.h - A file system that notes what is asked of it -----===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_SOURCE_SEENFILES_H
#define CUDA_PIPELINE_LIB_SOURCE_SEENFILES_H

#include "cuda-pipeline/Source.h"

namespace cuda_pipeline {

/// \p Disk, and what is found there goes to \p Seen. What changes while it is in use counts as it
/// was at first.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
noteWhatIsSeen(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Disk,
               std::shared_ptr<SeenFiles> Seen);

} // namespace cuda_pipeline

#endif
