//===- Warp.cpp - Shuffles, votes, reductions of a warp -----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Lanes.h"
#include "Parser.h"
#include "llvm/ADT/bit.h"
#include <algorithm>

using namespace llvm;
using namespace cuda_pipeline;
using namespace cuda_pipeline::emulator;

namespace {

// What a shuffle from a lane that does not take part returns; PTX does not say.
constexpr uint32_t NobodysValue = 0xfff7fdfd;

enum ShuffleMode : uint8_t { Up, Down, Butterfly, Index };
/// C: the clamp and the segment mask, E: the member mask.
void shuffle(Frame &F, const Instruction &I) {
  const unsigned Lane = F.T.lane();
  uint32_t B = F.get<uint32_t>(I.B) & 31, C = F.get<uint32_t>(I.C);
  uint32_t Clamp = C & 31, Segment = C >> 8 & 31;
  uint32_t Least = Lane & Segment, Most = Least | (Clamp & ~Segment);
  const auto *All = meet<uint32_t>(F, I, F.get<uint32_t>(I.E), F.get<uint32_t>(I.A), false);
  int From = 0;
  bool Inside = false;
  switch (I.Mode) {
  case Up:
    From = static_cast<int>(Lane) - static_cast<int>(B);
    Inside = From >= static_cast<int>(Most);
    break;
  case Down:
    From = static_cast<int>(Lane + B);
    Inside = From <= static_cast<int>(Most);
    break;
  case Butterfly:
    From = static_cast<int>(Lane ^ B);
    Inside = From <= static_cast<int>(Most);
    break;
  default:
    From = static_cast<int>(Least | (B & ~Segment));
    Inside = From <= static_cast<int>(Most);
    break;
  }
  if (!Inside)
    From = static_cast<int>(Lane);
  const auto &Slot = All[From];
  F.set<uint32_t>(I.D, Slot.present() ? Slot.Value : NobodysValue);
  if (I.D2 != NoRegister)
    F.R[I.D2] = Inside;
}

enum VoteMode : uint8_t { AllTrue, AnyTrue, Uniform, Ballot };
void vote(Frame &F, const Instruction &I) {
  const auto *All = meet<uint32_t>(F, I, F.get<uint32_t>(I.B), F.predicate(I.A), false);
  uint32_t Present = 0, True = 0;
  for (unsigned L = 0; L != 32; ++L) {
    Present |= uint32_t(All[L].present()) << L;
    True |= (All[L].Value & 1) << L;
  }
  switch (I.Mode) {
  case AllTrue:
    F.R[I.D] = True == Present;
    break;
  case AnyTrue:
    F.R[I.D] = True != 0;
    break;
  case Uniform:
    F.R[I.D] = True == 0 || True == Present;
    break;
  default:
    F.set<uint32_t>(I.D, True);
  }
}

void activeMask(Frame &F, const Instruction &I) { F.set<uint32_t>(I.D, F.T.activeMask(F.At)); }

template <class T> void matchAny(Frame &F, const Instruction &I) {
  T Mine = F.get<T>(I.A);
  const auto *All = meet<T>(F, I, F.get<uint32_t>(I.B), Mine, false);
  uint32_t Same = 0;
  for (unsigned L = 0; L != 32; ++L)
    Same |= uint32_t(All[L].present() && All[L].Value == Mine) << L;
  F.set<uint32_t>(I.D, Same);
}
template <class T> void matchAll(Frame &F, const Instruction &I) {
  T Mine = F.get<T>(I.A);
  uint32_t Mask = F.get<uint32_t>(I.B), Present = 0;
  const auto *All = meet<T>(F, I, Mask, Mine, false);
  bool Same = true;
  for (unsigned L = 0; L != 32; ++L) {
    Present |= uint32_t(All[L].present()) << L;
    Same &= !All[L].present() || All[L].Value == Mine;
  }
  F.set<uint32_t>(I.D, Same ? Present : 0);
  if (I.D2 != NoRegister)
    F.R[I.D2] = Same;
}

enum ReduceMode : uint8_t { Add, Min, Max, And, Or, Xor };
template <class T> void reduce(Frame &F, const Instruction &I) {
  const auto *All = meet<T>(F, I, F.get<uint32_t>(I.B), F.get<T>(I.A), false);
  bool First = true;
  T R = 0;
  for (unsigned L = 0; L != 32; ++L) {
    if (!All[L].present())
      continue;
    T V = All[L].Value;
    if (First)
      R = V;
    else if (I.Mode == Add)
      R = static_cast<T>(uint32_t(R) + uint32_t(V));
    else if (I.Mode == Min)
      R = std::min(R, V);
    else if (I.Mode == Max)
      R = std::max(R, V);
    else
      R = I.Mode == And ? R & V : I.Mode == Or ? R | V : R ^ V;
    First = false;
  }
  F.set<T>(I.D, R);
}

/// The lowest lane that is there.
void elect(Frame &F, const Instruction &I) {
  const auto *All = meet<uint32_t>(F, I, F.get<uint32_t>(I.A), 0, false);
  unsigned Leader = 0;
  while (Leader != 31 && !All[Leader].present())
    ++Leader;
  F.set<uint32_t>(I.D, Leader);
  if (I.D2 != NoRegister)
    F.R[I.D2] = Leader == F.T.lane();
}

/// The forms without .sync are gone since sm_70.
bool begin(Statement &S) {
  S.I.Extra = markOf(S.Mnemonic);
  if (S.take("sync"))
    return true;
  S.unknown();
  return false;
}

} // namespace

