//===- ValueNumbers.h - What every byte was computed from -----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A run on certain data says something about all data where every value carries a number that
/// stands for the expression which has computed it: a hash of the operation and of its operands'
/// numbers, down to what the kernel was given in memory, which is numbered by its place. What does
/// not come from there (thread numbers, parameters, constants) has no number and stands for itself.
/// Two runs that leave equal numbers leave equal bits, whatever the data; unless data decide which
/// way a condition goes, or which place is read or written: these places are kept (`Decision`).
/// (docs/verify.md, "All data")
///
/// A number has 56 bits of hash, 3 bits for the size of the value, a bit for one that was put
/// together, and 4 bits for the byte within it. Bytes are moved as what they are: a number that was
/// put together from bytes of others is taken apart again where it is stored, so that a float that
/// is copied by halves, by words or by sixteen bytes keeps its number.
///
/// lib/Verify/Emulator/NumberValues.h makes code that does so. The idea is that of
/// DataFlowSanitizer, with global value numbering's numbers as labels.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_VERIFY_EMULATOR_VALUENUMBERS_H
#define CUDA_PIPELINE_VERIFY_EMULATOR_VALUENUMBERS_H

#include "Shadow.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

namespace cuda_pipeline {
namespace emulator {

/// Zero: it does not depend on data.
using ValueNumber = uint64_t;

/// The bits of a value's size in its number, in place.
constexpr uint64_t sizeBits(uint64_t Bytes) {
  return (Bytes == 1    ? 1
          : Bytes == 2  ? 2
          : Bytes == 4  ? 3
          : Bytes == 8  ? 4
          : Bytes == 16 ? 5
                        : 6)
         << 5;
}
constexpr uint64_t HashBits = ~uint64_t(0xff), JoinedBit = 0x10;

/// Constants of mix(), which compiled code has as well.
constexpr uint64_t MixBy[] = {0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f, 0x165667b19e3779f9,
                              0xd6e8feb86659fd93};
constexpr uint64_t mix(uint64_t A, uint64_t B) {
  const uint64_t Y = (B ^ MixBy[1]) * MixBy[2];
  uint64_t X = ((A + MixBy[0]) * MixBy[3]) ^ (Y << 32 | Y >> 32);
  X = (X ^ X >> 29) * MixBy[1];
  return X ^ X >> 32;
}
/// What stands for a value without a number where it meets one that has: its bits.
constexpr uint64_t mixBits(uint64_t Bits) { return mix(Bits, MixBy[0]); }

/// What data decide.
struct Decision {
  enum Kind : uint8_t {
    Branch,  ///< which way a condition goes
    Address, ///< which place is read or written
    Threads, ///< what threads do with each other
    Call,    ///< something that is not followed
  };
  Kind K = Branch;
  Site At = 0;
  bool operator<(const Decision &O) const { return std::tie(At, K) < std::tie(O.At, O.K); }
};

/// The bytes of a region that a run has written, in their order, with their distance from the
/// region's origin.
using NumberedBytes = std::vector<std::pair<int64_t, ValueNumber>>;

class ValueNumbers {
public:
  explicit ValueNumbers(Memory &Space);
  ~ValueNumbers();

  /// For a new run.
  void clear();
  /// \p Pointer: what is loaded is one, and where pointers lead to is given by the launch.
  ValueNumber load(uint64_t Address, unsigned Bytes, bool Pointer = false);
  void store(uint64_t Address, unsigned Bytes, ValueNumber N);
  /// As memmove.
  void copy(uint64_t To, uint64_t From, uint64_t Bytes);
  /// Every byte is \p N.
  void fill(uint64_t To, uint64_t Bytes, ValueNumber N);
  /// Nobody has written it.
  void forget(uint64_t Begin, uint64_t Bytes);
  /// What stands for an address: memory lies elsewhere in the other version.
  uint64_t pointer(uint64_t Address);
  /// `|`, `&`, `^` of two values of \p Bytes, where each byte is one of an operand; Mixture: it is
  /// not so.
  enum class Bitwise : uint8_t { Or, And, Xor };
  static constexpr ValueNumber Mixture = 1;
  ValueNumber bitwise(Bitwise Op, ValueNumber A, uint64_t BitsOfA, ValueNumber B, uint64_t BitsOfB,
                      unsigned Bytes);

  /// \p N is the value that decides.
  void decide(Decision::Kind K, Site At, ValueNumber N) {
    if (!Deciding.insert(mix(N, K)).second)
      return;
    if (Decisions.size() < MostDecisions)
      Decisions.insert({K, At});
    Exhausted |= Deciding.size() > MostValues;
  }
  const std::set<Decision> &decisions() const { return Decisions; }
  /// The values that have decided, with what they have decided; whichever came first has its place
  /// in decisions().
  const std::unordered_set<ValueNumber> &deciding() const { return Deciding; }
  /// By the name of the region; shared memory is none of it.
  std::map<std::string, NumberedBytes> written() const;
  /// More values than a run can have: what is said of it is incomplete.
  bool isExhausted() const { return Exhausted; }

private:
  // What a byte is, if it is no byte of a number (whose size is never zero).
  static constexpr uint64_t Unset = 0, Concrete = 1, WithBits = 2;
  static constexpr bool hasNumber(uint64_t Byte) { return (Byte & 0xe0) != 0; }
  static constexpr uint64_t concrete(uint8_t Bits) { return uint64_t(Bits) << 8 | WithBits; }
  static constexpr size_t MostDecisions = 64, MostValues = size_t(1) << 21,
                          MostPages = size_t(1) << 13;

  struct Page {
    uint64_t Number = 0;
    std::array<uint64_t, PageBytes> Bytes;
  };
  Page *page(uint64_t Address) {
    const uint64_t Number = Address / PageBytes;
    Page *&Last = Recent[Number % std::size(Recent)];
    if (LLVM_UNLIKELY(!Last || Last->Number != Number))
      Last = find(Number);
    return Last;
  }
  Page *find(uint64_t Number);
  /// What is known of the byte, or what it was given as.
  uint64_t byteAt(uint64_t Address, bool Pointer);
  uint64_t given(uint64_t Address);
  void setByte(uint64_t Address, uint64_t Byte) {
    page(Address)->Bytes[Address % PageBytes] = Byte;
  }
  /// One value of the bytes; those that are concrete have their bits.
  ValueNumber join(llvm::ArrayRef<uint64_t> Bytes);
  void takeApart(ValueNumber N, uint64_t Bits, unsigned Bytes, uint64_t *To) const;

  Memory &Space;
  std::array<Page *, 64> Recent = {};
  llvm::DenseMap<uint64_t, std::unique_ptr<Page>> Pages;
  /// Of numbers that were put together: their bytes.
  llvm::DenseMap<ValueNumber, uint32_t> Joined; ///< where they begin in Parts
  std::vector<uint64_t> Parts;
  std::set<Decision> Decisions;
  std::unordered_set<ValueNumber> Deciding;
  bool Exhausted = false;
  Page Lost; ///< what there is no room for
};

} // namespace emulator
} // namespace cuda_pipeline

#endif
