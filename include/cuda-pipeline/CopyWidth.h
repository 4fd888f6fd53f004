//===- CopyWidth.h - How many bytes a thread copies at once -------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Step 5d: who copies which element of a tile is nobody's business but the loop's, too. Where the
/// threads of a block fill a tile element by element,
///
///   for (int i = tid; i < 64 * 32; i += 128)      As[i / 32][i % 32] = in ? A[..] : 0;
///
/// the same loop over groups of neighbours moves 4, 8 or 16 bytes at once, if neighbours in the
/// tile are neighbours in global memory, a condition holds for all of a group or for none, and both
/// ends are aligned (docs/soundness.md, rule 15):
///
///   for (int i = tid * 16; i < 64 * 32; i += 128 * 16)
///
/// What of that depends on numbers that the kernel is given, the alignment of pointers and the
/// length of rows, is a test in front of the loop: where it fails, elements are copied one by one.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_COPYWIDTH_H
#define CUDA_PIPELINE_COPYWIDTH_H

#include "cuda-pipeline/GpuTarget.h"
#include "cuda-pipeline/TileModel.h"

namespace cuda_pipeline {

/// Something that must be a multiple of so much, in front of the tile loop.
struct MultipleTest {
  const clang::Expr *Of = nullptr; ///< a name, or a member of one
  bool IsAddress = false;          ///< the address in it, in bytes; else the number
  uint64_t Multiple = 1;           ///< a power of two
};

/// One loop of the load phase that copies element by element.
struct CopyWidth {
  const clang::ForStmt *Loop = nullptr;
  llvm::SmallVector<const clang::VarDecl *, 2> Tiles; ///< that it fills
  unsigned Bytes = 0;                                 ///< of an element
  unsigned NewBytes = 0; ///< the same: there is nothing to gain, or it has to stay

  /// What is multiplied by the number of elements in a group: where a thread begins, and the step.
  llvm::SmallVector<const clang::Expr *, 2> Scaled;
  /// What is divided by it: how often the loop turns.
  const clang::Expr *Divided = nullptr;
  /// What becomes wider: elements of tiles and loads of global memory, and what stands for each in
  /// the text, which may have conversions around it.
  struct Element {
    const clang::Expr *What; ///< an lvalue, or a call that loads
    const clang::Expr *Written;
    bool Stored;
  };
  std::vector<Element> Wider;
  /// Values whose bytes are zero that become wider.
  std::vector<const clang::Expr *> Zeros;
  /// Variables of the copy loop through which elements go, whose types become wider.
  std::vector<const clang::VarDecl *> Through;
  /// What has to hold in front of the tile loop.
  std::vector<MultipleTest> Tests;
  /// So many threads must be there: `blockDim.x == 128`. Null: any block will do.
  const clang::Expr *Threads = nullptr;
  std::string BlockTest; ///< instead, in words

  /// Why it has to stay, if wider copies would be better; where.
  std::string WhyNot;
  clang::SourceLocation Where;

  bool changes() const { return NewBytes != Bytes; }
  unsigned group() const { return NewBytes / Bytes; } ///< elements
  void stay(std::string Why, clang::SourceLocation At);
};

/// Of each copy loop whose copies are narrower than 16 bytes. \p Shape: of the block, if it is
/// known. \p Seldom: copies that have wider ones beside them already (Legality::Direct).
std::vector<CopyWidth> widthsOf(const TileModel &Model, clang::ASTContext &Context,
                                const LaunchShape &Shape,
                                const std::set<clang::SourceLocation> &Seldom);

} // namespace cuda_pipeline

#endif
