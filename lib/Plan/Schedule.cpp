//===- Schedule.cpp - How one loop is pipelined -------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/Schedule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace clang;
using namespace llvm;

namespace cuda_pipeline {

StringRef toString(CopyMethod M) {
  switch (M) {
  case CopyMethod::Async:
    return "cp.async";
  case CopyMethod::Register:
    return "registers";
  case CopyMethod::Direct:
    return "loads and stores";
  case CopyMethod::Stay:
    return "fill";
  }
  llvm_unreachable("a method");
}

Schedule makeSchedule(const TileModel &M, Variant Preset, unsigned Stages,
                      const std::set<SourceLocation> &MixedAsync,
                      const std::set<SourceLocation> &Direct) {
  Schedule S;
  S.Preset = Preset;
  S.Stages = Stages;
  for (const TileCopy &C : M.Copies) {
    const SourceLocation At = C.Store->getExprLoc();
    const bool Stays = S.usesAsync() && Direct.count(At) != 0;
    const bool Async = S.usesAsync() && !Stays && (!S.usesRegisters() || MixedAsync.count(At) != 0);
    S.Copies[At] = {C.IsFill ? CopyMethod::Stay
                    : Stays  ? CopyMethod::Direct
                    : Async  ? CopyMethod::Async
                             : CopyMethod::Register,
                    unsigned(Async ? C.AsyncBytes : C.Bytes)};
  }
  for (const auto &B : M.Buffers)
    S.Tiles[B->Decl->getLocation()] = {Stages, TilePlace::Array, 1};
  return S;
}

CopyMethod Schedule::methodOf(const TileCopy &C) const {
  const auto It = Copies.find(C.Store->getExprLoc());
  return It == Copies.end() ? CopyMethod::Register : It->second.Method;
}

uint64_t Schedule::alignmentOf(const TileBuffer &B) const {
  const auto It = Tiles.find(B.Decl->getLocation());
  return It == Tiles.end() ? B.Alignment : std::max(B.Alignment, It->second.Alignment);
}

bool Schedule::isAt(TilePlace Place) const {
  return any_of(Tiles, [&](const auto &T) { return T.second.Place == Place; });
}

void Schedule::place(TilePlace Place) {
  for (auto &[Declaration, Tile] : Tiles)
    Tile.Place = Place;
}

bool Schedule::mergeWith(const Schedule &Other) {
  bool Same = !mixes() || Copies.size() == Other.Copies.size();
  for (auto &[Store, Copy] : Copies) {
    const auto It = Other.Copies.find(Store);
    Same &= !mixes() || (It != Other.Copies.end() && It->second.Method == Copy.Method);
    if (It != Other.Copies.end())
      Copy.Bytes = std::min(Copy.Bytes, It->second.Bytes);
  }
  for (auto &[Declaration, Tile] : Tiles)
    if (const auto It = Other.Tiles.find(Declaration); It != Other.Tiles.end()) {
      Tile.Alignment = std::max(Tile.Alignment, It->second.Alignment);
      if (It->second.Place == TilePlace::Beside)
        Tile.Place = TilePlace::Beside;
    }
  FinalBarrier |= Other.FinalBarrier;
  EntryBarrier |= Other.EntryBarrier;
  BarrierInFront |= Other.BarrierInFront;
  return Same;
}

} // namespace cuda_pipeline
