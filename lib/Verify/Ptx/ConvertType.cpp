//===- ConvertType.cpp - cvt --------------------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FloatKinds.h"
#include "Parser.h"
#include <algorithm>
#include <limits>

using namespace llvm;
using namespace cuda_pipeline;
using namespace cuda_pipeline::emulator;

namespace {

using Wide = __int128;

enum Kind : uint8_t {
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64, // by width, unsigned and signed: see widthOf()
  F16,
  BF16,
  F32,
  F64,
  TF,
  FP8E4,
  FP8E5,
  None
};
bool isInteger(uint8_t K) { return K <= S64; }
bool isSigned(uint8_t K) { return K >= S8 && K <= S64; }
unsigned widthOf(uint8_t IntegerKind) { return 8u << (IntegerKind & 3); }

Kind kindOf(Type T) {
  auto Of = [&](Kind Least) {
    unsigned W = T.ElementBits;
    unsigned Step = W == 8 ? 0 : W == 16 ? 1 : W == 32 ? 2 : 3;
    return static_cast<Kind>(Least + Step);
  };
  switch (T.K) {
  case Type::Unsigned:
    return Of(U8);
  case Type::Signed:
    return Of(S8);
  case Type::Float:
    return T.ElementBits == 16 ? F16 : T.ElementBits == 32 ? F32 : F64;
  case Type::BFloat:
    return BF16;
  case Type::TFloat:
    return TF;
  case Type::E4M3:
    return FP8E4;
  case Type::E5M2:
    return FP8E5;
  default:
    return None;
  }
}

// Fields of the instruction: Mode is the result's kind, Mode2 the source's; Width the rounding to
// an integer; Count is set for .satfinite.
enum : uint8_t { AsItIs, ToNearest, ToZero, Downwards, Upwards };

Wide loadInteger(uint8_t K, uint64_t Bits) {
  unsigned Unused = 64 - widthOf(K);
  if (isSigned(K))
    return static_cast<int64_t>(Bits << Unused) >> Unused;
  return Bits << Unused >> Unused;
}

Wide least(uint8_t K) { return isSigned(K) ? -(Wide(1) << (widthOf(K) - 1)) : Wide(0); }
Wide most(uint8_t K) { return (Wide(1) << (widthOf(K) - isSigned(K))) - 1; }

double loadFloat(uint8_t K, uint64_t Bits, const Instruction &I) {
  bool Ftz = I.has(Instruction::Ftz);
  switch (K) {
  case F16:
    return Float16::load(Bits, false);
  case BF16:
    return BFloat16Bits::load(Bits, false);
  case F64:
    return Float64::load(Bits, false);
  case FP8E4:
    return decode(E4M3, Bits & 0xff);
  case FP8E5:
    return decode(E5M2, Bits & 0xff);
  default:
    return Float32::load(Bits, Ftz);
  }
}

/// \p V is exact or rounded to odd.
uint64_t storeFloat(uint8_t K, double V, const Instruction &I) {
  bool Finite = I.Count;
  switch (K) {
  case F64:
    return Float64::store(V, I);
  case F32:
    return Float32::store(V, I);
  case F16:
    return encode(Half, limit(V, I), I.Round, Finite);
  case BF16:
    return encode(BFloat16, limit(V, I), I.Round, Finite);
  case FP8E4:
    return encode(E4M3, limit(V, I), I.Round, Finite);
  case FP8E5:
    return encode(E5M2, limit(V, I), I.Round, Finite);
  default: // tf32, of a float
    return bitCast<uint32_t>(tf32(static_cast<float>(limit(V, I)), I.Round, Finite));
  }
}

double toIntegral(double V, uint8_t How) {
  switch (How) {
  case ToNearest:
    return std::nearbyint(V);
  case ToZero:
    return std::trunc(V);
  case Downwards:
    return std::floor(V);
  case Upwards:
    return std::ceil(V);
  default:
    return V;
  }
}

/// A whole number as a double: rounded to odd for what is rounded again, or as I says.
double wholeNumber(Wide V, const Instruction &I) {
  if (I.Mode != F64)
    return oddSum(static_cast<double>(static_cast<int64_t>(V >> 32)) * 0x1p32,
                  static_cast<double>(static_cast<uint32_t>(V)));
  double Near = static_cast<double>(V);
  Wide Rest = V - static_cast<Wide>(Near);
  if (Rest > 0 && (I.Round == Rounding::Up || (I.Round == Rounding::Zero && V < 0)))
    return std::nextafter(Near, HUGE_VAL);
  if (Rest < 0 && (I.Round == Rounding::Down || (I.Round == Rounding::Zero && V > 0)))
    return std::nextafter(Near, -HUGE_VAL);
  return Near;
}

uint64_t convertOne(uint64_t Bits, const Instruction &I) {
  const uint8_t To = I.Mode, From = I.Mode2;
  if (isInteger(To)) {
    Wide V;
    if (isInteger(From)) {
      V = loadInteger(From, Bits);
      if (I.has(Instruction::Saturate))
        V = std::clamp(V, least(To), most(To));
    } else {
      double D = loadFloat(From, Bits, I);
      if (std::isnan(D)) {
        // The ISA's rule for what is no number.
        bool Zero = From != F64 && To != U64 && To != S64;
        V = Zero ? Wide(0) : Wide(1) << (widthOf(To) - 1);
      } else {
        D = toIntegral(D, I.Width);
        V = D >= 0x1p64 ? most(To) : D < -0x1p63 ? least(To) : static_cast<Wide>(D);
        V = std::clamp(V, least(To), most(To));
      }
    }
    // A register that is wider gets the sign.
    return static_cast<uint64_t>(isSigned(To) ? loadInteger(To, static_cast<uint64_t>(V))
                                              : V & most(To));
  }
  if (isInteger(From))
    return storeFloat(To, wholeNumber(loadInteger(From, Bits), I), I);
  return storeFloat(To, toIntegral(loadFloat(From, Bits, I), I.Width), I);
}

void convert(Frame &F, const Instruction &I) { F.R[I.D] = convertOne(F.R[I.A], I); }

unsigned laneBits(uint8_t K) { return K == FP8E4 || K == FP8E5 ? 8 : 16; }
/// One pair to another.
void convertPair(Frame &F, const Instruction &I) {
  uint64_t Low = convertOne(F.R[I.A], I), High = convertOne(F.R[I.A] >> laneBits(I.Mode2), I);
  F.R[I.D] = High << laneBits(I.Mode) | Low;
}
/// Two values to a pair: the first is the upper half.
void packPair(Frame &F, const Instruction &I) {
  F.R[I.D] = convertOne(F.R[I.A], I) << laneBits(I.Mode) | convertOne(F.R[I.B], I);
}

/// cvt.pack.sat: two values, saturated, in front of the low half of C if there is one.
void packIntegers(Frame &F, const Instruction &I) {
  unsigned Width = widthOf(I.Mode);
  uint64_t Mask = (uint64_t(1) << Width) - 1;
  uint64_t High = convertOne(F.R[I.A], I) & Mask, Low = convertOne(F.R[I.B], I) & Mask;
  uint64_t Rest = I.C == NoRegister ? 0 : F.R[I.C] << (2 * Width);
  F.set<uint32_t>(I.D, static_cast<uint32_t>(Rest | High << Width | Low));
}

} // namespace

