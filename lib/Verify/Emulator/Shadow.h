//===- Shadow.h - The emulated memory and what is known of every byte -----===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Two arenas of host memory: shared memory (below 4 GiB, so that a 32-bit shared-window address is
/// the generic address) and global memory. What lies in them are `Region`s, arrays with a name, with
/// red zones around each. For every byte of an arena there is a `Cell`: who wrote it last, who has
/// read it since, and when.
///
/// Time is a counter that moves when threads synchronise. Two accesses of one byte by different
/// threads, one of them a write, are ordered if a barrier of the whole block lies between their
/// times, or if the later thread has synchronised with the earlier one since (`Clocks`: vector
/// clocks, kept from the first time on that some threads of the block synchronise without the
/// others). Otherwise they race.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_VERIFY_EMULATOR_SHADOW_H
#define CUDA_PIPELINE_VERIFY_EMULATOR_SHADOW_H

#include "../Ptx/Thread.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cuda_pipeline {
namespace emulator {

/// What uninitialised memory holds: bits that depend on a seed and on the place. NaNs show where one is
/// used in arithmetic; but two NaNs are alike, so some runs have numbers instead.
enum class Poison { NaNs, Numbers };
void fillPoison(uint8_t *Begin, uint64_t Bytes, uint64_t Seed, Poison Kind);

struct Region {
  uint64_t Begin = 0, End = 0;
  std::string Name;
  uint64_t ElementBytes = 1;
  bool Shared = false, Writable = true;
  bool Constant = false; ///< in `__constant__` memory
  bool contains(uint64_t A, uint64_t Bytes) const { return A >= Begin && Bytes <= End - A && A <= End; }
};

/// A vector clock: for each thread of the block the time before which its accesses are known of.
using VectorClock = std::vector<uint32_t>;

/// When threads of a block last synchronised. Thread numbers are those in the block.
class Clocks {
public:
  void startBlock(unsigned Threads, uint32_t Time);
  void blockBarrier(uint32_t Time) { Epoch = Time; }
  /// The threads of \p Set have waited for each other at \p Time.
  void partialBarrier(llvm::ArrayRef<unsigned> Set, uint32_t Time);
  /// Arrival without waiting: adds to \p Into what \p Me knows and has done before \p Time, which is
  /// a new time.
  void release(unsigned Me, uint32_t Time, VectorClock &Into);
  /// \p Me has waited for what \p From describes.
  void acquire(unsigned Me, llvm::ArrayRef<uint32_t> From);
  /// Threads have synchronised in part; from here on the accesses of each are told apart.
  bool partial() const { return Partial; }
  unsigned threads() const { return Threads; }
  /// \p Other's access at \p Stamp is before everything that \p Me does from now on.
  bool ordered(unsigned Me, unsigned Other, uint32_t Stamp) const {
    return Stamp < Epoch || Me == Other || (Partial && orderedPartially(Me, Other, Stamp));
  }
  /// A barrier of the whole block lies between \p Stamp and now.
  bool afterBlockBarrier(uint32_t Stamp) const { return Stamp < Epoch; }
  uint32_t blockStart() const { return Start; }

private:
  bool orderedPartially(unsigned Me, unsigned Other, uint32_t Stamp) const;
  void startPartial();
  uint32_t Epoch = 0, Start = 0;
  unsigned Threads = 0;
  bool Partial = false;
  std::vector<uint32_t> Known; ///< Threads x Threads: row Me, column Other
};

struct Cell {
  uint32_t WriteStamp = 0, ReadStamp = 0;
  Site WriteSite = 0, ReadSite = 0;
  uint16_t Writer = 0, Reader = 0;
  uint16_t InFlight = 0;      ///< destination of a copy: thread + 1
  uint32_t SourceOf = 0;      ///< copies in flight that read this byte: of all threads of the block
  bool AtomicWrite : 1, AtomicRead : 1;
  bool ManyWarps : 1;         ///< threads of several warps have read since the last block barrier
  uint32_t Lanes;             ///< else: those of Reader's warp that have
  uint32_t Readers = 0;       ///< row of `Memory::Reads` + 1 if threads have to be told apart
};

struct Conflict {
  enum Kind { WithRead, WithWrite, AcrossBlocks, InFlight, SourceInFlight } K;
  unsigned Other = 0; ///< thread
  Site OtherSite = 0;
};

class Memory {
public:
  Memory();
  ~Memory();
  Memory(const Memory &) = delete;

  /// Drops everything. \p SharedBytes and \p GlobalBytes: what will be allocated.
  void clear();
  /// An array in shared memory. The returned address is valid in every block.
  uint64_t allocateShared(llvm::StringRef Name, uint64_t Bytes, uint64_t Align, uint64_t ElementBytes);
  uint64_t allocateGlobal(llvm::StringRef Name, uint64_t Bytes, uint64_t ElementBytes,
                          bool Writable = true);
  /// Memory that lies elsewhere (variables of the compiled module): bounds only, no shadow.
  void registerOutside(llvm::StringRef Name, uint64_t Begin, uint64_t Bytes, bool Writable, bool Constant = false);

  const Region *find(uint64_t Address) const;
  /// The region that begins nearest below or ends nearest above: to name what was overrun.
  const Region *nearest(uint64_t Address) const;
  bool isShared(uint64_t Address) const { return Address - SharedBase < SharedSize; }
  bool isGlobal(uint64_t Address) const { return Address - GlobalBase < GlobalSize; }

  Cell *cells(uint64_t Address) {
    if (isShared(Address))
      return SharedCells + (Address - SharedBase);
    if (isGlobal(Address))
      return GlobalCells + (Address - GlobalBase);
    return nullptr;
  }

  /// Nothing of the last block's readers is needed any more.
  void startBlock() { Reads.clear(), FreeRows.clear(); }
  /// Fills all shared arrays.
  void poisonShared(uint64_t Seed, Poison Kind);
  llvm::ArrayRef<Region> regions() const { return Regions; }

  /// Records an access and finds what it collides with. \p Cross: also with other blocks.
  std::optional<Conflict> record(Access Kind, uint64_t Address, uint64_t Bytes, unsigned Me,
                                 uint32_t Time, const Clocks &When, bool Cross, Site At);

  uint32_t Time = 1;

  // 512 MiB of data (and 14 GiB of cells) are reserved, not used: pages come as they are touched.
  static constexpr uint64_t SharedSize = 1 << 20, GlobalArena = uint64_t(1) << 29, RedZone = 256;

private:
  void noteReader(Cell &C, unsigned Me, uint32_t Now, const Clocks &When);
  void forgetReaders(Cell &C);
  Region &addRegion(llvm::StringRef Name, uint64_t Begin, uint64_t Bytes, uint64_t ElementBytes);

  uint64_t SharedBase = 0, GlobalBase = 0, GlobalSize = 0;
  uint64_t SharedNext = 0, GlobalNext = 0;
  Cell *SharedCells = nullptr, *GlobalCells = nullptr;
  std::vector<Region> Regions;
  /// Time of each thread's last read of a byte, 0: none since the last write.
  std::vector<VectorClock> Reads;
  std::vector<uint32_t> FreeRows;
  mutable unsigned LastFound = 0;
};


} // namespace emulator
} // namespace cuda_pipeline

#endif
