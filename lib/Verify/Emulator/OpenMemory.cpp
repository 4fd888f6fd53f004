//===- OpenMemory.cpp - What memory without a size holds ------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OpenMemory.h"
#include "../Launch/Fill.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include <cstring>

using namespace llvm;

namespace cuda_pipeline {
namespace emulator {

static constexpr int64_t Page = PageBytes;
/// Pointers in memory: so many in a row lead to regions of their own; those behind them into the
/// same ones, so many bytes further on.
static constexpr int64_t PointersApart = 8, PointerPitch = int64_t(1) << 20;
static constexpr size_t MostRegions = 48;

// As in Fill.cpp: the finaliser of splitmix64.
static uint64_t mix(uint64_t X) {
  X += 0x9e3779b97f4a7c15u;
  X = (X ^ (X >> 30)) * 0xbf58476d1ce4e5b9u;
  X = (X ^ (X >> 27)) * 0x94d049bb133111ebu;
  return X ^ (X >> 31);
}

static int64_t floorDiv(int64_t A, int64_t B) { return A / B - (A % B < 0); }

/// Bits that are numbers around one in whatever format with a fraction they are taken for.
static uint64_t numbersInAnyFormat(uint64_t Random) {
  return (Random & 0x83FF83FF83FF83FFull) | 0x3C003C003C003C00ull;
}

class OpenMemory::Filler : public Contents {
public:
  Filler(OpenMemory &Of, StringRef Name, const TypeLayout *Layout)
      : Of(Of), Name(Name), Layout(Layout) {
    Stream = fill::stream("open", this->Name.c_str());
    auto Found = Of.Data.Hints.find(this->Name);
    Hints = Found == Of.Data.Hints.end() ? 0 : Found->second;
  }

