//===- Convert.h - Small floating-point formats ---------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Half, bfloat16, tf32 and the two eight-bit formats of tensor cores, as bits. Every value of each
/// is a double, so decoding is exact, and encoding is one rounding of a double. A result of
/// arithmetic that is not a double itself is first rounded to odd (`oddSum`, `oddFma`): its last
/// bit then says that something is missing, and the second rounding is that of the exact value.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_VERIFY_PTX_CONVERT_H
#define CUDA_PIPELINE_VERIFY_PTX_CONVERT_H

#include <cstdint>
#include <cstring>

namespace cuda_pipeline {
namespace emulator {

enum class Rounding : uint8_t { NearestEven, Zero, Down, Up, NearestAway };

template <class To, class From> inline To bitCast(const From &V) {
  static_assert(sizeof(To) == sizeof(From), "bits are kept");
  To R;
  std::memcpy(&R, &V, sizeof(R));
  return R;
}

/// A binary format of 1 + ExponentBits + MantissaBits bits.
struct FloatFormat {
  unsigned ExponentBits, MantissaBits;
  bool Infinity; ///< e4m3 has none: the largest exponent holds numbers too
  uint32_t NaN;  ///< what every NaN becomes, as on the GPU
  uint32_t MaxFinite;
  int bias() const { return (1 << (ExponentBits - 1)) - 1; }
  uint32_t signBit() const { return uint32_t(1) << (ExponentBits + MantissaBits); }
};

extern const FloatFormat Half, BFloat16, E4M3, E5M2;
/// Ten bits of mantissa; encoded as these nineteen bits, see tf32() for its place in a float.
extern const FloatFormat TF32;

/// \p Saturate: what is beyond the largest finite number becomes that number; NaN stays NaN.
uint32_t encode(const FloatFormat &Format, double Value, Rounding Mode = Rounding::NearestEven,
                bool Saturate = false);
double decode(const FloatFormat &Format, uint32_t Bits);

/// A float with the mantissa of tf32: the low thirteen bits are zero.
float tf32(float Value, Rounding Mode = Rounding::NearestAway, bool Saturate = false);
/// What a tensor core reads of a float that is given as tf32.
inline float truncateToTF32(float Value) {
  return bitCast<float>(bitCast<uint32_t>(Value) & 0xffffe000u);
}

/// The common ones, fast and exact.
inline float halfToFloat(uint16_t Bits) {
  uint32_t Sign = uint32_t(Bits & 0x8000) << 16, Rest = Bits & 0x7fff;
  if (Rest >= 0x7c00)
    return bitCast<float>(Sign | 0x7f800000u | Rest << 13);
  // The bias of the exponent by an exact product, which normalises small numbers as well.
  float Value = bitCast<float>(Rest << 13) * 0x1p112f;
  return bitCast<float>(bitCast<uint32_t>(Value) | Sign);
}
inline float bfloat16ToFloat(uint16_t Bits) { return bitCast<float>(uint32_t(Bits) << 16); }
inline uint16_t floatToHalf(float Value) { return static_cast<uint16_t>(encode(Half, Value)); }
inline uint16_t floatToBFloat16(float Value) {
  return static_cast<uint16_t>(encode(BFloat16, Value));
}

/// The double \p Near, or its neighbour with an odd last bit if the exact value is Near + Rest;
/// only the sign of \p Rest matters.
double roundToOdd(double Near, double Rest);
/// a + b and a * b + c, rounded to odd: the double next to the exact value whose last bit is set,
/// or the exact value. For fma the product must be a double (factors of at most 26 bits each).
double oddSum(double A, double B);
double oddFma(double A, double B, double C);

/// A double as a float in a directed rounding; \p Value may be rounded to odd.
float toFloat(double Value, Rounding Mode);

} // namespace emulator
} // namespace cuda_pipeline

#endif
