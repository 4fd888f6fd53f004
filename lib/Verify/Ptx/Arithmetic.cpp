//===- Arithmetic.cpp - Integers and logic ------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Parser.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <limits>

using namespace llvm;
using namespace cuda_pipeline;
using namespace cuda_pipeline::emulator;

using Wide = __int128;
using UWide = unsigned __int128;

namespace {

template <class T> constexpr unsigned Bits = sizeof(T) * 8;
template <class T> using Unsigned = std::make_unsigned_t<T>;

template <class T> T clampTo(Wide V) {
  return static_cast<T>(
      std::clamp<Wide>(V, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

// Sums. The carry is that of the unsigned operation; of a difference it is the borrow.
template <class T, bool Minus> void addSub(Frame &F, const Instruction &I) {
  T A = F.get<T>(I.A), B = F.get<T>(I.B);
  if (I.has(Instruction::Saturate))
    return F.set<T>(I.D, clampTo<T>(Minus ? Wide(A) - B : Wide(A) + B));
  Wide CarryIn = I.has(Instruction::CarryIn) && F.Carry;
  Wide UA = Unsigned<T>(A), UB = Unsigned<T>(B);
  Wide R = Minus ? UA - UB - CarryIn : UA + UB + CarryIn;
  if (I.has(Instruction::CarryOut))
    F.Carry = Minus ? R < 0 : (R >> Bits<T>) != 0;
  F.set<T>(I.D, static_cast<T>(R));
}
template <class T> struct Add {
  static void run(Frame &F, const Instruction &I) { addSub<T, false>(F, I); }
};
template <class T> struct Sub {
  static void run(Frame &F, const Instruction &I) { addSub<T, true>(F, I); }
};

/// Two halves of 16 bits, each by itself.
template <class T, class Op> void packed(Frame &F, const Instruction &I) {
  uint32_t R = 0;
  for (unsigned Lane = 0; Lane != 2; ++Lane) {
    T A = static_cast<T>(F.R[I.A] >> (16 * Lane)), B = static_cast<T>(F.R[I.B] >> (16 * Lane));
    T V = Op()(A, B);
    if (I.has(Instruction::Relu))
      V = std::max<T>(V, 0);
    R |= uint32_t(uint16_t(V)) << (16 * Lane);
  }
  F.R[I.D] = R;
}
struct Plus {
  template <class T> T operator()(T A, T B) const { return static_cast<T>(A + B); }
};
struct Less {
  template <class T> T operator()(T A, T B) const { return std::min(A, B); }
};
struct More {
  template <class T> T operator()(T A, T B) const { return std::max(A, B); }
};
template <class Op> Handler forPacked(Type T) {
  return T.is(Type::Signed, 16, 2)     ? &packed<int16_t, Op>
         : T.is(Type::Unsigned, 16, 2) ? &packed<uint16_t, Op>
                                       : nullptr;
}

// Products: Mode 0 the low half, 1 the high half, 2 all of it.
enum : uint8_t { Low, High, Full };
template <class T> Wide product(Frame &F, const Instruction &I) {
  T A = F.get<T>(I.A), B = F.get<T>(I.B);
  if constexpr (std::is_signed_v<T>)
    return Wide(A) * B;
  else
    return static_cast<Wide>(UWide(A) * B);
}
/// Writes \p V as a result of T, or of twice its width.
template <class T> void setProduct(Frame &F, const Instruction &I, Wide V) {
  if (I.Mode == Full && std::is_signed_v<T> && Bits<T> == 16)
    F.set<int32_t>(I.D, static_cast<int32_t>(V));
  else if (I.Mode == Full && Bits<T> == 16)
    F.set<uint32_t>(I.D, static_cast<uint32_t>(V));
  else if (I.Mode == Full)
    F.set<uint64_t>(I.D, static_cast<uint64_t>(V));
  else
    F.set<T>(I.D, static_cast<T>(V));
}
template <class T> struct Mul {
  static void run(Frame &F, const Instruction &I) {
    Wide P = product<T>(F, I);
    setProduct<T>(F, I, I.Mode == High ? P >> Bits<T> : P);
  }
};
template <class T> struct Mad {
  static void run(Frame &F, const Instruction &I) {
    Wide P = product<T>(F, I);
    if (I.Mode == High)
      P >>= Bits<T>;
    if (I.Mode == Full) {
      // The third operand has the width of the result.
      Wide C = Bits<T> == 16 ? Wide(F.get<uint32_t>(I.C)) : Wide(F.get<uint64_t>(I.C));
      return setProduct<T>(F, I, static_cast<Wide>(static_cast<UWide>(P) + static_cast<UWide>(C)));
    }
    T C = F.get<T>(I.C);
    if (I.has(Instruction::Saturate))
      return F.set<T>(I.D, clampTo<T>(P + C));
    Wide CarryIn = I.has(Instruction::CarryIn) && F.Carry;
    Wide R = Wide(Unsigned<T>(P)) + Unsigned<T>(C) + CarryIn;
    if (I.has(Instruction::CarryOut))
      F.Carry = (R >> Bits<T>) != 0;
    F.set<T>(I.D, static_cast<T>(R));
  }
};
/// mul24 and mad24: of the low 24 bits, bits 0 to 31 or 16 to 47 of the product.
template <class T, bool WithC> void mul24(Frame &F, const Instruction &I) {
  using W = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
  auto Narrow = [](T V) { return W(T(Unsigned<T>(V) << 8) >> 8); };
  W P = Narrow(F.get<T>(I.A)) * Narrow(F.get<T>(I.B));
  W R = I.Mode == High ? P >> 16 : P;
  if (WithC) {
    T C = F.get<T>(I.C);
    if (I.has(Instruction::Saturate))
      return F.set<T>(I.D, clampTo<T>(Wide(T(R)) + C));
    R = static_cast<W>(static_cast<uint64_t>(R) + static_cast<uint64_t>(C));
  }
  F.set<T>(I.D, static_cast<T>(R));
}

// By zero, PTX names no result; it is all ones here. The one quotient that overflows wraps.
template <class T> struct Div {
  static void run(Frame &F, const Instruction &I) {
    T A = F.get<T>(I.A), B = F.get<T>(I.B);
    F.set<T>(I.D, B == 0 ? static_cast<T>(~T(0)) : static_cast<T>(Wide(A) / Wide(B)));
  }
};
template <class T> struct Rem {
  static void run(Frame &F, const Instruction &I) {
    T A = F.get<T>(I.A), B = F.get<T>(I.B);
    F.set<T>(I.D, B == 0 ? static_cast<T>(~T(0)) : static_cast<T>(Wide(A) % Wide(B)));
  }
};
template <class T> struct Sad {
  static void run(Frame &F, const Instruction &I) {
    T A = F.get<T>(I.A), B = F.get<T>(I.B);
    Wide Distance = A < B ? Wide(B) - A : Wide(A) - B;
    F.set<T>(I.D, static_cast<T>(Distance + F.get<T>(I.C)));
  }
};
template <class T> struct Neg {
  static void run(Frame &F, const Instruction &I) {
    F.set<T>(I.D, static_cast<T>(-Wide(F.get<T>(I.A))));
  }
};
template <class T> struct Abs {
  static void run(Frame &F, const Instruction &I) {
    Wide A = F.get<T>(I.A);
    F.set<T>(I.D, static_cast<T>(A < 0 ? -A : A));
  }
};
template <class T, class Op> void minMax(Frame &F, const Instruction &I) {
  T R = Op()(F.get<T>(I.A), F.get<T>(I.B));
  F.set<T>(I.D, I.has(Instruction::Relu) ? std::max<T>(R, 0) : R);
}
template <class T> struct Min {
  static void run(Frame &F, const Instruction &I) { minMax<T, Less>(F, I); }
};
template <class T> struct Max {
  static void run(Frame &F, const Instruction &I) { minMax<T, More>(F, I); }
};

// Logic, on all 64 bits: what is above the type's is not looked at.
void logicAnd(Frame &F, const Instruction &I) { F.R[I.D] = F.R[I.A] & F.R[I.B]; }
void logicOr(Frame &F, const Instruction &I) { F.R[I.D] = F.R[I.A] | F.R[I.B]; }
void logicXor(Frame &F, const Instruction &I) { F.R[I.D] = F.R[I.A] ^ F.R[I.B]; }
void logicNot(Frame &F, const Instruction &I) { F.R[I.D] = ~F.R[I.A]; }
template <class T> struct Cnot {
  static void run(Frame &F, const Instruction &I) { F.set<T>(I.D, F.get<T>(I.A) == 0); }
};

template <class T> struct ShiftLeft {
  static void run(Frame &F, const Instruction &I) {
    uint32_t N = F.get<uint32_t>(I.B);
    F.set<T>(I.D, N >= Bits<T> ? T(0) : static_cast<T>(UWide(F.get<T>(I.A)) << N));
  }
};
template <class T> struct ShiftRight {
  static void run(Frame &F, const Instruction &I) {
    uint32_t N = std::min<uint32_t>(F.get<uint32_t>(I.B), Bits<T>);
    F.set<T>(I.D, static_cast<T>(Wide(F.get<T>(I.A)) >> N));
  }
};
/// Mode: wrap, else clamp.
template <bool Left> void funnel(Frame &F, const Instruction &I) {
  uint64_t Both = uint64_t(F.get<uint32_t>(I.B)) << 32 | F.get<uint32_t>(I.A);
  uint32_t N = F.get<uint32_t>(I.C);
  N = I.Mode ? N & 31 : std::min<uint32_t>(N, 32);
  F.set<uint32_t>(I.D, static_cast<uint32_t>(Left ? Both << N >> 32 : Both >> N));
}

template <class T> struct FieldExtract {
  static void run(Frame &F, const Instruction &I) {
    constexpr unsigned Last = Bits<T> - 1;
    T A = F.get<T>(I.A);
    unsigned Position = F.get<uint8_t>(I.B), Length = F.get<uint8_t>(I.C);
    bool Sign = std::is_signed_v<T> && Length != 0 &&
                (uint64_t(A) >> std::min(Position + Length - 1, Last) & 1);
    uint64_t R = 0;
    for (unsigned Bit = 0; Bit <= Last; ++Bit) {
      bool Inside = Bit < Length && Position + Bit <= Last;
      R |= uint64_t(Inside ? uint64_t(A) >> (Position + Bit) & 1 : Sign) << Bit;
    }
    F.set<T>(I.D, static_cast<T>(R));
  }
};
template <class T> struct FieldInsert {
  static void run(Frame &F, const Instruction &I) {
    uint64_t A = F.R[I.A], R = F.R[I.B];
    unsigned Position = F.get<uint8_t>(I.C), Length = F.get<uint8_t>(I.E);
    for (unsigned Bit = 0; Bit < Length && Position + Bit < Bits<T>; ++Bit) {
      R &= ~(uint64_t(1) << (Position + Bit));
      R |= (A >> Bit & 1) << (Position + Bit);
    }
    F.set<T>(I.D, static_cast<T>(R));
  }
};
/// Mode: .shiftamt
template <class T> struct FindBit {
  static void run(Frame &F, const Instruction &I) {
    T V = F.get<T>(I.A);
    auto A = static_cast<Unsigned<T>>(V);
    if (std::is_signed_v<T> && V < 0)
      A = static_cast<Unsigned<T>>(~A);
    uint32_t R = ~0u;
    if (A) {
      R = 63 - static_cast<uint32_t>(countl_zero(uint64_t(A)));
      if (I.Mode)
        R = Bits<T> - 1 - R;
    }
    F.set<uint32_t>(I.D, R);
  }
};
template <class T> struct Clz {
  static void run(Frame &F, const Instruction &I) {
    F.set<uint32_t>(I.D, static_cast<uint32_t>(countl_zero(Unsigned<T>(F.get<T>(I.A)))));
  }
};
template <class T> struct Popc {
  static void run(Frame &F, const Instruction &I) {
    F.set<uint32_t>(I.D, static_cast<uint32_t>(popcount(Unsigned<T>(F.get<T>(I.A)))));
  }
};
template <class T> struct Brev {
  static void run(Frame &F, const Instruction &I) {
    uint64_t A = F.R[I.A], R = 0;
    for (unsigned Bit = 0; Bit != Bits<T>; ++Bit)
      R |= (A >> Bit & 1) << (Bits<T> - 1 - Bit);
    F.set<T>(I.D, static_cast<T>(R));
  }
};

enum : uint8_t { Generic, F4e, B4e, Rc8, Ecl, Ecr, Rc16 };
void permute(Frame &F, const Instruction &I) {
  uint64_t Bytes = uint64_t(F.get<uint32_t>(I.B)) << 32 | F.get<uint32_t>(I.A);
  uint32_t Selector = F.get<uint32_t>(I.C), R = 0;
  unsigned N = Selector & 3;
  for (unsigned Byte = 0; Byte != 4; ++Byte) {
    unsigned From = 0;
    switch (I.Mode) {
    case Generic:
      From = Selector >> (4 * Byte) & 15;
      break;
    case F4e:
      From = N + Byte;
      break;
    case B4e:
      From = (N - Byte) & 7;
      break;
    case Rc8:
      From = N;
      break;
    case Ecl:
      From = std::max(N, Byte);
      break;
    case Ecr:
      From = std::min(N, Byte);
      break;
    case Rc16:
      From = (N & 1) * 2 + (Byte & 1);
      break;
    }
    uint32_t V = Bytes >> (8 * (From & 7)) & 0xff;
    if (From & 8) // the sign of that byte
      V = V & 0x80 ? 0xff : 0;
    R |= V << (8 * Byte);
  }
  F.set<uint32_t>(I.D, R);
}

void lop3(Frame &F, const Instruction &I) {
  uint32_t A = F.get<uint32_t>(I.A), B = F.get<uint32_t>(I.B), C = F.get<uint32_t>(I.C), R = 0;
  for (unsigned Row = 0; Row != 8; ++Row)
    if (I.Mode >> Row & 1)
      R |= (Row & 4 ? A : ~A) & (Row & 2 ? B : ~B) & (Row & 1 ? C : ~C);
  F.set<uint32_t>(I.D, R);
}

/// Count: elements; Mode, Mode2: A and B are signed; Width: dp2a's first byte of B.
template <class AType, class BType> void dotProduct(Frame &F, const Instruction &I) {
  uint32_t A = F.get<uint32_t>(I.A), B = F.get<uint32_t>(I.B), R = F.get<uint32_t>(I.C);
  for (unsigned E = 0; E != I.Count; ++E) {
    int64_t X = I.Count == 4              ? int64_t(static_cast<AType>(A >> (8 * E)))
                : std::is_signed_v<AType> ? int64_t(int16_t(A >> (16 * E)))
                                          : int64_t(uint16_t(A >> (16 * E)));
    R += static_cast<uint32_t>(X * static_cast<BType>(B >> (8 * (E + I.Width))));
  }
  F.set<uint32_t>(I.D, R);
}

void threeOperands(Statement &S, Type T, Handler Run) {
  if (S.expect(3)) {
    S.I.D = S.destination(0, T);
    S.I.A = S.source(1, T);
    S.I.B = S.source(2, T);
  }
  S.emitOr(Run);
}
void twoOperands(Statement &S, Type To, Type From, Handler Run) {
  if (S.expect(2)) {
    S.I.D = S.destination(0, To);
    S.I.A = S.source(1, From);
  }
  S.emitOr(Run);
}

void carry(Statement &S, bool In) {
  S.flag("cc", Instruction::CarryOut);
  if (In) {
    // The flag would have to come from an earlier statement, which PTX does not promise either.
    if (!S.P.CarrySet)
      S.error("no instruction of the same asm statement has set the carry");
    S.I.Flags |= Instruction::CarryIn;
  }
  if (S.I.has(Instruction::CarryOut))
    S.P.CarrySet = true;
}

} // namespace

void emulator::parseAddSub(Statement &S) {
  Type T = S.type();
  if (T.isFloat() && (S.Root == "add" || S.Root == "sub"))
    return parseFloatBinary(S, T);
  if (T.Lanes == 2)
    return threeOperands(S, T, S.Root == "add" ? forPacked<Plus>(T) : nullptr);
  if (T.ElementBits == 8 || T.K == Type::Bits)
    return S.unknown();
  if (T.is(Type::Signed, 32) && !StringRef(S.Root).ends_with("c"))
    S.flag("sat", Instruction::Saturate);
  carry(S, StringRef(S.Root).ends_with("c"));
  threeOperands(S, T,
                StringRef(S.Root).starts_with("add") ? forInteger<Add>(T) : forInteger<Sub>(T));
}

void emulator::parseMul(Statement &S) {
  Type T = S.type();
  if (T.isFloat())
    return parseFloatBinary(S, T);
  int Mode = S.takeOne({"lo", "hi", "wide"});
  bool Is24 = S.Root == "mul24";
  if (Mode < 0 || T.K == Type::Bits || T.Lanes != 1 || T.ElementBits == 8 ||
      (Mode == Full && (Is24 || T.ElementBits == 64)) || (Is24 && T.ElementBits != 32))
    return S.unknown();
  S.I.Mode = static_cast<uint8_t>(Mode);
  Type To = T;
  if (Mode == Full)
    To.ElementBits = static_cast<uint8_t>(To.ElementBits * 2);
  if (!S.expect(3))
    return;
  S.I.D = S.destination(0, To);
  S.I.A = S.source(1, T);
  S.I.B = S.source(2, T);
  if (Is24)
    return S.emit(T.isSigned() ? &mul24<int32_t, false> : &mul24<uint32_t, false>);
  S.emitOr(forInteger<Mul>(T));
}

void emulator::parseMad(Statement &S) {
  Type T = S.type();
  if (T.isFloat() && S.Root == "mad")
    return parseFloatMad(S, T);
  int Mode = S.takeOne({"lo", "hi", "wide"});
  bool Is24 = S.Root == "mad24";
  if (Mode < 0 || T.K == Type::Bits || !T.isInteger() || T.Lanes != 1 || T.ElementBits == 8 ||
      (Mode == Full && (Is24 || T.ElementBits == 64)) || (Is24 && T.ElementBits != 32))
    return S.unknown();
  S.I.Mode = static_cast<uint8_t>(Mode);
  if (Mode == High && T.is(Type::Signed, 32) && S.Root != "madc")
    S.flag("sat", Instruction::Saturate);
  if (Mode != Full && !Is24)
    carry(S, S.Root == "madc");
  Type To = T;
  if (Mode == Full)
    To.ElementBits = static_cast<uint8_t>(To.ElementBits * 2);
  if (!S.expect(4))
    return;
  S.I.D = S.destination(0, To);
  S.I.A = S.source(1, T);
  S.I.B = S.source(2, T);
  S.I.C = S.source(3, To);
  if (Is24)
    return S.emit(T.isSigned() ? &mul24<int32_t, true> : &mul24<uint32_t, true>);
  S.emitOr(forInteger<Mad>(T));
}

void emulator::parseDivRem(Statement &S) {
  Type T = S.type();
  if (T.isFloat() && S.Root == "div")
    return parseDivFloat(S, T);
  if (T.K == Type::Bits || T.ElementBits == 8)
    return S.unknown();
  threeOperands(S, T, S.Root == "div" ? forInteger<Div>(T) : forInteger<Rem>(T));
}

void emulator::parseSad(Statement &S) {
  Type T = S.type();
  if (T.K == Type::Bits || T.ElementBits == 8)
    return S.unknown();
  if (!S.expect(4))
    return;
  S.I.D = S.destination(0, T);
  S.I.A = S.source(1, T);
  S.I.B = S.source(2, T);
  S.I.C = S.source(3, T);
  S.emitOr(forInteger<Sad>(T));
}

void emulator::parseNegAbs(Statement &S) {
  Type T = S.type();
  if (T.isFloat())
    return parseFloatNegAbs(S, T);
  if (!T.isSigned() || T.ElementBits == 8)
    return S.unknown();
  twoOperands(S, T, T, S.Root == "neg" ? forInteger<Neg>(T) : forInteger<Abs>(T));
}

void emulator::parseMinMax(Statement &S) {
  Type T = S.type();
  if (T.isFloat())
    return parseFloatMinMax(S, T);
  if (T.K == Type::Bits || T.ElementBits == 8)
    return S.unknown();
  if (T.is(Type::Signed, 32) || T.is(Type::Signed, 16, 2))
    S.flag("relu", Instruction::Relu);
  bool IsMin = S.Root == "min";
  if (T.Lanes == 2)
    return threeOperands(S, T, IsMin ? forPacked<Less>(T) : forPacked<More>(T));
  threeOperands(S, T, IsMin ? forInteger<Min>(T) : forInteger<Max>(T));
}

void emulator::parseLogic(Statement &S) {
  Type T = S.type();
  bool Fits =
      T.K == Type::Predicate || (T.K == Type::Bits && T.ElementBits >= 16 && T.ElementBits <= 64);
  if (!Fits)
    return S.unknown();
  if (S.Root == "cnot")
    return twoOperands(S, T, T, T.K == Type::Predicate ? nullptr : forInteger<Cnot>(T));
  if (S.Root == "not")
    return twoOperands(S, T, T, logicNot);
  threeOperands(S, T, S.Root == "and" ? logicAnd : S.Root == "or" ? logicOr : logicXor);
}

void emulator::parseShift(Statement &S) {
  Type T = S.type();
  if (!T.isInteger() || T.ElementBits == 8 || (S.Root == "shl" && T.K != Type::Bits))
    return S.unknown();
  if (!S.expect(3))
    return;
  S.I.D = S.destination(0, T);
  S.I.A = S.source(1, T);
  S.I.B = S.source(2, Type::b(32));
  S.emitOr(S.Root == "shl" ? forInteger<ShiftLeft>(T) : forInteger<ShiftRight>(T));
}

void emulator::parseFunnelShift(Statement &S) {
  int Left = S.takeOne({"r", "l"}), Wrap = S.takeOne({"clamp", "wrap"});
  Type T = S.type();
  if (Left < 0 || Wrap < 0 || !T.is(Type::Bits, 32))
    return S.unknown();
  if (!S.expect(4))
    return;
  S.I.Mode = static_cast<uint8_t>(Wrap);
  S.I.D = S.destination(0, T);
  S.I.A = S.source(1, T);
  S.I.B = S.source(2, T);
  S.I.C = S.source(3, T);
  S.emit(Left ? funnel<true> : funnel<false>);
}

void emulator::parseBitField(Statement &S) {
  Type T = S.type();
  bool Insert = S.Root == "bfi";
  if ((T.ElementBits != 32 && T.ElementBits != 64) || Insert != (T.K == Type::Bits) ||
      !T.isInteger())
    return S.unknown();
  if (!S.expect(Insert ? 5 : 4))
    return;
  S.I.D = S.destination(0, T);
  S.I.A = S.source(1, T);
  S.I.B = S.source(2, Insert ? T : Type::b(32));
  S.I.C = S.source(3, Type::b(32));
  if (Insert)
    S.I.E = S.source(4, Type::b(32));
  S.emitOr(Insert ? forInteger<FieldInsert>(T) : forInteger<FieldExtract>(T));
}

void emulator::parseCountBits(Statement &S) {
  Type T = S.type();
  bool Find = S.Root == "bfind";
  if ((T.ElementBits != 32 && T.ElementBits != 64) || Find == (T.K == Type::Bits) || !T.isInteger())
    return S.unknown();
  if (Find)
    S.I.Mode = S.take("shiftamt");
  if (S.Root == "brev")
    return twoOperands(S, T, T, forInteger<Brev>(T));
  twoOperands(S, Type::b(32), T,
              Find              ? forInteger<FindBit>(T)
              : S.Root == "clz" ? forInteger<Clz>(T)
                                : forInteger<Popc>(T));
}

void emulator::parsePermute(Statement &S) {
  Type T = S.type();
  int Mode = S.takeOne({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
  if (!T.is(Type::Bits, 32))
    return S.unknown();
  if (!S.expect(4))
    return;
  S.I.Mode = static_cast<uint8_t>(Mode + 1);
  S.I.D = S.destination(0, T);
  S.I.A = S.source(1, T);
  S.I.B = S.source(2, T);
  S.I.C = S.source(3, T);
  S.emit(permute);
}

void emulator::parseLop3(Statement &S) {
  Type T = S.type();
  if (!T.is(Type::Bits, 32))
    return S.unknown();
  if (!S.expect(5))
    return;
  S.I.D = S.destination(0, T);
  S.I.A = S.source(1, T);
  S.I.B = S.source(2, T);
  S.I.C = S.source(3, T);
  int64_t Table = S.constant(4);
  if (Table < 0 || Table > 255)
    return S.error("the table has eight bits");
  S.I.Mode = static_cast<uint8_t>(Table);
  S.emit(lop3);
}

void emulator::parseDotProduct(Statement &S) {
  bool Two = S.Root == "dp2a";
  int Mode = Two ? S.takeOne({"lo", "hi"}) : 0;
  Type A = S.type(), B = S.type();
  auto Fits = [](Type T) { return T.is(Type::Unsigned, 32) || T.is(Type::Signed, 32); };
  if (Mode < 0 || !Fits(A) || !Fits(B))
    return S.unknown();
  if (!S.expect(4))
    return;
  S.I.Count = Two ? 2 : 4;
  S.I.Width = static_cast<uint8_t>(Mode * 2);
  S.I.D = S.destination(0, A);
  S.I.A = S.source(1, A);
  S.I.B = S.source(2, B);
  S.I.C = S.source(3, A);
  S.emit(A.isSigned()   ? B.isSigned() ? &dotProduct<int8_t, int8_t> : &dotProduct<int8_t, uint8_t>
         : B.isSigned() ? &dotProduct<uint8_t, int8_t>
                        : &dotProduct<uint8_t, uint8_t>);
}
