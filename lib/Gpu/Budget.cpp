//===- Budget.cpp - Shared memory and occupancy of a plan ----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/Budget.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

using namespace llvm;

namespace cuda_pipeline {

// Rounds up, and stays at the largest value where that would wrap around.
static uint64_t alignToSaturating(uint64_t Bytes, uint64_t Alignment) {
  if (Alignment <= 1)
    return Bytes;
  uint64_t Rest = Bytes % Alignment;
  return Rest ? SaturatingAdd(Bytes, Alignment - Rest) : Bytes;
}

uint64_t stagePitch(const BufferSize &B) { return alignToSaturating(B.Bytes, B.Alignment); }

static uint64_t sizeOf(const BufferSize &B, unsigned Stages) {
  if (B.IsTile && Stages > 1)
    return SaturatingMultiply(stagePitch(B), uint64_t(Stages));
  return B.Bytes;
}

// Bytes of all arrays together. The assembler chooses their order (nvcc 13.0's differs between
// sm_80 and sm_120), and the padding depends on it; so this takes the worst order, lest a plan that
// is said to fit does not assemble. No order needs padding when all sizes are multiples of all
// alignments, as tiles usually are.
static uint64_t layOut(ArrayRef<BufferSize> Buffers, unsigned Stages) {
  constexpr size_t MostPermuted = 6; // 720 orders
  if (Buffers.size() > MostPermuted) {
    // Every array ends at a multiple of the largest power of two that divides all sizes.
    uint64_t Sizes = 0, Total = 0;
    for (const BufferSize &B : Buffers)
      Sizes |= sizeOf(B, Stages);
    const uint64_t Step = Sizes & -Sizes;
    for (const BufferSize &B : Buffers)
      Total = SaturatingAdd(Total, sizeOf(B, Stages), B.Alignment > Step ? B.Alignment - Step : 0);
    return Total;
  }
  SmallVector<unsigned, MostPermuted> Order(Buffers.size());
  std::iota(Order.begin(), Order.end(), 0);
  uint64_t Most = 0;
  do {
    uint64_t End = 0;
    for (unsigned I : Order)
      End = SaturatingAdd(alignToSaturating(End, Buffers[I].Alignment), sizeOf(Buffers[I], Stages));
    Most = std::max(Most, End);
  } while (std::next_permutation(Order.begin(), Order.end()));
  return Most;
}

Budget computeBudget(ArrayRef<const GpuTarget *> Gpus, ArrayRef<BufferSize> Buffers,
                     unsigned Stages, const LaunchShape &Shape, uint64_t Given) {
  Budget B;
  B.Given = Given;
  B.SharedBefore = layOut(Buffers, 1);
  B.SharedAfter = layOut(Buffers, Stages);
  if (Gpus.empty())
    return B;

  B.Limit = Gpus.front()->SharedPerBlockDefault;
  for (const GpuTarget *Gpu : Gpus)
    B.Limit = std::min(B.Limit, Gpu->SharedPerBlockDefault);

  if (Shape.known()) {
    B.Before =
        computeOccupancy(*Gpus.front(), Shape.threads(), SaturatingAdd(B.SharedBefore, Given));
    B.After = computeOccupancy(*Gpus.front(), Shape.threads(), SaturatingAdd(B.SharedAfter, Given));
    B.HasOccupancy = true;
  }
  return B;
}

} // namespace cuda_pipeline
