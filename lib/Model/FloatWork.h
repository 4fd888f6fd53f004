//===- FloatWork.h - Numbers that may be rounded in two ways ----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A floating-point sum of a product is fused or not (nvcc's -fmad=true), in each place that it
/// stands in as the compiler finds it best there. So what is computed in two places may differ by
/// a rounding, and a decision that depends on it may fall out in two ways.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_FLOATWORK_H
#define CUDA_PIPELINE_LIB_MODEL_FLOATWORK_H

namespace clang {
class Stmt;
}

namespace cuda_pipeline {

struct FloatWork {
  bool Product = false, Sum = false;
  bool Any = false; ///< something of floating-point numbers, be it a comparison
  FloatWork &operator|=(const FloatWork &O) {
    Product |= O.Product;
    Sum |= O.Sum;
    Any |= O.Any;
    return *this;
  }
};

/// What the load phase is refused for then (Reason::LoadForm).
constexpr const char *RoundedTwice =
    "a condition or an index that is made of sums of products of floating-point numbers, which may "
    "be rounded in two ways where it is computed twice";

/// What \p S computes of floating-point numbers, also in the functions that it calls; what is not
/// seen may compute both.
FloatWork floatWorkIn(const clang::Stmt *S);

} // namespace cuda_pipeline

#endif
