//===- MockWarp.cpp - A warp whose lanes are coroutines -----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MockWarp.h"
#include "gtest/gtest.h"
#include <cstring>
#include <sys/mman.h>

using namespace llvm;
using namespace cuda_pipeline;
using namespace cuda_pipeline::emulator;

static MockWarp *Current;

MockWarp::MockWarp(unsigned Lanes) : Lanes(Lanes) {
  Shared = static_cast<uint8_t *>(mmap(nullptr, SharedBytes, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0));
  for (unsigned L = 0; L != Lanes; ++L) {
    All.push_back(std::make_unique<Lane>());
    All.back()->Stack.resize(64 * 1024);
  }
}
MockWarp::~MockWarp() { munmap(Shared, SharedBytes); }

void MockWarp::entry() {
  MockWarp &W = *Current;
  W.Block->run(W, (*W.Operands)[W.Now].data(), 7);
  W.All[W.Now]->State = Lane::Done;
  swapcontext(&W.All[W.Now]->Context, &W.Scheduler);
}

void MockWarp::yield() { swapcontext(&All[Now]->Context, &Scheduler); }

bool MockWarp::run(const PtxBlock &B, std::vector<std::vector<uint64_t>> &O) {
  Current = this;
  Block = &B;
  Operands = &O;
  Failure.clear();
  for (auto &L : All) {
    getcontext(&L->Context);
    L->Context.uc_stack.ss_sp = L->Stack.data();
    L->Context.uc_stack.ss_size = L->Stack.size();
    L->Context.uc_link = nullptr;
    makecontext(&L->Context, &MockWarp::entry, 0);
    L->State = Lane::Ready;
  }
  for (;;) {
    bool Any = false, Left = false;
    for (Now = 0; Now != Lanes; ++Now) {
      if (All[Now]->State != Lane::Ready)
        continue;
      Any = true;
      swapcontext(&Scheduler, &All[Now]->Context);
      if (!Failure.empty())
        return false;
    }
    // Whoever waits for lanes that wait with the same mask, or are gone.
    for (unsigned L = 0; L != Lanes; ++L) {
      Lane &First = *All[L];
      if (First.State != Lane::Waiting)
        continue;
      Left = true;
      bool Complete = true;
      for (unsigned X = 0; X != Lanes; ++X)
        if (First.Mask >> X & 1)
          Complete &= All[X]->State == Lane::Done ||
                      (All[X]->State == Lane::Waiting && All[X]->Mask == First.Mask);
      if (!Complete)
        continue;
      Any = true;
      size_t Bytes = First.Deposit.size();
      std::vector<uint8_t> Slots(Bytes * 32, 0);
      std::vector<unsigned> Members;
      for (unsigned X = 0; X != Lanes; ++X) {
        if (!(First.Mask >> X & 1) || All[X]->State != Lane::Waiting)
          continue;
        if (All[X]->Deposit.size() != Bytes) {
          Failure = "fault: deposits of different sizes";
          return false;
        }
        Members.push_back(X);
        if (Bytes)
          std::memcpy(Slots.data() + X * Bytes, All[X]->Deposit.data(), Bytes);
      }
      for (unsigned X : Members) {
        All[X]->Slots = Slots;
        All[X]->State = Lane::Ready;
      }
    }
    if (!Any) {
      if (Left)
        Failure = "fault: lanes wait for ever";
      return !Left;
    }
  }
}

void MockWarp::end(std::string Why) {
  Failure = std::move(Why);
  yield();
  std::abort();
}
void MockWarp::fault(std::string What, Site) { end("fault: " + What); }
void MockWarp::unsupported(std::string What, Site) { end("unsupported: " + What); }

