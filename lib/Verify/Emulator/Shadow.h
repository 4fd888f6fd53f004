//===- Shadow.h - The emulated memory and what is known of every byte -----===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// An arena for shared memory (below 4 GiB, so that a 32-bit shared-window address is the generic
/// address) and a slot of address space for each buffer in global memory. What lies in them are
/// `Region`s, arrays with a name: with red zones around each in the arena, with gigabytes of
/// nothing around it in a slot, so that no stray index leads from one buffer into another. For
/// every byte there is a `Cell`: who wrote it last, who has read it since, and when.
///
/// A buffer whose size nobody knows is an open region: gigabytes to both sides of the place that
/// pointers to it have, whose pages come into being when something touches them, with what a
/// function of the place says (`Contents`).
///
/// Time is a counter that moves when threads synchronise. Two accesses of one byte by different
/// threads, one of them a write, are ordered if a barrier of the whole block lies between their
/// times, or if the later thread has synchronised with the earlier one since (`Clocks`: vector
/// clocks, kept from the first time on that some threads of the block synchronise without the
/// others). Threads of different blocks are ordered by a fence in front of an atomic access and
/// another atomic access of the same place (`BlockClocks`). Otherwise they race.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_VERIFY_EMULATOR_SHADOW_H
#define CUDA_PIPELINE_VERIFY_EMULATOR_SHADOW_H

