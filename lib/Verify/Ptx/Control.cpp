//===- Control.cpp - Jumps, barriers, and what does nothing -------------===//
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

// A loop may wait for what another thread does, so that others must get their turn; and one that is
// still running after a hundred million rounds will not end.
constexpr uint64_t JumpsPerTurn = 256, MaxJumps = 100000000;

void jump(Frame &F, const Instruction &I) {
  auto Target = static_cast<size_t>(I.Offset);
  if (Target < F.Next) {
    ++F.Jumps;
    if (F.Jumps == MaxJumps)
      F.T.unsupported("a loop in PTX that does not end", F.At);
    if (F.Jumps % JumpsPerTurn == 0)
      F.T.syncWarp(uint32_t(1) << F.T.lane(), F.At);
  }
  F.Next = Target;
}

/// A: the barrier, B: the number of threads or none, C: the predicate.
unsigned enter(Frame &F, const Instruction &I, bool Predicate) {
  unsigned Threads = I.B == NoRegister ? 0 : F.get<uint32_t>(I.B);
  if (I.B != NoRegister && Threads == 0)
    F.T.fault("a barrier for no threads", F.At);
  return F.T.barrier(F.get<uint32_t>(I.A), Threads, Predicate, F.At);
}
void barrierSync(Frame &F, const Instruction &I) { enter(F, I, false); }
void barrierArrive(Frame &F, const Instruction &I) {
  F.T.barrierArrive(F.get<uint32_t>(I.A), F.get<uint32_t>(I.B), F.At);
}
void barrierCount(Frame &F, const Instruction &I) {
  F.set<uint32_t>(I.D, enter(F, I, F.predicate(I.C)));
}
void barrierOr(Frame &F, const Instruction &I) { F.R[I.D] = enter(F, I, F.predicate(I.C)) != 0; }
/// True for all: false for none.
void barrierAnd(Frame &F, const Instruction &I) { F.R[I.D] = enter(F, I, !F.predicate(I.C)) == 0; }
void syncWarp(Frame &F, const Instruction &I) { F.T.syncWarp(F.get<uint32_t>(I.A), F.At); }

void nothing(Frame &, const Instruction &) {}
void trap(Frame &F, const Instruction &) { F.T.fault("the kernel executes a trap", F.At); }
void zero(Frame &F, const Instruction &I) { F.R[I.D] = 0; }

} // namespace

void emulator::parseBra(Statement &S) {
  S.take("uni");
  if (!S.expect(1))
    return;
  if (S.Operands[0].K != ParsedOperand::Name)
    return S.unknown();
  StringRef Label = S.Operands[0].Text;
  S.emit(jump);
  if (!S.failed())
    S.P.jump(S, Label);
}

void emulator::parseBar(Statement &S) {
  if (S.Root == "bar" && S.take("warp")) {
    if (!S.take("sync"))
      return S.unknown();
    if (!S.expect(1))
      return;
    S.I.A = S.source(0, Type::b(32));
    return S.emit(syncWarp);
  }
  S.take("cta");
  S.take("aligned");
  int Kind = S.takeOne({"sync", "arrive", "red"});
  Type T = Type::b(32);
  if (Kind == 0 || Kind == 1) {
    if (!S.expect(Kind == 0 ? 1 : 2, 2))
      return;
    S.I.A = S.source(0, T);
    if (S.count() == 2)
      S.I.B = S.source(1, T);
    return S.emit(Kind == 0 ? barrierSync : barrierArrive);
  }
  if (Kind < 0)
    return S.unknown();
  int Op = S.takeOne({"popc", "and", "or"});
  std::optional<Type> Result = S.takeType();
  if (Op < 0 || !Result || (Op == 0) != Result->is(Type::Unsigned, 32) ||
      (Op != 0) != (Result->K == Type::Predicate))
    return S.unknown();
  if (!S.expect(3, 4))
    return;
  S.I.D = S.destination(0, *Result);
  S.I.A = S.source(1, T);
  if (S.count() == 4)
    S.I.B = S.source(2, T);
  S.I.C = S.predicate(S.count() - 1);
  S.emit(Op == 0 ? barrierCount : Op == 1 ? barrierAnd : barrierOr);
}

/// Waiting for nothing in particular, and hints.
void emulator::parseNothing(Statement &S) {
  if (S.Root == "nanosleep")
    S.take("u32");
  else if (S.Root == "griddepcontrol")
    S.takeAny({"wait", "launch_dependents"});
  else if (S.Root == "setmaxnreg") {
    S.takeAny({"inc", "dec"});
    S.take("sync");
    S.take("aligned");
    S.take("u32");
  } else if (S.Root == "applypriority") {
    S.take("global");
    S.takeAny({"L2", "L2::evict_normal"});
  }
  S.emit(nothing);
}

void emulator::parseTrap(Statement &S) {
  S.expect(0);
  S.emit(trap);
}

/// A cache policy is only handed on.
void emulator::parseCreatePolicy(Statement &S) {
  if (!S.take("fractional"))
    return S.unknown();
  Type T = S.type();
  S.takeAny({"L2::evict_last", "L2::evict_normal", "L2::evict_first", "L2::evict_unchanged"});
  S.takeAny({"L2::evict_first", "L2::evict_unchanged"});
  if (!S.expect(1, 2))
    return;
  S.I.D = S.destination(0, T);
  if (S.count() == 2)
    S.source(1, Type{Type::Float, 32, 1});
  S.emit(zero);
}
