//===- OtherToolkit.h - A toolkit that lies in the way ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The bundled declarations and a toolkit's headers exclude each other. Of a folder that a flag
/// names nothing is read if it is a toolkit's; but Debian's packages put one among the system's own
/// headers, where Clang looks for everything. There the toolkit's files are as good as not there,
/// so that a header that is not bundled is one error instead of a hundred.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_SOURCE_OTHERTOOLKIT_H
#define CUDA_PIPELINE_LIB_SOURCE_OTHERTOOLKIT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <string>
#include <vector>

namespace cuda_pipeline {

/// It has the headers of a toolkit in it.
bool isToolkitIncludeDir(llvm::StringRef Dir, llvm::StringRef WorkingDir);

/// A file or folder of a toolkit, by its name in an include directory.
bool isToolkitHeader(llvm::StringRef Name);

/// The system's include directories, and those of the environment, that are a toolkit's as well.
std::vector<std::string> defaultToolkitDirs();

/// \p Disk without the toolkit's headers in \p Dirs.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
withoutToolkit(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Disk, std::vector<std::string> Dirs);

} // namespace cuda_pipeline

#endif
