//===- Contraction.h - Products that the compiler may fuse or not ---------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The compiler may fuse a product and a sum into one operation with one rounding (nvcc's
/// -fmad=true, the default), and does so where both stand in one basic block. An optimiser moves
/// one of them away
///
/// - upwards, when a product needs nothing of the tile (`sum = sum * 0.99f + tile[i]`): in front of
/// the
///   barrier that the sum has to wait behind;
/// - downwards, when branches follow the compute phase, as the guards of stores do: the last sum
/// goes
///   behind them, to the end of the loop where it is used, and leaves its product behind.
///
/// Whether that happens depends on the code around the compute phase, and a rewrite changes that.
/// So the results would differ by roundings. The emitter keeps the compute phase together
/// (Fusion.cpp). That is as in the original unless the compiler has moved a product there, which
/// happens when it unrolls the loop; so the report names it (`contraction`) where products can be
/// moved upwards. It does so, too, where a product and its sum are in two phases or in two turns
/// (`s[i] = in[j] + p;` and then `p = s[k] * a;`), or in the load phase, which is taken apart: no
/// place in the text keeps these together.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_CONTRACTION_H
#define CUDA_PIPELINE_CONTRACTION_H

#include "cuda-pipeline/TileModel.h"

namespace cuda_pipeline {

struct Contraction {
  bool Fusable = false; ///< the compute phase has a floating-point sum of a product
  bool Loose = false;   ///< and one whose product needs nothing that the iteration loads
  bool Apart = false;   ///< some sum of a product is not in one phase of one turn
  bool named() const { return Loose || Apart; }
};
Contraction findContraction(const TileModel &M);

} // namespace cuda_pipeline

#endif
