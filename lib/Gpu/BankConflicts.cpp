//===- BankConflicts.cpp - What an access to shared memory costs --------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/BankConflicts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>

using namespace llvm;

namespace cuda_pipeline {
namespace {

constexpr unsigned Banks = 32, WordBytes = 4;
using Group = ArrayRef<std::optional<uint64_t>>;

/// The words that a group of lanes touches, each once.
SmallVector<uint64_t, 32> wordsOf(Group Lanes, unsigned Bytes) {
  SmallVector<uint64_t, 32> Words;
  for (const std::optional<uint64_t> &At : Lanes)
    if (At)
      for (uint64_t Word = *At / WordBytes; Word <= (*At + Bytes - 1) / WordBytes; ++Word)
        Words.push_back(Word);
  llvm::sort(Words);
  Words.erase(llvm::unique(Words), Words.end());
  return Words;
}

/// Lanes of one group are served together: so many words of one bank, so many wavefronts.
unsigned together(Group Lanes, unsigned Bytes) {
  std::array<unsigned, Banks> OfBank = {};
  for (uint64_t Word : wordsOf(Lanes, Bytes))
    ++OfBank[Word % Banks];
  return *std::max_element(OfBank.begin(), OfBank.end());
}

unsigned fewest(Group Lanes, unsigned Bytes) {
  return unsigned((wordsOf(Lanes, Bytes).size() + Banks - 1) / Banks);
}

/// Lanes that are served together: a wavefront has room for 128 bytes.
unsigned lanesOfGroup(SharedAccess Kind, unsigned Bytes) {
  return Kind == SharedAccess::Matrix || Bytes > 8 ? 8 : Bytes > 4 ? 16 : 32;
}

/// Two groups of a load are served together where neighbours, or every other lane, ask for the same
/// place: they are half as many then.
bool areOneGroup(Group Both) {
  return any_of(ArrayRef<size_t>{1, 2}, [&](size_t Other) {
    return all_of(llvm::seq<size_t>(0, Both.size()),
                  [&](size_t I) { return Both[I] == Both[I ^ Other]; });
  });
}

template <class CountT>
unsigned overGroups(SharedAccess Kind, unsigned Bytes, const LaneOffsets &Lanes, CountT Count) {
  if (Kind == SharedAccess::Matrix)
    Bytes = 16;
  const size_t Size = lanesOfGroup(Kind, Bytes);
  unsigned Sum = 0;
  for (size_t First = 0; First < WarpSize; First += 2 * Size) {
    const Group Both = Group(Lanes).slice(First, std::min<size_t>(2 * Size, WarpSize - First));
    if (Kind == SharedAccess::Load && Both.size() == 2 * Size && areOneGroup(Both)) {
      Sum += Count(Both, Bytes);
      continue;
    }
    Sum += Count(Both.take_front(Size), Bytes);
    if (Both.size() > Size)
      Sum += Count(Both.drop_front(Size), Bytes);
  }
  return Sum;
}

} // namespace

unsigned wavefronts(SharedAccess Kind, unsigned Bytes, const LaneOffsets &Lanes) {
  return overGroups(Kind, Bytes, Lanes, together);
}

unsigned leastWavefronts(SharedAccess Kind, unsigned Bytes, const LaneOffsets &Lanes) {
  return overGroups(Kind, Bytes, Lanes, fewest);
}

} // namespace cuda_pipeline
