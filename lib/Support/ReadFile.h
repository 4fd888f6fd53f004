//===- ReadFile.h - What is read is known, and stays as it was read -----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Files are somebody else's: they are saved, cut and rebuilt while this program is at work. So
/// they are copied and never mapped into memory, where a file that becomes shorter would end the
/// program. And each is remembered by its name, because none of them may be written afterwards.
/// (What Clang reads goes another way: Mending.h, SeenFiles.h.)
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_SUPPORT_READFILE_H
#define CUDA_PIPELINE_LIB_SUPPORT_READFILE_H

#include "llvm/Support/ErrorOr.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>
#include <vector>

namespace cuda_pipeline {

/// All that is in \p Path, which what is done depends on.
llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> readFile(const llvm::Twine &Path,
                                                            bool IsText = false);

/// The same, of a file that may be written nevertheless: this program's own, or one that it is to
/// replace.
llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> lookInto(const llvm::Twine &Path);

/// \p Path has been read by other means.
void noteRead(llvm::StringRef Path);

/// All that this process has read so, by the names that they were read by, sorted.
std::vector<std::string> filesRead();

} // namespace cuda_pipeline

#endif
