//===- Shadow.cpp - The emulated memory and what is known of every byte --===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Shadow.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>
#include <sys/mman.h>

using namespace cuda_pipeline::emulator;
using namespace llvm;

//===----------------------------------------------------------------------===//
// Clocks
//===----------------------------------------------------------------------===//

void Clocks::startBlock(unsigned N, uint32_t Time) {
  Threads = N;
  Epoch = Start = Time;
  Partial = false;
}

void Clocks::startPartial() {
  if (Partial)
    return;
  Known.assign(size_t(Threads) * Threads, 0);
  Partial = true;
}

static void join(uint32_t *Into, const uint32_t *From, unsigned N) {
  for (unsigned I = 0; I != N; ++I)
    Into[I] = std::max(Into[I], From[I]);
}

void Clocks::partialBarrier(ArrayRef<unsigned> Set, uint32_t Time) {
  startPartial();
  // What one of them knows, all know from here on.
  VectorClock All(Threads, 0);
  for (unsigned T : Set)
    join(All.data(), &Known[size_t(T) * Threads], Threads);
  for (unsigned T : Set)
    All[T] = Time;
  for (unsigned T : Set)
    std::copy(All.begin(), All.end(), Known.begin() + size_t(T) * Threads);
}

void Clocks::release(unsigned Me, uint32_t Time, VectorClock &Into) {
  startPartial();
  Into.resize(Threads, 0);
  join(Into.data(), &Known[size_t(Me) * Threads], Threads);
  Into[Me] = Time;
}

void Clocks::acquire(unsigned Me, ArrayRef<uint32_t> From) {
  if (From.empty())
    return;
  startPartial();
  join(&Known[size_t(Me) * Threads], From.data(), Threads);
}

bool Clocks::orderedPartially(unsigned Me, unsigned Other, uint32_t Stamp) const {
  return Stamp < Known[size_t(Me) * Threads + Other];
}

//===----------------------------------------------------------------------===//
// BlockClocks
//===----------------------------------------------------------------------===//

void BlockClocks::startLaunch() {
  Fences = false;
  Starts.clear();
  Places.clear();
  PublishedAt.clear();
  AcquiredAt.clear();
}

void BlockClocks::startBlock(uint32_t Time) {
  Starts.push_back(Time);
  All = Of();
  Alone.clear();
  PublishedAt.clear();
  AcquiredAt.clear();
}

void BlockClocks::Past::join(const Past &Other) {
  Epoch = std::max(Epoch, Other.Epoch);
  if (Own.size() < Other.Own.size())
    Own.resize(Other.Own.size(), 0);
  ::join(Own.data(), Other.Own.data(), static_cast<unsigned>(Other.Own.size()));
}

/// True if there was something new in it.
bool BlockClocks::join(Knowledge &Into, const Knowledge &From) {
  if (Into.size() < From.size())
    Into.resize(From.size());
  for (size_t B = 0; B != From.size(); ++B)
    Into[B].join(From[B]);
  return !From.empty();
}

bool BlockClocks::knows(const Knowledge &K, size_t Block, unsigned Other, uint32_t Stamp) {
  return Block < K.size() &&
         (Stamp < K[Block].Epoch || (Other < K[Block].Own.size() && Stamp < K[Block].Own[Other]));
}

void BlockClocks::fence(unsigned Me, uint32_t Time, const Clocks &When) {
  Fences = true;
  ++Changes;
  Past &P = Alone[Me].Fenced;
  P.Epoch = When.epoch();
  P.Own.resize(When.threads(), 0);
  if (ArrayRef<uint32_t> Known = When.known(Me); !Known.empty())
    ::join(P.Own.data(), Known.data(), When.threads());
  P.Own[Me] = Time;
}

void BlockClocks::publish(unsigned Me, uint64_t Address) {
  auto Mine = Alone.find(Me);
  if (All.empty() && Mine == Alone.end())
    return;
  uint64_t &At = PublishedAt[{Me, Address}];
  if (At == Changes)
    return;
  At = Changes;
  Published &P = Places[Address];
  ++P.Version;
  for (const Of *From : {&All, Mine == Alone.end() ? nullptr : &Mine->second}) {
    if (!From)
      continue;
    join(P.What, From->Others);
    const size_t Here = Starts.size() - 1;
    if (P.What.size() <= Here)
      P.What.resize(Here + 1);
    P.What[Here].join(From->Fenced);
  }
}