void MockWarp::access(Access Kind, uint64_t Address, uint64_t Bytes, unsigned Align, Site At) {
  EXPECT_EQ(At, 7u);
  Events.push_back({static_cast<Event::Kind>(Kind), Now, Address, Bytes, Align});
  if (Address % Align)
    end("fault: misaligned");
  if (Address < 4096)
    end("fault: bounds");
}
void MockWarp::copyAsync(uint64_t To, uint64_t From, unsigned Bytes, unsigned ZeroFill, Site) {
  Events.push_back({Event::CopyAsync, Now, To, From, Bytes, ZeroFill});
}
void MockWarp::commitGroup(Site) { Events.push_back({Event::Commit, Now}); }
void MockWarp::waitGroup(unsigned Pending, Site) {
  Events.push_back({Event::WaitGroup, Now, Pending});
}
void MockWarp::waitAll(Site) { Events.push_back({Event::WaitAll, Now}); }
unsigned MockWarp::barrier(unsigned Id, unsigned Threads, bool Predicate, Site) {
  Events.push_back({Event::Barrier, Now, Id, Threads, Predicate});
  return BarrierResult;
}
void MockWarp::barrierArrive(unsigned Id, unsigned Threads, Site) {
  Events.push_back({Event::Arrive, Now, Id, Threads});
}
void MockWarp::syncWarp(uint32_t Mask, Site At) {
  Events.push_back({Event::SyncWarp, Now, Mask});
  exchange(Mask, nullptr, 0, At);
}
void MockWarp::mbarrierInit(uint64_t B, uint32_t Count, Site) {
  Events.push_back({Event::MbarrierInit, Now, B, Count});
}
void MockWarp::mbarrierInvalidate(uint64_t B, Site) {
  Events.push_back({Event::MbarrierInvalidate, Now, B});
}
uint64_t MockWarp::mbarrierArrive(uint64_t B, uint32_t Count, bool Drop, Site) {
  Events.push_back({Event::MbarrierArrive, Now, B, Count, Drop});
  return MbarrierState;
}
void MockWarp::mbarrierArriveOnCopies(uint64_t B, bool Counted, Site) {
  Events.push_back({Event::MbarrierOnCopies, Now, B, Counted});
}
void MockWarp::mbarrierWait(uint64_t, Phase, uint64_t, Site) { end("no instruction waits"); }
bool MockWarp::mbarrierTest(uint64_t B, Phase By, uint64_t Value, Site) {
  Events.push_back({Event::MbarrierTest, Now, B, By == Phase::Parity, Value});
  return TestsThatFail == 0 || TestsThatFail-- == 0;
}
void MockWarp::fence() { Events.push_back({Event::Fence, Now}); }

const void *MockWarp::exchange(uint32_t Mask, const void *Mine, unsigned Bytes, Site) {
  Lane &L = *All[Now];
  if (!(Mask >> Now & 1))
    end("fault: the lane is not in its mask");
  L.Mask = Mask;
  L.Deposit.assign(static_cast<const uint8_t *>(Mine), static_cast<const uint8_t *>(Mine) + Bytes);
  L.State = Lane::Waiting;
  yield();
  return All[Now]->Slots.data();
}

bool MockWarp::isSpace(uint64_t Address, StringRef Name) const {
  auto Begin = reinterpret_cast<uint64_t>(Shared);
  bool InShared = Address >= Begin && Address < Begin + SharedBytes;
  return Name == "shared" || Name == "shared::cta" ? InShared : Name == "global" && !InShared;
}

uint32_t MockWarp::liveLanes() const {
  uint32_t Mask = 0;
  for (unsigned L = 0; L != Lanes; ++L)
    Mask |= uint32_t(All[L]->State != Lane::Done) << L;
  return Mask;
}

bool MockWarp::specialRegister(const char *Name, uint64_t &Value) const {
  StringRef N = Name;
  if (N == "tid.x" || N == "laneid")
    Value = Now;
  else if (N == "ntid.x")
    Value = Lanes;
  else
    return false;
  return true;
}

std::unique_ptr<PtxBlock> emulator::parsed(StringRef Text, ArrayRef<unsigned> Bits) {
  auto Block = PtxBlock::parse(Text, Bits);
  if (!Block) {
    ADD_FAILURE() << toString(Block.takeError()) << "\n in " << Text.str();
    return cantFail(PtxBlock::parse("", Bits));
  }
  return std::move(*Block);
}

std::string emulator::parseError(StringRef Text, ArrayRef<unsigned> Bits) {
  auto Block = PtxBlock::parse(Text, Bits);
  return Block ? "no error" : toString(Block.takeError());
}

uint64_t emulator::evaluate(StringRef Text, ArrayRef<unsigned> Bits, ArrayRef<uint64_t> Operands) {
  MockWarp Warp(1);
  std::vector<std::vector<uint64_t>> All = {Operands.vec()};
  std::unique_ptr<PtxBlock> Block = parsed(Text, Bits);
  EXPECT_TRUE(Warp.run(*Block, All)) << Warp.Failure << "\n in " << Text.str();
  uint64_t Mask = Bits[0] == 64 ? ~uint64_t(0) : (uint64_t(1) << Bits[0]) - 1;
  return All[0][0] & Mask;
}
