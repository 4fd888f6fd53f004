//===- Budget.cpp - Shared memory and occupancy of a plan ----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/Budget.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstdint>

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

static uint64_t layOut(ArrayRef<BufferSize> Buffers, unsigned Stages) {
  uint64_t End = 0;
  for (const BufferSize &B : Buffers) {
    End = alignToSaturating(End, B.Alignment);
    uint64_t Size =
        B.IsTile && Stages > 1 ? SaturatingMultiply(stagePitch(B), uint64_t(Stages)) : B.Bytes;
    End = SaturatingAdd(End, Size);
  }
  return End;
}

Budget computeBudget(ArrayRef<const GpuTarget *> Gpus, ArrayRef<BufferSize> Buffers,
                     unsigned Stages, const LaunchShape &Shape) {
  Budget B;
  B.SharedBefore = layOut(Buffers, 1);
  B.SharedAfter = layOut(Buffers, Stages);
  if (Gpus.empty())
    return B;

  B.Limit = Gpus.front()->SharedPerBlockDefault;
  for (const GpuTarget *Gpu : Gpus)
    B.Limit = std::min(B.Limit, Gpu->SharedPerBlockDefault);

  if (Shape.known()) {
    B.Before = computeOccupancy(*Gpus.front(), Shape.threads(), B.SharedBefore);
    B.After = computeOccupancy(*Gpus.front(), Shape.threads(), B.SharedAfter);
    B.HasOccupancy = true;
  }
  return B;
}

} // namespace cuda_pipeline
