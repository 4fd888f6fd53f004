//===- Memory.cpp - Moves, loads, stores, atomics, asynchronous copies --===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FloatKinds.h"
#include "Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace llvm;
using namespace cuda_pipeline;
using namespace cuda_pipeline::emulator;

namespace {

//===----------------------------------------------------------------------===//
// mov
//===----------------------------------------------------------------------===//

void copyRegister(Frame &F, const Instruction &I) { F.R[I.D] = F.R[I.A]; }

/// Width: bits of an element.
void pack(Frame &F, const Instruction &I) {
  const uint16_t *From = F.list(I, 0);
  uint64_t Mask = (uint64_t(1) << I.Width) - 1, R = 0;
  for (unsigned E = 0; E != I.Lengths[0]; ++E)
    R |= (F.R[From[E]] & Mask) << (E * I.Width);
  F.R[I.D] = R;
}
void unpack(Frame &F, const Instruction &I) {
  const uint16_t *To = F.list(I, 0);
  uint64_t Mask = (uint64_t(1) << I.Width) - 1, V = F.R[I.A];
  for (unsigned E = 0; E != I.Lengths[0]; ++E)
    F.R[To[E]] = V >> (E * I.Width) & Mask;
}

//===----------------------------------------------------------------------===//
// ld, st
//===----------------------------------------------------------------------===//

void read(void *To, uint64_t Address, unsigned Bytes) {
  std::memcpy(To, reinterpret_cast<const void *>(Address), Bytes);
}
void write(uint64_t Address, const void *From, unsigned Bytes) {
  std::memcpy(reinterpret_cast<void *>(Address), From, Bytes);
}

/// The whole vector is one access, aligned to its size. Mode: elements are signed.
void load(Frame &F, const Instruction &I) {
  uint64_t Address = F.address(I);
  unsigned Bytes = unsigned(I.Width) * I.Count;
  if (I.has(Instruction::Fence))
    F.T.fence();
  F.T.access(I.has(Instruction::Strong) ? Access::AtomicRead : Access::Read, Address, Bytes, Bytes,
             F.At);
  const uint16_t *To = F.list(I, 0);
  unsigned Unused = 64 - I.Width * 8;
  uint64_t V[8];
  for (unsigned E = 0; E != I.Count; ++E) {
    V[E] = 0;
    read(&V[E], Address + E * I.Width, I.Width);
    if (I.Mode)
      V[E] = static_cast<uint64_t>(static_cast<int64_t>(V[E] << Unused) >> Unused);
  }
  for (unsigned E = 0; E != I.Count; ++E)
    F.R[To[E]] = V[E];
}

void store(Frame &F, const Instruction &I) {
  uint64_t Address = F.address(I);
  unsigned Bytes = unsigned(I.Width) * I.Count;
  if (I.has(Instruction::Fence))
    F.T.fence();
  F.T.access(I.has(Instruction::Strong) ? Access::AtomicWrite : Access::Write, Address, Bytes,
             Bytes, F.At);
  const uint16_t *From = F.list(I, 0);
  for (unsigned E = 0; E != I.Count; ++E)
    write(Address + E * I.Width, &F.R[From[E]], I.Width);
}

//===----------------------------------------------------------------------===//
// Atomics: nobody comes in between, so that a read and a write are enough
//===----------------------------------------------------------------------===//

enum AtomicOp : uint8_t {
  And,
  Or,
  Xor,
  Exchange,
  CompareAndSwap,
  Sum,
  Increment,
  Decrement,
  Min,
  Max
};

template <class T> T combine(uint8_t Op, T Old, T B, T C) {
  switch (Op) {
  case And:
    return Old & B;
  case Or:
    return Old | B;
  case Xor:
    return Old ^ B;
  case Exchange:
    return B;
  case CompareAndSwap:
    return Old == B ? C : Old;
  case Sum:
    return static_cast<T>(std::make_unsigned_t<T>(Old) + std::make_unsigned_t<T>(B));
  case Increment:
    return Old >= B ? T(0) : static_cast<T>(Old + 1);
  case Decrement:
    return Old == 0 || Old > B ? B : static_cast<T>(Old - 1);
  case Min:
    return std::min(Old, B);
  default:
    return std::max(Old, B);
  }
}

void announce(Frame &F, const Instruction &I, uint64_t Address, unsigned Bytes) {
  if (I.has(Instruction::Fence))
    F.T.fence();
  F.T.update(Address, Bytes, Bytes, F.At);
}

template <class T> struct Atomic {
  static void run(Frame &F, const Instruction &I) {
    uint64_t Address = F.address(I);
    T B = F.get<T>(I.B), C = I.C == NoRegister ? T(0) : F.get<T>(I.C), Old;
    announce(F, I, Address, sizeof(T));
    read(&Old, Address, sizeof(T));
    T New = combine<T>(I.Mode, Old, B, C);
    write(Address, &New, sizeof(T));
    if (I.D != NoRegister)
      F.set<T>(I.D, Old);
  }
};

/// Sums and extremes of floating-point numbers, of one, of pairs within a register, or of a vector
/// of registers (Count); subnormal numbers stay what they are. The list has the operands, and then
/// the results if there are any.
template <class K, unsigned Lanes> void atomicFloat(Frame &F, const Instruction &I) {
  constexpr unsigned Bytes = K::Bits / 8 * Lanes;
  constexpr uint64_t Mask = K::Bits == 64 ? ~uint64_t(0) : (uint64_t(1) << (K::Bits % 64)) - 1;
  uint64_t Address = F.address(I);
  announce(F, I, Address, Bytes * I.Count);
  const uint16_t *From = F.list(I, 0), *To = I.Lengths[1] ? F.list(I, 1) : nullptr;
  for (unsigned E = 0; E != I.Count; ++E) {
    uint64_t Old = 0, New = 0, B = F.R[From[E]];
    read(&Old, Address + E * Bytes, Bytes);
    for (unsigned L = 0; L != Lanes; ++L) {
      unsigned S = L * 16;
      double X = K::load(Old >> S, false), Y = K::load(B >> S, false), R;
      if (I.Mode == Sum)
        R = K::Bits == 64 ? X + Y : oddSum(X, Y);
      else if (std::isnan(X) || std::isnan(Y))
        R = std::isnan(X) ? Y : X;
      else
        R = (I.Mode == Min) == (X < Y || (X == Y && std::signbit(X))) ? X : Y;
      New |= (K::store(R, I) & Mask) << S;
    }
    write(Address + E * Bytes, &New, Bytes);
    if (To)
      F.R[To[E]] = Old;
  }
}

Handler atomicFloatFor(Type T) {
  if (T.is(Type::Float, 32))
    return atomicFloat<Float32, 1>;
  if (T.is(Type::Float, 64))
    return atomicFloat<Float64, 1>;
  if (T.is(Type::Float, 16))
    return atomicFloat<Float16, 1>;
  if (T.is(Type::Float, 16, 2))
    return atomicFloat<Float16, 2>;
  if (T.is(Type::BFloat, 16))
    return atomicFloat<BFloat16Bits, 1>;
  if (T.is(Type::BFloat, 16, 2))
    return atomicFloat<BFloat16Bits, 2>;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

/// What the optional operand of a copy is.
enum CopyOperand : uint8_t { NoOperand, SourceSize, IgnoreSource };

uint64_t baseOf(const Frame &F, uint16_t Register, bool Narrow) {
  uint64_t V = Register == NoRegister ? 0 : F.R[Register];
  return Narrow ? static_cast<uint32_t>(V) : V;
}

/// Destination [A + Offset], source [B + Extra], Count bytes; Mode says what C is. Mode2: the
/// source is a 32-bit register.
void copyAsync(Frame &F, const Instruction &I) {
  uint64_t To = F.address(I);
  int64_t Displacement = static_cast<int32_t>(I.Extra);
  uint64_t From = baseOf(F, I.B, I.Mode2) + static_cast<uint64_t>(Displacement);
  F.noteAddress(I.B);
  unsigned Zeros = 0;
  if (I.Mode == SourceSize) {
    uint32_t Size = F.get<uint32_t>(I.C);
    if (Size > I.Count)
      F.T.fault(formatv("cp.async of {0} bytes with a source size of {1}", I.Count, Size).str(),
                F.At);
    Zeros = I.Count - Size;
  } else if (I.Mode == IgnoreSource && F.predicate(I.C)) {
    Zeros = I.Count;
  }
  F.T.copyAsync(To, From, I.Count, Zeros, F.At);
}
void commitGroup(Frame &F, const Instruction &) { F.T.commitGroup(F.At); }
void waitGroup(Frame &F, const Instruction &I) {
  F.T.waitGroup(static_cast<unsigned>(I.Offset), F.At);
}
void waitAll(Frame &F, const Instruction &) { F.T.waitAll(F.At); }

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

void fence(Frame &F, const Instruction &) { F.T.fence(); }
void nothing(Frame &, const Instruction &) {}
/// Extra: the name of the space.
void isSpace(Frame &F, const Instruction &I) {
  F.R[I.D] = F.T.isSpace(F.R[I.A], F.C.Names[I.Extra]);
}
void narrowAddress(Frame &F, const Instruction &I) { F.set<uint32_t>(I.D, F.get<uint32_t>(I.A)); }

//===----------------------------------------------------------------------===//
// Modifiers that several families share
//===----------------------------------------------------------------------===//

/// The state space. False: one that is not emulated.
bool takeSpace(Statement &S, bool MayBeConstant) {
  switch (S.takeOne({"shared", "shared::cta", "global", "local", "const"})) {
  case 0:
  case 1:
    S.I.Flags |= Instruction::SharedSpace;
    return true;
  case 2:
    S.I.Flags |= Instruction::GlobalSpace;
    return true;
  case 4:
    return MayBeConstant;
  default:
    return true;
  }
}

/// .relaxed, .acquire, .volatile and a scope. What is released for the block alone publishes
/// nothing.
void takeOrder(Statement &S) {
  const int Order = S.takeOne({"acquire", "release", "acq_rel"});
  if (Order >= 0)
    S.I.Flags |= Instruction::Strong;
  if (S.takeAny({"relaxed", "volatile", "mmio"}))
    S.I.Flags |= Instruction::Strong;
  S.take("weak");
  const bool Block = S.takeOne({"cta", "gpu", "sys"}) == 0;
  if (Order > 0 && !Block)
    S.I.Flags |= Instruction::Fence;
}

/// What only says how to cache. True if a cache policy follows the operands.
bool takeCacheHints(Statement &S) {
  S.takeAny({"ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc"});
  S.takeAny({"L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last",
             "L1::no_allocate", "L2::evict_normal", "L2::evict_first", "L2::evict_last"});
  S.takeAny({"L2::64B", "L2::128B", "L2::256B"});
  return S.take("L2::cache_hint");
}

} // namespace

void emulator::parseMov(Statement &S) {
  Type T = S.type();
  if (T.bits() > 64 || T.ElementBits == 8 || T.Lanes != 1)
    return S.unknown();
  if (!S.expect(2))
    return;
  bool Pack = S.Operands[1].K == ParsedOperand::Vector;
  bool Unpack = S.Operands[0].K == ParsedOperand::Vector;
  if (!Pack && !Unpack) {
    S.I.D = S.destination(0, T);
    S.I.A = S.source(1, T);
    return S.emit(copyRegister);
  }
  size_t N = S.Operands[Pack ? 1 : 0].Elements.size();
  if ((Pack && Unpack) || T.K == Type::Predicate || N < 2 || T.ElementBits % N ||
      T.ElementBits / N < 8)
    return S.error("the parts do not make up the whole");
  Type Part = Type::b(static_cast<unsigned>(T.ElementBits / N));
  S.I.Width = Part.ElementBits;
  if (Pack) {
    S.I.D = S.destination(0, T);
    S.list(1, Part, false);
    return S.emit(pack);
  }
  S.list(0, Part, true);
  S.I.A = S.source(1, T);
  S.emit(unpack);
}

void emulator::parseLoadStore(Statement &S) {
  bool IsLoad = S.Root != "st";
  Type T = S.type();
  if (S.Root == "ldu")
    S.take("nc");
  if (!takeSpace(S, IsLoad))
    return S.unknown();
  takeOrder(S);
  int V = S.takeOne({"v2", "v4", "v8"});
  unsigned N = V < 0 ? 1 : 2u << V;
  bool Policy = takeCacheHints(S);
  if (T.K == Type::Predicate || T.Lanes != 1 || T.bits() > 64 || T.bytes() * N > 32 ||
      (T.isFloat() && T.ElementBits < 32))
    return S.unknown();
  if (!S.expect(Policy ? 3 : 2))
    return;
  if (Policy)
    S.source(2, Type::b(64));
  S.I.Width = static_cast<uint8_t>(T.bytes());
  S.I.Count = static_cast<uint8_t>(N);
  S.I.Mode = T.isSigned();
  size_t Vector = IsLoad ? 0 : 1;
  S.address(1 - Vector);
  if (S.list(Vector, T, IsLoad) != N)
    return S.error(formatv("a vector of {0} elements is expected", N));
  S.emit(IsLoad ? load : store);
}

void emulator::parseAtom(Statement &S) {
  bool Result = S.Root == "atom";
  Type T = S.type();
  if (!takeSpace(S, false))
    return S.unknown();
  takeOrder(S);
  int Op = S.takeOne({"and", "or", "xor", "exch", "cas", "add", "inc", "dec", "min", "max"});
  if (Op < 0 || (!Result && (Op == Exchange || Op == CompareAndSwap)))
    return S.unknown();
  S.I.Mode = static_cast<uint8_t>(Op);
  bool Policy = S.take("L2::cache_hint");
  S.take("noftz");
  int V = S.takeOne({"v2", "v4", "v8"});
  unsigned N = V < 0 ? 1 : 2u << V;
  size_t Least = (Result ? 3 : 2) + (Op == CompareAndSwap);
  if (!S.expect(Least + Policy))
    return;
  if (Policy)
    S.source(Least, Type::b(64));
  size_t At = Result ? 1 : 0;
  S.address(At);

  if (T.isFloat()) {
    bool Extreme = Op == Min || Op == Max;
    bool Small = T.ElementBits == 16;
    if ((Op != Sum && !Extreme) || (Extreme && !Small) || T.bytes() * N > 16 ||
        (N > 1 && T.ElementBits == 64))
      return S.unknown();
    S.I.Count = static_cast<uint8_t>(N);
    if (S.list(At + 1, T, false) != N || (Result && S.list(0, T, true) != N))
      return S.error(formatv("a vector of {0} elements is expected", N));
    return S.emitOr(atomicFloatFor(T));
  }
  bool Arithmetic = Op >= Sum;
  bool Wide = T.ElementBits == 32 || T.ElementBits == 64;
  bool Fits = T.isInteger() && T.Lanes == 1 && N == 1 && Arithmetic == (T.K != Type::Bits) &&
              (Wide || (T.is(Type::Bits, 16) && Op == CompareAndSwap)) &&
              !((Op == Increment || Op == Decrement) && !T.is(Type::Unsigned, 32));
  // .exch and .cas are of bits, but nobody minds .u32 or .s32; see the ISA's own examples.
  if (T.isInteger() && (Op == Exchange || Op == CompareAndSwap) && Wide && T.Lanes == 1 && N == 1)
    Fits = true;
  if (!Fits)
    return S.unknown();
  S.I.B = S.source(At + 1, T);
  if (Op == CompareAndSwap)
    S.I.C = S.source(At + 2, T);
  if (Result)
    S.I.D = S.destination(0, T);
  S.emitOr(forInteger<Atomic>(T));
}

void emulator::parseCvta(Statement &S) {
  Type T = S.type();
  S.take("to"); // an address has the same number in its space as generically
  bool Known = S.takeAny({"shared", "shared::cta", "global", "local", "const", "param"});
  if (!Known || T.K != Type::Unsigned || T.ElementBits < 32)
    return S.unknown();
  if (!S.expect(2))
    return;
  S.I.D = S.destination(0, T);
  S.I.A = S.source(1, T);
  S.emit(T.ElementBits == 32 ? narrowAddress : copyRegister);
}

void emulator::parseIsspacep(Statement &S) {
  static const StringRef Spaces[] = {"shared", "shared::cta", "global", "local", "const"};
  int Space = S.takeOne({Spaces[0], Spaces[1], Spaces[2], Spaces[3], Spaces[4]});
  if (Space < 0)
    return S.unknown();
  if (!S.expect(2))
    return;
  S.I.Extra = S.P.name(Spaces[Space]);
  S.I.D = S.predicateDestination(0);
  S.I.A = S.source(1, Type::b(64));
  S.emit(isSpace);
}

void emulator::parseCpAsync(Statement &S) {
  if (!S.take("async"))
    return S.unknown();
  if (S.take("commit_group")) {
    S.expect(0);
    return S.emit(commitGroup);
  }
  if (S.take("wait_all")) {
    S.expect(0);
    return S.emit(waitAll);
  }
  if (S.take("wait_group")) {
    if (!S.expect(1))
      return;
    S.I.Offset = S.constant(0);
    if (S.I.Offset < 0)
      return S.error("a negative number of groups");
    S.I.Offset = std::min<int64_t>(S.I.Offset, 0x7fffffff);
    return S.emit(waitGroup);
  }
  if (S.take("mbarrier"))
    return parseCpAsyncMbarrier(S);
  int Cache = S.takeOne({"ca", "cg"});
  if (Cache < 0 || !S.takeAny({"shared", "shared::cta"}) || !S.take("global"))
    return S.unknown(); // cp.async.bulk
  bool Policy = S.take("L2::cache_hint");
  S.takeAny({"L2::64B", "L2::128B", "L2::256B"});
  if (!S.expect(Policy ? 4 : 3, Policy ? 5 : 4))
    return;
  int64_t Bytes = S.constant(2);
  if (S.failed())
    return;
  if (Bytes != 16 && (Cache == 1 || (Bytes != 4 && Bytes != 8)))
    return S.error(Cache == 1 ? "it copies 16 bytes" : "it copies 4, 8 or 16 bytes");
  S.I.Count = static_cast<uint8_t>(Bytes);
  S.address(1);
  S.I.B = S.I.A;
  S.I.Mode2 = S.I.has(Instruction::NarrowAddress);
  if (S.I.Offset != static_cast<int32_t>(S.I.Offset))
    return S.error("the displacement of the source is too large");
  S.I.Extra = static_cast<uint32_t>(static_cast<int32_t>(S.I.Offset));
  S.I.Flags = Instruction::SharedSpace;
  S.address(0);
  if (Policy)
    S.source(S.count() - 1, Type::b(64));
  if (S.count() - Policy == 4) {
    bool Ignore = S.isPredicate(3);
    S.I.Mode = Ignore ? IgnoreSource : SourceSize;
    S.I.C = Ignore ? S.predicate(3) : S.source(3, Type::b(32));
  }
  S.emit(copyAsync);
}

void emulator::parsePrefetch(Statement &S) {
  S.takeAny({"L1", "L2", "L1::evict_normal", "L2::evict_last", "L2::evict_normal"});
  S.takeAny({"global", "local", "const"});
  if (!S.expect(1))
    return;
  S.address(0);
  S.emit(nothing);
}

void emulator::parseFence(Statement &S) {
  bool Block = false; ///< it orders nothing for other blocks
  if (S.Root == "membar") {
    const int Scope = S.takeOne({"cta", "gl", "sys", "gpu"});
    if (Scope < 0)
      return S.unknown();
    Block = Scope == 0;
  } else if (S.take("proxy")) {
    // Between ways to the same memory, of which there is one here.
    S.takeAny({"alias", "async"});
    S.takeAny({"global", "shared::cta", "shared"});
    Block = true;
  } else {
    S.takeAny({"sc", "acq_rel"});
    const int Scope = S.takeOne({"cta", "cluster", "gpu", "sys"});
    if (Scope < 0)
      return S.unknown();
    Block = Scope == 0;
  }
  S.expect(0);
  S.emit(Block ? nothing : fence);
}
