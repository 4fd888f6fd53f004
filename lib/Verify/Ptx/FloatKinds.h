//===- FloatKinds.h - Floating-point registers as doubles ---------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The types of floating-point instructions, each with a `load` that gives a register's value as a
/// double (exactly) and a `store` that rounds a result. Results come as doubles that are exact or
/// rounded to odd (Convert.h), so that the one rounding that counts is that of `store`; double
/// itself is stored as it is.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_VERIFY_PTX_FLOATKINDS_H
#define CUDA_PIPELINE_VERIFY_PTX_FLOATKINDS_H

#include "Code.h"
#include <cmath>

namespace cuda_pipeline {
namespace emulator {

/// .sat and .relu of a result that is not yet rounded; both ends are numbers of every type.
inline double limit(double V, const Instruction &I) {
  if (I.has(Instruction::Saturate))
    return V > 0 ? std::fmin(V, 1.0) : 0.0; // NaN and -0 become 0
  if (I.has(Instruction::Relu) && !(V > 0) && !std::isnan(V))
    return 0.0;
  return V;
}

struct Float32 {
  static constexpr unsigned Bits = 32;
  static constexpr uint64_t Sign = 0x80000000, NaN = 0x7fffffff, One = 0x3f800000;
  static bool isNaN(uint64_t B) { return (B & 0x7fffffff) > 0x7f800000; }
  static uint64_t flush(uint64_t B, bool Ftz) { return Ftz && !(B & 0x7f800000) ? B & Sign : B; }
  static double load(uint64_t B, bool Ftz) {
    return bitCast<float>(static_cast<uint32_t>(flush(B & 0xffffffff, Ftz)));
  }
  static uint64_t store(double V, const Instruction &I) {
    V = limit(V, I);
    if (std::isnan(V))
      return NaN;
    return flush(bitCast<uint32_t>(toFloat(V, I.Round)), I.has(Instruction::Ftz));
  }
};

struct Float64 {
  static constexpr unsigned Bits = 64;
  static constexpr uint64_t Sign = uint64_t(1) << 63, NaN = 0xfff8000000000000,
                            One = 0x3ff0000000000000;
  static bool isNaN(uint64_t B) { return std::isnan(bitCast<double>(B)); }
  static uint64_t flush(uint64_t B, bool) { return B; }
  static double load(uint64_t B, bool) { return bitCast<double>(B); }
  static uint64_t store(double V, const Instruction &I) {
    V = limit(V, I);
    return std::isnan(V) ? NaN : bitCast<uint64_t>(V);
  }
};

template <const FloatFormat &Format, uint32_t ExponentMask> struct Float16Bits {
  static constexpr unsigned Bits = 16;
  static constexpr uint64_t Sign = 0x8000, NaN = 0x7fff;
  static bool isNaN(uint64_t B) { return (B & 0x7fff) > ExponentMask; }
  static uint64_t flush(uint64_t B, bool Ftz) { return Ftz && !(B & ExponentMask) ? B & Sign : B; }
  static uint64_t store(double V, const Instruction &I) {
    return flush(encode(Format, limit(V, I), I.Round), I.has(Instruction::Ftz));
  }
};
struct Float16 : Float16Bits<Half, 0x7c00> {
  static constexpr uint64_t One = 0x3c00;
  static double load(uint64_t B, bool Ftz) {
    return halfToFloat(static_cast<uint16_t>(flush(B & 0xffff, Ftz)));
  }
};
struct BFloat16Bits : Float16Bits<BFloat16, 0x7f80> {
  static constexpr uint64_t One = 0x3f80;
  static double load(uint64_t B, bool Ftz) {
    return bfloat16ToFloat(static_cast<uint16_t>(flush(B & 0xffff, Ftz)));
  }
};

} // namespace emulator
} // namespace cuda_pipeline

#endif
