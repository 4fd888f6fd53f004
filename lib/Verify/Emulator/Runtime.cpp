//===- Runtime.cpp - What compiled kernels call --------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Runtime.h"
#include "../Ptx/Ptx.h"
#include "Machine.h"
#include "llvm/ADT/StringMap.h"

using namespace cuda_pipeline::emulator;
using namespace llvm;

extern "C" {

/// Where the running code is, for functions that are not told.
uint32_t __cpr_emu_site = 0;

static uint64_t address(const void *P) { return reinterpret_cast<uint64_t>(P); }
static Machine &machine() { return *Machine::current(); }

/// Which ways conditions have gone: two bytes for each.
uint8_t *__cpr_emu_guards = nullptr;

static void emuRead(const void *P, uint64_t Bytes, uint32_t Align, uint32_t At) {
  if (LLVM_UNLIKELY(Align >> HintShift)) {
    machine().hint(address(P), static_cast<uint8_t>(Align >> HintShift));
    Align &= (1u << HintShift) - 1;
  }
  machine().access(Access::Read, address(P), Bytes, Align, At);
}
static void emuWrite(const void *P, uint64_t Bytes, uint32_t Align, uint32_t At) {
  machine().access(Access::Write, address(P), Bytes, Align, At);
}
static void emuAtomicRead(const void *P, uint64_t Bytes, uint32_t Align, uint32_t At) {
  machine().access(Access::AtomicRead, address(P), Bytes, Align, At);
}
static void emuAtomicWrite(const void *P, uint64_t Bytes, uint32_t Align, uint32_t At) {
  machine().access(Access::AtomicWrite, address(P), Bytes, Align, At);
}
static void emuAtomicUpdate(const void *P, uint64_t Bytes, uint32_t Align, uint32_t At) {
  machine().update(address(P), Bytes, Align, At);
}
static void emuDivide(uint32_t ByZero, uint32_t At) {
  if (LLVM_UNLIKELY(ByZero))
    machine().fault("the kernel divides by zero", At);
}
static void emuCall(const void *P, uint32_t At) { machine().call(address(P), At); }
static void emuTick(uint32_t At) { machine().tick(At); }
static void emuEnterLoop(uint32_t Loop, uint32_t) { machine().enterLoop(Loop); }
static void emuTurn(uint32_t Loop, uint32_t) { machine().turn(Loop); }
static void emuTurnLoads(uint32_t Loop, uint32_t Place) { machine().turnLoads(Loop, Place); }
static void emuWhole(const void *P, uint64_t Bytes, uint32_t Align, uint32_t Write, uint32_t At) {
  machine().whole(Write != 0, address(P), Bytes, Align, At);
}
static void emuAssumeAligned(const void *P, const void *Local, uint64_t Align, int64_t Offset,
                             uint32_t At) {
  machine().assumeAligned(address(P), address(Local), Align, Offset, At);
}
static void emuAssume(uint32_t Holds, uint32_t At) {
  if (LLVM_UNLIKELY(!Holds))
    machine().fault(
        "what the kernel says of itself by __builtin_assume or __builtin_unreachable does not hold",
        At);
}
static void emuNeedGlobal(const void *P) { machine().needGlobal(address(P), __cpr_emu_site); }
static void emuNeedLasting(const void *P, uint32_t Bytes) {
  machine().needLasting(address(P), Bytes, __cpr_emu_site);
}
static void emuCheckLocal(const void *P, uint64_t Bytes, const void *Object, uint64_t Size,
                          uint32_t Align, uint32_t At) {
  uint64_t Offset = address(P) - address(Object);
  if (LLVM_LIKELY(Offset <= Size && Bytes <= Size - Offset)) {
    if (LLVM_LIKELY((Offset & (Align - 1)) == 0))
      return;
    Fault F;
    F.K = Fault::Kind::Misaligned;
    F.What = "an access of " + std::to_string(Bytes) + " bytes at byte " + std::to_string(Offset) +
             " of a local variable, which is not aligned to " + std::to_string(Align) + " bytes";
    F.At = At;
    machine().end(std::move(F));
  }
  Fault F;
  F.K = Fault::Kind::OutOfBounds;
  F.What = "an access of " + std::to_string(Bytes) + " bytes at byte " +
           std::to_string(static_cast<int64_t>(Offset)) + " of a local variable of " +
           std::to_string(Size) + " bytes";
  F.At = At;
  machine().end(std::move(F));
}
static void emuCopyAsync(void *Shared, const void *Global, uint32_t Bytes, uint32_t ZeroFill) {
  machine().copyAsync(address(Shared), address(Global), Bytes, ZeroFill, __cpr_emu_site);
}
static void emuCommitGroup() { machine().commitGroup(__cpr_emu_site); }
static void emuWaitGroup(uint32_t Pending) { machine().waitGroup(Pending, __cpr_emu_site); }
static void emuWaitAll() { machine().waitAll(__cpr_emu_site); }
static uint32_t emuBarrier(uint32_t Id, uint32_t Threads, int32_t Predicate) {
  return machine().barrier(Id, Threads, Predicate != 0, __cpr_emu_site);
}
static void emuBarrierArrive(uint32_t Id, uint32_t Threads) {
  machine().barrierArrive(Id, Threads, __cpr_emu_site);
}
static void emuMbarrierInit(void *B, uint32_t Count) {
  machine().mbarrierInit(address(B), Count, __cpr_emu_site);
}
static void emuMbarrierInvalidate(void *B) {
  machine().mbarrierInvalidate(address(B), __cpr_emu_site);
}
static uint64_t emuMbarrierArrive(void *B, uint32_t Count, uint32_t Drop) {
  return machine().mbarrierArrive(address(B), Count, Drop != 0, __cpr_emu_site);
}
static void emuMbarrierArriveOnCopies(void *B, uint32_t Counted) {
  machine().mbarrierArriveOnCopies(address(B), Counted != 0, __cpr_emu_site);
}
static Thread::Phase phaseBy(uint32_t Parity) {
  return Parity ? Thread::Phase::Parity : Thread::Phase::State;
}
static void emuMbarrierWait(const void *B, uint32_t Parity, uint64_t Value) {
  machine().mbarrierWait(address(B), phaseBy(Parity), Value, __cpr_emu_site);
}
static uint32_t emuMbarrierTest(const void *B, uint32_t Parity, uint64_t Value) {
  return machine().mbarrierTest(address(B), phaseBy(Parity), Value, __cpr_emu_site);
}
static void emuSyncWarp(uint32_t Mask) { machine().syncWarp(Mask, __cpr_emu_site); }
static const void *emuExchange(uint32_t Mask, const void *Mine, uint32_t Bytes) {
  return machine().exchange(Mask, Mine, Bytes, __cpr_emu_site);
}
static uint32_t emuLane() { return machine().lane(); }
static uint32_t emuLiveLanes() { return machine().liveLanes(); }
static uint32_t emuMetLanes() { return machine().metLanes(); }
static uint32_t emuActiveMask() { return machine().activeMask(__cpr_emu_site); }
static void emuAccess(uint32_t Kind, const void *P, uint64_t Bytes, uint32_t Align) {
  machine().access(static_cast<Access>(Kind), address(P), Bytes, Align, __cpr_emu_site);
}
static uint64_t emuSpecialRegister(const char *Name) {
  uint64_t Value = 0;
  if (!machine().specialRegister(Name, Value))
    machine().unsupported("the special register %" + std::string(Name), __cpr_emu_site);
  return Value;
}
static uint32_t emuIsSpace(const void *P, const char *Space) {
  return machine().isSpace(address(P), Space);
}
static void emuFence() { machine().fence(); }
static void emuFault(const char *What) { machine().fault(What, __cpr_emu_site); }
static void emuUnsupported(const char *What) { machine().unsupported(What, __cpr_emu_site); }
static void emuPtx(const void *Block, uint64_t *Operands, uint32_t At) {
  static_cast<const PtxBlock *>(Block)->run(machine(), Operands, At);
}
/// The same of code that numbers its values: \p Count operands, of which the first \p Results are
/// results as well.
static void emuPtxNumbered(const void *Block, uint64_t *Operands, uint32_t At, uint32_t Count,
                           uint32_t Results) {
  const auto *Ptx = static_cast<const PtxBlock *>(Block);
  if (Ptx->isEmpty())
    return;
  ValueNumbers &Numbers = *machine().numbers();
  std::array<ValueNumber, 64> Given = {};
  if (Count > Given.size())
    machine().unsupported(
        "an asm statement with more than 64 operands, on values that are followed", At);
  Machine::AsmNumbers Asm;
  Asm.At = At;
  Asm.Branches = Ptx->branches();
  Asm.All = Ptx->textHash();
  std::array<uint64_t, 64> Bits;
  std::copy_n(Operands, Count, Bits.begin());
  for (uint32_t I = 0; I != Count; ++I) {
    Given[I] = Numbers.load(address(Operands + I), 8);
    Asm.Any |= Given[I] != 0;
  }
  Asm.Operands = ArrayRef(Given).take_front(Count);
  Asm.Bits = ArrayRef(Bits).take_front(Count);
  Asm.Addresses.resize(Count);
  machine().startAsm(Asm);
  Ptx->run(machine(), Operands, At);
  machine().endAsm();
  for (uint32_t I = 0; I != Results; ++I)
    Numbers.store(address(Operands + I), 8,
                  Asm.Any ? (mix(Asm.identity(), I) & HashBits) | sizeBits(8) : 0);
}
static uint64_t numLoad(const void *P, uint32_t Bytes, uint32_t Pointer) {
  return machine().numbers()->load(address(P), Bytes, Pointer != 0);
}
static void numStore(const void *P, uint32_t Bytes, uint64_t N) {
  machine().numbers()->store(address(P), Bytes, N);
}
static void numCopy(const void *To, const void *From, uint64_t Bytes) {
  machine().numbers()->copy(address(To), address(From), Bytes);
}
static void numFill(const void *To, uint64_t Bytes, uint64_t N) {
  machine().numbers()->fill(address(To), Bytes, N);
}
static uint64_t numBitwise(uint32_t Op, uint64_t A, uint64_t BitsOfA, uint64_t B, uint64_t BitsOfB,
                           uint32_t Bytes) {
  return (A | B) == 0 ? 0
                      : machine().numbers()->bitwise(static_cast<ValueNumbers::Bitwise>(Op), A,
                                                     BitsOfA, B, BitsOfB, Bytes);
}
static uint64_t numPointer(const void *P) { return machine().numbers()->pointer(address(P)); }
static void numDecides(uint64_t N, uint32_t Kind, uint32_t At) {
  if (N)
    machine().numbers()->decide(static_cast<Decision::Kind>(Kind), At, N);
}

struct cpr_host_function {
  const char *name;
  void *address;
};
extern const cpr_host_function cpr_host_functions[];
}

