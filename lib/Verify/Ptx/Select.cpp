//===- Select.cpp - Comparisons and selections --------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FloatKinds.h"
#include "Parser.h"

using namespace llvm;
using namespace cuda_pipeline;
using namespace cuda_pipeline::emulator;

namespace {

enum Comparison : uint8_t {
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge, // of floating-point numbers false if one is NaN
  Equ,
  Neu,
  Ltu,
  Leu,
  Gtu,
  Geu, // ... true
  Num,
  NaN,
};

template <class T> bool compare(T A, T B, uint8_t Mode) {
  bool Unordered = A != A || B != B;
  switch (Mode) {
  case Eq:
    return A == B;
  case Ne:
    return A != B && !Unordered;
  case Lt:
    return A < B;
  case Le:
    return A <= B;
  case Gt:
    return A > B;
  case Ge:
    return A >= B;
  case Equ:
    return Unordered || A == B;
  case Neu:
    return Unordered || A != B;
  case Ltu:
    return Unordered || A < B;
  case Leu:
    return Unordered || A <= B;
  case Gtu:
    return Unordered || A > B;
  case Geu:
    return Unordered || A >= B;
  case Num:
    return !Unordered;
  default:
    return Unordered;
  }
}

// How a register is compared: an integer type, or a floating-point kind and a shift.
template <class T> struct AsInteger {
  static bool test(const Frame &F, const Instruction &I, unsigned) {
    return compare<T>(F.get<T>(I.A), F.get<T>(I.B), I.Mode);
  }
};
template <class K> struct AsFloat {
  static bool test(const Frame &F, const Instruction &I, unsigned Shift) {
    bool Ftz = I.has(Instruction::Ftz);
    return compare<double>(K::load(F.R[I.A] >> Shift, Ftz), K::load(F.R[I.B] >> Shift, Ftz),
                           I.Mode);
  }
};

enum : uint8_t { Plain, And, Or, Xor };
bool combine(const Frame &F, const Instruction &I, bool Value) {
  switch (I.Mode2) {
  case And:
    return Value && F.predicate(I.C);
  case Or:
    return Value || F.predicate(I.C);
  case Xor:
    return Value != F.predicate(I.C);
  default:
    return Value;
  }
}

template <class As> void setPredicate(Frame &F, const Instruction &I) {
  bool Value = As::test(F, I, 0);
  bool P = combine(F, I, Value), Q = combine(F, I, !Value);
  F.R[I.D] = P;
  if (I.D2 != NoRegister)
    F.R[I.D2] = Q;
}
/// Of a pair: the second predicate is that of the second half.
template <class K> void setPredicates(Frame &F, const Instruction &I) {
  bool P = combine(F, I, AsFloat<K>::test(F, I, 0)), Q = combine(F, I, AsFloat<K>::test(F, I, 16));
  F.R[I.D] = P;
  if (I.D2 != NoRegister)
    F.R[I.D2] = Q;
}
/// Offset: the bits for true.
template <class As> void setValue(Frame &F, const Instruction &I) {
  F.R[I.D] = combine(F, I, As::test(F, I, 0)) ? static_cast<uint64_t>(I.Offset) : 0;
}

template <template <class> class Do> Handler forComparison(Type T) {
  if (T.isInteger() && T.Lanes == 1 && T.ElementBits > 8) {
    switch (T.ElementBits) {
    case 16:
      return T.isSigned() ? &Do<AsInteger<int16_t>>::run : &Do<AsInteger<uint16_t>>::run;
    case 32:
      return T.isSigned() ? &Do<AsInteger<int32_t>>::run : &Do<AsInteger<uint32_t>>::run;
    case 64:
      return T.isSigned() ? &Do<AsInteger<int64_t>>::run : &Do<AsInteger<uint64_t>>::run;
    }
  }
  if (T.is(Type::Float, 32))
    return &Do<AsFloat<Float32>>::run;
  if (T.is(Type::Float, 64))
    return &Do<AsFloat<Float64>>::run;
  if (T.is(Type::Float, 16))
    return &Do<AsFloat<Float16>>::run;
  if (T.is(Type::BFloat, 16))
    return &Do<AsFloat<BFloat16Bits>>::run;
  return nullptr;
}
template <class As> struct ToPredicate {
  static void run(Frame &F, const Instruction &I) { setPredicate<As>(F, I); }
};
template <class As> struct ToValue {
  static void run(Frame &F, const Instruction &I) { setValue<As>(F, I); }
};

/// The comparison, .and/.or/.xor, .ftz. False: not known for this type.
bool takeComparison(Statement &S, Type T) {
  int Mode = S.takeOne(
      {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"});
  if (Mode < 0 && T.K == Type::Unsigned) {
    int Unsigned = S.takeOne({"lo", "ls", "hi", "hs"});
    Mode = Unsigned < 0 ? -1 : Lt + Unsigned;
  }
  if (Mode < 0 || (Mode > Ge && !T.isFloat()) || (Mode > Ne && T.K == Type::Bits))
    return false;
  S.I.Mode = static_cast<uint8_t>(Mode);
  S.I.Mode2 = static_cast<uint8_t>(S.takeOne({"and", "or", "xor"}) + 1);
  if (T.isFloat() && T.ElementBits != 64)
    S.flag("ftz", Instruction::Ftz);
  return true;
}

void takeOperands(Statement &S, Type T) {
  S.I.A = S.source(1, T);
  S.I.B = S.source(2, T);
  if (S.I.Mode2 != Plain)
    S.I.C = S.predicate(3);
}

void select(Frame &F, const Instruction &I) { F.R[I.D] = F.R[F.predicate(I.C) ? I.A : I.B]; }

template <class T> void selectBySign(Frame &F, const Instruction &I) {
  T C = F.get<T>(I.C);
  if constexpr (std::is_same_v<T, float>)
    if (I.has(Instruction::Ftz) && std::fpclassify(C) == FP_SUBNORMAL)
      C = 0; // -0 >= 0
  F.R[I.D] = F.R[C >= 0 ? I.A : I.B];
}

} // namespace

void emulator::parseSetp(Statement &S) {
  Type T = S.type();
  if (!takeComparison(S, T))
    return S.unknown();
  if (!S.expect(S.I.Mode2 == Plain ? 3 : 4))
    return;
  S.I.D2 = S.secondDestination(0, 1);
  S.I.D = S.predicateDestination(0);
  takeOperands(S, T);
  if (T.Lanes == 2)
    return S.emitOr(T.is(Type::Float, 16, 2)    ? &setPredicates<Float16>
                    : T.is(Type::BFloat, 16, 2) ? &setPredicates<BFloat16Bits>
                                                : nullptr);
  S.emitOr(forComparison<ToPredicate>(T));
}

void emulator::parseSet(Statement &S) {
  Type To = S.type(), T = S.type();
  if (!takeComparison(S, T) || T.Lanes == 2)
    return S.unknown();
  if (To.is(Type::Float, 32))
    S.I.Offset = 0x3f800000;
  else if (To.is(Type::Unsigned, 32) || To.is(Type::Signed, 32))
    S.I.Offset = 0xffffffff;
  else if (To.is(Type::Float, 16) || To.is(Type::BFloat, 16))
    S.I.Offset = To.K == Type::Float ? Float16::One : BFloat16Bits::One;
  else if (To.is(Type::Unsigned, 16) || To.is(Type::Signed, 16))
    S.I.Offset = 0xffff;
  else
    return S.unknown();
  if (!S.expect(S.I.Mode2 == Plain ? 3 : 4))
    return;
  S.I.D = S.destination(0, To);
  takeOperands(S, T);
  S.emitOr(forComparison<ToValue>(T));
}

void emulator::parseSelp(Statement &S) {
  Type T = S.type();
  if (T.K == Type::Predicate || T.ElementBits == 8 || T.bits() > 64)
    return S.unknown();
  if (!S.expect(4))
    return;
  S.I.D = S.destination(0, T);
  S.I.A = S.source(1, T);
  S.I.B = S.source(2, T);
  S.I.C = S.predicate(3);
  S.emit(select);
}

void emulator::parseSlct(Statement &S) {
  Type T = S.type(), By = S.type();
  bool Float = By.is(Type::Float, 32);
  if ((!Float && !By.is(Type::Signed, 32)) || T.K == Type::Predicate || T.ElementBits == 8 ||
      T.bits() > 64)
    return S.unknown();
  if (Float)
    S.flag("ftz", Instruction::Ftz);
  if (!S.expect(4))
    return;
  S.I.D = S.destination(0, T);
  S.I.A = S.source(1, T);
  S.I.B = S.source(2, T);
  S.I.C = S.source(3, By);
  S.emit(Float ? selectBySign<float> : selectBySign<int32_t>);
}