void BlockClocks::acquire(unsigned Me, uint64_t Address) {
  auto Found = Places.find(Address);
  if (Found == Places.end())
    return;
  uint64_t &At = AcquiredAt[{Me, Address}];
  if (At == Found->second.Version)
    return;
  At = Found->second.Version;
  ++Changes;
  join(Alone[Me].Others, Found->second.What);
}

void BlockClocks::blockBarrier() {
  if (Alone.empty())
    return;
  ++Changes;
  for (const auto &[Thread, What] : Alone)
    All.join(What);
  Alone.clear();
}

void BlockClocks::partialBarrier(ArrayRef<unsigned> Set) {
  if (Alone.empty())
    return;
  Of Together;
  for (unsigned T : Set)
    if (auto Mine = Alone.find(T); Mine != Alone.end())
      Together.join(Mine->second);
  if (Together.empty())
    return;
  ++Changes;
  for (unsigned T : Set)
    Alone[T].join(Together);
}

bool BlockClocks::ordered(unsigned Me, unsigned Other, uint32_t Stamp) const {
  if (!Fences)
    return false;
  const size_t Block = std::upper_bound(Starts.begin(), Starts.end(), Stamp) - Starts.begin() - 1;
  if (knows(All.Others, Block, Other, Stamp))
    return true;
  auto Mine = Alone.find(Me);
  return Mine != Alone.end() && knows(Mine->second.Others, Block, Other, Stamp);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static void *reserve(uint64_t Bytes, int Flags, void *Hint = nullptr) {
  void *P = mmap(Hint, Bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | Flags, -1, 0);
  if (P == MAP_FAILED)
    report_bad_alloc_error("no address space for the emulated memory");
  return P;
}

/// Shared memory, as one run after the other has it: both versions have their arrays at the same
/// addresses, as on a GPU, so that what is made of these as numbers is the same, too.
struct Memory::Window {
  uint64_t Base = 0;
  Cell *Cells = nullptr;
  uint64_t Used = 0; ///< bytes from its beginning that may not be zero

  Window() {
    // MAP_FIXED_NOREPLACE is not in every libc; a hint is honoured when the place is free.
    for (uint64_t Hint = 0x20000000; Hint < 0x70000000 && !Base; Hint += 0x4000000) {
      void *P = reserve(SharedSize, 0, reinterpret_cast<void *>(Hint));
      if (reinterpret_cast<uint64_t>(P) + SharedSize <= uint64_t(1) << 32)
        Base = reinterpret_cast<uint64_t>(P);
      else
        munmap(P, SharedSize);
    }
    if (!Base)
      report_bad_alloc_error("no room below 4 GiB for emulated shared memory");
    Cells = static_cast<Cell *>(reserve(SharedSize / WordBytes * sizeof(Cell), 0));
  }
};

Memory::Window &Memory::window() {
  static Window Only;
  return Only;
}

Memory::Memory(bool Elsewhere)
    : Shared(window()), SharedBase(Shared.Base), SharedCells(Shared.Cells),
      Shift(Elsewhere ? 0x5a5300 : 0) {
  clear();
}

Memory::~Memory() {
  for (const Reservation &R : Reserved)
    munmap(R.Begin, R.Bytes);
  for (const CellBlock &B : CellBlocks)
    if (B.Cells)
      munmap(B.Cells, B.Room * sizeof(Cell));
}

/// Zeros again: small pieces by writing them, for a page that is given back costs more to get
/// again.
static void zero(void *P, uint64_t Bytes) {
  constexpr uint64_t Little = 1 << 19;
  if (Bytes <= Little)
    std::memset(P, 0, Bytes);
  else
    madvise(P, alignTo(Bytes, 4096), MADV_DONTNEED);
}

void Memory::clear() {
  zero(reinterpret_cast<void *>(SharedBase), Shared.Used);
  zero(SharedCells, divideCeil(Shared.Used, WordBytes) * sizeof(Cell));
  for (CellBlock &B : MutableArrayRef<CellBlock>(CellBlocks).take_front(CellBlocksUsed))
    if (B.Used)
      zero(B.Cells, B.Used * sizeof(Cell));
  for (Region &R : Regions)
    for (const OpenPage &P : R.Pages) {
      const uint64_t Index = static_cast<uint64_t>(P.Number) + (R.Origin - R.Begin) / PageBytes;
      R.PageOf[Index] = 0;
      madvise(R.Cells + Index * (PageBytes / WordBytes), PageBytes / WordBytes * sizeof(Cell),
              MADV_DONTNEED);
    }
  Regions.clear();
  Bytes.Reset();
  Histories.clear();
  EarlierReads.clear();
  startBlock();
  SharedNext = Shared.Used = RedZone;
  SlotsUsed = CellBlocksUsed = OpenSlotsUsed = OpenPages = 0;
  Time = 1;
  LastFound.fill(nullptr);
}

/// Some more slots, each as wide as the address space that we are given allows.
void Memory::reserveSlots() {
  constexpr uint64_t Count = 16;
  // 32 GiB to both sides are as far as a 32-bit index of a float4 goes.
  for (uint64_t Width = uint64_t(1) << 36; Width > 2 * GlobalArena; Width /= 2) {
    void *P =
        mmap(nullptr, Count * Width, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (P == MAP_FAILED)
      continue;
    Reserved.push_back({P, Count * Width});
    for (uint64_t I = 0; I != Count; ++I)
      Slots.push_back({reinterpret_cast<uint64_t>(P) + I * Width + Width / 2, 0, Width / 2});
    return;
  }
  report_bad_alloc_error("no address space for the emulated memory");
}

Cell *Memory::takeCells(uint64_t Count) {
  if (CellBlocksUsed == CellBlocks.size())
    CellBlocks.emplace_back();
  CellBlock &B = CellBlocks[CellBlocksUsed++];
  if (B.Room < Count) {
    if (B.Cells)
      munmap(B.Cells, B.Room * sizeof(Cell));
    B.Room = Count;
    B.Cells = static_cast<Cell *>(reserve(Count * sizeof(Cell), 0));
  }
  B.Used = Count;
  return B.Cells;
}

Region &Memory::addRegion(StringRef Name, uint64_t Begin, uint64_t Bytes, uint64_t ElementBytes) {
  Region R;
  R.Begin = R.Origin = Begin;
  R.End = Begin + Bytes;
  R.Name = Name.str();
  R.ElementBytes = std::max<uint64_t>(ElementBytes, 1);
  Regions.push_back(std::move(R));
  return Regions.back();
}

uint64_t Memory::allocateShared(StringRef Name, uint64_t Bytes, uint64_t Align,
                                uint64_t ElementBytes) {
  // At least 16 as on a GPU; never more than asked for beyond that, so that a missing alignment of
  // a stage shows.
  uint64_t At = alignTo(SharedNext, std::max<uint64_t>(Align, 16));
  if (At + Bytes + RedZone > SharedSize)
    report_fatal_error("more shared memory than any GPU has");
  SharedNext = At + Bytes + RedZone;
  Shared.Used = std::max(Shared.Used, SharedNext);
  Region &R = addRegion(Name, SharedBase + At, Bytes, ElementBytes);
  R.Shared = true;
  R.Cells = SharedCells + At / WordBytes;
  return R.Begin;
}

uint64_t Memory::allocateGlobal(StringRef Name, uint64_t Bytes, uint64_t ElementBytes,
                                bool Writable) {
  if (Bytes > GlobalArena)
    report_fatal_error("more global memory than the emulator has");
  if (SlotsUsed == Slots.size())
    reserveSlots();
  Slot &S = Slots[SlotsUsed++];
  // As cudaMalloc: a multiple of 256, and of nothing more.
  const uint64_t Aligned = 256 + Shift;
  uint64_t Wanted = alignTo(Aligned + Bytes + RedZone, 4096);
  if (S.Mapped < Wanted) {
    if (mprotect(reinterpret_cast<void *>(S.Middle), Wanted, PROT_READ | PROT_WRITE) != 0)
      report_bad_alloc_error("no memory for a buffer");
    S.Mapped = Wanted;
  }
  Region &R = addRegion(Name, S.Middle + Aligned, Bytes, ElementBytes);
  R.Reach = S.Reach;
  R.Writable = Writable;
  R.Cells = Bytes ? takeCells(divideCeil(Bytes, WordBytes)) : nullptr;
  R.Reads.assign((Bytes + 63) / 64, 0);
  return R.Begin;
}

uint64_t Memory::allocateOpen(StringRef Name, uint64_t ElementBytes, Contents &Holds) {
  constexpr uint64_t Width = 2 * OpenReach, Count = Width / PageBytes;
  if (OpenSlotsUsed == OpenSlots.size()) {
    auto Take = [&](uint64_t Bytes) {
      void *P = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (P == MAP_FAILED)
        return static_cast<void *>(nullptr);
      Reserved.push_back({P, Bytes});
      return P;
    };
    OpenSlot S;
    S.Begin = reinterpret_cast<uint64_t>(Take(Width));
    S.Cells = S.Begin ? static_cast<Cell *>(Take(Width / WordBytes * sizeof(Cell))) : nullptr;
    S.PageOf = S.Cells ? static_cast<uint32_t *>(Take(Count * sizeof(uint32_t))) : nullptr;
    if (!S.PageOf)
      return 0;
    OpenSlots.push_back(S);
  }
  const OpenSlot &S = OpenSlots[OpenSlotsUsed++];
  Region &R = addRegion(Name, S.Begin, Width, ElementBytes);
  R.Origin = S.Begin + OpenReach + alignDown(Shift, PageBytes);
  R.Open = true;
  R.Holds = &Holds;
  R.Cells = S.Cells;
  R.PageOf = S.PageOf;
  return R.Origin;
}

bool Memory::addPage(Region &R, uint64_t FromBegin) {
  if (++OpenPages > MostOpenPages)
    return false;
  OpenPage P;
  P.Number =
      static_cast<int64_t>(FromBegin) - static_cast<int64_t>((R.Origin - R.Begin) / PageBytes);
  R.Pages.push_back(P);
  R.PageOf[FromBegin] = static_cast<uint32_t>(R.Pages.size());
  R.Holds->fill(P.Number, reinterpret_cast<uint8_t *>(R.Begin + FromBegin * PageBytes));
  return true;
}

void Memory::registerOutside(StringRef Name, uint64_t Begin, uint64_t Bytes, bool Writable,
                             bool Constant) {
  Region &R = addRegion(Name, Begin, Bytes, /*ElementBytes=*/1);
  R.Writable = Writable;
  R.Constant = Constant;
  if (!Writable || Bytes == 0)
    return;
  R.Cells = takeCells(divideCeil(Bytes, WordBytes));
  R.Reads.assign((Bytes + 63) / 64, 0);
}

Region *Memory::search(uint64_t Address) {
  for (Region &R : Regions)
    if (Address - R.Begin < R.End - R.Begin)
      return LastFound[isShared(Address) ? 0 : 1 + (Address >> 33) % 8] = &R;
  return nullptr;
}

const Region *Memory::nearest(uint64_t Address) const {
  const Region *Best = nullptr;
  uint64_t Distance = ~uint64_t(0);
  for (const Region &R : Regions) {
    if (R.Open)
      continue;
    uint64_t D = Address < R.Begin ? R.Begin - Address : Address >= R.End ? Address - R.End + 1 : 0;
    if (D < std::min(Distance, R.Reach)) {
      Distance = D;
      Best = &R;
    }
  }
  return Best;
}

void cuda_pipeline::emulator::fillPoison(uint8_t *Begin, uint64_t Bytes, uint64_t Seed,
                                         Poison Kind) {
  // Every 16 bits are 0x7ff8 or more: NaNs in double, float, half and bfloat16; or 0x3c00 to
  // 0x3fff: numbers around one in all of them. As integers both are large.
  uint64_t State = Seed * 0x9E3779B97F4A7C15ull + 1;
  for (uint64_t I = 0; I < Bytes; I += 2) {
    State = State * 6364136223846793005ull + 1442695040888963407ull;
    uint16_t Random = static_cast<uint16_t>(State >> 48);
    uint16_t Bits = Kind == Poison::NaNs ? 0x7FF8 | (Random & 0x8007) : 0x3C00 | (Random & 0x83FF);
    Begin[I] = uint8_t(Bits);
    if (I + 1 < Bytes)
      Begin[I + 1] = uint8_t(Bits >> 8);
  }
}

void Memory::poisonShared(uint64_t Seed, Poison Kind) {
  for (const Region &R : Regions)
    if (R.Shared)
      fillPoison(reinterpret_cast<uint8_t *>(R.Begin), R.End - R.Begin, Seed ^ R.Begin, Kind);
}

uint64_t Memory::used(const Region &R) {
  uint64_t Bytes = R.Cells && !R.Open ? R.End - R.Begin : 0;
  while (Bytes && !known(R, Bytes - 1).WriteStamp && !known(R, Bytes - 1).ReadStamp)
    --Bytes;
  return Bytes;
}

static Conflict conflict(Conflict::Kind K, unsigned Other, Site At) {
  Conflict C;
  C.K = K;
  C.Other = Other;
  C.OtherSite = At;
  return C;
}

uint32_t Memory::takeRow() {
  if (FreeRows.empty()) {
    Reads.emplace_back();
    FreeRows.push_back(static_cast<uint32_t>(Reads.size()));
  }
  const uint32_t Row = FreeRows.back();
  FreeRows.pop_back();
  return Row;
}

/// Gives \p C a row of its own. Who has read before the row was there, is taken for a reader of the
/// time of the last of them.
void Memory::noteReader(Cell &C, unsigned Me, uint32_t Now, const Clocks &When) {
  if (!C.Of.Readers) {
    C.Of.Readers = takeRow();
    VectorClock &Row = Reads[C.Of.Readers - 1];
    Row.assign(When.threads(), C.ManyWarps ? C.ReadStamp : 0);
    unsigned First = C.Reader / 32 * 32;
    for (uint32_t Left = C.Of.Lanes; Left; Left &= Left - 1)
      if (unsigned T = First + countr_zero(Left); T < Row.size())
        Row[T] = C.ReadStamp;
  }
  Reads[C.Of.Readers - 1][Me] = Now;
}

/// Each byte of \p Word gets a cell of its own, with all that is known of the four.
void Memory::split(Cell &Word, const Clocks &When) {
  if (Word.ReadStamp < When.blockStart())
    Word.Of.Readers = 0; // a row of another block
  auto *Parts = new (Bytes.Allocate<Cell>(WordBytes)) Cell[WordBytes];
  for (unsigned I = 0; I != WordBytes; ++I) {
    Cell &Part = Parts[I];
    Part = Word;
    if (I && Word.Of.Readers) {
      Part.Of.Readers = takeRow();
      Reads[Part.Of.Readers - 1] = Reads[Word.Of.Readers - 1];
    }
    if (Word.Atomic)
      Histories[&Part] = Histories[&Word];
    if (Word.ReadEarlier)
      EarlierReads[&Part] = EarlierReads[&Word];
  }
  Histories.erase(&Word);
  EarlierReads.erase(&Word);
  Word.Split = true;
  Word.Parts = Parts;
}

/// A block that has ended has read it, and now another one does: what only the last reader would
/// tell is kept, unless the one is ordered before the other.
void Memory::noteEarlierReader(Cell &C, unsigned Me, const BlockClocks &Between) {
  if (C.NeverOrdered || Between.ordered(Me, C.Reader, C.ReadStamp))
    return;
  C.ReadEarlier = true;
  C.NeverOrdered = Between.unordered();
  std::vector<PastAccess> &Reads = EarlierReads[&C];
  if (C.NeverOrdered)
    Reads.clear(); // this one is enough
  Reads.push_back({C.ReadStamp, C.ReadSite, C.Reader});
}

void Memory::forgetReaders(Cell &C) {
  if (C.Of.Readers)
    FreeRows.push_back(C.Of.Readers);
  C.Of.Readers = 0;
}

static bool noteOpenRead(Region &R, uint64_t Address, uint64_t Bytes) {
  if (!R.contains(Address, Bytes))
    return true; // the access itself is a fault
  const uint64_t First = Address - R.Begin, Within = First % 64;
  if (LLVM_LIKELY(Within + Bytes <= 64)) {
    const uint64_t All = maskTrailingOnes<uint64_t>(static_cast<unsigned>(Bytes)) << Within;
    uint64_t &Reads = R.Pages[R.PageOf[First / PageBytes] - 1].Reads[First % PageBytes / 64];
    if (!R.MayReadOpen)
      Reads |= All;
    if (LLVM_LIKELY((Reads & All) == All))
      return true;
  }
  for (uint64_t At = First, End = At + Bytes; At != End; ++At) {
    OpenPage &P = R.Pages[R.PageOf[At / PageBytes] - 1];
    const uint64_t Word = At % PageBytes / 64, Bit = uint64_t(1) << (At % 64);
    if (LLVM_LIKELY(P.Reads[Word] & Bit))
      continue;
    if (R.MayReadOpen && Memory::known(R, At).WriteStamp == 0) {
      auto Page = R.MayReadOpen->find(P.Number);
      if (Page == R.MayReadOpen->end() || !(Page->second[Word] & Bit))
        return false;
    }
    P.Reads[Word] |= Bit;
  }
  return true;
}

bool Memory::writtenIn(const Region &R, uint64_t Address, uint64_t Bytes) const {
  for (uint64_t From = Address - R.Begin; R.Cells && Bytes; ++From, --Bytes) {
    const Cell &C = known(R, From);
    const auto Atomic = C.Atomic ? Histories.find(&C) : Histories.end();
    if (Atomic != Histories.end() ? Atomic->second.Write.Stamp || Atomic->second.AtomicWrite.Stamp
                                  : C.WriteStamp != 0)
      return true;
  }
  return false;
}

bool Memory::noteRead(Region &R, uint64_t Address, uint64_t Bytes) {
  if (R.Open)
    return noteOpenRead(R, Address, Bytes);
  uint64_t From = Address - R.Begin, End = std::min(From + Bytes, R.End - R.Begin);
  while (From < End) {
    const uint64_t Word = From / 64, Bit = From % 64, N = std::min<uint64_t>(64 - Bit, End - From);
    const uint64_t Mask = maskTrailingOnes<uint64_t>(static_cast<unsigned>(N)) << Bit;
    if (R.MayRead)
      for (uint64_t Others = Mask & ~(*R.MayRead)[Word]; LLVM_UNLIKELY(Others);
           Others &= Others - 1)
        if (known(R, Word * 64 + static_cast<unsigned>(countr_zero(Others))).WriteStamp == 0)
          return false;
    R.Reads[Word] |= Mask;
    From += N;
  }
  return true;
}

/// That of \p C; when it is accessed atomically for the first time, made of what is known of it.
History &Memory::historyOf(Cell &C, bool Global, const Clocks &When) {
  auto [It, New] = Histories.try_emplace(&C);
  History &H = It->second;
  if (!New)
    return H;
  C.Atomic = true;
  H.Block = When.blockStart();
  if (C.WriteStamp)
    H.Write = {C.WriteStamp, C.WriteSite, C.Writer};
  if (auto Earlier = EarlierReads.find(&C); Earlier != EarlierReads.end())
    H.Reads = Earlier->second;
  auto Add = [&](unsigned Thread, uint32_t Stamp) {
    if (Stamp)
      H.Reads.push_back({Stamp, C.ReadSite, static_cast<uint16_t>(Thread)});
  };
  if (C.ReadStamp < When.blockStart()) {
    if (Global)
      Add(C.Reader, C.ReadStamp);
  } else if (C.Of.Readers) {
    for (const auto &[Thread, Stamp] : enumerate(Reads[C.Of.Readers - 1]))
      Add(static_cast<unsigned>(Thread), Stamp);
  } else if (C.ManyWarps) { // it may have been any
    for (unsigned Thread = 0; Thread != When.threads(); ++Thread)
      Add(Thread, C.ReadStamp);
  } else {
    for (uint32_t Left = C.Of.Lanes; Left; Left &= Left - 1)
      Add(C.Reader / 32 * 32 + countr_zero(Left), C.ReadStamp);
  }
  return H;
}

std::optional<Conflict> Memory::recordAtomic(Access Kind, Cell &C, bool Global, unsigned Me,
                                             uint32_t Now, const Clocks &When,
                                             const BlockClocks &Between, Site At) {
  const bool Write = Kind == Access::Write || Kind == Access::AtomicWrite;
  const bool Atomic = Kind == Access::AtomicRead || Kind == Access::AtomicWrite;
  const uint32_t Start = When.blockStart();
  History &H = historyOf(C, Global, When);
  if (H.Block != Start) {
    H.Block = Start;
    for (std::vector<PastAccess> *Of : {&H.Reads, &H.AtomicReads})
      if (!Global)
        Of->clear();
      else if (Between.unordered() && Of->size() > 1)
        Of->resize(1); // one is as good as many
  }
  auto Against = [&](const PastAccess &A, Conflict::Kind K) -> std::optional<Conflict> {
    const bool Earlier = A.Stamp < Start;
    if (A.Stamp == 0 || (Earlier ? !Global || Between.ordered(Me, A.Thread, A.Stamp)
                                 : When.ordered(Me, A.Thread, A.Stamp)))
      return std::nullopt;
    return conflict(Earlier ? Conflict::AcrossBlocks : K, A.Thread, A.At);
  };
  if (auto Found = Against(H.Write, Conflict::WithWrite))
    return Found;
  if (!Atomic)
    if (auto Found = Against(H.AtomicWrite, Conflict::WithWrite))
      return Found;
  for (const PastAccess &Read : Write ? ArrayRef<PastAccess>(H.Reads) : ArrayRef<PastAccess>())
    if (auto Found = Against(Read, Conflict::WithRead))
      return Found;
  for (const PastAccess &Read :
       Write && !Atomic ? ArrayRef<PastAccess>(H.AtomicReads) : ArrayRef<PastAccess>())
    if (auto Found = Against(Read, Conflict::WithRead))
      return Found;
  const PastAccess This = {Now, At, static_cast<uint16_t>(Me)};
  if (Write) {
    C.Writer = This.Thread;
    C.WriteStamp = Now;
    C.WriteSite = At;
    (Atomic ? H.AtomicWrite : H.Write) = This;
    if (!Atomic) {
      H.AtomicWrite = PastAccess();
      H.Reads.clear();
      H.AtomicReads.clear();
    }
    return std::nullopt;
  }
  C.Reader = This.Thread;
  C.ReadStamp = Now;
  C.ReadSite = At;
  std::vector<PastAccess> &Of = Atomic ? H.AtomicReads : H.Reads;
  auto Mine = find_if(Of, [&](const PastAccess &A) { return A.Thread == Me && A.Stamp >= Start; });
  if (Mine != Of.end())
    *Mine = This;
  else
    Of.push_back(This);
  return std::nullopt;
}

void Memory::launched(uint64_t To, uint64_t Bytes, uint64_t From, uint64_t ReadBytes, unsigned Me,
                      const Clocks &When) {
  if (Region *R = ReadBytes ? find(From) : nullptr; R && R->Cells)
    each(*R, From - R->Begin, ReadBytes, When, [](Cell &C) {
      ++C.SourceOf;
      return true;
    });
  Region &R = *find(To);
  each(R, To - R.Begin, Bytes, When, [&](Cell &C) {
    C.InFlight = static_cast<uint16_t>(Me + 1);
    return true;
  });
}

void Memory::landed(uint64_t To, uint64_t Bytes, uint64_t From, uint64_t ReadBytes, unsigned Me,
                    uint32_t Now, const Clocks &When, const BlockClocks &Between, Site At) {
  Region &Of = *find(To);
  each(Of, To - Of.Begin, Bytes, When, [&](Cell &C) {
    C.InFlight = 0;
    // It is this thread's wait that makes the bytes visible, and to this thread alone.
    C.Writer = static_cast<uint16_t>(Me);
    C.WriteStamp = Now;
    C.WriteSite = At;
    if (C.Atomic)
      Histories[&C].Write = {Now, At, static_cast<uint16_t>(Me)};
    return true;
  });
  Region *R = ReadBytes ? find(From) : nullptr;
  if (!R || !R->Cells)
    return;
  each(*R, From - R->Begin, ReadBytes, When, [](Cell &C) {
    --C.SourceOf;
    return true;
  });
  // It may have been read as late as this. (Who has written meanwhile was told so.)
  (void)record(Access::Read, *R, From, ReadBytes, Me, Now, When, Between, At);
}

bool Memory::collidesAnywhere(Conflict &With, Access Kind, Region &R, uint64_t Address,
                              uint64_t Bytes, unsigned Me, uint32_t Now, const Clocks &When,
                              const BlockClocks &Between, Site At) {
  bool Write = Kind == Access::Write || Kind == Access::AtomicWrite;
  const bool Atomic = Kind == Access::AtomicRead || Kind == Access::AtomicWrite;
  const bool Global = !R.Shared;
  uint32_t Start = When.blockStart();
  auto Say = [&](Conflict::Kind K, unsigned Other, Site OtherAt) {
    With = conflict(K, Other, OtherAt);
    return false;
  };
  // False: it collides with something.
  return !each(R, Address - R.Begin, Bytes, When, [&](Cell &Known) {
    Cell *const C = &Known;
    if (C->InFlight)
      return Say(Conflict::InFlight, C->InFlight - 1u, C->WriteSite);
    if (Write && C->SourceOf)
      return Say(Conflict::SourceInFlight, C->Reader, C->ReadSite);

    if (LLVM_UNLIKELY(Atomic || C->Atomic)) {
      const std::optional<Conflict> Found =
          recordAtomic(Kind, *C, Global, Me, Now, When, Between, At);
      With = Found.value_or(With);
      return !Found;
    }

    // Against the last write.
    if (C->WriteStamp) {
      if (C->WriteStamp >= Start) {
        if (!When.ordered(Me, C->Writer, C->WriteStamp))
          return Say(Conflict::WithWrite, C->Writer, C->WriteSite);
      } else if (Global && !Between.ordered(Me, C->Writer, C->WriteStamp)) {
        return Say(Conflict::AcrossBlocks, C->Writer, C->WriteSite);
      }
    }
    uint32_t Lane = uint32_t(1) << (Me % 32);
    if (!Write) {
      if (C->ReadStamp < Start) {
        if (Global && C->ReadStamp)
          noteEarlierReader(*C, Me, Between);
        C->Of.Readers = 0; // a row of another block
        C->ManyWarps = false;
        C->Of.Lanes = Lane;
      } else if (When.afterBlockBarrier(C->ReadStamp)) {
        forgetReaders(*C);
        C->ManyWarps = false;
        C->Of.Lanes = Lane;
      } else if (When.partial() && (C->Of.Readers || C->Of.Lanes != Lane || C->Reader != Me)) {
        noteReader(*C, Me, Now, When);
      } else if (C->Reader / 32 == Me / 32) {
        C->Of.Lanes |= Lane;
      } else {
        C->ManyWarps = true;
      }
      C->Reader = static_cast<uint16_t>(Me);
      C->ReadStamp =
          std::max(C->ReadStamp, Now); // a copy may have come earlier than somebody has read
      C->ReadSite = At;
      return true;
    }
    // A write against the reads since the last write.
    if (C->ReadEarlier) {
      for (const PastAccess &Read : EarlierReads[C])
        if (Read.Stamp < Start &&
            (C->NeverOrdered || !Between.ordered(Me, Read.Thread, Read.Stamp)))
          return Say(Conflict::AcrossBlocks, Read.Thread, Read.At);
      C->ReadEarlier = C->NeverOrdered = false;
      EarlierReads.erase(C);
    }
    if (C->ReadStamp) {
      if (C->ReadStamp < Start) {
        if (Global && !Between.ordered(Me, C->Reader, C->ReadStamp))
          return Say(Conflict::AcrossBlocks, C->Reader, C->ReadSite);
      } else if (!When.afterBlockBarrier(C->ReadStamp)) {
        auto Unordered = [&](unsigned Other, uint32_t Stamp) {
          return Stamp && !When.ordered(Me, Other, Stamp);
        };
        if (C->Of.Readers) {
          const VectorClock &Row = Reads[C->Of.Readers - 1];
          for (unsigned Other = 0; Other != Row.size(); ++Other)
            if (Unordered(Other, Row[Other]))
              return Say(Conflict::WithRead, Other, C->ReadSite);
        } else if (C->ManyWarps) {
          // It may have been any.
          if (Unordered(C->Reader, C->ReadStamp))
            return Say(Conflict::WithRead, C->Reader, C->ReadSite);
          for (unsigned Other = 0; Other != When.threads(); ++Other)
            if (Unordered(Other, C->ReadStamp))
              return Say(Conflict::WithRead, C->Reader, C->ReadSite);
        } else {
          for (uint32_t Left = C->Of.Lanes; Left; Left &= Left - 1) {
            unsigned Other = C->Reader / 32 * 32 + countr_zero(Left);
            if (Unordered(Other, C->ReadStamp))
              return Say(Conflict::WithRead, Other, C->ReadSite);
          }
        }
      }
    }
    C->Writer = static_cast<uint16_t>(Me);
    C->WriteStamp = Now;
    C->WriteSite = At;
    if (C->ReadStamp >= Start)
      forgetReaders(*C);
    C->Of.Readers = 0;
    C->ManyWarps = false;
    C->Of.Lanes = 0;
    C->ReadStamp = 0;
    return true;
  });
}