ArrayRef<RuntimeSymbol> cuda_pipeline::emulator::machineFunctions() {
  static const RuntimeSymbol Symbols[] = {
      {"__cpr_emu_read", reinterpret_cast<void *>(&emuRead)},
      {"__cpr_emu_write", reinterpret_cast<void *>(&emuWrite)},
      {"__cpr_emu_atomic_read", reinterpret_cast<void *>(&emuAtomicRead)},
      {"__cpr_emu_atomic_write", reinterpret_cast<void *>(&emuAtomicWrite)},
      {"__cpr_emu_atomic_update", reinterpret_cast<void *>(&emuAtomicUpdate)},
      {"__cpr_emu_divide", reinterpret_cast<void *>(&emuDivide)},
      {"__cpr_emu_call", reinterpret_cast<void *>(&emuCall)},
      {"__cpr_emu_tick", reinterpret_cast<void *>(&emuTick)},
      {"__cpr_emu_enter_loop", reinterpret_cast<void *>(&emuEnterLoop)},
      {"__cpr_emu_turn", reinterpret_cast<void *>(&emuTurn)},
      {"__cpr_emu_turn_loads", reinterpret_cast<void *>(&emuTurnLoads)},
      {"__cpr_emu_whole", reinterpret_cast<void *>(&emuWhole)},
      {"__cpr_emu_assume_aligned", reinterpret_cast<void *>(&emuAssumeAligned)},
      {"__cpr_emu_assume", reinterpret_cast<void *>(&emuAssume)},
      {"__cpr_emu_need_global", reinterpret_cast<void *>(&emuNeedGlobal)},
      {"__cpr_emu_need_lasting", reinterpret_cast<void *>(&emuNeedLasting)},
      {"__cpr_emu_check_local", reinterpret_cast<void *>(&emuCheckLocal)},
      {"__cpr_emu_copy_async", reinterpret_cast<void *>(&emuCopyAsync)},
      {"__cpr_emu_commit_group", reinterpret_cast<void *>(&emuCommitGroup)},
      {"__cpr_emu_wait_group", reinterpret_cast<void *>(&emuWaitGroup)},
      {"__cpr_emu_wait_all", reinterpret_cast<void *>(&emuWaitAll)},
      {"__cpr_emu_barrier", reinterpret_cast<void *>(&emuBarrier)},
      {"__cpr_emu_barrier_arrive", reinterpret_cast<void *>(&emuBarrierArrive)},
      {"__cpr_emu_mbarrier_init", reinterpret_cast<void *>(&emuMbarrierInit)},
      {"__cpr_emu_mbarrier_invalidate", reinterpret_cast<void *>(&emuMbarrierInvalidate)},
      {"__cpr_emu_mbarrier_arrive", reinterpret_cast<void *>(&emuMbarrierArrive)},
      {"__cpr_emu_mbarrier_arrive_on_copies", reinterpret_cast<void *>(&emuMbarrierArriveOnCopies)},
      {"__cpr_emu_mbarrier_wait", reinterpret_cast<void *>(&emuMbarrierWait)},
      {"__cpr_emu_mbarrier_test", reinterpret_cast<void *>(&emuMbarrierTest)},
      {"__cpr_emu_sync_warp", reinterpret_cast<void *>(&emuSyncWarp)},
      {"__cpr_emu_exchange", reinterpret_cast<void *>(&emuExchange)},
      {"__cpr_emu_lane", reinterpret_cast<void *>(&emuLane)},
      {"__cpr_emu_met_lanes", reinterpret_cast<void *>(&emuMetLanes)},
      {"__cpr_emu_live_lanes", reinterpret_cast<void *>(&emuLiveLanes)},
      {"__cpr_emu_active_mask", reinterpret_cast<void *>(&emuActiveMask)},
      {"__cpr_emu_access", reinterpret_cast<void *>(&emuAccess)},
      {"__cpr_emu_special_register", reinterpret_cast<void *>(&emuSpecialRegister)},
      {"__cpr_emu_is_space", reinterpret_cast<void *>(&emuIsSpace)},
      {"__cpr_emu_fence", reinterpret_cast<void *>(&emuFence)},
      {"__cpr_emu_fault", reinterpret_cast<void *>(&emuFault)},
      {"__cpr_emu_unsupported", reinterpret_cast<void *>(&emuUnsupported)},
      {"__cpr_emu_ptx", reinterpret_cast<void *>(&emuPtx)},
      {"__cpr_emu_ptx_numbered", reinterpret_cast<void *>(&emuPtxNumbered)},
      {"__cpr_num_load", reinterpret_cast<void *>(&numLoad)},
      {"__cpr_num_store", reinterpret_cast<void *>(&numStore)},
      {"__cpr_num_copy", reinterpret_cast<void *>(&numCopy)},
      {"__cpr_num_fill", reinterpret_cast<void *>(&numFill)},
      {"__cpr_num_bitwise", reinterpret_cast<void *>(&numBitwise)},
      {"__cpr_num_pointer", reinterpret_cast<void *>(&numPointer)},
      {"__cpr_num_decides", reinterpret_cast<void *>(&numDecides)},
      {"__cpr_emu_site", &__cpr_emu_site},
      {"__cpr_emu_guards", &__cpr_emu_guards},
      {"__cpr_emu_context", &__cpr_emu_context},
  };
  return Symbols;
}

void *cuda_pipeline::emulator::hostFunction(StringRef Name) {
  static const StringMap<void *> Map = [] {
    StringMap<void *> M;
    for (const cpr_host_function *F = cpr_host_functions; F->name; ++F)
      M[F->name] = F->address;
    return M;
  }();
  return Map.lookup(Name);
}

std::vector<RuntimeSymbol> cuda_pipeline::emulator::hostFunctions() {
  std::vector<RuntimeSymbol> All;
  for (const cpr_host_function *F = cpr_host_functions; F->name; ++F)
    All.push_back({F->name, F->address});
  return All;
}
