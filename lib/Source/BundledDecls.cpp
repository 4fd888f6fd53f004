//===- BundledDecls.cpp - CUDA declarations without a toolkit ---------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BundledDecls.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;

namespace cuda_pipeline {

ArrayRef<BundledDecl> bundledDecls() {
  static const BundledDecl Decls[] = {
#include "CudaDecls.inc"
  };
  return Decls;
}

StringRef bundledIncludeDir() { return "/cuda-pipeline-rewrite/bundled-cuda/include"; }

StringRef bundledPrelude() { return "cuda_runtime.h"; }

void addBundledDecls(vfs::InMemoryFileSystem &FS) {
  for (const BundledDecl &Decl : bundledDecls())
    FS.addFile(bundledIncludeDir() + "/" + Decl.Name, /*ModificationTime=*/0,
               MemoryBuffer::getMemBuffer(Decl.Text, Decl.Name));
}

} // namespace cuda_pipeline
