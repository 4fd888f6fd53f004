//===- Machine.cpp - One block after the other on an emulated GPU --------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <csignal>
#include <cstring>

using namespace cuda_pipeline::emulator;
using namespace llvm;

extern "C" ThreadContext *__cpr_emu_context;
ThreadContext *__cpr_emu_context = nullptr;

Machine *Machine::Current = nullptr;

StringRef cuda_pipeline::emulator::toString(Fault::Kind K) {
  switch (K) {
  case Fault::Kind::Race:
    return "race";
  case Fault::Kind::OutOfBounds:
    return "out-of-bounds";
  case Fault::Kind::Misaligned:
    return "misaligned";
  case Fault::Kind::ReadOnly:
    return "read-only";
  case Fault::Kind::Divergence:
    return "divergence";
  case Fault::Kind::CopyInFlight:
    return "copy-in-flight";
  case Fault::Kind::Speculative:
    return "speculative-read";
  case Fault::Kind::Trap:
    return "trap";
  case Fault::Kind::Unsupported:
    return "unsupported";
  }
  llvm_unreachable("unknown kind of fault");
}

namespace cuda_pipeline {
namespace emulator {

/// On a stack of its own, which it leaves for good.
void crashed(int Signal) {
  if (Machine *M = Machine::current(); M && M->InThread) {
    Fault F;
    F.K = Fault::Kind::OutOfBounds;
    F.What = formatv(
        "the thread crashed (signal {0}): it has left a local array, or called itself too deep",
        Signal);
    M->end(std::move(F));
  }
  std::signal(Signal, SIG_DFL);
  std::raise(Signal);
}

void catchCrashes() {
#ifndef __SANITIZE_ADDRESS__              // whose own report is worth more
  static std::array<char, 1 << 16> Other; // the thread's own stack may be what is wrong
  stack_t Stack = {};
  Stack.ss_sp = Other.data();
  Stack.ss_size = Other.size();
  sigaltstack(&Stack, nullptr);
  struct sigaction Action = {};
  Action.sa_handler = crashed;
  Action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (int Signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE})
    sigaction(Signal, &Action, nullptr);
#endif
}

} // namespace emulator
} // namespace cuda_pipeline

Machine::Machine(Memory &Space, const MachineOptions &Options)
    : Space(Space), Options(Options), Random(Options.Seed) {
  assert(!Current && "one machine at a time");
  Current = this;
}

Machine::~Machine() { Current = nullptr; }

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

void Machine::entry(void *Self) {
  Machine &M = *static_cast<Machine *>(Self);
  M.Running->Entry(M.Running->Arguments.data());
  Fibered &F = M.Threads[M.Now];
  for (const Copy &C : F.Copies)
    if (!C.Bound)
      M.end(M.forgotten(C));
  F.Is = Fibered::Done;
  --M.Live;
  ++M.Progress;
  F.Stack->finish(M.Scheduler);
  llvm_unreachable("a finished thread is not resumed");
}

Fault Machine::forgotten(const Copy &C) {
  Fault F;
  F.K = Fault::Kind::CopyInFlight;
  F.What = "the thread ends with an asynchronous copy in flight that nothing waits for";
  F.At = F.Other = C.At;
  return F;
}

void Machine::resume(unsigned T) {
  Now = T;
  __cpr_emu_context = &Threads[T].Context;
  InThread = true;
  Threads[T].Stack->enter(Scheduler);
  InThread = false;
}

void Machine::yield() { Threads[Now].Stack->leave(Scheduler); }

void Machine::end(Fault F) {
  F.Thread = describe(Now);
  Failed = std::move(F);
  // The fibre is left for good; its stack is used anew by the next block or run.
  Threads[Now].Stack->leave(Scheduler);
  llvm_unreachable("a faulty thread is not resumed");
}

std::string Machine::describe(unsigned T) const {
  const ThreadContext &C = Threads[T].Context;
  return formatv("block ({0},{1},{2}), thread ({3},{4},{5})", C.Ctaid[0], C.Ctaid[1], C.Ctaid[2],
                 C.Tid[0], C.Tid[1], C.Tid[2])
      .str();
}

void Machine::order(std::vector<unsigned> &List) {
  switch (Options.Order) {
  case Schedule::Forwards:
    break;
  case Schedule::Backwards:
    std::reverse(List.begin(), List.end());
    break;
  case Schedule::Shuffled:
    // Not std::shuffle: its result differs between libraries.
    for (size_t I = List.size(); I > 1; --I)
      std::swap(List[I - 1], List[Random() % I]);
    break;
  case Schedule::WarpAhead: {
    // One warp first, and again as soon as it can go on; see runBlock().
    unsigned Warps = (BlockThreads + 31) / 32;
    unsigned First = static_cast<unsigned>(Options.Seed % Warps) * 32;
    std::rotate(List.begin(), List.begin() + First, List.end());
    break;
  }
  }
}

