//===- Convert.cpp - Small floating-point formats -------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Convert.h"
#include <cmath>
#include <limits>

using namespace cuda_pipeline;
using namespace cuda_pipeline::emulator;

const FloatFormat emulator::Half = {5, 10, true, 0x7fff, 0x7bff};
const FloatFormat emulator::BFloat16 = {8, 7, true, 0x7fff, 0x7f7f};
const FloatFormat emulator::E4M3 = {4, 3, false, 0x7f, 0x7e};
const FloatFormat emulator::E5M2 = {5, 2, true, 0x7f, 0x7b};
const FloatFormat emulator::TF32 = {8, 10, true, 0x3ffff, 0x3fbff};

uint32_t emulator::encode(const FloatFormat &Format, double Value, Rounding Mode, bool Saturate) {
  if (std::isnan(Value))
    return Format.NaN;
  uint64_t Bits = bitCast<uint64_t>(Value);
  uint32_t Sign = Bits >> 63 ? Format.signBit() : 0;
  uint32_t Beyond = Format.Infinity ? Format.MaxFinite + 1 : Format.NaN;
  int Exponent = static_cast<int>(Bits >> 52 & 0x7ff);
  uint64_t Mantissa = Bits & ((uint64_t(1) << 52) - 1);
  if (Exponent == 0x7ff)
    return Sign | (Saturate ? Format.MaxFinite : Beyond);
  if (Exponent == 0 && Mantissa == 0)
    return Sign;
  if (Exponent == 0)
    Exponent = 1;
  else
    Mantissa |= uint64_t(1) << 52;

  // The unit of the last place: that of the number's exponent, or of the smallest one.
  int Biased = Exponent - 1023 + Format.bias();
  int Drop = 52 - static_cast<int>(Format.MantissaBits) + (Biased < 1 ? 1 - Biased : 0);
  uint64_t Kept = Drop < 64 ? Mantissa >> Drop : 0;
  uint64_t Rest = Drop < 64 ? Mantissa & ((uint64_t(1) << Drop) - 1) : Mantissa;
  // More than 54 bits dropped is less than half a unit.
  uint64_t Tie = Drop < 64 ? uint64_t(1) << (Drop - 1) : ~uint64_t(0);
  bool Up = false;
  switch (Mode) {
  case Rounding::NearestEven:
    Up = Rest > Tie || (Rest == Tie && (Kept & 1));
    break;
  case Rounding::NearestAway:
    Up = Rest >= Tie;
    break;
  case Rounding::Zero:
    break;
  case Rounding::Down:
    Up = Rest && Sign;
    break;
  case Rounding::Up:
    Up = Rest && !Sign;
    break;
  }
  Kept += Up;
  // The bit in front of the mantissa adds one to the exponent, and so does a carry.
  uint64_t Result = Biased < 1 ? Kept : (uint64_t(Biased - 1) << Format.MantissaBits) + Kept;
  if (Result > Format.MaxFinite) {
    bool ToMax = Saturate || Mode == Rounding::Zero || (Mode == Rounding::Down && !Sign) ||
                 (Mode == Rounding::Up && Sign);
    return Sign | (ToMax ? Format.MaxFinite : Beyond);
  }
  return Sign | static_cast<uint32_t>(Result);
}

double emulator::decode(const FloatFormat &Format, uint32_t Bits) {
  uint32_t Magnitude = Bits & (Format.signBit() - 1);
  bool Negative = Bits & Format.signBit();
  double Value;
  if (Magnitude > Format.MaxFinite) {
    bool IsInfinity = Format.Infinity && Magnitude == Format.MaxFinite + 1;
    Value = IsInfinity ? std::numeric_limits<double>::infinity()
                       : std::numeric_limits<double>::quiet_NaN();
  } else {
    int Exponent = static_cast<int>(Magnitude >> Format.MantissaBits);
    uint32_t Mantissa = Magnitude & ((uint32_t(1) << Format.MantissaBits) - 1);
    if (Exponent)
      Mantissa |= uint32_t(1) << Format.MantissaBits;
    else
      Exponent = 1;
    Value = std::ldexp(static_cast<double>(Mantissa),
                       Exponent - Format.bias() - static_cast<int>(Format.MantissaBits));
  }
  return Negative ? -Value : Value;
}

float emulator::tf32(float Value, Rounding Mode, bool Saturate) {
  if (std::isnan(Value))
    return bitCast<float>(uint32_t(0x7fffffff));
  return bitCast<float>(encode(TF32, Value, Mode, Saturate) << 13);
}

double emulator::roundToOdd(double Near, double Rest) {
  if (Rest == 0 || !std::isfinite(Near))
    return Near;
  int64_t Bits = bitCast<int64_t>(Near);
  if (Near != 0 && (Rest < 0) != (Near < 0))
    --Bits;
  return bitCast<double>(Bits | 1);
}

double emulator::oddSum(double A, double B) {
  double Sum = A + B;
  double Part = Sum - A;
  return roundToOdd(Sum, (A - (Sum - Part)) + (B - Part));
}

double emulator::oddFma(double A, double B, double C) { return oddSum(A * B, C); }

float emulator::toFloat(double Value, Rounding Mode) {
  float Near = static_cast<float>(Value);
  if (Mode == Rounding::NearestEven || std::isnan(Value) || std::isinf(Value) || Near == Value)
    return Near;
  bool Negative = std::signbit(Value);
  bool WantUp = Mode == Rounding::Up || (Mode == Rounding::Zero && Negative);
  bool WantDown = Mode == Rounding::Down || (Mode == Rounding::Zero && !Negative);
  if (WantUp && Near < Value)
    return std::nextafterf(Near, std::numeric_limits<float>::infinity());
  if (WantDown && Near > Value)
    return std::nextafterf(Near, -std::numeric_limits<float>::infinity());
  return Near;
}
