//===- Values.h - Values of expressions inside of one function ------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Constant folding and value ranges that look through local variables which are set once.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_MODEL_VALUES_H
#define CUDA_PIPELINE_LIB_MODEL_VALUES_H

#include "Effects.h"
#include "cuda-pipeline/DeclSet.h"
#include "cuda-pipeline/TileModel.h"
#include <array>
#include <memory>
#include <optional>

namespace cuda_pipeline {

struct GivenValues;

/// Inclusive.
struct ValueRange {
  int64_t Lo, Hi;
};

class FunctionValues {
public:
  /// \p Given: what the function's parameters are, where that is known.
  FunctionValues(const clang::ASTContext &Context, const EffectCollector &Collector,
                 const clang::FunctionDecl *Function, const GivenValues *Given = nullptr);

  const clang::FunctionDecl *function() const { return Function; }

  /// The same in blocks of this size: x, y, z. What the function's text says is shared.
  FunctionValues inBlocksOf(std::array<unsigned, 3> Size) const {
    FunctionValues Same = *this;
    Same.Block = Size;
    return Same;
  }
  /// In blocks that pass \p Test, which larger ones pass as well.
  FunctionValues inBlocksOfAtLeast(const BlockTest &Test) const {
    FunctionValues Same = *this;
    Same.Least = Test;
    return Same;
  }
  bool isOfLeastBlocks() const { return !Least.empty(); }
  /// The extents of the block whose product \p E is, a bit for each, 1 for x; 0: it is something
  /// else.
  unsigned extentsIn(const clang::Expr *E, unsigned Depth = 0) const;
  /// Of a block: launch bounds, or the most that there is.
  int64_t maxThreads() const { return MaxThreads; }

  /// The variable has an initialiser and is never written again in the function.
  bool isSetOnce(const clang::VarDecl *Var) const;
  /// A parameter that keeps what the caller passed.
  bool isUnchangedParameter(const clang::VarDecl *Var) const;
  /// What the variable is worth from its beginning on: a parameter that keeps it, or a caller's
  /// variable that such a parameter is made of. Null: not known.
  const clang::Expr *givenTo(const clang::VarDecl *Var) const;
  /// That, or what \p Var begins with, if nothing else sets it; null: it may have several values.
  const clang::Expr *onlyValue(const clang::VarDecl *Var) const;
  /// It may change by another name: a pointer, a reference, a capture.
  bool hasOtherNames(const clang::VarDecl *Var) const {
    return Text->HaveOtherNames.count(Var) != 0;
  }
  std::optional<int64_t> fold(const clang::Expr *E, unsigned Depth = 0) const;
  std::optional<ValueRange> range(const clang::Expr *E, unsigned Depth = 0) const;
  /// The largest value of \p E, where what is not known cancels: `min(n, k + 64) - k` is at most
  /// 64.
  std::optional<int64_t> atMost(const clang::Expr *E, unsigned Depth = 0) const;
  /// The same of \p E less \p By.
  std::optional<int64_t> atMostWithout(const clang::Expr *E, const clang::Expr *By) const;

private:
  /// Of \p Sum, which does not overflow, what is left without its term \p Part. None: it has none,
  /// or that is not known.
  std::optional<ValueRange> without(const clang::Expr *Part, const clang::Expr *Sum,
                                    unsigned Depth) const;
  struct Sums;
  const clang::ASTContext &Context;
  const clang::FunctionDecl *Function;
  const GivenValues *Given;
  /// What the text says, the same in blocks of all sizes: each loop of a kernel has its own values.
  struct OfText {
    DeclMap<clang::ValueDecl, unsigned> Writes;
    DeclSet<clang::ValueDecl> HaveOtherNames;
    DeclMap<clang::VarDecl, const clang::ForStmt *>
        Counters; ///< that their loops alone set, in the two usual places
    void findCounters(const clang::Stmt *S);
  };
  std::shared_ptr<const OfText> Text;
  std::optional<ValueRange> rangeOfCounter(const clang::VarDecl *Var, unsigned Depth) const;
  std::optional<std::array<unsigned, 3>> Block;
  BlockTest Least;
  int64_t MaxThreads = 1024; ///< launch bounds: a launch with more threads fails
};

} // namespace cuda_pipeline

#endif
