//===- OpenMemory.h - What memory without a size holds --------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A kernel whose launch nobody has described gets pointers into open regions (Shadow.h). What they
/// hold is a function of the name of the region, the place and a seed, and of what the types say is
/// there:
///
/// - numbers with a fraction are in (-1, 1), with all bits of their mantissa;
/// - integers that the original makes addresses and conditions of are small (IntegerProfile), those
/// that bound a loop grow with their
///   index, so that of two neighbours the second is not smaller; all other integers have all their
///   bits at random;
/// - a pointer leads to an open region of its own, one for every eighth element.
///
/// Both versions of a kernel get the same, page for page, in whatever order they touch it.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_VERIFY_EMULATOR_OPENMEMORY_H
#define CUDA_PIPELINE_VERIFY_EMULATOR_OPENMEMORY_H

#include "Shadow.h"
#include "cuda-pipeline/DeviceModule.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace cuda_pipeline {
namespace emulator {

/// How integers are chosen of which addresses and conditions are made.
struct IntegerProfile {
  int64_t Low = 0, High = 16; ///< Low <= i < High
  int64_t Step = 16; ///< of those that bound a loop: from each to the next at most so much more
  bool All = false;  ///< also integers of which nothing of that kind is known
};

/// What decides what open memory holds.
struct OpenData {
  uint64_t Seed = 1;
  IntegerProfile Integers;
  /// By name of a region or variable: LoadHint of what the original loads from it.
  std::map<std::string, uint8_t> Hints;
};

/// An argument that points to memory without a size.
struct OpenBuffer {
  std::string Name;
  int Layout = -1; ///< in DeviceModule::Layouts
  uint64_t ElementBytes = 1;
};

/// Of a run, what was done to one open region.
struct OpenImage {
  int Layout = -1; ///< in DeviceModule::Layouts
  OpenSet Reads, Writes;
  std::map<int64_t, std::vector<uint8_t>> Bytes; ///< of pages with a write, behind the run
  /// By page and offset of eight bytes that may be an address in an open region: a number made of
  /// the region's name and the place in it. Two runs may have the same region at different
  /// addresses.
  std::map<std::pair<int64_t, unsigned>, uint64_t> Addresses;
  /// What was written to \p Page; everything else is 0, and addresses that \p Other has as well.
  std::vector<uint8_t> written(int64_t Page, const OpenImage &Other) const;
};

/// The open regions of one run.
class OpenMemory {
public:
  OpenMemory(Memory &Space, const std::vector<TypeLayout> &Layouts, const OpenData &Data,
             const std::map<std::string, OpenSet> *MayRead);
  ~OpenMemory();
  /// Where element 0 of \p Buffer lies; 0: there is no room for it.
  uint64_t place(const OpenBuffer &Buffer);
  /// Fills \p Bytes of a variable: what \p Leaves say, if \p Integers also integers.
  void fill(llvm::StringRef Name, llvm::ArrayRef<TypeLayout::Leaf> Leaves, bool Integers,
            llvm::MutableArrayRef<uint8_t> Bytes);
  /// There were more of them than a run can have: pointers to the rest are null.
  bool isExhausted() const { return Exhausted; }
  /// What was done to them, by name.
  std::map<std::string, OpenImage> images() const;
  /// The name of the open region that \p Address lies in and how far from its origin; empty: in
  /// none.
  std::pair<llvm::StringRef, int64_t> name(uint64_t Address) const;

private:
  class Filler;
  void element(llvm::StringRef Name, uint64_t Stream, uint8_t Hints, const TypeLayout::Leaf &L,
               int64_t Offset, int64_t Index, uint8_t *To);

  Memory &Space;
  const std::vector<TypeLayout> &Layouts;
  const OpenData &Data;
  const std::map<std::string, OpenSet> *MayRead;
  struct Placed {
    Region *Where = nullptr;
    std::unique_ptr<Filler> Fills;
    int Layout = -1;
  };
  std::map<std::string, Placed> Regions;
  bool Exhausted = false;
};

} // namespace emulator
} // namespace cuda_pipeline

#endif
