//===- Floating.cpp - Floating-point arithmetic -------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Each operation is written once, on doubles, and serves every type. The approximations
/// (`.approx`) are those of the host's library, rounded once: they are more exact than a GPU's, and
/// the same for both versions of a kernel. Nothing is contracted: a multiply-add is fused only
/// where it says fma or mad.
///
//===----------------------------------------------------------------------===//
#include "FloatKinds.h"
#include "Parser.h"
#include "llvm/ADT/APFloat.h"

using namespace llvm;
using namespace cuda_pipeline;
using namespace cuda_pipeline::emulator;

namespace {

RoundingMode modeOf(Rounding R) {
  switch (R) {
  case Rounding::Zero:
    return RoundingMode::TowardZero;
  case Rounding::Down:
    return RoundingMode::TowardNegative;
  case Rounding::Up:
    return RoundingMode::TowardPositive;
  default:
    return RoundingMode::NearestTiesToEven;
  }
}

/// An exact zero as a sum is negative when rounding down, unless both parts are positive zeros.
double zeroSign(double Sum, double A, double B, Rounding R) {
  return Sum == 0 && R == Rounding::Down && (std::signbit(A) || std::signbit(B)) ? -0.0 : Sum;
}

// Operations: `narrow` for results that are rounded again, `wide` for double.
struct Add {
  static double narrow(double A, double B, Rounding R) { return zeroSign(oddSum(A, B), A, B, R); }
  static double wide(double A, double B, Rounding R) {
    if (R == Rounding::NearestEven)
      return A + B;
    APFloat V(A);
    V.add(APFloat(B), modeOf(R));
    return V.convertToDouble();
  }
};
struct Sub {
  static double narrow(double A, double B, Rounding R) { return Add::narrow(A, -B, R); }
  static double wide(double A, double B, Rounding R) { return Add::wide(A, -B, R); }
};
struct Mul {
  static double narrow(double A, double B, Rounding) { return A * B; }
  static double wide(double A, double B, Rounding R) {
    if (R == Rounding::NearestEven)
      return A * B;
    APFloat V(A);
    V.multiply(APFloat(B), modeOf(R));
    return V.convertToDouble();
  }
};
struct Div {
  static double narrow(double A, double B, Rounding) {
    double Q = A / B;
    if (!std::isfinite(Q) || std::isinf(B) || Q == 0)
      return Q;
    double Rest = std::fma(-Q, B, A);
    return roundToOdd(Q, B < 0 ? -Rest : Rest);
  }
  static double wide(double A, double B, Rounding R) {
    if (R == Rounding::NearestEven)
      return A / B;
    APFloat V(A);
    V.divide(APFloat(B), modeOf(R));
    return V.convertToDouble();
  }
};

struct Reciprocal {
  static double narrow(double A, Rounding R) { return Div::narrow(1, A, R); }
  static double wide(double A, Rounding R) { return Div::wide(1, A, R); }
};
struct SquareRoot {
  static double narrow(double A, Rounding) {
    double Root = std::sqrt(A);
    return Root > 0 && std::isfinite(Root) ? roundToOdd(Root, std::fma(-Root, Root, A)) : Root;
  }
  static double wide(double A, Rounding R) {
    double Root = std::sqrt(A);
    if (R == Rounding::NearestEven || !(Root > 0) || std::isinf(Root))
      return Root;
    // The remainder is exact if A is scaled away from the smallest numbers; the root of 2^200 is
    // 2^100.
    double Scale = A < 0x1p-500 ? 0x1p100 : 1;
    double Rest = std::fma(-Root * Scale, Root * Scale, A * Scale * Scale);
    if (Rest < 0 && (R == Rounding::Down || R == Rounding::Zero))
      return std::nextafter(Root, 0);
    if (Rest > 0 && R == Rounding::Up)
      return std::nextafter(Root, HUGE_VAL);
    return Root;
  }
};
/// Functions that have no directed rounding.
template <double (*Function)(double)> struct Approximate {
  static double narrow(double A, Rounding) { return Function(A); }
  static double wide(double A, Rounding) { return Function(A); }
};
double reciprocalRoot(double A) { return 1 / std::sqrt(A); }
double sine(double A) { return std::sin(A); }
double cosine(double A) { return std::cos(A); }
double logarithm(double A) { return std::log2(A); }
double power(double A) { return std::exp2(A); }
double tangent(double A) { return std::tanh(A); }

template <class K> constexpr bool IsDouble = K::Bits == 64;

template <class K, unsigned Lanes> struct Run {
  /// Calls \p Result with the bits of lane L of every operand that it asks for.
  template <class F> static void lanes(Frame &Fr, const Instruction &I, F Result) {
    uint64_t R = 0;
    for (unsigned L = 0; L != Lanes; ++L) {
      unsigned Shift = L * K::Bits;
      R |= Result(Shift) << Shift;
    }
    Fr.R[I.D] = R;
  }
  template <class Op> static void binary(Frame &F, const Instruction &I) {
    bool Ftz = I.has(Instruction::Ftz);
    lanes(F, I, [&](unsigned S) {
      double A = K::load(F.R[I.A] >> S, Ftz), B = K::load(F.R[I.B] >> S, Ftz);
      return K::store(IsDouble<K> ? Op::wide(A, B, I.Round) : Op::narrow(A, B, I.Round), I);
    });
  }
  template <class Op> static void unary(Frame &F, const Instruction &I) {
    bool Ftz = I.has(Instruction::Ftz);
    lanes(F, I, [&](unsigned S) {
      double A = K::load(F.R[I.A] >> S, Ftz);
      return K::store(IsDouble<K> ? Op::wide(A, I.Round) : Op::narrow(A, I.Round), I);
    });
  }
  static void fma(Frame &F, const Instruction &I) {
    bool Ftz = I.has(Instruction::Ftz);
    lanes(F, I, [&](unsigned S) {
      double A = K::load(F.R[I.A] >> S, Ftz), B = K::load(F.R[I.B] >> S, Ftz);
      double C = K::load(F.R[I.C] >> S, Ftz), R;
      if constexpr (!IsDouble<K>) {
        R = zeroSign(oddFma(A, B, C), A * B, C, I.Round);
      } else if (I.Round == Rounding::NearestEven) {
        R = std::fma(A, B, C);
      } else {
        APFloat V(A);
        V.fusedMultiplyAdd(APFloat(B), APFloat(C), modeOf(I.Round));
        R = V.convertToDouble();
      }
      return K::store(R, I);
    });
  }
  static uint64_t operand(const Frame &F, uint16_t Register, unsigned S, bool Ftz) {
    uint64_t Mask = IsDouble<K> ? ~uint64_t(0) : (uint64_t(1) << (K::Bits % 64)) - 1;
    return K::flush(F.R[Register] >> S & Mask, Ftz);
  }
  static void neg(Frame &F, const Instruction &I) {
    lanes(F, I, [&](unsigned S) { return operand(F, I.A, S, I.has(Instruction::Ftz)) ^ K::Sign; });
  }
  static void abs(Frame &F, const Instruction &I) {
    lanes(F, I, [&](unsigned S) { return operand(F, I.A, S, I.has(Instruction::Ftz)) & ~K::Sign; });
  }
  template <bool IsMax> static void minMax(Frame &F, const Instruction &I) {
    lanes(F, I, [&](unsigned S) -> uint64_t {
      uint64_t A = operand(F, I.A, S, I.has(Instruction::Ftz));
      uint64_t B = operand(F, I.B, S, I.has(Instruction::Ftz));
      uint64_t Sign = 0;
      if (I.has(Instruction::XorSign)) {
        Sign = (A ^ B) & K::Sign;
        A &= ~K::Sign;
        B &= ~K::Sign;
      }
      bool NaNA = K::isNaN(A), NaNB = K::isNaN(B);
      if ((NaNA && NaNB) || (I.has(Instruction::KeepNaN) && (NaNA || NaNB)))
        return K::NaN;
      uint64_t R;
      if (NaNA || NaNB) {
        R = NaNA ? B : A;
      } else {
        double X = K::load(A, false), Y = K::load(B, false);
        bool Less = X < Y || (X == Y && std::signbit(X)); // -0 is below +0
        R = Less == IsMax ? B : A;
      }
      return R | Sign;
    });
  }
};

/// Calls `Pick(Run<Kind, Lanes>())` for the type.
template <class F> Handler forFloat(Type T, F Pick) {
  if (T.is(Type::Float, 32))
    return Pick(Run<Float32, 1>());
  if (T.is(Type::Float, 32, 2))
    return Pick(Run<Float32, 2>());
  if (T.is(Type::Float, 64))
    return Pick(Run<Float64, 1>());
  if (T.is(Type::Float, 16))
    return Pick(Run<Float16, 1>());
  if (T.is(Type::Float, 16, 2))
    return Pick(Run<Float16, 2>());
  if (T.is(Type::BFloat, 16))
    return Pick(Run<BFloat16Bits, 1>());
  if (T.is(Type::BFloat, 16, 2))
    return Pick(Run<BFloat16Bits, 2>());
  return nullptr;
}
template <class Op> Handler binaryFor(Type T) {
  return forFloat(T, [](auto R) -> Handler { return &decltype(R)::template binary<Op>; });
}
template <class Op> Handler unaryFor(Type T) {
  return forFloat(T, [](auto R) -> Handler { return &decltype(R)::template unary<Op>; });
}

bool isSmall(Type T) { return T.ElementBits == 16; }
/// Two floats in a register of 64 bits: there are sums, products and fma of them only.
bool isFloatPair(Type T) { return T.is(Type::Float, 32, 2); }

/// .rn and the like, .ftz, .sat: what the type allows.
void takeFlags(Statement &S, Type T) {
  if (std::optional<Rounding> R = S.takeRounding()) {
    if (isSmall(T) && *R != Rounding::NearestEven)
      return S.unknown();
    S.I.Round = *R;
  }
  if (!T.is(Type::Float, 64) && T.K != Type::BFloat) {
    S.flag("ftz", Instruction::Ftz);
    if (!isFloatPair(T))
      S.flag("sat", Instruction::Saturate);
  }
}

void operands(Statement &S, Type T, unsigned Sources) {
  if (!S.expect(Sources + 1))
    return;
  S.I.D = S.destination(0, T);
  S.I.A = S.source(1, T);
  if (Sources > 1)
    S.I.B = S.source(2, T);
  if (Sources > 2)
    S.I.C = S.source(3, T);
}

template <class K> void copysign(Frame &F, const Instruction &I) {
  F.R[I.D] = (F.R[I.A] & K::Sign) | (F.R[I.B] & (K::Sign - 1));
}

enum : uint8_t { Finite, Infinite, Number, NotANumber, Normal, Subnormal };
template <class T> void testProperty(Frame &F, const Instruction &I) {
  int Class = std::fpclassify(F.get<T>(I.A));
  bool R = false;
  switch (I.Mode) {
  case Finite:
    R = Class != FP_INFINITE && Class != FP_NAN;
    break;
  case Infinite:
    R = Class == FP_INFINITE;
    break;
  case Number:
    R = Class != FP_NAN;
    break;
  case NotANumber:
    R = Class == FP_NAN;
    break;
  case Normal:
    R = Class == FP_NORMAL;
    break;
  case Subnormal:
    R = Class == FP_SUBNORMAL;
    break;
  }
  F.R[I.D] = R;
}

} // namespace

