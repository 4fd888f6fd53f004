//===- GroupValues.h - Values over a group of neighbours -------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Of a number n that counts elements, groups are the runs from one multiple of their size to the
/// next: n = g, g + 1, .., g + size - 1, where g is a multiple of size, and n is not negative. An
/// expression over such a group is
///
///   Flat     the same for all of it:           n / 32, row < M
///   Linear   one more from each to the next:   n % 32, k0 + n % 32, n
///   Other    anything else
///
/// as far as g, and what is added to it, are multiples of the group's size: that is asked of each
/// number on the way, and what only the caller of the kernel can know becomes a test. Numbers that
/// wrap around stay multiples of a power of two, so that no sum has to be in range.
///
/// Nothing but n may depend on the thread: who has which n is going to change.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_ANALYSIS_GROUPVALUES_H
#define CUDA_PIPELINE_LIB_ANALYSIS_GROUPVALUES_H

#include "../Model/LoopFacts.h"
#include "Uniformity.h"
#include "cuda-pipeline/CopyWidth.h"

namespace cuda_pipeline {

class GroupValues {
public:
  enum class Kind { Flat, Linear, Other };

  /// \p Number: n. \p Group: its size, a power of two. \p Inside: where the variables are declared
  /// that may be made of n.
  GroupValues(const TileModel &M, clang::ASTContext &Context, const Uniformity &U,
              const clang::VarDecl *Number, const clang::Stmt *Inside, unsigned Group);

  /// Of a number or a condition, or of a pointer in units of what it points to.
  Kind of(const clang::Expr *E);
  /// Of the place of an lvalue, in units of its size.
  Kind ofPlace(const clang::Expr *E);
  /// At g, the number \p E is a multiple of \p Of, a power of two up to the group's size.
  bool isMultiple(const clang::Expr *E, uint64_t Of);
  /// At g, the address of the lvalue \p E is a multiple of \p Bytes. \p MayTest: by tests of
  /// pointers, too; else by declarations of shared arrays alone, which are aligned as it is wanted.
  bool isAligned(const clang::Expr *E, uint64_t Bytes, bool MayTest);

  /// What has to hold in front of the tile loop, each name once.
  const std::vector<MultipleTest> &tests() const { return Tests; }

private:
  const TileModel &M;
  clang::ASTContext &Context;
  const FunctionValues &Values;
  const Uniformity &U;
  const clang::VarDecl *Number;
  const unsigned Group;
  std::vector<MultipleTest> Tests;
  DeclSet<clang::VarDecl> Made;  ///< declared inside
  DeclSet<clang::VarDecl> Asked; ///< whose values are looked at just now
  unsigned Steps = 0;

  Kind ofVariable(const clang::VarDecl *Var);
  Kind ofOperator(const clang::BinaryOperator *Op);
  Kind ofComparison(const clang::BinaryOperator *Op);
  Kind ofLoad(const clang::Expr *Place);
  bool dependsOnNumber(const clang::Expr *E) const;
  bool isFlatLeaf(const clang::Expr *E) const;
  bool isNotNegative(const clang::Expr *E) const;
  bool mayBeAsked(const clang::Expr *E) const;
  bool isOfLoop(const clang::VarDecl *Var) const;
  bool test(const clang::Expr *E, bool IsAddress, uint64_t Multiple);
  bool withoutTests(llvm::function_ref<bool()> Ask);
  bool either(llvm::function_ref<bool()> First, llvm::function_ref<bool()> Second);
  bool multipleVariable(const clang::Expr *Name, const clang::VarDecl *Var, uint64_t Of);
  bool multipleProduct(const clang::Expr *L, const clang::Expr *R, uint64_t Of);
  uint64_t knownMultiple(const clang::Expr *E, uint64_t Most);
  bool alignedPointer(const clang::Expr *E, uint64_t Bytes, bool MayTest);
  bool alignedVariable(const clang::Expr *Name, const clang::VarDecl *Var, uint64_t Bytes,
                       bool MayTest);
  bool isMultipleOf(const clang::Expr *Count, clang::QualType Element, uint64_t Bytes);
  uint64_t powerIn(clang::QualType Element) const;
};

} // namespace cuda_pipeline

#endif
