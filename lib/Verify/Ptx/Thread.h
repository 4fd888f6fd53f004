//===- Thread.h - What a running thread asks of the emulated GPU ----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The interface between code that is being run (compiled kernel code through the `__cpr_emu_*`
/// functions, inline PTX through the interpreter) and the machine that runs it. All functions speak
/// for the thread that is running now.
///
/// Addresses are those of the host process: a generic address is the host's pointer. Shared memory
/// lies below 4 GiB, so that a 32-bit shared-window address is the same number; addresses of local,
/// global and constant memory are generic ones too. Every access is announced before it happens, is
/// checked (bounds, alignment, races, copies in flight), and then performed by the caller.
///
/// A `Site` is an index into the table of source places of the module; 0 is "unknown".
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_VERIFY_PTX_THREAD_H
#define CUDA_PIPELINE_VERIFY_PTX_THREAD_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace cuda_pipeline {
namespace emulator {

using Site = uint32_t;

enum class Access : uint8_t { Read, Write, AtomicRead, AtomicWrite };

class Thread {
public:
  virtual ~Thread() = default;

  /// Checks an access of \p Bytes at \p Address, which must be a multiple of \p Align. On a fault
  /// the thread does not come back.
  virtual void access(Access Kind, uint64_t Address, uint64_t Bytes, unsigned Align, Site At) = 0;

  /// An atomic access that reads and writes.
  virtual void update(uint64_t Address, uint64_t Bytes, unsigned Align, Site At) {
    access(Access::AtomicRead, Address, Bytes, Align, At);
    access(Access::AtomicWrite, Address, Bytes, Align, At);
  }

  // Asynchronous copies (cp.async): \p Bytes is 4, 8 or 16; of these the last \p ZeroFill are zeros
  // and not read.
  virtual void copyAsync(uint64_t Shared, uint64_t Global, unsigned Bytes, unsigned ZeroFill,
                         Site At) = 0;
  virtual void commitGroup(Site At) = 0;
  /// Returns when at most \p Pending of this thread's latest groups may be in flight.
  virtual void waitGroup(unsigned Pending, Site At) = 0;
  /// cp.async.wait_all: also copies that were not committed.
  virtual void waitAll(Site At) = 0;

  /// bar.sync: \p Threads 0 stands for the whole block. Returns the number of threads of the
  /// barrier whose \p Predicate was not zero.
  virtual unsigned barrier(unsigned Id, unsigned Threads, bool Predicate, Site At) = 0;
  /// bar.arrive: counts as arrived, and goes on.
  virtual void barrierArrive(unsigned Id, unsigned Threads, Site At) = 0;
  virtual void syncWarp(uint32_t Mask, Site At) = 0;

  // mbarrier: a barrier object of 8 bytes in shared memory, whose phases count from 0.
  virtual void mbarrierInit(uint64_t Barrier, uint32_t Count, Site At) = 0;
  virtual void mbarrierInvalidate(uint64_t Barrier, Site At) = 0;
  /// \p Count arrivals; \p Drop: and as many fewer are expected in the phases to come. The result
  /// is the state before: phase << 20 | arrivals that were missing.
  virtual uint64_t mbarrierArrive(uint64_t Barrier, uint32_t Count, bool Drop, Site At) = 0;
  /// cp.async.mbarrier.arrive: arrives when all copies that this thread has issued have landed.
  /// Unless
  /// \p Counted, the phase expects one arrival more.
  virtual void mbarrierArriveOnCopies(uint64_t Barrier, bool Counted, Site At) = 0;
  /// How a wait names its phase: by the state that an arrival has returned, or by parity.
  enum class Phase { State, Parity };
  /// Waits until that phase is complete.
  virtual void mbarrierWait(uint64_t Barrier, Phase By, uint64_t Value, Site At) = 0;
  /// Lets others run and says whether that phase is complete.
  virtual bool mbarrierTest(uint64_t Barrier, Phase By, uint64_t Value, Site At) = 0;

  /// Every lane of \p Mask deposits \p Bytes (at most 1,024) and waits for the others of the mask.
  /// The result has 32 slots of \p Bytes each, slot i from lane i, zeros for lanes outside the
  /// mask; it stays valid until this thread's next call. Does not order memory accesses.
  virtual const void *exchange(uint32_t Mask, const void *Mine, unsigned Bytes, Site At) = 0;

  /// A fence of the GPU was executed, or stands in front of an access that releases: what this
  /// thread knows of is published by its atomic accesses from here on.
  virtual void fence() = 0;
  /// True if \p Address lies in the space, named as by PTX's isspacep: "shared", "global", "local",
  /// "const".
  virtual bool isSpace(uint64_t Address, llvm::StringRef Name) const = 0;
  /// An access that reaches global memory alone; a fault if the address leads elsewhere.
  void needGlobal(uint64_t Address, Site At);

  /// It is to be told of addresses: addressed().
  bool Follows = false;
  /// A register was used as an address: an operand of the statement, or one of its own.
  virtual void addressed(unsigned Register, bool IsOperand) {}

  /// Lane in the warp, 0..31.
  virtual unsigned lane() const = 0;
  /// Lanes of this thread's warp that have not returned from the kernel.
  virtual uint32_t liveLanes() const = 0;
  /// Lanes of this thread's warp that are at \p At with it. As many as possible: it waits until no
  /// other lane can come.
  virtual uint32_t activeMask(Site At) = 0;

  /// Special registers by their PTX name without the percent sign: "tid.x", "laneid", "nwarpid",
  /// "dynamic_smem_size", ... False if there is none of this name.
  virtual bool specialRegister(const char *Name, uint64_t &Value) const = 0;

  // What is taken by value, so that nothing of it stays behind on the stack of a thread that is not
  // resumed.
  /// Ends the run: the code did something that is an error on any GPU ("trap", a failed assertion).
  [[noreturn]] virtual void fault(std::string What, Site At) = 0;
  /// Ends the run: the emulator does not know this; exit 4, never a pass.
  [[noreturn]] virtual void unsupported(std::string What, Site At) = 0;
};

} // namespace emulator
} // namespace cuda_pipeline

#endif
