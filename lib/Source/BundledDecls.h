//===- BundledDecls.h - CUDA declarations without a toolkit ---------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The files of cuda-decls/, which stand in for the toolkit's headers where there is no toolkit.
/// They are served from memory below a directory that does not exist on disk.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_SOURCE_BUNDLEDDECLS_H
#define CUDA_PIPELINE_LIB_SOURCE_BUNDLEDDECLS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace llvm::vfs {
class InMemoryFileSystem;
} // namespace llvm::vfs

namespace cuda_pipeline {

struct BundledDecl {
  llvm::StringRef Name; ///< "cuda_fp16.h", "cooperative_groups/reduce.h"
  llvm::StringRef Text;
};

/// All files, by name.
llvm::ArrayRef<BundledDecl> bundledDecls();

/// The virtual directory that becomes an include directory.
llvm::StringRef bundledIncludeDir();
/// A file that only a folder with these declarations has.
constexpr llvm::StringLiteral BundledMarker = "cuda_pipeline_bundled.h";

/// The header that is included before the first line, as nvcc includes cuda_runtime.h.
llvm::StringRef bundledPrelude();

void addBundledDecls(llvm::vfs::InMemoryFileSystem &FS);

/// Included before the first line where there is a toolkit: what Clang's wrapper leaves out of it.
llvm::StringRef supplementPath();

/// A virtual include directory with our <cuda/barrier>, <cuda/pipeline> and <cuda/atomic> alone, to
/// be searched before the toolkit's.
llvm::StringRef barrierIncludeDir();

/// A virtual include directory with what the host compiler has beside itself and Clang does not:
/// <omp.h>.
llvm::StringRef standInDir();
/// Empty headers that are taken to be there (ParseRequest::Otherwise).
llvm::StringRef supposedIncludeDir();
void addStandIns(llvm::vfs::InMemoryFileSystem &FS);

void addSupplement(llvm::vfs::InMemoryFileSystem &FS);
void addBarrierDecls(llvm::vfs::InMemoryFileSystem &FS);

} // namespace cuda_pipeline

#endif
