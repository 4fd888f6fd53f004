//===- MockWarp.h - A warp whose lanes are coroutines -------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Runs a block of PTX with up to 32 lanes, each on a stack of its own. Lanes that wait for each
/// other do wait; everything else is recorded. The array `Shared` lies below 4 GiB, as the
/// interface wants.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_UNITTESTS_PTX_MOCKWARP_H
#define CUDA_PIPELINE_UNITTESTS_PTX_MOCKWARP_H

#include "Verify/Ptx/Ptx.h"
#include <memory>
#include <string>
#include <ucontext.h>
#include <vector>

namespace cuda_pipeline {
namespace emulator {

struct Event {
  enum Kind {
    Read,
    Write,
    AtomicRead,
    AtomicWrite,
    CopyAsync,
    Commit,
    WaitGroup,
    WaitAll,
    Barrier,
    Arrive,
    SyncWarp,
    Fence,
    MbarrierInit,
    MbarrierInvalidate,
    MbarrierArrive,
    MbarrierOnCopies,
    MbarrierTest
  } K;
  unsigned Lane;
  uint64_t A = 0, B = 0, C = 0, D = 0; ///< the arguments in order, without the site
  bool operator==(const Event &O) const {
    return K == O.K && Lane == O.Lane && A == O.A && B == O.B && C == O.C && D == O.D;
  }
};

class MockWarp : public Thread {
public:
  static constexpr unsigned SharedBytes = 8192;

  explicit MockWarp(unsigned Lanes = 32);
  ~MockWarp() override;

  /// Operands[lane] are changed in place. False: the run ended early, see Failure.
  bool run(const PtxBlock &Block, std::vector<std::vector<uint64_t>> &Operands);

  unsigned Lanes;
  std::vector<Event> Events;
  std::string Failure; ///< "fault: ..." or "unsupported: ..."
  unsigned BarrierResult = 0;
  uint64_t MbarrierState = 0; ///< what an arrival returns
  unsigned TestsThatFail = 0; ///< tests of an mbarrier that say false
  uint8_t *Shared = nullptr;
  uint32_t sharedAddress(unsigned Offset = 0) const {
    return static_cast<uint32_t>(reinterpret_cast<uint64_t>(Shared) + Offset);
  }

  void access(Access Kind, uint64_t Address, uint64_t Bytes, unsigned Align, Site At) override;
  void copyAsync(uint64_t To, uint64_t From, unsigned Bytes, unsigned ZeroFill, Site At) override;
  void commitGroup(Site At) override;
  void waitGroup(unsigned Pending, Site At) override;
  void waitAll(Site At) override;
  unsigned barrier(unsigned Id, unsigned Threads, bool Predicate, Site At) override;
  void barrierArrive(unsigned Id, unsigned Threads, Site At) override;
  void syncWarp(uint32_t Mask, Site At) override;
  void mbarrierInit(uint64_t Barrier, uint32_t Count, Site At) override;
  void mbarrierInvalidate(uint64_t Barrier, Site At) override;
  uint64_t mbarrierArrive(uint64_t Barrier, uint32_t Count, bool Drop, Site At) override;
  void mbarrierArriveOnCopies(uint64_t Barrier, bool Counted, Site At) override;
  void mbarrierWait(uint64_t Barrier, Phase By, uint64_t Value, Site At) override;
  bool mbarrierTest(uint64_t Barrier, Phase By, uint64_t Value, Site At) override;
  const void *exchange(uint32_t Mask, const void *Mine, unsigned Bytes, Site At) override;
  void fence() override;
  bool isSpace(uint64_t Address, llvm::StringRef Name) const override;
  unsigned lane() const override { return Now; }
  uint32_t liveLanes() const override;
  uint32_t activeMask(Site) override { return liveLanes(); }
  bool specialRegister(const char *Name, uint64_t &Value) const override;
  [[noreturn]] void fault(std::string What, Site At) override;
  [[noreturn]] void unsupported(std::string What, Site At) override;

private:
  struct Lane {
    ucontext_t Context;
    std::vector<char> Stack;
    enum { Ready, Waiting, Done } State = Done;
    uint32_t Mask = 0;
    std::vector<uint8_t> Deposit, Slots;
  };
  static void entry();
  void yield();
  [[noreturn]] void end(std::string Why);

  std::vector<std::unique_ptr<Lane>> All;
  ucontext_t Scheduler;
  unsigned Now = 0;
  const PtxBlock *Block = nullptr;
  std::vector<std::vector<uint64_t>> *Operands = nullptr;
};

/// The text must parse; \p Bits of its operands.
std::unique_ptr<PtxBlock> parsed(llvm::StringRef Text, llvm::ArrayRef<unsigned> Bits);
/// The error of a text that must not parse.
std::string parseError(llvm::StringRef Text, llvm::ArrayRef<unsigned> Bits = {});
/// One thread, one statement: operand 0 (of \p Bits[0]) after the run.
uint64_t evaluate(llvm::StringRef Text, llvm::ArrayRef<unsigned> Bits,
                  llvm::ArrayRef<uint64_t> Operands);

} // namespace emulator
} // namespace cuda_pipeline

#endif