bool Machine::runBlock(const Launch &L, std::array<uint64_t, 3> Block, uint64_t Number) {
  ++Space.Time;
  When.startBlock(BlockThreads, Space.Time);
  Between.startBlock(Space.Time);
  Space.startBlock();
  Space.poisonShared(Options.Seed * 1000003 + Number, Options.Uninitialised);
  if (Options.Numbers)
    for (const Region &R : Space.regions())
      if (R.Shared)
        Options.Numbers->forget(R.Begin, R.End - R.Begin);
  PhaseBarriers.clear();
  for (Barrier &B : Barriers)
    B = Barrier();
  Meetings.clear();
  Live = BlockThreads;
  Gathering = 0;

  std::vector<unsigned> List(BlockThreads);
  for (unsigned T = 0; T != BlockThreads; ++T) {
    List[T] = T;
    Fibered &F = Threads[T];
    F.Is = Fibered::Ready;
    F.Copies.clear();
    F.Groups = F.Issued = 0;
    F.Polls = 0;
    ThreadContext &C = F.Context;
    for (unsigned D = 0; D != 3; ++D) {
      C.Ntid[D] = static_cast<uint32_t>(L.Block[D]);
      C.Nctaid[D] = static_cast<uint32_t>(L.Grid[D]);
      C.Ctaid[D] = static_cast<uint32_t>(Block[D]);
    }
    C.Tid[0] = T % C.Ntid[0];
    C.Tid[1] = T / C.Ntid[0] % C.Ntid[1];
    C.Tid[2] = T / C.Ntid[0] / C.Ntid[1];
    C.Lane = T % 32;
    if (!F.Stack)
      F.Stack = std::make_unique<Fibre>(Stacks::get().stack(T));
    F.Stack->reset(&Machine::entry, this);
  }

  order(List);
  while (Live != 0) {
    bool Ran = false;
    for (unsigned T : List) {
      if (Threads[T].Is != Fibered::Ready)
        continue;
      Ran = true;
      resume(T);
      if (Failed)
        return false;
      if (Options.Order == Schedule::WarpAhead) {
        // Back to the first of the list that can run.
        if (release())
          break;
      }
    }
    if (!release() && !Ran && Live != 0 && !wakePolling(1000)) {
      Failed = deadlock();
      return false;
    }
    if (Failed)
      return false;
    if (Options.Order == Schedule::Shuffled)
      order(List);
  }
  // Copies whose mbarrier nobody has waited for.
  for (unsigned T = 0; T != BlockThreads; ++T)
    if (!Threads[T].Copies.empty()) {
      Failed = forgotten(Threads[T].Copies.front());
      Failed->Thread = describe(T);
      return false;
    }
  return true;
}

