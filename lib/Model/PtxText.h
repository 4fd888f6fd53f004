//===- PtxText.h - What the instructions of an asm statement do -----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Inline assembly is understood where each of its instructions either computes on registers (`mma.sync`,
/// `cvt`, `fma`, a shuffle) or is a plain load (`ldmatrix`, `ld.shared`, `ld.global`). PTX writes each place in memory in
/// brackets, so that nothing else has an address (PTX ISA 8.5, section 6.4, "Operand addresses"). What stores, waits,
/// branches, or is not listed is not understood.
///
/// A clobbered "memory" keeps the compiler from moving other accesses across the statement. The instructions do what
/// they do with it or without.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_PTXTEXT_H
#define CUDA_PIPELINE_LIB_MODEL_PTXTEXT_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include <vector>

namespace cuda_pipeline {

/// One instruction that reads memory. All addresses are per thread.
struct PtxLoad {
  const clang::Expr *Address = nullptr; ///< an operand: a pointer, or an address of shared memory as a number
  int64_t Offset = 0;                   ///< bytes, of `[%1 + 16]`
  unsigned Bytes = 0;
  bool Shared = false;                  ///< the number is an address of shared memory
};

struct PtxText {
  bool Understood = false;
  std::vector<PtxLoad> Loads;
  /// Inputs that are nothing but addresses in brackets: nothing else is made of their values. Also of what is not
  /// understood as a whole.
  std::vector<const clang::Expr *> OnlyAddresses;
};

PtxText readPtx(const clang::GCCAsmStmt *Asm, const clang::ASTContext &Context);

} // namespace cuda_pipeline

#endif