#include "../Ptx/Thread.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Compiler.h"
#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cuda_pipeline {
namespace emulator {

/// What a load's value is used for, as far as the code shows.
enum LoadHint : uint8_t {
  ToAddress = 1, ///< an address or a condition depends on it
  ToBound = 2,   ///< whether a loop goes on does
};

/// Compiled code announces a read with its alignment in bytes, and from this bit on with a
/// LoadHint.
constexpr unsigned HintShift = 24;

/// What uninitialised memory holds: bits that depend on a seed and on the place. NaNs show where
/// one is used in arithmetic; but two NaNs are alike, so some runs have numbers instead.
enum class Poison { NaNs, Numbers };
void fillPoison(uint8_t *Begin, uint64_t Bytes, uint64_t Seed, Poison Kind);

struct Cell;

/// A bit for each byte of a region.
using ByteSet = std::vector<uint64_t>;

constexpr uint64_t PageBytes = 4096;
/// A bit for each byte of a page.
using PageBits = std::array<uint64_t, PageBytes / 64>;
/// The same of an open region, by the number of the page: 0 is the one that begins at the region's
/// origin, those in front of it are negative.
using OpenSet = std::map<int64_t, PageBits>;

/// What an open region holds before anybody writes there.
class Contents {
public:
  virtual ~Contents() = default;
  /// \p Data: the bytes of page \p Page. May allocate other regions.
  virtual void fill(int64_t Page, uint8_t *Data) = 0;
};

/// A page of an open region that has been touched.
struct OpenPage {
  int64_t Number = 0;
  PageBits Reads = {};
};

struct Region {
  uint64_t Begin = 0, End = 0;
  uint64_t Origin = 0; ///< where element 0 lies
  std::string Name;
  uint64_t ElementBytes = 1;
  bool Shared = false, Writable = true;
  bool Constant = false;    ///< in `__constant__` memory
  uint64_t Reach = 1 << 16; ///< so far from it a stray address is still said to have missed it
  Cell *Cells = nullptr;    ///< one for every four bytes from Begin on; null: nobody writes it
  ByteSet Reads;            ///< bytes that have been read in this launch; empty: not kept
  const ByteSet *MayRead = nullptr; ///< to read another byte is a fault; null: all may be read
  bool Open = false;                ///< without a size; then:
  Contents *Holds = nullptr;
  std::vector<OpenPage> Pages; ///< in the order in which they were touched
  uint32_t *PageOf = nullptr;  ///< by pages from Begin on: 1 + the index in Pages, 0: not touched
  const OpenSet *MayReadOpen = nullptr; ///< as MayRead
  uint8_t Hints = 0;                    ///< of all loads (LoadHint)
  bool contains(uint64_t A, uint64_t Bytes) const {
    return A >= Begin && Bytes <= End - A && A <= End;
  }
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
  /// Arrival without waiting: adds to \p Into what \p Me knows and has done before \p Time, which
  /// is a new time.
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
  uint32_t epoch() const { return Epoch; }
  /// Of the block's threads the times before which \p Me knows what they have done; empty unless
  /// partial().
  llvm::ArrayRef<uint32_t> known(unsigned Me) const {
    return Partial ? llvm::ArrayRef<uint32_t>(&Known[size_t(Me) * Threads], Threads)
                   : llvm::ArrayRef<uint32_t>();
  }

private:
  bool orderedPartially(unsigned Me, unsigned Other, uint32_t Stamp) const;
  void startPartial();
  uint32_t Epoch = 0, Start = 0;
  unsigned Threads = 0;
  bool Partial = false;
  std::vector<uint32_t> Known; ///< Threads x Threads: row Me, column Other
};

/// What the blocks of a launch know of each other. They run one after the other, but another order
/// of what they do is as good as long as this is so: a thread that executes a fence and then an
/// atomic (or volatile) write publishes at that address what it and those that it had synchronised
/// with had done before the fence; who reads the address atomically knows of it from then on, and
/// hands it on to those of its block that it synchronises with. It is generous where people are:
/// the fence may be another thread's with a barrier in between, and the reader needs none.
class BlockClocks {
public:
  void startLaunch();
  void startBlock(uint32_t Time);
  /// \p Time is a new time.
  void fence(unsigned Me, uint32_t Time, const Clocks &When);
  void atomicWrite(unsigned Me, uint64_t Address) {
    if (Fences)
      publish(Me, Address);
  }
  void atomicRead(unsigned Me, uint64_t Address) {
    if (Fences)
      acquire(Me, Address);
  }
  /// What one knows, all know from here on.
  void blockBarrier();
  void partialBarrier(llvm::ArrayRef<unsigned> Set);
  /// \p Other's access at \p Stamp, in an earlier block, is before everything that \p Me does from
  /// now on.
  bool ordered(unsigned Me, unsigned Other, uint32_t Stamp) const;
  /// Nothing has ordered any blocks so far: what a block that has ended has done will never be
  /// ordered against others.
  bool unordered() const { return !Fences; }

private:
  /// Of one block: accesses before a time, and of some threads before a later one.
  struct Past {
    uint32_t Epoch = 0;
    VectorClock Own;
    void join(const Past &Other);
  };
  using Knowledge = std::vector<Past>; ///< by block, in the order in which they run
  static bool join(Knowledge &Into, const Knowledge &From);
  static bool knows(const Knowledge &K, size_t Block, unsigned Other, uint32_t Stamp);
  struct Of {
    Knowledge Others;
    Past Fenced; ///< of this block: what a fence lies behind
    bool empty() const { return Others.empty() && Fenced.Epoch == 0 && Fenced.Own.empty(); }
    void join(const Of &Other) {
      BlockClocks::join(Others, Other.Others);
      Fenced.join(Other.Fenced);
    }
  };
  struct Published {
    Knowledge What;
    uint64_t Version = 0;
  };
  void publish(unsigned Me, uint64_t Address);
  void acquire(unsigned Me, uint64_t Address);