void emulator::parseFloatBinary(Statement &S, Type T) {
  takeFlags(S, T);
  operands(S, T, 2);
  S.emitOr(S.Root == "add"   ? binaryFor<Add>(T)
           : S.Root == "sub" ? binaryFor<Sub>(T)
                             : binaryFor<Mul>(T));
}

void emulator::parseDivFloat(Statement &S, Type T) {
  bool Approximate = S.takeAny({"approx", "full"});
  takeFlags(S, T);
  if (isSmall(T) || isFloatPair(T) || S.I.has(Instruction::Saturate) ||
      (Approximate && T.ElementBits == 64))
    return S.unknown();
  operands(S, T, 2);
  S.emitOr(binaryFor<Div>(T));
}

static void parseFused(Statement &S, Type T) {
  if (isSmall(T))
    S.flag("relu", Instruction::Relu);
  takeFlags(S, T);
  operands(S, T, 3);
  S.emitOr(forFloat(T, [](auto R) -> Handler { return &decltype(R)::fma; }));
}

void emulator::parseFloatMad(Statement &S, Type T) {
  if (isSmall(T) || isFloatPair(T))
    S.unknown();
  else
    parseFused(S, T);
}

void emulator::parseFma(Statement &S) { parseFused(S, S.type()); }

void emulator::parseFloatNegAbs(Statement &S, Type T) {
  if (isFloatPair(T)) {
    return S.unknown();
  }
  if (!T.is(Type::Float, 64) && T.K != Type::BFloat)
    S.flag("ftz", Instruction::Ftz);
  operands(S, T, 1);
  S.emitOr(S.Root == "neg" ? forFloat(T, [](auto R) -> Handler { return &decltype(R)::neg; })
                           : forFloat(T, [](auto R) -> Handler { return &decltype(R)::abs; }));
}

