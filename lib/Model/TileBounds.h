//===- TileBounds.h - How far a counter gets in an array -----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// `for (int j = y; j < rows; j += 8) tile[j * 33 + x] = a[j * n + x];` does not say how many turns
/// it has. But every turn stores to an element of the tile, whose size is known, and further away
/// the further the counter is: past the end the program has no meaning. So the array says how far
/// the counter gets.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_TILEBOUNDS_H
#define CUDA_PIPELINE_LIB_MODEL_TILEBOUNDS_H

#include "Values.h"

namespace cuda_pipeline {

struct MostInArray {
  int64_t Value;
  const clang::VarDecl *Array; ///< whose size says so
  const clang::Expr *Element;  ///< the lvalue that is stored to
};
/// The largest value that \p Counter has in a turn of \p For that begins; nothing: no array in
/// shared memory says so. The counter begins at \p Begin and goes up by at most \p MostStep.
std::optional<MostInArray> mostInArrays(const clang::ForStmt *For, const clang::VarDecl *Counter,
                                        ValueRange Begin, int64_t MostStep,
                                        const FunctionValues &Of, const clang::ASTContext &Context);

} // namespace cuda_pipeline

#endif