  bool Fences = false; ///< there was one in this launch
  std::vector<uint32_t> Starts;
  Of All;                       ///< of all threads of the block
  std::map<unsigned, Of> Alone; ///< of those that know more
  std::unordered_map<uint64_t, Published> Places;
  uint64_t Changes = 0; ///< of what anybody knows
  std::map<std::pair<unsigned, uint64_t>, uint64_t> PublishedAt, AcquiredAt;
};

/// What is known of the accesses to four bytes in a row; or to one of them, where the four have not
/// been accessed as one: then the cell of the word only says where its parts are. Most elements are
/// words, and most bytes are never told apart.
struct Cell {
  uint32_t WriteStamp = 0, ReadStamp = 0;
  Site WriteSite = 0, ReadSite = 0;
  uint16_t Writer = 0, Reader = 0;
  uint16_t InFlight = 0; ///< destination of a copy: thread + 1
  bool Split : 1;        ///< Parts has all that is known
  bool Atomic : 1;       ///< has been accessed atomically: all that matters is in its `History`
  bool ReadEarlier : 1;  ///< blocks that have ended have read it, in `Memory::EarlierReads`
  bool NeverOrdered : 1; ///< one of these when nothing had ordered any blocks
  bool ManyWarps : 1;    ///< threads of several warps have read since the last block barrier
  uint32_t SourceOf = 0; ///< copies in flight that read this: of all threads of the block
  struct Several {
    uint32_t Lanes;   ///< unless ManyWarps: those of Reader's warp that have read
    uint32_t Readers; ///< row of `Memory::Reads` + 1 if threads have to be told apart
  };
  union {
    Several Of = {};
    Cell *Parts; ///< four, in memory of `Memory::Bytes`
  };
};

/// One access of a byte.
struct PastAccess {
  uint32_t Stamp = 0; ///< 0: there was none
  Site At = 0;
  uint16_t Thread = 0;
};

/// Of a byte that is accessed atomically as well as plainly. Atomic accesses do not race with each
/// other, so none of them hides a plain one: both kinds are kept. Of atomic writes the last one has
/// seen those before it.
struct History {
  PastAccess Write, AtomicWrite; ///< the last of each
  std::vector<PastAccess> Reads,
      AtomicReads;    ///< since the last plain write, of each thread the last one
  uint32_t Block = 0; ///< when the block began that has last accessed it
};

struct Conflict {
  enum Kind { WithRead, WithWrite, AcrossBlocks, InFlight, SourceInFlight } K;
  unsigned Other = 0; ///< thread
  Site OtherSite = 0;
};

class Memory {
public:
  /// Of all, one at a time is in use, until the next one's clear(): they have the same shared
  /// memory. \p Elsewhere: global memory lies at other addresses, also in their lower bits.
  explicit Memory(bool Elsewhere = false);
  ~Memory();
  Memory(const Memory &) = delete;

  /// Drops everything. \p SharedBytes and \p GlobalBytes: what will be allocated.
  void clear();
  /// An array in shared memory. The returned address is valid in every block.
  uint64_t allocateShared(llvm::StringRef Name, uint64_t Bytes, uint64_t Align,
                          uint64_t ElementBytes);
  uint64_t allocateGlobal(llvm::StringRef Name, uint64_t Bytes, uint64_t ElementBytes,
                          bool Writable = true);
  /// A buffer without a size; the address is that of its element 0. \p Holds outlives it. 0: there
  /// is no address space for it.
  uint64_t allocateOpen(llvm::StringRef Name, uint64_t ElementBytes, Contents &Holds);
  /// Makes sure that the bytes are there; to be called before an open region is read or written.
  /// False: more pages are touched than a run can have.
  bool touch(Region &R, uint64_t Address, uint64_t Bytes) {
    if (Bytes == 0 || !R.contains(Address, Bytes))
      return true;
    const uint64_t First = (Address - R.Begin) / PageBytes,
                   Last = (Address - R.Begin + Bytes - 1) / PageBytes;
    for (uint64_t P = First; P <= Last; ++P)
      if (LLVM_UNLIKELY(R.PageOf[P] == 0) && !addPage(R, P))
        return false;
    return true;
  }
  /// Memory that lies elsewhere (variables of the compiled module): bounds only, no shadow.
  void registerOutside(llvm::StringRef Name, uint64_t Begin, uint64_t Bytes, bool Writable,
                       bool Constant = false);

  Region *find(uint64_t Address) {
    Region *Last = LastFound[isShared(Address) ? 0 : 1 + (Address >> 33) % 8];
    if (LLVM_LIKELY(Last && Address - Last->Begin < Last->End - Last->Begin))
      return Last;
    return search(Address);
  }
  const Region *find(uint64_t Address) const { return const_cast<Memory *>(this)->find(Address); }
  /// The region that begins nearest below or ends nearest above: to name what was overrun.
  const Region *nearest(uint64_t Address) const;
  bool isShared(uint64_t Address) const { return Address - SharedBase < SharedSize; }

  /// A copy by \p Me has begun. \p ReadBytes: of \p From, which is global memory.
  void launched(uint64_t To, uint64_t Bytes, uint64_t From, uint64_t ReadBytes, unsigned Me,
                const Clocks &When);
  /// The bytes of an asynchronous copy have come: \p Me has written \p To just now, and read \p
  /// From (0: nothing) until now.
  void landed(uint64_t To, uint64_t Bytes, uint64_t From, uint64_t ReadBytes, unsigned Me,
              uint32_t Now, const Clocks &When, const BlockClocks &Between, Site At);

