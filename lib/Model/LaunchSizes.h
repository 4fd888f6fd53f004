//===- LaunchSizes.h - Grid, block and sizes in host code -----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The constant numbers of a launch, seen through variables of the host function that are set once
/// by their initialiser: `int threads = 256; dim3 block(threads); k<<<grid, block>>>();`.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_LAUNCHSIZES_H
#define CUDA_PIPELINE_LIB_MODEL_LAUNCHSIZES_H

#include "Effects.h"
#include "Values.h"
#include <array>

namespace cuda_pipeline {

class LaunchSizes {
public:
  /// \p Function has a body.
  LaunchSizes(clang::ASTContext &Context, const clang::FunctionDecl *Function)
      : Effects(Context, Function), Values(Context, Effects, Function) {}

  std::optional<int64_t> value(const clang::Expr *E) const { return Values.fold(E); }
  /// A value that is not negative.
  std::optional<uint64_t> count(const clang::Expr *E) const;
  /// Of a dim3, or of a number that stands for one: x, y, z.
  std::optional<std::array<uint64_t, 3>> dim3(const clang::Expr *E, unsigned Depth = 0) const;

private:
  EffectCollector Effects;
  FunctionValues Values;
};

} // namespace cuda_pipeline

#endif
