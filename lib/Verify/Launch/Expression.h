//===- Expression.h - The integer expressions of launch descriptions ------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// 64-bit signed integers with C's operators and precedences. Overflow, division by zero and
/// unknown names are errors: a launch with wrapped sizes would verify something else than was
/// meant.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_VERIFY_LAUNCH_EXPRESSION_H
#define CUDA_PIPELINE_VERIFY_LAUNCH_EXPRESSION_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>

namespace cuda_pipeline {
namespace launch {

using Names = llvm::StringMap<int64_t>;

/// The value of \p Text. The error is a phrase without a place: "division by zero in 'N / 0'".
llvm::Expected<int64_t> evaluateExpression(llvm::StringRef Text, const Names &Known);

/// Whether \p Text is well formed and uses only names in \p Known; their values do not matter.
llvm::Error checkExpression(llvm::StringRef Text, const Names &Known);

/// A letter or underscore, then also digits; and none of min, max, ceildiv.
bool isName(llvm::StringRef Text);

/// "K, N", sorted, for messages; "none" if there are none.
std::string listOf(const Names &Known);

} // namespace launch
} // namespace cuda_pipeline

#endif