  /// Nothing of the last block's readers is needed any more.
  void startBlock() { Reads.clear(), FreeRows.clear(); }
  /// What is known of the byte of \p R, which has cells.
  static const Cell &known(const Region &R, uint64_t FromBegin) {
    const Cell &Word = R.Cells[FromBegin / WordBytes];
    return Word.Split ? Word.Parts[FromBegin % WordBytes] : Word;
  }
  /// The launch has written one of the bytes.
  bool writtenIn(const Region &R, uint64_t Address, uint64_t Bytes) const;
  /// Bytes of \p R up to the last one that anybody has read or written; not of an open region.
  static uint64_t used(const Region &R);
  /// Fills all shared arrays.
  void poisonShared(uint64_t Seed, Poison Kind);
  const std::deque<Region> &regions() const { return Regions; }
  Region &region(size_t Index) { return Regions[Index]; }

  /// Records an access to \p R and finds what it collides with, in this block and in those before
  /// it. Returns true, and what is in \p With, if there is something: nearly always there is
  /// nothing, and a result of several members costs more than all that is looked at.
  bool collides(Conflict &With, Access Kind, Region &R, uint64_t Address, uint64_t Bytes,
                unsigned Me, uint32_t Now, const Clocks &When, const BlockClocks &Between,
                Site At) {
    if (!R.Cells)
      return false;
    // Nearly all accesses are those of whole words about which there is little to be known.
    const uint64_t From = Address - R.Begin;
    if ((From | Bytes) % WordBytes == 0 && (Kind == Access::Read || Kind == Access::Write)) {
      Cell *C = R.Cells + From / WordBytes, *const End = C + Bytes / WordBytes;
      while (C != End && quick(*C, Kind == Access::Write, R.Shared, Me, Now, When, At))
        ++C;
      if (LLVM_LIKELY(C == End))
        return false;
    }
    return collidesAnywhere(With, Kind, R, Address, Bytes, Me, Now, When, Between, At);
  }
  std::optional<Conflict> record(Access Kind, Region &R, uint64_t Address, uint64_t Bytes,
                                 unsigned Me, uint32_t Time, const Clocks &When,
                                 const BlockClocks &Between, Site At) {
    Conflict With = {};
    return collides(With, Kind, R, Address, Bytes, Me, Time, When, Between, At)
               ? std::optional(With)
               : std::nullopt;
  }
  /// Notes that bytes of \p R are read. False: one of them must not be. (One that this launch has
  /// written may.)
  static bool noteRead(Region &R, uint64_t Address, uint64_t Bytes);

  uint32_t Time = 1;

