//===- BundledDecls.cpp - CUDA declarations without a toolkit ---------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BundledDecls.h"
#include "llvm/Support/ErrorHandling.h"
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
StringRef supplementPath() { return "/cuda-pipeline-rewrite/clang_supplement.h"; }
StringRef supposedIncludeDir() { return "/cuda-pipeline-rewrite/supposed/include"; }
StringRef standInDir() { return "/cuda-pipeline-rewrite/host/include"; }
StringRef barrierIncludeDir() { return "/cuda-pipeline-rewrite/barriers/include"; }

static void add(vfs::InMemoryFileSystem &FS, const Twine &Path, const BundledDecl &Decl) {
  FS.addFile(Path, /*ModificationTime=*/0, MemoryBuffer::getMemBuffer(Decl.Text, Decl.Name));
}

static const BundledDecl &find(StringRef Name) {
  for (const BundledDecl &Decl : bundledDecls())
    if (Decl.Name == Name)
      return Decl;
  llvm_unreachable("no such bundled header");
}

void addBundledDecls(vfs::InMemoryFileSystem &FS) {
  for (const BundledDecl &Decl : bundledDecls())
    add(FS, bundledIncludeDir() + "/" + Decl.Name, Decl);
}

void addStandIns(vfs::InMemoryFileSystem &FS) {
  add(FS, standInDir() + "/omp.h", find("host/omp.h"));
}

void addSupplement(vfs::InMemoryFileSystem &FS) {
  add(FS, supplementPath(), find("clang_supplement.h"));
}

void addBarrierDecls(vfs::InMemoryFileSystem &FS) {
  for (StringRef Name : {"cuda/__memcpy_async.h", "cuda/atomic", "cuda/barrier", "cuda/pipeline"})
    add(FS, barrierIncludeDir() + "/" + Name, find(Name));
}

} // namespace cuda_pipeline