void emulator::parseFloatMinMax(Statement &S, Type T) {
  if (isFloatPair(T)) {
    return S.unknown();
  }
  if (!T.is(Type::Float, 64)) {
    if (T.K != Type::BFloat)
      S.flag("ftz", Instruction::Ftz);
    S.flag("NaN", Instruction::KeepNaN);
    if (S.take("xorsign")) {
      if (!S.take("abs")) {
        return S.unknown();
      }
      S.I.Flags |= Instruction::XorSign;
    }
  }
  operands(S, T, 2);
  S.emitOr(
      S.Root == "max"
          ? forFloat(T, [](auto R) -> Handler { return &decltype(R)::template minMax<true>; })
          : forFloat(T, [](auto R) -> Handler { return &decltype(R)::template minMax<false>; }));
}

void emulator::parseUnaryFloat(Statement &S) {
  Type T = S.type();
  bool Approximate = S.take("approx");
  bool Directed = S.Root == "rcp" || S.Root == "sqrt";
  if (Directed)
    if (std::optional<Rounding> R = S.takeRounding())
      S.I.Round = *R;
  S.flag("ftz", Instruction::Ftz);
  bool Small = S.Root == "ex2" || S.Root == "tanh";
  bool Wide = Directed || S.Root == "rsqrt";
  if (isFloatPair(T) || (!Directed && !Approximate) || (isSmall(T) && !Small) ||
      (T.ElementBits == 64 && !Wide))
    return S.unknown();
  operands(S, T, 1);
  Handler H = StringSwitch<Handler>(S.Root)
                  .Case("rcp", unaryFor<Reciprocal>(T))
                  .Case("sqrt", unaryFor<SquareRoot>(T))
                  .Case("rsqrt", unaryFor<::Approximate<reciprocalRoot>>(T))
                  .Case("sin", unaryFor<::Approximate<sine>>(T))
                  .Case("cos", unaryFor<::Approximate<cosine>>(T))
                  .Case("lg2", unaryFor<::Approximate<logarithm>>(T))
                  .Case("ex2", unaryFor<::Approximate<power>>(T))
                  .Case("tanh", unaryFor<::Approximate<tangent>>(T))
                  .Default(nullptr);
  S.emitOr(H);
}

void emulator::parseCopysign(Statement &S) {
  Type T = S.type();
  if (T.K != Type::Float || isSmall(T))
    return S.unknown();
  operands(S, T, 2);
  S.emit(T.ElementBits == 64 ? copysign<Float64> : copysign<Float32>);
}

void emulator::parseTestp(Statement &S) {
  Type T = S.type();
  int Mode = S.takeOne({"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  if (Mode < 0 || T.K != Type::Float || isSmall(T))
    return S.unknown();
  if (!S.expect(2))
    return;
  S.I.Mode = static_cast<uint8_t>(Mode);
  S.I.D = S.predicateDestination(0);
  S.I.A = S.source(1, T);
  S.emit(T.ElementBits == 64 ? testProperty<double> : testProperty<float>);
}