  static constexpr uint64_t WordBytes = 4;
  /// Of an open region: as far as a 32-bit index of a float, to both sides.
  static constexpr uint64_t OpenReach = uint64_t(1) << 33;
  static constexpr size_t MostOpenPages = 6144; ///< of all open regions together: 24 MiB, and ten
                                                ///< times that of cells, fifty where all are split
  // Address space is reserved, not used: pages come as they are touched.
  static constexpr uint64_t SharedSize = 1 << 20, GlobalArena = uint64_t(1) << 29, RedZone = 256;

private:
  /// What collidesAnywhere() does for one cell, where nothing that it looks up elsewhere decides.
  /// False: nothing was done.
  static bool quick(Cell &C, bool Write, bool Shared, unsigned Me, uint32_t Now, const Clocks &When,
                    Site At) {
    const uint32_t Start = When.blockStart(), Lane = uint32_t(1) << (Me % 32);
    if (LLVM_UNLIKELY(C.InFlight || C.Split || C.Atomic || When.partial()))
      return false;
    if (C.WriteStamp &&
        !(C.WriteStamp < Start ? Shared : C.Writer == Me || When.afterBlockBarrier(C.WriteStamp)))
      return false;
    const bool Passed = C.ReadStamp < Start; // nobody of this block has read it
    if (Passed ? C.ReadStamp && !Shared : C.Of.Readers != 0)
      return false;
    const bool Others = !Passed && !When.afterBlockBarrier(C.ReadStamp);
    if (!Write) {
      if (!Others) {
        C.Of = {Lane, 0};
        C.ManyWarps = false;
      } else if (C.Reader / 32 == Me / 32) {
        C.Of.Lanes |= Lane;
      } else {
        C.ManyWarps = true;
      }
      C.Reader = static_cast<uint16_t>(Me);
      C.ReadStamp =
          std::max(C.ReadStamp, Now); // a copy may have come earlier than somebody has read
      C.ReadSite = At;
      return true;
    }
    if (C.SourceOf || C.ReadEarlier ||
        (Others && (C.ManyWarps || C.Of.Lanes != Lane || C.Reader != Me)))
      return false;
    C.Writer = static_cast<uint16_t>(Me);
    C.WriteStamp = Now;
    C.WriteSite = At;
    C.Of = {};
    C.ManyWarps = false;
    C.ReadStamp = 0;
    return true;
  }
  bool collidesAnywhere(Conflict &With, Access Kind, Region &R, uint64_t Address, uint64_t Bytes,
                        unsigned Me, uint32_t Now, const Clocks &When, const BlockClocks &Between,
                        Site At);
  std::optional<Conflict> recordAtomic(Access Kind, Cell &C, bool Global, unsigned Me, uint32_t Now,
                                       const Clocks &When, const BlockClocks &Between, Site At);
  History &historyOf(Cell &C, bool Global, const Clocks &When);
  void noteEarlierReader(Cell &C, unsigned Me, const BlockClocks &Between);
  void noteReader(Cell &C, unsigned Me, uint32_t Now, const Clocks &When);
  void forgetReaders(Cell &C);
  uint32_t takeRow(); ///< of `Reads`, + 1
  void split(Cell &Word, const Clocks &When);
  /// \p What, a function of a cell that returns false to end it, for all that is known of the
  /// bytes.
  template <typename Function>
  bool each(Region &R, uint64_t FromBegin, uint64_t Bytes, const Clocks &When, Function What) {
    Cell *Word = R.Cells + FromBegin / WordBytes;
    for (uint64_t In = FromBegin % WordBytes, N; Bytes; In = 0, Bytes -= N, ++Word) {
      N = std::min(WordBytes - In, Bytes);
      if (LLVM_LIKELY(N == WordBytes && !Word->Split)) {
        if (!What(*Word))
          return false;
        continue;
      }
      if (!Word->Split)
        split(*Word, When);
      for (Cell *Part = Word->Parts + In, *End = Part + N; Part != End; ++Part)
        if (!What(*Part))
          return false;
    }
    return true;
  }
  Region &addRegion(llvm::StringRef Name, uint64_t Begin, uint64_t Bytes, uint64_t ElementBytes);

  /// Address space for one buffer, which lies in the middle of it.
  struct Slot {
    uint64_t Middle = 0, Mapped = 0; ///< bytes from there on can be touched
    uint64_t Reach = 0;              ///< bytes to both sides that are nobody else's
  };
  struct CellBlock {
    Cell *Cells = nullptr;
    uint64_t Room = 0, Used = 0; ///< cells
  };
  struct Reservation {
    void *Begin;
    uint64_t Bytes;
  };
  /// The same for an open region.
  struct OpenSlot {
    uint64_t Begin = 0;
    Cell *Cells = nullptr;
    uint32_t *PageOf = nullptr;
  };
  bool addPage(Region &R, uint64_t FromBegin);
  Region *search(uint64_t Address);
  void reserveSlots();
  Cell *takeCells(uint64_t Count);

  struct Window;
  static Window &window();

  Window &Shared;
  const uint64_t SharedBase;
  Cell *const SharedCells;
  const uint64_t Shift; ///< of buffers in their slots, bytes
  uint64_t SharedNext = 0;
  std::vector<Reservation> Reserved;
  std::vector<Slot> Slots;
  std::vector<CellBlock> CellBlocks;
  std::vector<OpenSlot> OpenSlots;
  size_t SlotsUsed = 0, CellBlocksUsed = 0, OpenSlotsUsed = 0, OpenPages = 0;
  std::deque<Region> Regions; ///< they stay where they are when one is added
  /// Time of each thread's last read of a byte, 0: none since the last write.
  std::vector<VectorClock> Reads;
  std::vector<uint32_t> FreeRows;
  llvm::BumpPtrAllocator Bytes; ///< the parts of the words that are split
  std::unordered_map<const Cell *, History> Histories;
  std::unordered_map<const Cell *, std::vector<PastAccess>> EarlierReads;
  std::array<Region *, 9> LastFound = {}; ///< by a part of the address; the first: in shared memory
};

} // namespace emulator
} // namespace cuda_pipeline

#endif
