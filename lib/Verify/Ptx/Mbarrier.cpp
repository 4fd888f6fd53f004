//===- Mbarrier.cpp - Barrier objects in shared memory -------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Parser.h"

using namespace llvm;
using namespace cuda_pipeline;
using namespace cuda_pipeline::emulator;

namespace {

// A is the address everywhere, B a count, a state or a parity.
void initialise(Frame &F, const Instruction &I) {
  F.T.mbarrierInit(F.address(I), F.get<uint32_t>(I.B), F.At);
}
void invalidate(Frame &F, const Instruction &I) { F.T.mbarrierInvalidate(F.address(I), F.At); }

/// Mode: drop.
void arrive(Frame &F, const Instruction &I) {
  uint32_t Count = I.B == NoRegister ? 1 : F.get<uint32_t>(I.B);
  if (Count == 0)
    F.T.fault("an arrival of 0 threads at an mbarrier", F.At);
  uint64_t State = F.T.mbarrierArrive(F.address(I), Count, I.Mode != 0, F.At);
  if (I.D != NoRegister)
    F.R[I.D] = State;
}
/// Mode: noinc.
void arriveOnCopies(Frame &F, const Instruction &I) {
  F.T.mbarrierArriveOnCopies(F.address(I), I.Mode != 0, F.At);
}

void test(Frame &F, const Instruction &I) {
  F.R[I.D] = I.Mode
                 ? F.T.mbarrierTest(F.address(I), Thread::Phase::Parity, F.get<uint32_t>(I.B), F.At)
                 : F.T.mbarrierTest(F.address(I), Thread::Phase::State, F.R[I.B], F.At);
}

void pendingCount(Frame &F, const Instruction &I) {
  F.set<uint32_t>(I.D, static_cast<uint32_t>(F.R[I.B] & 0xfffff));
}

/// Memory order and scope add nothing: everything is ordered that an arrival and a wait can order.
/// False: .relaxed, which orders nothing.
bool takeOrderAndSpace(Statement &S) {
  if (S.take("relaxed"))
    return false;
  S.takeAny({"release", "acquire"});
  S.take("cta");
  if (S.takeAny({"shared", "shared::cta"}))
    S.I.Flags |= Instruction::SharedSpace;
  return true;
}

} // namespace

void emulator::parseMbarrier(Statement &S) {
  Type T = S.type();
  enum { Init, Inval, Arrive, Drop, Test, Try, Count };
  int Op = S.takeOne(
      {"init", "inval", "arrive", "arrive_drop", "test_wait", "try_wait", "pending_count"});
  bool Parity = (Op == Test || Op == Try) && S.take("parity");
  // Not noComplete, which is an error where it completes the phase, and nothing of transactions.
  if (Op < 0 || !T.is(Type::Bits, 64) || !takeOrderAndSpace(S))
    return S.unknown();
  switch (Op) {
  case Init:
    if (!S.expect(2))
      return;
    S.address(0);
    S.I.B = S.source(1, Type::b(32));
    return S.emit(initialise);
  case Inval:
    if (!S.expect(1))
      return;
    S.address(0);
    return S.emit(invalidate);
  case Arrive:
  case Drop:
    if (!S.expect(2, 3))
      return;
    S.I.Mode = Op == Drop;
    S.address(1);
    if (S.count() == 3)
      S.I.B = S.source(2, Type::b(32));
    S.I.D = S.destination(0, T);
    return S.emit(arrive);
  case Test:
  case Try:
    // try_wait may have a limit of time, after which it says false: it may do so at any time.
    if (!S.expect(3, Op == Try ? 4 : 3))
      return;
    S.I.Mode = Parity;
    S.address(1);
    S.I.B = S.source(2, Type::b(Parity ? 32 : 64));
    if (S.count() == 4)
      S.source(3, Type::b(32));
    S.I.D = S.predicateDestination(0);
    return S.emit(test);
  default:
    if (!S.expect(2))
      return;
    S.I.B = S.source(1, T);
    S.I.D = S.destination(0, Type::b(32));
    return S.emit(pendingCount);
  }
}

void emulator::parseCpAsyncMbarrier(Statement &S) {
  Type T = S.type();
  bool Counted = S.take("noinc");
  if (S.takeAny({"shared", "shared::cta"}))
    S.I.Flags |= Instruction::SharedSpace;
  if (!S.take("arrive") || !T.is(Type::Bits, 64))
    return S.unknown();
  if (!S.expect(1))
    return;
  S.I.Mode = Counted;
  S.address(0);
  S.emit(arriveOnCopies);
}