void emulator::parseShfl(Statement &S) {
  int Mode = S.takeOne({"up", "down", "bfly", "idx"});
  Type T = S.type();
  if (Mode < 0 || !T.is(Type::Bits, 32))
    return S.unknown();
  if (!begin(S) || !S.expect(5))
    return;
  S.I.Mode = static_cast<uint8_t>(Mode);
  S.I.D2 = S.secondDestination(0, 1);
  S.I.D = S.destination(0, T);
  S.I.A = S.source(1, T);
  S.I.B = S.source(2, T);
  S.I.C = S.source(3, T);
  S.I.E = S.source(4, T);
  S.emit(shuffle);
}

void emulator::parseVote(Statement &S) {
  int Mode = S.takeOne({"all", "any", "uni", "ballot"});
  Type T = S.type();
  if (Mode < 0 || (Mode == Ballot ? !T.is(Type::Bits, 32) : T.K != Type::Predicate))
    return S.unknown();
  if (!begin(S) || !S.expect(3))
    return;
  S.I.Mode = static_cast<uint8_t>(Mode);
  S.I.D = S.destination(0, T);
  S.I.A = S.predicate(1);
  S.I.B = S.source(2, Type::b(32));
  S.emit(vote);
}

void emulator::parseActivemask(Statement &S) {
  Type T = S.type();
  if (!T.is(Type::Bits, 32))
    return S.unknown();
  if (!S.expect(1))
    return;
  S.I.D = S.destination(0, T);
  S.emit(activeMask);
}

void emulator::parseMatch(Statement &S) {
  int Mode = S.takeOne({"any", "all"});
  Type T = S.type();
  if (Mode < 0 || T.K != Type::Bits || (T.ElementBits != 32 && T.ElementBits != 64))
    return S.unknown();
  if (!begin(S) || !S.expect(3))
    return;
  if (Mode == 1)
    S.I.D2 = S.secondDestination(0, 1);
  S.I.D = S.destination(0, Type::b(32));
  S.I.A = S.source(1, T);
  S.I.B = S.source(2, Type::b(32));
  bool Wide = T.ElementBits == 64;
  if (Mode == 1)
    return S.emit(Wide ? matchAll<uint64_t> : matchAll<uint32_t>);
  S.emit(Wide ? matchAny<uint64_t> : matchAny<uint32_t>);
}

void emulator::parseRedux(Statement &S) {
  int Mode = S.takeOne({"add", "min", "max", "and", "or", "xor"});
  Type T = S.type();
  if (Mode < 0 || !T.isInteger() || T.bits() != 32 || (Mode >= And) != (T.K == Type::Bits))
    return S.unknown();
  if (!begin(S) || !S.expect(3))
    return;
  S.I.Mode = static_cast<uint8_t>(Mode);
  S.I.D = S.destination(0, T);
  S.I.A = S.source(1, T);
  S.I.B = S.source(2, Type::b(32));
  S.emit(T.isSigned() ? reduce<int32_t> : reduce<uint32_t>);
}

void emulator::parseElect(Statement &S) {
  if (!begin(S) || !S.expect(2))
    return;
  S.I.D2 = S.secondDestination(0, 1);
  S.I.D = S.destination(0, Type::b(32));
  S.I.A = S.source(1, Type::b(32));
  S.emit(elect);
}
