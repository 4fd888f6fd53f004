//===- Mending.h - What nvcc reads and Clang does not ---------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A text in which Clang sees another text of the same length, so that every place stays what it
/// is:
///
/// - `k << < 1, 32 >> > ();`, as Visual Studio formats it, is `k <<<  1, 32 >>>  ();`, in a macro,
/// too
/// - `extern __shared__ Struct s;`, no array, defines `s` for nvcc; for Clang the `extern` is left
/// out. Not where device
///   code is linked (-rdc), which both take at its word.
/// - `asm("mov.u32 %0, %tid.x;" : ..)` has a percent sign too few for Clang
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_SOURCE_MENDING_H
#define CUDA_PIPELINE_LIB_SOURCE_MENDING_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <optional>
#include <string>

namespace cuda_pipeline {

/// None: nothing has to be mended.
std::optional<std::string> mended(llvm::StringRef Text, bool IsLinked);

/// \p Files, with their text mended; but for those below the folder \p AsTheyAre, a toolkit's,
/// whose headers are written for Clang as well. (Its cuda.h, a megabyte, is asked for its version
/// several times for each file.) Empty: there is none.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
mendFiles(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files, bool IsLinked,
          llvm::StringRef AsTheyAre);

} // namespace cuda_pipeline

#endif
