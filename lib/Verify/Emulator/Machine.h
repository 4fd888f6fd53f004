//===- Machine.h - One block after the other on an emulated GPU -----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The machine runs a kernel's blocks one after the other, the threads of a block as fibres that
/// run until they wait for each other. It is meaner than a GPU:
///
/// - Threads run in an order that the schedule says: forwards, backwards, shuffled, one warp as far
///   ahead as it gets. A race between threads is found in any order, by shadow state (Shadow.h).
/// - An asynchronous copy lands as late or as early as it may, or at random between. Until the
/// wait,
///   its destination holds poison, nobody may touch it, and nobody may write its source.
/// - Shared memory starts as poison, different in every run.
/// - Every access is checked for bounds and alignment; arrays have red zones around them.
///
/// The first fault ends the run. What is not known is a fault of the kind Unsupported.
///
/// There is one machine per process at a time: the compiled kernel calls it through plain functions
/// (`__cpr_emu_*`).
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_VERIFY_EMULATOR_MACHINE_H
#define CUDA_PIPELINE_VERIFY_EMULATOR_MACHINE_H

#include "../Ptx/Thread.h"
#include "Fibre.h"
#include "Shadow.h"
#include "ValueNumbers.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace cuda_pipeline {
namespace emulator {

enum class Schedule { Forwards, Backwards, Shuffled, WarpAhead };
enum class Landing { Late, Early, Random };

struct MachineOptions {
  Schedule Order = Schedule::Forwards;
  Landing Copies = Landing::Late;
  Poison Uninitialised = Poison::NaNs;
  uint64_t Seed = 1;                    ///< of poison, shuffling and random landing
  uint64_t MaxAccesses = 4000000000ull; ///< a run with more is ended as unsupported
  uint64_t MaxTurns = ~uint64_t(0);     ///< of all loops and threads; the same
  ValueNumbers *Numbers = nullptr;      ///< of code that numbers its values
};

/// A run that ended early.
struct Fault {
  enum class Kind {
    Race, ///< two threads, one byte, at least one write, nothing in between
    OutOfBounds,
    Misaligned,
    ReadOnly,     ///< a write to constant memory or to another thread's locals
    Divergence,   ///< a barrier that not all threads reach, or threads that wait for ever
    CopyInFlight, ///< touched too early, source changed, reused, or never waited for
    Speculative,  ///< a read of what this launch must not read (Region::MayRead)
    Trap,         ///< the kernel's own assertion or trap
    Unsupported,  ///< the emulator does not know: no verdict
  };
  Kind K = Kind::Unsupported;
  std::string What;   ///< one line, without the place
  Site At = 0;        ///< of the access that made it visible
  Site Other = 0;     ///< of the other thread's access, or of the copy
  std::string Thread; ///< "block (0,0,0), thread (3,1,0)"
};
llvm::StringRef toString(Fault::Kind K);

/// From here on a signal of the hardware's own, while a thread of a kernel runs, is a fault of that
/// thread: it has written over its own stack, where no access is checked. In any other place it
/// ends this process, as before.
void catchCrashes();

/// What the compiled code reads without a call; Lower.cpp knows the layout.
struct ThreadContext {
  uint32_t Tid[3], Ntid[3], Ctaid[3], Nctaid[3], Lane;
};

/// The kernel for one thread: called on the thread's fibre.
using KernelEntry = void (*)(const void *const *Arguments);

/// Why another order of the threads could show something else, although nothing races
/// (docs/verify.md, "Every schedule").
enum OrderMatters : uint8_t {
  ByAtomics = 1,  ///< atomic and volatile accesses: who comes first
  ByPolling = 2,  ///< who asks whether others have come
  ByBarriers = 4, ///< barriers of some threads, and of arrivals: which of them meet
  ByPresence = 8, ///< the lanes that are there; the clock; the multiprocessor
};

struct Statistics {
  uint64_t Accesses = 0, Barriers = 0, Copies = 0, Exchanges = 0;
  bool OfWarps = false; ///< lanes of a warp synchronised with each other, or exchanged something
  bool AsksForShared = false; ///< how much dynamic shared memory the launch gives
  uint8_t Order = 0;          ///< OrderMatters
};

class Machine final : public Thread {
public:
  Machine(Memory &Space, const MachineOptions &Options);
  ~Machine() override;

