//===- Compare.cpp - What two runs have left behind ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Compare.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Endian.h"
#include <cstring>

using namespace llvm;

namespace cuda_pipeline {
namespace {

const fltSemantics *semantics(ElementType::Kind K) {
  switch (K) {
  case ElementType::Kind::Half:
    return &APFloat::IEEEhalf();
  case ElementType::Kind::BFloat16:
    return &APFloat::BFloat();
  case ElementType::Kind::Float:
    return &APFloat::IEEEsingle();
  case ElementType::Kind::Double:
    return &APFloat::IEEEdouble();
  default:
    return nullptr;
  }
}

uint64_t component(const uint8_t *P, unsigned Bytes) {
  uint64_t V = 0;
  std::memcpy(&V, P, std::min(Bytes, 8u)); // little-endian, as the GPU
  return V;
}

bool isNaN(const ElementType &E, const uint8_t *P) {
  const fltSemantics *S = semantics(E.Base);
  return S && APFloat(*S, APInt(E.BaseBytes * 8, component(P, E.BaseBytes))).isNaN();
}

std::string hex(ArrayRef<uint8_t> Bytes, unsigned Group) {
  // Components as numbers, most significant digit first.
  std::string Text;
  raw_string_ostream OS(Text);
  Group = std::max(Group, 1u);
  size_t Shown = std::min<size_t>(Bytes.size(), 32);
  for (size_t At = 0; At < Shown; At += Group) {
    if (At)
      OS << ' ';
    OS << "0x";
    for (size_t I = std::min<size_t>(Group, Bytes.size() - At); I-- > 0;)
      OS << "0123456789abcdef"[Bytes[At + I] >> 4] << "0123456789abcdef"[Bytes[At + I] & 15];
  }
  if (Shown < Bytes.size())
    OS << " ...";
  return Text;
}

std::string value(const ElementType &E, ArrayRef<uint8_t> Bytes) {
  std::string Text;
  raw_string_ostream OS(Text);
  if (E.Base == ElementType::Kind::Bytes)
    return Text;
  for (unsigned L = 0; L != E.Lanes; ++L) {
    if (L)
      OS << ", ";
    const uint8_t *P = Bytes.data() + size_t(L) * E.BaseBytes;
    APInt Bits(E.BaseBytes * 8, component(P, E.BaseBytes));
    if (const fltSemantics *S = semantics(E.Base)) {
      SmallString<32> Number;
      APFloat(*S, Bits).toString(Number);
      OS << Number;
    } else {
      Bits.print(OS, E.Base == ElementType::Kind::SignedInt);
    }
  }
  return Text;
}

} // namespace

std::optional<VerifyDifference> compare(StringRef Name, const ElementType &E, BufferState Old,
                                        BufferState New) {
  uint64_t Size = std::max<uint64_t>(E.bytes(), 1);
  uint64_t Whole = std::min(Old.After.size(), New.After.size());
  std::optional<VerifyDifference> First;
  if (Old.After.size() == New.After.size() && Old.After == New.After)
    return First;
  for (uint64_t At = 0; At < Whole; At += Size) {
    uint64_t N = std::min(Size, Whole - At);
    ArrayRef<uint8_t> A = Old.After.slice(At, N), B = New.After.slice(At, N);
    if (A == B)
      continue;
    if (A == Old.Before.slice(At, N) && B == New.Before.slice(At, N))
      continue;
    bool Same = E.Base != ElementType::Kind::Bytes && N == Size;
    for (unsigned L = 0; Same && L != E.Lanes; ++L) {
      const uint8_t *P = A.data() + size_t(L) * E.BaseBytes,
                    *Q = B.data() + size_t(L) * E.BaseBytes;
      Same = std::memcmp(P, Q, E.BaseBytes) == 0 || (isNaN(E, P) && isNaN(E, Q));
    }
    if (Same)
      continue;
    if (!First) {
      First.emplace();
      First->Buffer = Name.str();
      First->Index = At / Size;
      First->OldBits = hex(A, E.BaseBytes);
      First->NewBits = hex(B, E.BaseBytes);
      if (N == Size) {
        First->OldValue = value(E, A);
        First->NewValue = value(E, B);
      }
    }
    ++First->Count;
  }
  return First;
}

} // namespace cuda_pipeline
