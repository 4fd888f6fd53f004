//===- ClangInvocation.h - One reading of a CUDA file, ready to start -----===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// What parse() (an AST) and compileDevice() (bitcode) have in common: Clang's command line and the
/// file system with the bundled declarations.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_SOURCE_CLANGINVOCATION_H
#define CUDA_PIPELINE_LIB_SOURCE_CLANGINVOCATION_H

#include "cuda-pipeline/Source.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace cuda_pipeline {

enum class Reading {
  ToAnalyse,
  WithOurBarriers, ///< <cuda/barrier> and <cuda/pipeline> are ours even though there is a toolkit
  ToRun,           ///< the bundled declarations with bodies; code is generated
};

struct ClangInvocation {
  std::shared_ptr<clang::CompilerInvocation> Compiler;
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files;
  std::shared_ptr<clang::DiagnosticOptions> DiagOptions;
  llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine> Diags;
  std::shared_ptr<CompilerQuestions> Asked; ///< filled in while the file is read
};

std::vector<std::string> buildArguments(const ParseRequest &Request, Reading How);

/// None when the command line is in error; \p Client was told.
std::optional<ClangInvocation> makeInvocation(const ParseRequest &Request, Reading How,
                                              clang::DiagnosticConsumer *Client);

} // namespace cuda_pipeline

#endif