  void fill(int64_t Number, uint8_t *To) override {
    if (!Layout || Layout->Leaves.empty()) {
      for (int64_t I = 0; I != Page; I += 8) {
        const uint64_t Bits = numbersInAnyFormat(
            mix(mix(Of.Data.Seed + Stream) + static_cast<uint64_t>(Number * Page + I)));
        std::memcpy(To + I, &Bits, 8);
      }
      return;
    }
    std::memset(To, 0, Page);
    const int64_t Begin = Number * Page, End = Begin + Page,
                  Size = static_cast<int64_t>(Layout->Bytes);
    for (int64_t E = floorDiv(Begin, Size); E * Size < End; ++E)
      for (const TypeLayout::Leaf &L : Layout->Leaves) {
        const int64_t Bytes = static_cast<int64_t>(L.Element.bytes());
        int64_t At = E * Size + static_cast<int64_t>(L.Offset);
        // A long row of numbers: those that lie in the page.
        int64_t From = std::max<int64_t>(0, floorDiv(Begin - At, Bytes));
        SmallVector<uint8_t, 16> Value(static_cast<size_t>(Bytes));
        for (int64_t K = From; K < static_cast<int64_t>(L.Count) && At + K * Bytes < End; ++K) {
          Of.element(Name, Stream, Hints, L, At + K * Bytes, E * static_cast<int64_t>(L.Count) + K,
                     Value.data());
          const int64_t Where = At + K * Bytes;
          for (int64_t B = std::max(Where, Begin); B < std::min(Where + Bytes, End); ++B)
            To[B - Begin] = Value[B - Where];
        }
      }
  }

private:
  OpenMemory &Of;
  std::string Name;
  const TypeLayout *Layout;
  uint64_t Stream = 0;
  uint8_t Hints = 0;
};

OpenMemory::OpenMemory(Memory &Space, const std::vector<TypeLayout> &Layouts, const OpenData &Data,
                       const std::map<std::string, OpenSet> *MayRead)
    : Space(Space), Layouts(Layouts), Data(Data), MayRead(MayRead) {}
OpenMemory::~OpenMemory() = default;

/// \p Offset in bytes names the number, \p Index counts it among its like.
void OpenMemory::element(StringRef Name, uint64_t Stream, uint8_t Hints, const TypeLayout::Leaf &L,
                         int64_t Offset, int64_t Index, uint8_t *To) {
  using Kind = ElementType::Kind;
  const ElementType &E = L.Element;
  if (L.IsPointer) {
    OpenBuffer Child;
    const int64_t Group = floorDiv(Index, PointersApart);
    Child.Name = (Twine(Name) + L.Name + "[" + Twine(Index - Group * PointersApart) + "]").str();
    Child.Layout = L.Pointee;
    if (L.Pointee >= 0)
      Child.ElementBytes = Layouts[L.Pointee].Bytes;
    const uint64_t At = place(Child);
    const uint64_t Value = At ? At + static_cast<uint64_t>(Group * PointerPitch) : 0;
    std::memcpy(To, &Value, 8);
    return;
  }
  const uint64_t Base = mix(Data.Seed + Stream);
  for (unsigned Lane = 0; Lane < E.Lanes; ++Lane) {
    const uint64_t Random = mix(Base + static_cast<uint64_t>(Offset) + Lane * E.BaseBytes);
    uint8_t *Out = To + Lane * E.BaseBytes;
    const double Unit = static_cast<double>(Random >> 11) * (1.0 / 9007199254740992.0) * 2 - 1;
    switch (E.Base) {
    case Kind::Float: {
      const float V = static_cast<float>(Unit);
      std::memcpy(Out, &V, 4);
      break;
    }
    case Kind::Double:
      std::memcpy(Out, &Unit, 8);
      break;
    case Kind::Half:
    case Kind::BFloat16: {
      const uint16_t V = E.Base == Kind::Half ? fill::halfBits(Unit) : fill::bfloat16Bits(Unit);
      std::memcpy(Out, &V, 2);
      break;
    }
    case Kind::Bool:
      *Out = Random & 1;
      break;
    case Kind::SignedInt:
    case Kind::UnsignedInt: {
      const IntegerProfile &P = Data.Integers;
      int64_t V = static_cast<int64_t>(Random);
      if (Hints & ToBound)
        V = Index < 0
                ? 0
                : (Index + 1) * P.Step -
                      (Index == 0
                           ? 0
                           : static_cast<int64_t>(Random % static_cast<uint64_t>(P.Step + 1)));
      else if ((Hints & ToAddress) || P.All)
        V = P.Low + static_cast<int64_t>(
                        Random % static_cast<uint64_t>(std::max<int64_t>(P.High - P.Low, 1)));
      else if (Data.Seed % 2 == 0 && (E.Lanes > 1 || E.Base == Kind::UnsignedInt) &&
               E.BaseBytes > 1)
        V = static_cast<int64_t>(numbersInAnyFormat(Random)); // halves, two at a time
      if ((Hints & ToBound) && V < 0)
        V = 0;
      if (E.Base == Kind::UnsignedInt && ((Hints & ToAddress) || P.All) && V < 0)
        V = -V;
      std::memcpy(Out, &V, std::min(E.BaseBytes, 8u));
      break;
    }
    case Kind::Bytes: {
      const uint64_t V = numbersInAnyFormat(mix(Base + static_cast<uint64_t>(Offset + Lane) / 8));
      *Out = static_cast<uint8_t>(V >> (static_cast<uint64_t>(Offset + Lane) % 8 * 8));
      break;
    }
    }
  }
}

uint64_t OpenMemory::place(const OpenBuffer &Buffer) {
  if (auto Found = Regions.find(Buffer.Name); Found != Regions.end())
    return Found->second.Where->Origin;
  // Which of them it would be depends on the order in which they are touched, so such a run says
  // nothing.
  Exhausted |= Regions.size() >= MostRegions;
  if (Exhausted)
    return 0;
  const TypeLayout *Layout =
      Buffer.Layout >= 0 && static_cast<size_t>(Buffer.Layout) < Layouts.size()
          ? &Layouts[Buffer.Layout]
          : nullptr;
  auto Fills = std::make_unique<Filler>(*this, Buffer.Name, Layout);
  const uint64_t At = Space.allocateOpen(Buffer.Name, Buffer.ElementBytes, *Fills);
  if (!At)
    return 0;
  Region *R = Space.find(At);
  if (MayRead) {
    static const OpenSet Nothing;
    auto Limits = MayRead->find(Buffer.Name);
    R->MayReadOpen = Limits == MayRead->end() ? &Nothing : &Limits->second;
  }
  Regions[Buffer.Name] = {R, std::move(Fills), Buffer.Layout};
  return At;
}

void OpenMemory::fill(StringRef Name, ArrayRef<TypeLayout::Leaf> Leaves, bool Integers,
                      MutableArrayRef<uint8_t> Bytes) {
  const uint64_t Stream = fill::stream("variable", Name.str().c_str());
  auto Found = Data.Hints.find(Name.str());
  const uint8_t Hints = Found == Data.Hints.end() ? 0 : Found->second;
  for (const TypeLayout::Leaf &L : Leaves) {
    using Kind = ElementType::Kind;
    const bool Integer =
        !L.IsPointer && (L.Element.Base == Kind::SignedInt || L.Element.Base == Kind::UnsignedInt);
    if (Integer && !Integers)
      continue;
    const uint64_t Size = L.Element.bytes();
    for (uint64_t K = 0; K != L.Count && L.Offset + (K + 1) * Size <= Bytes.size(); ++K)
      element(Name, Stream, Hints, L, static_cast<int64_t>(L.Offset + K * Size),
              static_cast<int64_t>(K), Bytes.data() + L.Offset + K * Size);
  }
}

std::map<std::string, OpenImage> OpenMemory::images() const {
  std::map<std::string, OpenImage> All;
  for (const auto &[Name, Of] : Regions) {
    const Region &R = *Of.Where;
    OpenImage &To = All[Name];
    To.Layout = Of.Layout;
    for (const OpenPage &P : R.Pages) {
      const uint64_t FromBegin = static_cast<uint64_t>(P.Number * Page) + (R.Origin - R.Begin);
      PageBits Writes = {};
      bool Written = false, Read = false;
      for (uint64_t I = 0; I != PageBytes; ++I)
        if (Memory::known(R, FromBegin + I).WriteStamp) {
          Writes[I / 64] |= uint64_t(1) << (I % 64);
          Written = true;
        }
      for (uint64_t Word : P.Reads)
        Read |= Word != 0;
      if (Read)
        To.Reads[P.Number] = P.Reads;
      if (!Written)
        continue;
      To.Writes[P.Number] = Writes;
      const auto *From = reinterpret_cast<const uint8_t *>(R.Begin + FromBegin);
      To.Bytes[P.Number].assign(From, From + PageBytes);
      for (unsigned I = 0; I != PageBytes; I += 8)
        if ((Writes[I / 64] >> (I % 64) & 0xFF) == 0xFF)
          if (auto [Other, Offset] = name(support::endian::read64le(From + I)); !Other.empty())
            To.Addresses[{P.Number, I}] = xxh3_64bits(Other) + static_cast<uint64_t>(Offset);
    }
  }
  return All;
}

std::vector<uint8_t> OpenImage::written(int64_t Page, const OpenImage &Other) const {
  std::vector<uint8_t> Result(PageBytes, 0);
  auto Found = Writes.find(Page);
  if (Found == Writes.end())
    return Result;
  const std::vector<uint8_t> &From = Bytes.at(Page);
  for (size_t I = 0; I != PageBytes; ++I)
    if (Found->second[I / 64] >> (I % 64) & 1)
      Result[I] = From[I];
  for (auto A = Addresses.lower_bound({Page, 0}); A != Addresses.end() && A->first.first == Page;
       ++A)
    if (auto B = Other.Addresses.find(A->first);
        B != Other.Addresses.end() && A->second == B->second)
      std::memset(Result.data() + A->first.second, 0, 8);
  return Result;
}

std::pair<StringRef, int64_t> OpenMemory::name(uint64_t Address) const {
  for (const auto &[Name, Of] : Regions)
    if (Address >= Of.Where->Begin && Address < Of.Where->End)
      return {Name, static_cast<int64_t>(Address - Of.Where->Origin)};
  return {"", 0};
}

} // namespace emulator
} // namespace cuda_pipeline
