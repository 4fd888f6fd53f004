//===- ValueNumbers.cpp - What every byte was computed from --------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ValueNumbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace cuda_pipeline {
namespace emulator {

ValueNumbers::ValueNumbers(Memory &Space) : Space(Space) {}
ValueNumbers::~ValueNumbers() = default;

void ValueNumbers::clear() {
  Recent.fill(nullptr);
  Pages.clear();
  Joined.clear();
  Parts.clear();
  Decisions.clear();
  Deciding.clear();
  Exhausted = false;
}

ValueNumbers::Page *ValueNumbers::find(uint64_t Number) {
  auto Found = Pages.find(Number);
  if (Found != Pages.end())
    return Found->second.get();
  if (Pages.size() >= MostPages) {
    Exhausted = true;
    Lost.Number = Number;
    Lost.Bytes.fill(Unset);
    return &Lost;
  }
  auto &New = Pages[Number];
  New = std::make_unique<Page>();
  New->Number = Number;
  New->Bytes.fill(Unset);
  return New.get();
}

/// What the kernel was given there is numbered by its elements, or by words of larger ones, from
/// the region's origin.
uint64_t ValueNumbers::given(uint64_t Address) {
  const Region *R = Space.find(Address);
  // Locals and the machine's own; and constants of the program.
  if (!R || (!R->Writable && !R->Constant))
    return Concrete;
  const int64_t Offset = static_cast<int64_t>(Address - (R->Open ? R->Origin : R->Begin));
  const uint64_t Unit = R->ElementBytes == 1 || R->ElementBytes == 2 ? R->ElementBytes : 4;
  const uint64_t Word = static_cast<uint64_t>(Offset) & ~(Unit - 1);
  // What nobody has set is something else in every run.
  const uint64_t Name = R->Shared ? reinterpret_cast<uintptr_t>(this) : xxh3_64bits(R->Name);
  return ((mix(Name, Word) & HashBits) | sizeBits(Unit)) +
         (static_cast<uint64_t>(Offset) & (Unit - 1));
}

uint64_t ValueNumbers::pointer(uint64_t Address) {
  const Region *R = Space.find(Address);
  return R ? mix(xxh3_64bits(R->Name), Address - (R->Open ? R->Origin : R->Begin))
           : mixBits(Address);
}

uint64_t ValueNumbers::byteAt(uint64_t Address, bool Pointer) {
  const uint64_t Byte = page(Address)->Bytes[Address % PageBytes];
  return Byte != Unset ? Byte : Pointer ? Concrete : given(Address);
}

/// Whether the bytes are those of one value, all of it and in order.
static bool isWhole(ArrayRef<uint64_t> Bytes) {
  const uint64_t First = Bytes.front();
  if ((First & 0xff) != sizeBits(Bytes.size()) || sizeBits(Bytes.size()) == sizeBits(3))
    return false;
  for (size_t I = 1; I != Bytes.size(); ++I)
    if (Bytes[I] != First + I)
      return false;
  return true;
}

ValueNumber ValueNumbers::join(ArrayRef<uint64_t> Bytes) {
  if (Bytes.size() == 1)
    return Bytes.front();
  if (isWhole(Bytes))
    return Bytes.front();
  uint64_t H = Bytes.size();
  for (uint64_t Byte : Bytes)
    H = mix(H, Byte);
  const ValueNumber N = (H & HashBits) | sizeBits(Bytes.size()) | JoinedBit;
  if (auto [At, New] = Joined.try_emplace(N, Parts.size()); New)
    Parts.insert(Parts.end(), Bytes.begin(), Bytes.end());
  Exhausted |= Parts.size() > MostValues;
  return N;
}

ValueNumber ValueNumbers::load(uint64_t Address, unsigned Bytes, bool Pointer) {
  SmallVector<uint64_t, 16> Found;
  const uint64_t At = Address % PageBytes;
  const Page *P = page(Address);
  // Nearly all loads are of a word that was stored as one.
  if (Bytes == 4 && LLVM_LIKELY(At + 4 <= PageBytes)) {
    const uint64_t *B = &P->Bytes[At];
    if ((B[0] & 0xff) == sizeBits(4) && B[1] == B[0] + 1 && B[2] == B[0] + 2 && B[3] == B[0] + 3)
      return B[0];
  }
  bool Any = false;
  for (unsigned I = 0; I != Bytes; ++I) {
    Found.push_back(byteAt(Address + I, Pointer));
    Any |= hasNumber(Found.back());
  }
  if (!Any)
    return 0;
  for (unsigned I = 0; I != Bytes; ++I)
    if (!hasNumber(Found[I]))
      Found[I] = concrete(*reinterpret_cast<const uint8_t *>(Address + I));
  return join(Found);
}

void ValueNumbers::takeApart(ValueNumber N, uint64_t Bits, unsigned Bytes, uint64_t *To) const {
  if (N == 0) {
    for (unsigned I = 0; I != Bytes; ++I)
      To[I] = concrete(I < 8 ? static_cast<uint8_t>(Bits >> 8 * I) : 0);
    return;
  }
  if (Bytes == 1) {
    *To = N;
    return;
  }
  if (N & JoinedBit) {
    // (What is exhausted is not believed.)
    const uint32_t At = Joined.lookup(N);
    for (unsigned I = 0; I != Bytes; ++I)
      To[I] = At + I < Parts.size() ? Parts[At + I] : N;
    return;
  }
  for (unsigned I = 0; I != Bytes; ++I)
    To[I] = N + std::min(I, 15u);
}

void ValueNumbers::store(uint64_t Address, unsigned Bytes, ValueNumber N) {
  if (N == 0)
    return fill(Address, Bytes, 0);
  if (Bytes == 4 && !(N & JoinedBit) && Address % PageBytes <= PageBytes - 4) {
    uint64_t *B = &page(Address)->Bytes[Address % PageBytes];
    for (unsigned I = 0; I != 4; ++I)
      B[I] = N + I;
    return;
  }
  SmallVector<uint64_t, 16> Of(Bytes);
  takeApart(N, 0, Bytes, Of.data());
  for (unsigned I = 0; I != Bytes; ++I)
    setByte(Address + I, hasNumber(Of[I]) ? Of[I] : Concrete);
}

void ValueNumbers::copy(uint64_t To, uint64_t From, uint64_t Bytes) {
  SmallVector<uint64_t, 64> Moved;
  Moved.reserve(Bytes);
  for (uint64_t I = 0; I != Bytes; ++I)
    Moved.push_back(byteAt(From + I, /*Pointer=*/false));
  for (uint64_t I = 0; I != Bytes; ++I)
    setByte(To + I, Moved[I]);
}

void ValueNumbers::fill(uint64_t To, uint64_t Bytes, ValueNumber N) {
  for (uint64_t I = 0; I != Bytes; ++I)
    setByte(To + I, N ? N : Concrete);
}

void ValueNumbers::forget(uint64_t Begin, uint64_t Bytes) {
  for (uint64_t At = Begin, N; Bytes; At += N, Bytes -= N) {
    N = std::min(PageBytes - At % PageBytes, Bytes);
    auto Found = Pages.find(At / PageBytes);
    if (Found != Pages.end())
      std::fill_n(Found->second->Bytes.begin() + At % PageBytes, N, Unset);
  }
}

ValueNumber ValueNumbers::bitwise(Bitwise Op, ValueNumber A, uint64_t BitsOfA, ValueNumber B,
                                  uint64_t BitsOfB, unsigned Bytes) {
  if (Bytes > 8)
    return Mixture;
  std::array<uint64_t, 8> X, Y;
  takeApart(A, BitsOfA, Bytes, X.data());
  takeApart(B, BitsOfB, Bytes, Y.data());
  // One of the two says nothing, or all there is to say.
  const uint64_t Neutral = concrete(Op == Bitwise::And ? 0xff : 0),
                 Strong = concrete(Op == Bitwise::And ? 0 : 0xff);
  bool Any = false;
  for (unsigned I = 0; I != Bytes; ++I) {
    if (X[I] == Neutral || (Op != Bitwise::Xor && Y[I] == Strong))
      X[I] = Y[I];
    else if (Y[I] == Neutral || (Op != Bitwise::Xor && X[I] == Strong))
      ;
    else
      return Mixture;
    Any |= hasNumber(X[I]);
  }
  return Any ? join(ArrayRef(X.data(), Bytes)) : 0;
}

std::map<std::string, NumberedBytes> ValueNumbers::written() const {
  std::map<std::string, NumberedBytes> All;
  for (const Region &R : Space.regions()) {
    if (R.Shared || R.Begin == R.End)
      continue;
    NumberedBytes Of;
    for (const auto &[Number, P] : Pages) {
      const uint64_t Begin = std::max(R.Begin, Number * PageBytes),
                     End = std::min(R.End, (Number + 1) * PageBytes);
      for (uint64_t At = Begin; At < End; ++At)
        if (const uint64_t Byte = P->Bytes[At % PageBytes]; Byte != Unset)
          Of.emplace_back(static_cast<int64_t>(At - (R.Open ? R.Origin : R.Begin)), Byte);
    }
    if (Of.empty())
      continue;
    llvm::sort(Of);
    All[R.Name] = std::move(Of);
  }
  return All;
}

} // namespace emulator
} // namespace cuda_pipeline
