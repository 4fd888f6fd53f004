//===- Fill.cpp - What a buffer contains before a launch ------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fill.h"
#include <cmath>
#include <cstring>

namespace cuda_pipeline {
namespace fill {
namespace {

// The finaliser of splitmix64 (public domain, Sebastiano Vigna): a bijection that mixes all bits.
uint64_t mix(uint64_t X) {
  X += 0x9e3779b97f4a7c15u;
  X = (X ^ (X >> 30)) * 0xbf58476d1ce4e5b9u;
  X = (X ^ (X >> 27)) * 0x94d049bb133111ebu;
  return X ^ (X >> 31);
}

// Uniform in [0, 1), a multiple of 2^-53: exact in a double.
double unit(uint64_t Bits) { return static_cast<double>(Bits >> 11) * (1.0 / 9007199254740992.0); }

// Low + Unit * (High - Low) in exactly these three roundings: a compiler that may contract would
// give other data on another machine, so the product goes through memory.
double between(double Low, double High, double Unit) {
  volatile double Product = Unit * (High - Low);
  volatile double Sum = Low + Product;
  return Sum;
}

// To a float format with \p Mantissa explicit bits and \p Exponent bits, nearest, ties to even.
uint16_t narrow(double Value, int Mantissa, int Exponent) {
  uint64_t Bits;
  std::memcpy(&Bits, &Value, 8);
  const uint16_t Sign = static_cast<uint16_t>((Bits >> 63) << 15);
  if (Value != Value)
    return 0x7fff;
  const int Bias = (1 << (Exponent - 1)) - 1;
  const int Raw = static_cast<int>((Bits >> 52) & 0x7ff);
  const uint16_t Infinity = static_cast<uint16_t>(((1 << Exponent) - 1) << Mantissa);
  if (Raw == 0x7ff)
    return Sign | Infinity;
  if (Raw == 0) // zero, or a double far below what any 16-bit format holds
    return Sign;
  int E = Raw - 1023 + Bias;
  uint64_t M = (Bits & 0xfffffffffffffu) | 0x10000000000000u;
  int Drop = 52 - Mantissa;
  if (E <= 0) { // subnormal
    Drop += 1 - E;
    E = 0;
    if (Drop > 54)
      return Sign;
  }
  uint64_t Kept = M >> Drop;
  const uint64_t Rest = M & ((uint64_t(1) << Drop) - 1), Half = uint64_t(1) << (Drop - 1);
  if (Rest > Half || (Rest == Half && (Kept & 1)))
    ++Kept;
  // A carry out of the mantissa is the next exponent, also from subnormal to normal and to
  // infinity.
  const uint64_t Result = E == 0 ? Kept : (static_cast<uint64_t>(E - 1) << Mantissa) + Kept;
  return Sign | (Result >= Infinity ? Infinity : static_cast<uint16_t>(Result));
}

double widen(uint16_t Bits, int Mantissa, int Exponent) {
  const int Bias = (1 << (Exponent - 1)) - 1, Top = (1 << Exponent) - 1;
  const int E = (Bits >> Mantissa) & Top;
  const int M = Bits & ((1 << Mantissa) - 1);
  const double Sign = Bits & 0x8000 ? -1 : 1;
  if (E == Top)
    return M ? std::nan("") : Sign * HUGE_VAL;
  return Sign * (E == 0
                     ? std::ldexp(static_cast<double>(M), 1 - Bias - Mantissa)
                     : std::ldexp(static_cast<double>(M + (1 << Mantissa)), E - Bias - Mantissa));
}

template <class T> void put(unsigned char *To, T Value) { std::memcpy(To, &Value, sizeof(T)); }

void putInteger(unsigned char *To, unsigned Bytes, uint64_t Value) {
  switch (Bytes) {
  case 1:
    return put(To, static_cast<uint8_t>(Value));
  case 2:
    return put(To, static_cast<uint16_t>(Value));
  case 4:
    return put(To, static_cast<uint32_t>(Value));
  default:
    return put(To, Value);
  }
}

bool isFloating(Base B) {
  return B == Base::Half || B == Base::BFloat16 || B == Base::Float || B == Base::Double;
}

// Values below \p Limit stay below it, also where rounding would reach it.
void putFloating(unsigned char *To, Base Type, double Value, const double *Limit) {
  switch (Type) {
  case Base::Half: {
    uint16_t H = halfBits(Value);
    if (Limit && halfValue(H) >= *Limit)
      H = H == 0 ? 0x8001 : (H & 0x8000 ? H + 1 : H - 1); // the next one below
    return put(To, H);
  }
  case Base::BFloat16: {
    uint16_t H = bfloat16Bits(Value);
    if (Limit && bfloat16Value(H) >= *Limit)
      H = H == 0 ? 0x8001 : (H & 0x8000 ? H + 1 : H - 1);
    return put(To, H);
  }
  case Base::Float: {
    float F = static_cast<float>(Value);
    if (Limit && F >= *Limit)
      F = std::nextafter(F, -HUGE_VALF);
    return put(To, F);
  }
  default:
    if (Limit && Value >= *Limit)
      Value = std::nextafter(Value, -HUGE_VAL);
    return put(To, Value);
  }
}

// A double that is an integer, as 64 bits in two's complement.
uint64_t integer(double Value) {
  return Value < 0 ? 0 - static_cast<uint64_t>(-Value) : static_cast<uint64_t>(Value);
}

} // namespace

uint16_t halfBits(double Value) { return narrow(Value, 10, 5); }
uint16_t bfloat16Bits(double Value) { return narrow(Value, 7, 8); }
double halfValue(uint16_t Bits) { return widen(Bits, 10, 5); }
double bfloat16Value(uint16_t Bits) { return widen(Bits, 7, 8); }

uint64_t stream(const char *Case, const char *Name) {
  uint64_t Hash = 0xcbf29ce484222325u; // FNV-1a; the zero between the two keeps them apart
  for (; *Case; ++Case)
    Hash = (Hash ^ static_cast<unsigned char>(*Case)) * 0x100000001b3u;
  Hash *= 0x100000001b3u;
  for (; *Name; ++Name)
    Hash = (Hash ^ static_cast<unsigned char>(*Name)) * 0x100000001b3u;
  return Hash;
}

void fill(void *Data, uint64_t Count, const Spec &S, uint64_t Seed, uint64_t Stream) {
  unsigned char *To = static_cast<unsigned char *>(Data);
  const uint64_t Key = mix(mix(Seed) ^ Stream ^ (S.Fill == Kind::Poison ? 0x706f69736f6e : 0));
  const bool Floating = isFloating(S.Type);
  for (uint64_t I = 0; I < Count; ++I) {
    for (unsigned Lane = 0; Lane < S.Lanes; ++Lane, To += S.BaseBytes) {
      const uint64_t Bits = mix(Key + (I * S.Lanes + Lane) * 0xd1342543de82ef95u);
      switch (S.Fill) {
      case Kind::Poison:
        putInteger(To, S.BaseBytes, Bits);
        break;
      case Kind::Random:
        if (Floating) {
          const double Limit = 1;
          putFloating(To, S.Type, 2 * unit(Bits) - 1, &Limit);
        } else {
          // The high bits: the low ones are taken for choices elsewhere.
          putInteger(To, S.BaseBytes,
                     S.Type == Base::Bool ? Bits >> 63 : Bits >> (64 - 8 * S.BaseBytes));
        }
        break;
      case Kind::Uniform:
        if (Floating) {
          putFloating(To, S.Type, between(S.Low, S.High, unit(Bits)), &S.High);
        } else {
          const uint64_t Range = integer(S.High) - integer(S.Low);
          putInteger(To, S.BaseBytes, integer(S.Low) + (Range ? Bits % Range : 0));
        }
        break;
      case Kind::Value:
        if (Floating)
          putFloating(To, S.Type, S.Low, nullptr);
        else
          putInteger(To, S.BaseBytes, integer(S.Low));
        break;
      case Kind::Index:
        if (Floating)
          putFloating(To, S.Type, S.Low + static_cast<double>(I), nullptr);
        else
          putInteger(To, S.BaseBytes, integer(S.Low) + I);
        break;
      }
    }
  }
}

} // namespace fill
} // namespace cuda_pipeline
