//===- LaunchShape.h - Block sizes and ratios from the AST ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Step 5, the parts that look at the source: the block size of a kernel (launch bounds, launches
/// in the file, the command line) and the compute/load ratio of a tile loop.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LAUNCHSHAPE_H
#define CUDA_PIPELINE_LAUNCHSHAPE_H

#include "cuda-pipeline/GpuTarget.h"
#include "cuda-pipeline/Ratio.h"
#include "cuda-pipeline/TileModel.h"
#include <functional>

namespace cuda_pipeline {

/// An expression of the main file that says how many bytes of dynamic shared memory a kernel gets.
struct DynamicSize {
  unsigned Offset = 0, Length = 0; ///< bytes of the main file
  unsigned Line = 0;
  std::string Text;
  std::optional<uint64_t>
      Bytes; ///< its value, the largest if the function is instantiated often; none: not known
  bool Repeatable = false; ///< may be evaluated twice
};

/// A launch that gives no dynamic shared memory.
struct BareLaunch {
  unsigned Offset = 0,
           Length = 0; ///< bytes of the main file: the argument, or the place behind the block
  unsigned Line = 0;
  std::string Kernel; ///< what the launch calls it, where that names nothing else
};

/// The launches of a kernel in the file, as far as they are seen to name it.
struct DynamicSizes {
  std::vector<BareLaunch> Bare; ///< each place once; without those whose text cannot be changed
  std::vector<DynamicSize>
      Launches; ///< each place once; without those whose text cannot be changed
  std::vector<DynamicSize> Attributes; ///< values of cudaFuncAttributeMaxDynamicSharedMemorySize
  bool Fixed =
      false; ///< something else may set that attribute: more than now must not be asked for
};

/// The block sizes of a file's kernels. The launches of all of them are looked for once, at the
/// first question.
class LaunchFinder {
public:
  /// \p IsSound: host functions that are to be looked into, where a file has errors.
  explicit LaunchFinder(
      clang::ASTContext &Context, std::function<bool(const clang::FunctionDecl *)> IsSound =
                                      [](const clang::FunctionDecl *) { return true; });
  ~LaunchFinder();

  /// \p FromCommandLine is used when it is known (a claim of the user's).
  LaunchShape shapeOf(const clang::FunctionDecl *Kernel, const LaunchShape &FromCommandLine);
  /// Of all instantiations of the template that \p Kernel may be one of.
  DynamicSizes dynamicSizesOf(const clang::FunctionDecl *Kernel);

private:
  struct Impl;
  std::unique_ptr<Impl> P;
};

/// For a single question.
LaunchShape findLaunchShape(const clang::FunctionDecl *Kernel, clang::ASTContext &Context,
                            const LaunchShape &FromCommandLine);

ComputeLoadRatio computeRatio(const TileModel &Model, clang::ASTContext &Context,
                              const LaunchShape &Shape);

/// Instructions (roughly: one per arithmetic operation and shared-memory read) that one thread runs
/// in one compute phase; 0 when a loop bound is unknown. Tensor operations count 8 per 16x16x16
/// tile of a warp.
uint64_t estimateComputeInstructions(const TileModel &Model, clang::ASTContext &Context);

} // namespace cuda_pipeline

#endif