  struct Launch {
    KernelEntry Entry = nullptr;
    std::vector<const void *> Arguments;
    std::array<uint64_t, 3> Grid = {1, 1, 1}, Block = {1, 1, 1};
    uint64_t DynamicShared = 0;
  };
  /// Runs all blocks, or up to the first fault.
  std::optional<Fault> run(const Launch &L);
  const Statistics &statistics() const { return Stats; }
  /// The first read of what this launch must not read (Region::MayRead); the run goes on behind it.
  const std::optional<Fault> &speculated() const { return Speculated; }

  static Machine *current() { return Current; }

  // Thread.
  void access(Access Kind, uint64_t Address, uint64_t Bytes, unsigned Align, Site At) override;
  void update(uint64_t Address, uint64_t Bytes, unsigned Align, Site At) override;
  void copyAsync(uint64_t Shared, uint64_t Global, unsigned Bytes, unsigned ZeroFill,
                 Site At) override;
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
  unsigned lane() const override;
  uint32_t liveLanes() const override { return liveLanes(Now / 32); }
  /// Those of the exchange that the thread comes from; some may have returned since.
  uint32_t metLanes() const { return Threads[Now].Result; }
  uint32_t activeMask(Site At) override;
  bool specialRegister(const char *Name, uint64_t &Value) const override;
  [[noreturn]] void fault(std::string What, Site At) override;
  [[noreturn]] void unsupported(std::string What, Site At) override;

