//===- SharedArrays.h - The shared memory of a kernel ---------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The shared arrays of a kernel and of the functions that it may run, tiles and others. All
/// dynamic ones begin at the same place: they are one piece of memory by several names. What is not
/// seen (ReachedCode.h) may have another one, and so may assembly that is given an address of
/// shared memory which is not made of a pointer.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_SHAREDARRAYS_H
#define CUDA_PIPELINE_LIB_MODEL_SHAREDARRAYS_H

#include "ReachedCode.h"
#include "clang/AST/Decl.h"
#include <optional>
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
  /// What may use dynamic shared memory by a name or an address that is not seen.
  std::optional<ReachedCode::Unseen> MayUseDynamic;
  /// \p Kernel has a body.
  SharedArrays(const clang::FunctionDecl *Kernel, const ReachedCode &Code);
};

} // namespace cuda_pipeline

#endif