static void parsePack(Statement &S) {
  Type To = S.type(), From = S.type();
  bool Three = To.ElementBits == 8;
  if (!S.take("sat") || (To.ElementBits != 8 && To.ElementBits != 16) || To.Lanes != 1 ||
      (To.K != Type::Signed && To.K != Type::Unsigned) || !From.is(Type::Signed, 32) ||
      (Three && !S.take("b32")))
    return S.unknown();
  if (!S.expect(Three ? 4 : 3))
    return;
  S.I.Flags |= Instruction::Saturate;
  S.I.Mode = kindOf(To);
  S.I.Mode2 = kindOf(From);
  S.I.D = S.destination(0, Type::b(32));
  S.I.A = S.source(1, From);
  S.I.B = S.source(2, From);
  if (Three)
    S.I.C = S.source(3, Type::b(32));
  S.emit(packIntegers);
}

void emulator::parseCvt(Statement &S) {
  if (S.take("pack"))
    return parsePack(S);
  Type To = S.type(), From = S.type();
  S.I.Mode = kindOf(To);
  S.I.Mode2 = kindOf(From);
  bool Round = false;
  if (S.take("rna")) {
    if (To.K != Type::TFloat)
      return S.unknown();
    S.I.Round = Rounding::NearestAway;
    Round = true;
  } else if (std::optional<Rounding> R = S.takeRounding()) {
    S.I.Round = *R;
    Round = true;
  }
  S.I.Width = static_cast<uint8_t>(S.takeOne({"rni", "rzi", "rmi", "rpi"}) + 1);
  S.flag("ftz", Instruction::Ftz);
  S.flag("sat", Instruction::Saturate);
  S.I.Count = S.take("satfinite");
  if (To.isFloat())
    S.flag("relu", Instruction::Relu);

  // What is not in the ISA is not run either.
  bool Float = To.isFloat() && From.isFloat();
  bool Small = To.K == Type::E4M3 || To.K == Type::E5M2;
  auto IsFloatPair = [](Type T) { return T.is(Type::Float, 32, 2); };
  bool Fits =
      !IsFloatPair(To) && !IsFloatPair(From) && S.I.Mode != None && S.I.Mode2 != None &&
      From.K != Type::TFloat && (To.K != Type::TFloat || From.is(Type::Float, 32)) &&
      !(Round && S.I.Width) &&                    // one rounding
      !(!To.isFloat() && (Round || S.I.Count)) && // integers: .rzi, .sat
      !(S.I.Width && !From.isFloat()) && !(To.isInteger() && From.isFloat() && !S.I.Width) &&
      !(S.I.Width && Float && (To.K != From.K || To.ElementBits != From.ElementBits)) &&
      !(From.isInteger() && To.isFloat() && !Round) &&
      !(Float && From.ElementBits > To.ElementBits && !Round) &&
      !(Small && (!S.I.Count || To.Lanes != 2)) && // they exist in pairs, saturated
      !(To.Lanes == 1 && From.Lanes == 2) && !(To.Lanes == 2 && (!To.isFloat() || !From.isFloat()));
  if (!Fits)
    return S.unknown();
  if (To.Lanes == 1) {
    if (!S.expect(2))
      return;
    S.I.D = S.destination(0, To);
    S.I.A = S.source(1, From);
    return S.emit(convert);
  }
  if (From.Lanes == 2) {
    if (!S.expect(2))
      return;
    S.I.D = S.destination(0, To);
    S.I.A = S.source(1, From);
    return S.emit(convertPair);
  }
  if (!From.is(Type::Float, 32))
    return S.unknown();
  if (!S.expect(3))
    return;
  S.I.D = S.destination(0, To);
  S.I.A = S.source(1, From);
  S.I.B = S.source(2, From);
  S.emit(packPair);
}
