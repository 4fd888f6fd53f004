//===- Fill.h - What a buffer contains before a launch --------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Random and regular data for buffers. The text of this file and of Fill.cpp is also part of every
/// GPU harness, so that emulator and GPU see the same bytes for the same seed. That is why it is
/// plain C++11 without dependencies, why nothing here may depend on how a compiler rounds or
/// contracts, and why the numbers below are written into generated files: do not renumber.
///
/// Component c (of float4: four per element) depends on the seed, on the stream and on c alone,
/// never on the size of the buffer or on what was filled before.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_VERIFY_LAUNCH_FILL_H
#define CUDA_PIPELINE_VERIFY_LAUNCH_FILL_H

#include <cstddef>
#include <cstdint>

namespace cuda_pipeline {
namespace fill {

enum class Base { Bool, SignedInt, UnsignedInt, Half, BFloat16, Float, Double, Bytes };
enum class Kind { Random, Uniform, Value, Index, Poison };

/// One component and what it is filled with; ElementType and BufferFill of Launch.h in plain words.
struct Spec {
  Base Type;
  unsigned BaseBytes; ///< of one component: 1, 2, 4 or 8; Bytes: 1
  unsigned Lanes;     ///< components of one element
  Kind Fill;
  double Low, High;
};

/// A number for a name ("N=128 K=32", "A"), so that two buffers never have the same data.
uint64_t stream(const char *Case, const char *Name);

/// Fills \p Count elements from \p Data on.
///
/// Random: floating point uniform in [-1, 1) with all mantissa bits, integers with all bits, bool 0
/// or 1. Uniform: [Low, High), integers Low..High-1. Value: Low. Index: element i is Low + i,
/// modulo the type for integers, all lanes alike. Poison: all bits random, in another stream than
/// Random.
void fill(void *Data, uint64_t Count, const Spec &S, uint64_t Seed, uint64_t Stream);

/// Conversions of a double to the nearest value of 16 bits, ties to even. NaN becomes 0x7fff.
uint16_t halfBits(double Value);
uint16_t bfloat16Bits(double Value);
double halfValue(uint16_t Bits);
double bfloat16Value(uint16_t Bits);

} // namespace fill
} // namespace cuda_pipeline

#endif