std::optional<Fault> Machine::run(const Launch &L) {
  Running = &L;
  Failed.reset();
  Speculated.reset();
  Between.startLaunch();
  uint64_t Wanted = L.Block[0] * L.Block[1] * L.Block[2];
  assert(Wanted >= 1 && Wanted <= 1024 && "checked when the launch was evaluated");
  BlockThreads = static_cast<unsigned>(Wanted);
  Stacks::get().clear(); // nothing of the last run is left
  if (Threads.size() < BlockThreads)
    Threads.resize(BlockThreads);

  uint64_t Blocks = L.Grid[0] * L.Grid[1] * L.Grid[2];
  std::vector<uint64_t> Order(Blocks);
  for (uint64_t I = 0; I != Blocks; ++I)
    Order[I] = I;
  if (Options.Order == Schedule::Backwards)
    std::reverse(Order.begin(), Order.end());
  if (Options.Order == Schedule::Shuffled)
    for (uint64_t I = Blocks; I > 1; --I)
      std::swap(Order[I - 1], Order[Random() % I]);
  for (uint64_t B : Order) {
    std::array<uint64_t, 3> Index = {B % L.Grid[0], B / L.Grid[0] % L.Grid[1],
                                     B / L.Grid[0] / L.Grid[1]};
    if (!runBlock(L, Index, B))
      return Failed;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

bool Machine::isOwnStack(uint64_t Address, uint64_t Bytes) const {
  const Fibre &F = *Threads[Now].Stack;
  return Address >= F.stackBegin() && Address + Bytes <= F.stackEnd();
}

bool Machine::isSpace(uint64_t Address, StringRef Name) const {
  if (Name == "local")
    return isOwnStack(Address, 1);
  const Region *R = Space.find(Address);
  if (Name == "shared" || Name == "shared::cta" || Name == "shared.cta")
    return Space.isShared(Address);
  if (Name == "const")
    return R && !R->Writable;
  return Name == "global" && R && !R->Shared;
}

static std::string place(const Region &R, uint64_t Address) {
  int64_t Offset = static_cast<int64_t>(Address - R.Origin);
  int64_t Size = static_cast<int64_t>(R.ElementBytes);
  // Rounded towards minus infinity: in front of the array the index is negative.
  int64_t Index = Offset >= 0 ? Offset / Size : -((-Offset + Size - 1) / Size);
  std::string Text = formatv("{0}[{1}]", R.Name, Index).str();
  if (int64_t Rest = Offset - Index * Size)
    Text += formatv(" (byte {0} of the element)", Rest).str();
  return Text;
}

static const char *verb(Access Kind) {
  switch (Kind) {
  case Access::Read:
    return "read";
  case Access::Write:
    return "write";
  case Access::AtomicRead:
    return "atomic read";
  case Access::AtomicWrite:
    return "atomic write";
  }
  llvm_unreachable("unknown kind of access");
}

Fault Machine::raceFault(const Conflict &C, Access Kind, uint64_t Address, Site At) const {
  Fault F;
  F.At = At;
  F.Other = C.OtherSite;
  const Region *R = Space.find(Address);
  std::string Where = R ? place(*R, Address) : "?";
  switch (C.K) {
  case Conflict::WithRead:
  case Conflict::WithWrite: {
    F.K = Fault::Kind::Race;
    const ThreadContext &O = Threads[C.Other].Context;
    F.What = formatv("race on {0}: {1}, and thread ({2},{3},{4}) {5} it with no barrier in between",
                     Where, verb(Kind), O.Tid[0], O.Tid[1], O.Tid[2],
                     C.K == Conflict::WithRead ? "has read" : "has written")
                 .str();
    break;
  }
  case Conflict::AcrossBlocks:
    F.K = Fault::Kind::Race;
    F.What =
        formatv("race on {0}: {1}, and another block uses it too, with nothing that orders the two",
                Where, verb(Kind))
            .str();
    break;
  case Conflict::InFlight:
    F.K = Fault::Kind::CopyInFlight;
    F.What =
        formatv("{0} of {1} while an asynchronous copy into it is in flight", verb(Kind), Where)
            .str();
    break;
  case Conflict::SourceInFlight:
    F.K = Fault::Kind::CopyInFlight;
    F.What =
        formatv("{0} of {1} while an asynchronous copy from it is in flight", verb(Kind), Where)
            .str();
    break;
  }
  return F;
}

void Machine::misaligned(Access Kind, uint64_t Address, uint64_t Bytes, unsigned Align, Site At) {
  Fault F;
  F.K = Fault::Kind::Misaligned;
  const Region *R = Space.find(Address);
  F.What = formatv("{0} of {1} bytes at {2}, which is not aligned to {3} bytes", verb(Kind), Bytes,
                   R ? place(*R, Address) : formatv("{0:x}", Address).str(), Align)
               .str();
  F.At = At;
  end(std::move(F));
}

void Machine::outside(Access Kind, const Region *R, uint64_t Address, uint64_t Bytes, Site At) {
  Fault F;
  F.K = Fault::Kind::OutOfBounds;
  F.At = At;
  const Region *Near = R ? R : Space.nearest(Address);
  F.What =
      Near ? formatv("{0} of {1} bytes at {2}, outside of the array ({3} elements)", verb(Kind),
                     Bytes, place(*Near, Address), (Near->End - Near->Begin) / Near->ElementBytes)
                 .str()
           : formatv("{0} of {1} bytes at {2:x}, where nothing is", verb(Kind), Bytes, Address)
                 .str();
  end(std::move(F));
}

void Machine::readOnly(const Region &R, uint64_t Address, Site At) {
  Fault F;
  F.K = Fault::Kind::ReadOnly;
  F.What = formatv("write to {0}, which is constant", place(R, Address)).str();
  F.At = At;
  end(std::move(F));
}

void Machine::needLasting(uint64_t Address, uint64_t Bytes, Site At) {
  const Region *R = Space.find(Address);
  if (!R || !R->contains(Address, Bytes) || !Space.writtenIn(*R, Address, Bytes))
    return;
  Fault F;
  F.K = Fault::Kind::ReadOnly;
  F.What = formatv("__ldg reads {0}, which this kernel has written: it takes what is read-only as "
                   "long as the kernel runs",
                   place(*R, Address))
               .str();
  F.At = At;
  end(std::move(F));
}

void Machine::speculative(const Region &R, uint64_t Address, uint64_t Bytes, Site At) {
  Fault F;
  F.K = Fault::Kind::Speculative;
  F.What =
      formatv("a speculative read: {0} bytes at {1}, which the original never reads in this launch",
              Bytes, place(R, Address))
          .str();
  F.At = At;
  F.Thread = describe(Now);
  Speculated = std::move(F);
}

void Machine::touch(Region &R, uint64_t Address, uint64_t Bytes, Site At) {
  if (R.Open && LLVM_UNLIKELY(!Space.touch(R, Address, Bytes)))
    unsupported("the run uses too many places of memory, far from each other", At);
}

void Machine::hint(uint64_t Address, uint8_t Hints) {
  if (Region *R = Space.find(Address))
    R->Hints |= Hints;
}

void Machine::whole(bool Write, uint64_t Address, uint64_t Bytes, unsigned Align, Site At) {
  checkAlignment(Write ? Access::Write : Access::Read, Address, Bytes, Align, At);
  if (Write)
    return;
  // Elements that nobody uses are read all the same, and may lie behind the end.
  if (Region *R = Space.find(Address)) {
    touch(*R, Address, Bytes, At);
    noteRead(*R, Address, Bytes, At);
  }
}

void Machine::assumeAligned(uint64_t Address, uint64_t Local, uint64_t Align, int64_t Offset,
                            Site At) {
  // The host puts local variables where a compiler for the GPU does for what it reads at once, and
  // no better.
  if (!Local && isOwnStack(Address, 1))
    Align = std::min<uint64_t>(Align, 16);
  const uint64_t From = Address - Local - static_cast<uint64_t>(Offset);
  if (LLVM_LIKELY(Align <= 1 || From % Align == 0))
    return;
  Fault F;
  F.K = Fault::Kind::Misaligned;
  const Region *R = Local ? nullptr : Space.find(Address);
  const std::string Where =
      Local ? formatv("byte {0} of a local variable", static_cast<int64_t>(Address - Local)).str()
      : R   ? place(*R, Address)
      : isOwnStack(Address, 1) ? "a part of a local variable"
                               : formatv("{0:x}", Address).str();
  F.What = formatv("{0} is said to be {1}aligned to {2} bytes, which it is not", Where,
                   Offset ? formatv("{0} bytes behind what is ", Offset).str() : "", Align)
               .str();
  F.At = At;
  end(std::move(F));
}

/// What an asm statement reads is one of its operands; what it writes is made of all that it has
/// read so far.
void Machine::numberAsm(AsmNumbers &A, bool Write, uint64_t Address, uint64_t Bytes) {
  if (A.Any && A.Branches)
    Options.Numbers->decide(Decision::Branch, A.At, A.identity());
  for (uint64_t I = 0, N; I < Bytes; I += N) {
    N = std::min<uint64_t>(4, Bytes - I);
    if (Write) {
      A.All = mix(A.All, I);
      Options.Numbers->store(Address + I, static_cast<unsigned>(N),
                             A.Any ? (A.identity() & HashBits) | sizeBits(N) : 0);
      continue;
    }
    uint64_t Bits = 0;
    std::memcpy(&Bits, reinterpret_cast<const void *>(Address + I), N);
    const ValueNumber Of = Options.Numbers->load(Address + I, static_cast<unsigned>(N));
    A.All = mix(A.All, Of ? Of : mixBits(Bits));
    A.Any |= Of != 0;
  }
}

void Machine::addressed(unsigned Register, bool IsOperand) {
  AsmNumbers *A = Threads[Now].Asm;
  if (!A)
    return;
  // What is computed within is made of any of them.
  if (const ValueNumber N = IsOperand ? A->Operands[Register] : A->Any ? A->identity() : 0)
    Options.Numbers->decide(Decision::Address, A->At, N);
  if (IsOperand)
    A->Addresses.set(Register);
}

void Machine::access(Access Kind, uint64_t Address, uint64_t Bytes, unsigned Align, Site At) {
  if (++Stats.Accesses > Options.MaxAccesses)
    unsupported("the run takes too long: more memory accesses than the limit", At);
  if (Bytes == 0)
    return;
  checkAlignment(Kind, Address, Bytes, Align, At);
  Region *R = Space.find(Address);
  if (LLVM_UNLIKELY(!R || !R->contains(Address, Bytes))) {
    if (!R && isOwnStack(Address, Bytes))
      return;
    outside(Kind, R, Address, Bytes, At);
  }
  const bool Write = Kind == Access::Write || Kind == Access::AtomicWrite;
  if (LLVM_UNLIKELY(Write && !R->Writable))
    readOnly(*R, Address, At);
  touch(*R, Address, Bytes, At);
  if (LLVM_UNLIKELY(Options.Numbers)) {
    if (AsmNumbers *Asm = Threads[Now].Asm)
      numberAsm(*Asm, Write, Address, Bytes);
    return; // races and what else there may be have been looked for in another run
  }
  if (Kind == Access::AtomicRead || Kind == Access::AtomicWrite)
    Stats.Order |= ByAtomics;
  if (Conflict With; LLVM_UNLIKELY(
          Space.collides(With, Kind, *R, Address, Bytes, Now, Space.Time, When, Between, At)))
    end(raceFault(With, Kind, Address, At));
  if (R->Shared)
    return;
  if (!Write)
    noteRead(*R, Address, Bytes, At);
  if (Kind == Access::AtomicRead)
    Between.atomicRead(Now, Address);
  else if (Kind == Access::AtomicWrite)
    Between.atomicWrite(Now, Address);
}

/// One access to the shadow, which would take the read alone for the last one that there was.
void Machine::update(uint64_t Address, uint64_t Bytes, unsigned Align, Site At) {
  if (!Space.isShared(Address)) {
    Between.atomicRead(Now, Address);
    whole(/*Write=*/false, Address, Bytes, Align, At);
  }
  if (AsmNumbers *Asm = Options.Numbers ? Threads[Now].Asm : nullptr; LLVM_UNLIKELY(Asm))
    numberAsm(*Asm, /*Write=*/false, Address, Bytes);
  access(Access::AtomicWrite, Address, Bytes, Align, At);
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

void Machine::copyAsync(uint64_t Shared, uint64_t Global, unsigned Bytes, unsigned ZeroFill,
                        Site At) {
  Fault F;
  F.K = Fault::Kind::Misaligned;
  F.At = At;
  if (Bytes != 4 && Bytes != 8 && Bytes != 16) {
    F.What = formatv("an asynchronous copy of {0} bytes; it moves 4, 8 or 16", Bytes).str();
    end(std::move(F));
  }
  if (ZeroFill > Bytes) {
    F.What =
        formatv("an asynchronous copy of {0} bytes fills {1} with zeros", Bytes, ZeroFill).str();
    end(std::move(F));
  }
  ++Stats.Copies;
  // Both ends must be aligned, also where nothing is read.
  if (Global % Bytes != 0) {
    const Region *R = Space.find(Global);
    F.What =
        formatv("an asynchronous copy of {0} bytes from {1}, which is not aligned to {0} bytes",
                Bytes, R ? place(*R, Global) : formatv("{0:x}", Global).str())
            .str();
    end(std::move(F));
  }
  if (!Space.isShared(Shared)) {
    F.K = Fault::Kind::OutOfBounds;
    F.What = "the destination of an asynchronous copy is not shared memory";
    end(std::move(F));
  }
  unsigned Read = Bytes - ZeroFill;
  if (Read) {
    const Region *R = Space.find(Global);
    if (Space.isShared(Global) || isOwnStack(Global, 1) || (R && R->Constant)) {
      F.K = Fault::Kind::OutOfBounds;
      F.What = "the source of an asynchronous copy is not global memory";
      end(std::move(F));
    }
    access(Access::Read, Global, Read, 1, At);
  }
  access(Access::Write, Shared, Bytes, Bytes, At);

  Copy C;
  C.Shared = Shared;
  C.Global = Global;
  C.Bytes = Bytes;
  C.ZeroFill = ZeroFill;
  C.Group = Threads[Now].Groups;
  C.Number = Threads[Now].Issued++;
  C.At = At;
  std::memcpy(C.Source.data(), reinterpret_cast<const void *>(Global), Read);
  Space.launched(Shared, Bytes, Global, Read, Now, When);
  bool Early =
      Options.Copies == Landing::Early || (Options.Copies == Landing::Random && Random() % 2 == 0);
  if (Early)
    land(Threads[Now], C, /*Visible=*/false, Space.Time);
  else
    fillPoison(reinterpret_cast<uint8_t *>(Shared), Bytes, Options.Seed ^ Shared,
               Options.Uninitialised);
  Threads[Now].Copies.push_back(C);
}

/// Moves the bytes; \p Visible: and lets them be touched again, as if \p F had written them at \p
/// Time.
void Machine::land(Fibered &F, Copy &C, bool Visible, uint32_t Time) {
  if (!C.Landed) {
    C.Landed = true;
    unsigned Read = C.Bytes - C.ZeroFill;
    auto *To = reinterpret_cast<uint8_t *>(C.Shared);
    std::memcpy(To, reinterpret_cast<const void *>(C.Global), Read);
    std::memset(To + Read, 0, C.ZeroFill);
    if (Options.Numbers) {
      Options.Numbers->copy(C.Shared, C.Global, Read);
      Options.Numbers->fill(C.Shared + Read, C.ZeroFill, 0);
    }
  }
  if (!Visible)
    return;
  Space.landed(C.Shared, C.Bytes, C.Global, C.Bytes - C.ZeroFill,
               static_cast<unsigned>(&F - Threads.data()), Time, When, Between, C.At);
}

void Machine::retire(Fibered &F, uint64_t GroupsDone) {
  size_t Kept = 0;
  for (Copy &C : F.Copies) {
    if (C.Group >= GroupsDone) {
      F.Copies[Kept++] = C;
      continue;
    }
    land(F, C, /*Visible=*/true, Space.Time);
  }
  F.Copies.resize(Kept);
}

void Machine::commitGroup(Site) { ++Threads[Now].Groups; }

void Machine::waitGroup(unsigned Pending, Site) {
  Fibered &F = Threads[Now];
  if (F.Groups > Pending)
    retire(F, F.Groups - Pending);
}

void Machine::waitAll(Site) { retire(Threads[Now], ~uint64_t(0)); }

//===----------------------------------------------------------------------===//
// Waiting for each other
//===----------------------------------------------------------------------===//

uint32_t Machine::liveLanes(unsigned Warp) const {
  uint32_t Mask = 0;
  for (unsigned L = 0; L != 32 && Warp * 32 + L < BlockThreads; ++L)
    if (Threads[Warp * 32 + L].Is != Fibered::Done)
      Mask |= uint32_t(1) << L;
  return Mask;
}

unsigned Machine::lane() const { return Now % 32; }

uint32_t Machine::activeMask(Site At) {
  Stats.Order |= ByPresence;
  Stats.OfWarps = true;
  Fibered &F = Threads[Now];
  F.Is = Fibered::Gathering;
  F.At = At;
  ++Gathering;
  yield();
  return F.Result;
}

/// Lanes that ask for the active lanes get those of their warp that ask at the same place, as soon
/// as none of the warp can run; the place that comes first in the code before the others, so that
/// lanes that are ahead (behind a loop) are joined by the rest.
bool Machine::releaseGathering() {
  bool Any = false;
  for (unsigned Begin = 0; Begin < BlockThreads; Begin += 32) {
    MutableArrayRef<Fibered> Warp(&Threads[Begin], std::min(32u, BlockThreads - Begin));
    uint32_t Lanes = 0;
    Site First = 0;
    bool Runs = false;
    for (unsigned L = 0; L != Warp.size(); ++L) {
      Runs |= Warp[L].Is == Fibered::Ready;
      if (Warp[L].Is != Fibered::Gathering || (Lanes && Warp[L].At > First))
        continue;
      Lanes = (Warp[L].At == First ? Lanes : 0) | uint32_t(1) << L;
      First = Warp[L].At;
    }
    if (Runs || !Lanes)
      continue;
    for (uint32_t Left = Lanes; Left; Left &= Left - 1) {
      Fibered &F = Warp[countr_zero(Left)];
      F.Is = Fibered::Ready;
      F.Result = Lanes;
      --Gathering;
    }
    ++Progress;
    Any = true;
  }
  return Any;
}

unsigned Machine::barrier(unsigned Id, unsigned Wanted, bool Predicate, Site At) {
  if (Id >= Barriers.size())
    fault(formatv("barrier {0}; there are 16 per block", Id).str(), At);
  Barrier &B = enterBarrier(Id, Wanted, At);
  B.Count += Predicate;
  B.Members.push_back(Now);
  Fibered &F = Threads[Now];
  F.Is = Fibered::AtBarrier;
  F.Barrier = Id;
  F.At = At;
  yield();
  return F.Result;
}

void Machine::barrierArrive(unsigned Id, unsigned Wanted, Site At) {
  if (Id >= Barriers.size() || Wanted == 0)
    fault("bar.arrive needs a barrier below 16 and a number of threads", At);
  Stats.Order |= ByBarriers;
  Barrier &B = enterBarrier(Id, Wanted, At);
  When.release(Now, ++Space.Time, B.Arrivals);
}

/// One more thread at the barrier, which must be for \p Wanted threads.
Machine::Barrier &Machine::enterBarrier(unsigned Id, unsigned Wanted, Site At) {
  Barrier &B = Barriers[Id];
  Fault Diverged;
  Diverged.K = Fault::Kind::Divergence;
  Diverged.At = At;
  Diverged.Other = B.First;
  // __syncthreads() is one place in the text for all; with a number it is as the threads agree.
  bool WholeBlock = Wanted == 0;
  if (WholeBlock)
    Wanted = BlockThreads;
  else
    B.Counted = true;
  if (Wanted != BlockThreads)
    Stats.Order |= ByBarriers;
  if (!WholeBlock && Wanted % 32 != 0 && Wanted != BlockThreads) {
    Diverged.What =
        formatv("a barrier of {0} threads; the number must be a multiple of 32", Wanted).str();
    end(std::move(Diverged));
  }
  if (B.Arrived == 0) {
    B.Expected = Wanted;
    B.First = At;
  } else if (B.Expected != Wanted) {
    Diverged.What = "threads wait at one barrier for different numbers of threads";
    end(std::move(Diverged));
  } else if (B.First != At && WholeBlock) {
    Diverged.What = "not all threads of the block wait at the same barrier of the source";
    end(std::move(Diverged));
  }
  ++B.Arrived;
  return B;
}

/// True if the barrier was complete.
bool Machine::releaseBarrier(unsigned Id) {
  Barrier &B = Barriers[Id];
  // Threads that have returned do not count, as on GPUs since Volta; unless a number was given.
  unsigned Wanted = B.Counted ? B.Expected : Live;
  if (B.Arrived == 0 || B.Arrived < Wanted)
    return false;
  ++Stats.Barriers;
  ++Progress;
  ++Space.Time;
  // Who has only arrived knows nothing of the others; they know what was before its arrival.
  if (!B.Counted || B.Members.size() == BlockThreads) {
    When.blockBarrier(Space.Time);
    Between.blockBarrier();
  } else {
    When.partialBarrier(B.Members, Space.Time);
    Between.partialBarrier(B.Members);
  }
  // (Of other blocks those know that have only arrived as well: nobody writes their knowledge
  // down.)
  if (!B.Arrivals.empty())
    Between.blockBarrier();
  for (unsigned T : B.Members) {
    When.acquire(T, B.Arrivals);
    Threads[T].Is = Fibered::Ready;
    Threads[T].Result = B.Count;
  }
  B = Barrier();
  return true;
}

unsigned Machine::meet(uint32_t Mask, const void *Mine, unsigned Bytes, bool Sync, Site At) {
  Stats.OfWarps = true;
  unsigned Warp = Now / 32, Lane = Now % 32;
  uint32_t Bit = uint32_t(1) << Lane;
  Fault Diverged;
  Diverged.K = Fault::Kind::Divergence;
  Diverged.At = At;
  if (!(Mask & Bit)) {
    Diverged.What =
        formatv("a warp function with the mask {0:x}, which lacks the calling lane {1}", Mask, Lane)
            .str();
    end(std::move(Diverged));
  }
  if (Bytes > 1024)
    unsupported("a warp function that exchanges more than 1,024 bytes", At);
  // Lanes that do not exist (the last warp of an odd block) are no part of it.
  unsigned Index = 0;
  for (; Index != Meetings.size(); ++Index)
    if (Meetings[Index]->Warp == Warp && Meetings[Index]->Mask == Mask)
      break;
  if (Index == Meetings.size()) {
    Meetings.push_back(std::make_unique<Meeting>());
    Meetings.back()->Warp = Warp;
    Meetings.back()->Mask = Mask;
  }
  Meeting &M = *Meetings[Index];
  if (M.Arrived == 0) {
    M.Bytes = Bytes;
    M.Sync = Sync;
    M.First = At;
    M.Slots[M.Generation % 2].assign(size_t(Bytes) * 32, 0);
    M.Given.fill(0);
    if (Options.Numbers)
      Options.Numbers->fill(reinterpret_cast<uint64_t>(M.Slots[M.Generation % 2].data()),
                            size_t(Bytes) * 32, 0);
  } else if (M.Bytes != Bytes || M.Sync != Sync) {
    Diverged.Other = M.First;
    Diverged.What = "lanes of one warp wait for each other in different warp functions";
    end(std::move(Diverged));
  }
  if (Bytes)
    std::memcpy(M.Slots[M.Generation % 2].data() + size_t(Lane) * Bytes, Mine, Bytes);
  if (Options.Numbers) {
    const AsmNumbers *Asm = Threads[Now].Asm;
    M.Given[Lane] = Asm && Asm->Any ? Asm->identity() : 0;
    const auto Slot =
        reinterpret_cast<uint64_t>(M.Slots[M.Generation % 2].data()) + size_t(Lane) * Bytes;
    if (Asm)
      Options.Numbers->fill(Slot, Bytes, 0);
    else
      Options.Numbers->copy(Slot, reinterpret_cast<uint64_t>(Mine), Bytes);
  }
  M.Arrived |= Bit;
  Fibered &F = Threads[Now];
  F.Is = Fibered::AtMeeting;
  F.Meeting = Index;
  F.At = At;
  return Index;
}

bool Machine::releaseMeeting(Meeting &M) {
  if (M.Arrived == 0 || (M.Mask & liveLanes(M.Warp) & ~M.Arrived))
    return false;
  const void *Slots = M.Slots[M.Generation % 2].data();
  std::vector<unsigned> Members;
  ValueNumber Met = 0;
  if (any_of(M.Given, [](ValueNumber N) { return N != 0; }))
    for (ValueNumber N : M.Given)
      Met = mix(Met, N);
  for (uint32_t Left = M.Arrived; Left; Left &= Left - 1) {
    unsigned T = M.Warp * 32 + countr_zero(Left);
    Threads[T].Met = Met;
    Threads[T].Is = Fibered::Ready;
    Threads[T].Slots = Slots;
    Threads[T].Result = M.Arrived;
    Members.push_back(T);
  }
  // What one has read and given to the others, such as the ticket of its block, they know as well.
  Between.partialBarrier(Members);
  if (M.Sync) {
    ++Space.Time;
    When.partialBarrier(Members, Space.Time);
  } else {
    ++Stats.Exchanges;
  }
  M.Arrived = 0;
  ++M.Generation;
  ++Progress;
  return true;
}

bool Machine::release() {
  bool Any = false;
  for (unsigned Id = 0; Id != Barriers.size(); ++Id)
    Any |= releaseBarrier(Id);
  for (auto &M : Meetings)
    Any |= releaseMeeting(*M);
  if (!PhaseBarriers.empty())
    Any |= releasePhases();
  // Last: who was let go above may come to the same place.
  if (Gathering != 0 && !Any)
    Any |= releaseGathering();
  return Any;
}

void Machine::syncWarp(uint32_t Mask, Site At) {
  meet(Mask, nullptr, 0, /*Sync=*/true, At);
  yield();
}

const void *Machine::exchange(uint32_t Mask, const void *Mine, unsigned Bytes, Site At) {
  meet(Mask, Mine, Bytes, /*Sync=*/false, At);
  yield();
  if (AsmNumbers *Asm = Threads[Now].Asm; Asm && Threads[Now].Met) {
    Asm->All = mix(Asm->All, Threads[Now].Met);
    Asm->Any = true;
  }
  return Threads[Now].Slots;
}

//===----------------------------------------------------------------------===//
// mbarrier
//===----------------------------------------------------------------------===//

Machine::PhaseBarrier &Machine::phaseBarrier(uint64_t Address, Access Kind, Site At) {
  if (!Space.isShared(Address))
    unsupported("an mbarrier that is not in shared memory", At);
  const uint8_t Order = Stats.Order | ByBarriers;
  access(Kind, Address, 8, 8, At);
  Stats.Order = Order; // it is no atomic access of the kernel's
  auto Found = PhaseBarriers.find(Address);
  if (Found == PhaseBarriers.end())
    fault("an mbarrier is used that was not initialised", At);
  return Found->second;
}

void Machine::mbarrierInit(uint64_t Address, uint32_t Count, Site At) {
  if (Count == 0 || Count >= 1u << 20)
    fault(formatv("an mbarrier of {0} threads; it counts 1 to 1048575", Count).str(), At);
  PhaseBarriers[Address] = PhaseBarrier();
  PhaseBarrier &B = phaseBarrier(Address, Access::Write, At);
  B.Address = Address;
  B.Expected = B.Pending = Count;
}

void Machine::mbarrierInvalidate(uint64_t Address, Site At) {
  phaseBarrier(Address, Access::Write, At);
  PhaseBarriers.erase(Address);
}

void Machine::arrive(PhaseBarrier &B, uint32_t Count, Site At) {
  if (Count > B.Pending)
    fault(
        formatv("{0} arrivals at an mbarrier whose phase expects {1} more", Count, B.Pending).str(),
        At);
  B.Pending -= Count;
  ++Progress;
  if (B.Pending)
    return;
  Between.blockBarrier();
  ++Stats.Barriers;
  ++B.Number;
  B.Done = std::move(B.Arriving);
  B.Arriving.clear();
  B.Pending = B.Expected;
  // Now, for the next phase may be complete before they run again.
  for (unsigned T = 0; T != BlockThreads; ++T) {
    Fibered &F = Threads[T];
    if (F.Is == Fibered::AtPhase && F.PhaseOf == B.Address && B.isDone(F.PhaseBy, F.PhaseValue)) {
      When.acquire(T, B.Done);
      F.Is = Fibered::Ready;
    }
  }
}

uint64_t Machine::mbarrierArrive(uint64_t Address, uint32_t Count, bool Drop, Site At) {
  PhaseBarrier &B = phaseBarrier(Address, Access::AtomicWrite, At);
  uint64_t State = B.Number << 20 | B.Pending;
  When.release(Now, ++Space.Time, B.Arriving);
  if (Drop)
    B.Expected -= std::min(Count, B.Expected);
  arrive(B, Count, At);
  return State;
}

void Machine::mbarrierArriveOnCopies(uint64_t Address, bool Counted, Site At) {
  PhaseBarrier &B = phaseBarrier(Address, Access::AtomicWrite, At);
  Fibered &F = Threads[Now];
  if (!Counted)
    ++B.Pending;
  for (Copy &C : F.Copies)
    C.Bound = true;
  // What it has done up to here is visible to who waits; the copies count as written before that.
  uint32_t Before = Space.Time;
  When.release(Now, ++Space.Time, B.Arriving);
  B.Deferred.push_back({Now, F.Issued, Before});
}

/// Whether that phase is complete. Copies that are bound to it land as late as they may: now, when
/// somebody asks and nothing else is missing.
bool Machine::settle(PhaseBarrier &B, Phase By, uint64_t Value) {
  if (!B.isDone(By, Value) && B.Pending == B.Deferred.size()) {
    for (const PhaseBarrier::OnCopies &D : B.Deferred) {
      Fibered &F = Threads[D.Thread];
      for (Copy &C : F.Copies)
        if (C.Number < D.Issued)
          land(F, C, /*Visible=*/true, D.Time);
      erase_if(F.Copies, [&](const Copy &C) { return C.Number < D.Issued; });
    }
    uint32_t Count = static_cast<uint32_t>(B.Deferred.size());
    B.Deferred.clear();
    arrive(B, Count, 0);
  }
  return B.isDone(By, Value);
}

void Machine::mbarrierWait(uint64_t Address, Phase By, uint64_t Value, Site At) {
  PhaseBarrier &B = phaseBarrier(Address, Access::AtomicRead, At);
  Fibered &F = Threads[Now];
  if (settle(B, By, Value)) {
    When.acquire(Now, B.Done);
    return;
  }
  F.Is = Fibered::AtPhase;
  F.PhaseOf = Address;
  F.PhaseBy = By;
  F.PhaseValue = Value;
  F.At = At;
  yield();
}

bool Machine::mbarrierTest(uint64_t Address, Phase By, uint64_t Value, Site At) {
  Stats.Order |= ByPolling;
  Fibered &F = Threads[Now];
  for (bool Again : {true, false}) {
    PhaseBarrier &B = phaseBarrier(Address, Access::AtomicRead, At);
    if (settle(B, By, Value)) {
      F.Polls = 0;
      When.acquire(Now, B.Done);
      return true;
    }
    if (!Again)
      break;
    F.Is = Fibered::Polling;
    F.PolledAt = Progress;
    F.At = At;
    yield();
  }
  return false;
}

/// Of those that wait or poll, the ones for which something has changed.
bool Machine::releasePhases() {
  bool Any = false;
  for (unsigned T = 0; T != BlockThreads; ++T) {
    Fibered &F = Threads[T];
    if (F.Is == Fibered::AtPhase) {
      auto Found = PhaseBarriers.find(F.PhaseOf);
      Any |= Found != PhaseBarriers.end() && settle(Found->second, F.PhaseBy, F.PhaseValue);
    } else if (F.Is == Fibered::Polling && F.PolledAt != Progress) {
      F.Polls = 0;
      F.Is = Fibered::Ready;
      Any = true;
    }
  }
  return Any;
}

/// Nothing happens any more: the threads that poll may still give up and do something else.
bool Machine::wakePolling(unsigned Patience) {
  bool Any = false;
  for (unsigned T = 0; T != BlockThreads; ++T) {
    Fibered &F = Threads[T];
    if (F.Is != Fibered::Polling || ++F.Polls > Patience)
      continue;
    F.Is = Fibered::Ready;
    Any = true;
  }
  return Any;
}

Fault Machine::deadlock() const {
  Fault F;
  F.K = Fault::Kind::Divergence;
  // Two threads that wait for different things show it best.
  const Fibered *First = nullptr, *Second = nullptr;
  for (unsigned T = 0; T != BlockThreads; ++T) {
    const Fibered &X = Threads[T];
    if (X.Is == Fibered::Done || X.Is == Fibered::Ready)
      continue;
    if (!First) {
      First = &X;
      F.Thread = describe(T);
    } else if (X.At != First->At) {
      Second = &X;
      break;
    }
  }
  F.At = First ? First->At : 0;
  F.Other = Second ? Second->At : 0;
  F.What = Second ? "threads wait at different places for each other"
                  : "threads wait for others that do not come";
  return F;
}

//===----------------------------------------------------------------------===//
// Turns of loops
//===----------------------------------------------------------------------===//

void Machine::watchLoops(ArrayRef<unsigned> Loads) {
  Loops.assign(Loads.size(), LoopTurns());
  Turning.assign(Loads.size() * 1024, Entered());
  for (size_t L = 0; L != Loads.size(); ++L)
    Loops[L].Loads.assign(Loads[L], 0);
}

void Machine::enterLoop(unsigned Loop) {
  Entered &E = entered(Loop);
  E.Turns = 0;
  E.Loads.assign(Loops[Loop].Loads.size(), 0);
}

void Machine::turn(unsigned Loop) {
  LoopTurns &All = Loops[Loop];
  All.Entered = true;
  All.Reached = std::max<uint64_t>(All.Reached, ++entered(Loop).Turns);
}

/// The header is reached once more than the loop turns where that is what asks whether to go on;
/// what is counted is that a turn has got to where it loads, and that another one came.
void Machine::turnLoads(unsigned Loop, unsigned Place) {
  Entered &E = entered(Loop);
  LoopTurns &All = Loops[Loop];
  All.Turns = std::max<uint64_t>(All.Turns, E.Turns);
  if (Place < E.Loads.size())
    All.Loads[Place] = std::max<uint64_t>(All.Loads[Place], ++E.Loads[Place]);
}

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

bool Machine::specialRegister(const char *Name, uint64_t &Value) const {
  const ThreadContext &C = Threads[Now].Context;
  StringRef N = Name;
  auto Vector = [&](StringRef Prefix, const uint32_t *From) {
    if (!N.consume_front(Prefix))
      return false;
    if (N == ".x" || N == ".y" || N == ".z") {
      Value = From[N[1] - 'x'];
      return true;
    }
    N = Name;
    return false;
  };
  if (Vector("tid", C.Tid) || Vector("ntid", C.Ntid) || Vector("ctaid", C.Ctaid) ||
      Vector("nctaid", C.Nctaid))
    return true;
  unsigned Warps = (BlockThreads + 31) / 32;
  uint32_t Bit = uint32_t(1) << C.Lane;
  if (N == "laneid")
    Value = C.Lane;
  else if (N == "warpid")
    Value = Now / 32;
  else if (N == "nwarpid")
    Value = Warps;
  else if (N == "warpsize")
    Value = 32;
  else if (N == "lanemask_eq" || N == "lanemask.eq")
    Value = Bit;
  else if (N == "lanemask_lt" || N == "lanemask.lt")
    Value = Bit - 1;
  else if (N == "lanemask_le" || N == "lanemask.le")
    Value = Bit | (Bit - 1);
  else if (N == "lanemask_gt" || N == "lanemask.gt")
    Value = ~(Bit | (Bit - 1));
  else if (N == "lanemask_ge" || N == "lanemask.ge")
    Value = ~(Bit - 1);
  else if (N == "dynamic_smem_size" || N == "dynamic.smem.size") {
    Value = Running->DynamicShared;
    Stats.AsksForShared = true;
  } else {
    Stats.Order |= ByPresence;
    if (N == "smid")
      Value = 0;
    else if (N == "nsmid")
      Value = 1;
    else if (N == "clock" || N == "clock64" || N == "globaltimer" || N == "clock_hi" ||
             N == "globaltimer_lo" || N == "globaltimer_hi")
      Value = Stats.Accesses; // moves on, and that is all
    else
      return false;
  }
  return true;
}

void Machine::fault(std::string What, Site At) {
  Fault F;
  F.K = Fault::Kind::Trap;
  F.What = std::move(What);
  F.At = At;
  end(std::move(F));
}

void Machine::unsupported(std::string What, Site At) {
  Fault F;
  F.K = Fault::Kind::Unsupported;
  F.What = std::move(What);
  F.At = At;
  end(std::move(F));
}
