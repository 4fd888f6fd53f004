//===- SharedArrays.h - The shared memory of a kernel ---------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The shared arrays of a kernel and of the functions that it calls, tiles and others. All dynamic ones begin at the same
/// place: they are one piece of memory by several names.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_SHAREDARRAYS_H
#define CUDA_PIPELINE_LIB_MODEL_SHAREDARRAYS_H

#include "clang/AST/Decl.h"
#include <set>
#include <vector>

namespace cuda_pipeline {

struct SharedArrays {
  std::vector<const clang::VarDecl *> Static;
  struct Use {
    const clang::VarDecl *Array;
    const clang::FunctionDecl *In; ///< declares or names it
  };
  std::vector<Use> Dynamic; ///< each pair once
  bool AsksForSize = false; ///< something reads how much memory the launch gives
  std::set<const clang::FunctionDecl *> Called; ///< or handed on: they may run
  /// \p Kernel has a body.
  explicit SharedArrays(const clang::FunctionDecl *Kernel);
};

} // namespace cuda_pipeline

#endif