  /// How far loops in which threads wait have come (LoweredModule::Loops).
  struct LoopTurns {
    uint64_t Turns =
        0; ///< the most that a thread has made in a row, of those that got to where it loads
    bool Entered = false; ///< a thread has come to the loop
    uint64_t Reached = 0; ///< the most times in a row that a thread has come to the loop's head
    std::vector<uint64_t> Loads; ///< and of these the most that have got to each place that loads
  };
  /// \p Loads: of each loop the number of its places.
  void watchLoops(llvm::ArrayRef<unsigned> Loads);
  const std::vector<LoopTurns> &loops() const { return Loops; }
  /// Addresses that may be called.
  void knowFunctions(llvm::ArrayRef<uint64_t> Addresses) { Functions = Addresses; }
  /// A call through a pointer.
  void call(uint64_t Address, Site At) {
    if (LLVM_UNLIKELY(!llvm::is_contained(Functions, Address)))
      fault("the kernel calls through a pointer that leads to no function", At);
  }
  /// A loop of any kind turns.
  void tick(Site At) {
    if (LLVM_UNLIKELY(++Ticks > Options.MaxTurns))
      unsupported("the run takes too long: more turns of loops than the limit", At);
  }
  void enterLoop(unsigned Loop);
  void turn(unsigned Loop);
  void turnLoads(unsigned Loop, unsigned Place);
  /// What is read or written as one in the source, whatever a compiler makes of it: \p Address must
  /// be a multiple of
  /// \p Align, and all of it counts as read. The accesses that it becomes are announced as such.
  void whole(bool Write, uint64_t Address, uint64_t Bytes, unsigned Align, Site At);
  /// What the value that is loaded from \p Address is used for: LoadHint.
  void hint(uint64_t Address, uint8_t Hints);
  /// A fault if the launch has written one of the bytes.
  void needLasting(uint64_t Address, uint64_t Bytes, Site At);
  /// What __builtin_assume_aligned says. \p Local: where the local variable begins that it is said
  /// of; 0: of none that is known.
  void assumeAligned(uint64_t Address, uint64_t Local, uint64_t Align, int64_t Offset, Site At);
  /// Of what data the running asm statement makes its results. It is one operation, whatever it
  /// does: of its operands, of what it reads, and of what other lanes give it.
  struct AsmNumbers {
    llvm::ArrayRef<ValueNumber> Operands;
    llvm::ArrayRef<uint64_t> Bits; ///< of the operands
    llvm::BitVector
        Addresses; ///< operands that are some: what is read there counts, and not where it lies
    bool Branches = false; ///< parts of it are executed or not
    uint64_t All = 0;      ///< what it is, and what it has read
    /// What it makes of all that.
    uint64_t identity() const {
      uint64_t H = All;
      for (size_t I = 0; I != Operands.size(); ++I)
        if (Operands[I] || !Addresses.test(I))
          H = mix(H, Operands[I] ? Operands[I] : mixBits(Bits[I]));
      return H;
    }
    bool Any = false; ///< something of that has a number
    Site At = 0;
  };
  ValueNumbers *numbers() { return Options.Numbers; }
  void startAsm(AsmNumbers &A) {
    Threads[Now].Asm = &A;
    Follows = true;
  }
  void endAsm() { Threads[Now].Asm = nullptr; }
  void addressed(unsigned Register, bool IsOperand) override;
  /// Ends the run; the running fibre does not come back.
  [[noreturn]] void end(Fault F);
  void fence() override { Between.fence(Now, ++Space.Time, When); }
  /// Memory of the running thread's own: locals.
  bool isOwnStack(uint64_t Address, uint64_t Bytes) const;
  /// \p Name as in PTX's isspacep: "shared", "global", "local", "const".
  bool isSpace(uint64_t Address, llvm::StringRef Name) const override;

private:
  struct Copy {
    uint64_t Shared, Global;
    unsigned Bytes, ZeroFill;
    uint64_t Group, Number; ///< both count from 0 per thread
    Site At;
    bool Landed = false;
    bool Bound = false;             ///< an mbarrier waits for it
    std::array<uint8_t, 16> Source; ///< as it was at issue
  };
  struct Fibered {
    enum State { Ready, AtBarrier, AtMeeting, AtPhase, Polling, Gathering, Done } Is = Done;
    ThreadContext Context;
    std::unique_ptr<Fibre> Stack;
    std::vector<Copy> Copies; ///< in order of issue
    uint64_t Issued = 0;      ///< copies so far
    uint64_t Groups = 0;      ///< committed so far
    unsigned Barrier = 0, Meeting = 0;
    unsigned Result = 0; ///< of the barrier, or the lanes that are gathered or have met
    const void *Slots = nullptr;
    uint64_t PhaseOf = 0; ///< address of the mbarrier that it waits for
    Phase PhaseBy = Phase::State;
    uint64_t PhaseValue = 0;
    uint64_t PolledAt = 0; ///< Progress when it last asked
    unsigned Polls = 0;    ///< without progress
    Site At = 0;           ///< where it waits
    AsmNumbers *Asm = nullptr;
    ValueNumber Met = 0; ///< of what the lanes of an exchange have given
  };
  struct Barrier {
    unsigned Arrived = 0, Expected = 0, Count = 0; ///< Count: of predicates that are set
    bool Counted = false;                          ///< the threads say how many are expected
    std::vector<unsigned> Members;                 ///< waiting threads
    VectorClock Arrivals;                          ///< of those that do not wait
    Site First = 0;
  };
  struct PhaseBarrier {
    uint64_t Address = 0;
    uint32_t Expected = 0, Pending = 0;
    uint64_t Number = 0;        ///< phases that are complete
    VectorClock Arriving, Done; ///< of this phase, of the last one
    /// Arrivals that wait for copies: the thread, the number of its copies, the time.
    struct OnCopies {
      unsigned Thread;
      uint64_t Issued;
      uint32_t Time;
    };
    std::vector<OnCopies> Deferred;
    bool isDone(Phase By, uint64_t Value) const {
      return By == Phase::Parity ? (Number & 1) != (Value & 1) : Number > Value >> 20;
    }
  };
  /// Lanes of one warp under one mask.
  struct Meeting {
    unsigned Warp = 0;
    uint32_t Mask = 0, Arrived = 0;
    unsigned Bytes = 0;
    bool Sync = false;
    Site First = 0;
    unsigned Generation = 0;
    std::array<std::vector<uint8_t>, 2> Slots;
    std::array<ValueNumber, 32> Given = {}; ///< by lanes that are in an asm statement
  };

  bool runBlock(const Launch &L, std::array<uint64_t, 3> Block, uint64_t Number);
  void order(std::vector<unsigned> &Threads);
  void resume(unsigned T);
  void yield();
  bool release();
  Barrier &enterBarrier(unsigned Id, unsigned Wanted, Site At);
  bool releaseBarrier(unsigned Id);
  bool releaseMeeting(Meeting &M);
  unsigned meet(uint32_t Mask, const void *Mine, unsigned Bytes, bool Sync, Site At);
  uint32_t liveLanes(unsigned Warp) const;
  void land(Fibered &F, Copy &C, bool Visible, uint32_t Time);
  static Fault forgotten(const Copy &C);
  PhaseBarrier &phaseBarrier(uint64_t Address, Access Kind, Site At);
  void arrive(PhaseBarrier &B, uint32_t Count, Site At);
  bool settle(PhaseBarrier &B, Phase By, uint64_t Value);
  bool releasePhases();
  bool releaseGathering();
  bool wakePolling(unsigned Patience);
  void retire(Fibered &F, uint64_t GroupsDone);
  std::string describe(unsigned T) const;
  Fault raceFault(const Conflict &C, Access Kind, uint64_t Address, Site At) const;
  static Machine *Current;
  void checkAlignment(Access Kind, uint64_t Address, uint64_t Bytes, unsigned Align, Site At) {
    if (LLVM_UNLIKELY(Align > 1 && Address % Align != 0))
      misaligned(Kind, Address, Bytes, Align, At);
  }
  [[noreturn]] void misaligned(Access Kind, uint64_t Address, uint64_t Bytes, unsigned Align,
                               Site At);
  [[noreturn]] void outside(Access Kind, const Region *R, uint64_t Address, uint64_t Bytes,
                            Site At);
  [[noreturn]] void readOnly(const Region &R, uint64_t Address, Site At);
  void noteRead(Region &R, uint64_t Address, uint64_t Bytes, Site At) {
    if ((!R.Reads.empty() || R.Open) && LLVM_UNLIKELY(!Memory::noteRead(R, Address, Bytes)) &&
        !Speculated)
      speculative(R, Address, Bytes, At);
  }
  void speculative(const Region &R, uint64_t Address, uint64_t Bytes, Site At);
  void touch(Region &R, uint64_t Address, uint64_t Bytes, Site At);
  void numberAsm(AsmNumbers &A, bool Write, uint64_t Address, uint64_t Bytes);
  Fault deadlock() const;
  static void entry(void *Self);

  /// Of one thread, since it has entered the loop.
  struct Entered {
    uint32_t Turns = 0;
    std::vector<uint32_t> Loads;
  };
  Entered &entered(unsigned Loop) { return Turning[size_t(Loop) * 1024 + Now]; }
  std::vector<LoopTurns> Loops;
  std::vector<Entered> Turning; ///< by loop and thread

  Memory &Space;
  MachineOptions Options;
  mutable Statistics Stats; ///< asking counts, too
  std::mt19937_64 Random;
  bool InThread = false; ///< a fibre has the processor
  friend void crashed(int);
  const Launch *Running = nullptr;
  std::vector<Fibered> Threads;
  unsigned BlockThreads = 0, Live = 0, Now = 0; ///< Now: the running thread
  std::array<Barrier, 16> Barriers;
  std::map<uint64_t, PhaseBarrier> PhaseBarriers; ///< by address
  unsigned Gathering = 0;                         ///< threads in that state
  uint64_t Ticks = 0;
  llvm::ArrayRef<uint64_t> Functions;
  uint64_t Progress = 0; ///< events that a polling thread may wait for
  std::vector<std::unique_ptr<Meeting>> Meetings;
  std::optional<Fault> Failed, Speculated;
  Context Scheduler;
  Clocks When;
  BlockClocks Between;
};

} // namespace emulator
} // namespace cuda_pipeline

/// The running thread's context; read by compiled code.
extern "C" cuda_pipeline::emulator::ThreadContext *__cpr_emu_context;
/// Two bytes for each of LoweredModule::Guards, set by compiled code: it was false, it was true.
extern "C" uint8_t *__cpr_emu_guards;

#endif
