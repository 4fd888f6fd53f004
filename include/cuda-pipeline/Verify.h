//===- Verify.h - Old against new ----------------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The last step: two versions of a file are run on the same data, and everything that they leave
/// behind is compared bit for bit. The emulator runs every case several times, under schedules and
/// landings of asynchronous copies that a GPU would rarely show, and looks for races, accesses out
/// of bounds, divergent barriers and copies in flight while it does.
///
/// The verdict is one of three. `pass`: every run of the new version was free of faults and left
/// what the old version left. `fail`: one did not, and the first difference or fault is named.
/// `cannot tell`: the old version is itself at fault, or depends on something that is not in the
/// description, or the emulator does not know something that the kernel uses. That is never a pass.
///
/// Everything here is plain data; the modules come from CompileDevice.h, the launches from
/// Launch.h.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_VERIFY_H
#define CUDA_PIPELINE_VERIFY_H

#include "cuda-pipeline/DeviceModule.h"
#include "cuda-pipeline/Launch.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cuda_pipeline {

enum class Verdict { Pass, Fail, CannotTell };
llvm::StringRef toString(Verdict V); ///< "pass", "fail", "cannot-tell"

/// Of several parts: one failure is a failure; without one, a single doubt is a doubt. No part at
/// all proves nothing.
template <class RangeT, class OfT> Verdict verdictOf(const RangeT &Parts, OfT Of) {
  bool Any = false, Doubt = false;
  for (const auto &P : Parts) {
    const Verdict V = Of(P);
    if (V == Verdict::Fail)
      return V;
    Any = true;
    Doubt |= V == Verdict::CannotTell;
  }
  return Any && !Doubt ? Verdict::Pass : Verdict::CannotTell;
}
template <class RangeT> Verdict verdictOf(const RangeT &Parts) {
  return verdictOf(Parts, [](const auto &P) { return P.Result; });
}

struct VerifyOptions {
  std::vector<uint64_t> Seeds = {1, 2}; ///< of the data; every case is run with each
  /// New runs per case and seed, at most 8: each has its own schedule, landing and poison.
  unsigned Runs = 4;
  double TimeoutSeconds = 60;           ///< per kernel description
  uint64_t MaxAccesses = 4000000000ull; ///< per run
  bool ReadsInBounds =
      false; ///< the assumption in-bounds: New may read what is described, read by Old or not
  bool Aliases = true; ///< of a search: pointers to one type may lead to the same memory
  /// Whether it is looked at if a pass holds for all data: of launches that are found, of described
  /// ones. It costs about as much as the runs.
  bool DataOfFound = true, DataOfDescribed = false;
  bool CoResident =
      false; ///< the assumption co-resident: blocks that wait for each other all fit on the GPU
  std::optional<std::array<uint64_t, 3>>
      Block;        ///< of a search: no other one, where the host code names none
  std::string Arch; ///< whose limits count for a launch; empty: those of the largest
};

/// How one run was made: enough to make it again.
struct VerifyRun {
  bool New = false;
  std::string Schedule; ///< "forwards", "backwards", "shuffled", "warp ahead"
  std::string Landing;  ///< "late", "early", "random"
  uint64_t Seed = 0;    ///< of the data
  uint64_t Poison = 0;  ///< of poison, shuffling, random landing
};

struct VerifyPlace {
  std::string File;
  unsigned Line = 0, Column = 0; ///< 0: unknown
};

struct VerifyFault {
  std::string Kind; ///< "race", "out-of-bounds", "misaligned", "read-only", "divergence",
                    ///< "copy-in-flight", "speculative-read", "launch", "input-changed", "trap",
                    ///< "unsupported", "crash", "timeout"
  std::string What;
  VerifyPlace At, Other;
  std::string Thread;
};

/// The first element that differs.
struct VerifyDifference {
  std::string Buffer;
  uint64_t Index = 0;
  std::string OldBits, NewBits;   ///< hexadecimal, of the element
  std::string OldValue, NewValue; ///< as a number of the element's type; empty for structs
  uint64_t Count = 0;             ///< of elements that differ in this buffer
};

/// A loop with a barrier in it, of the new version: how far its runs got.
struct VerifyLoop {
  VerifyPlace At;
  uint64_t Turns = 0; ///< as many as any thread has made in a row
  uint64_t Loads = 0; ///< turns in a row in which all that loads global memory was reached
  bool HasLoads = false;
  uint64_t Made = 0; ///< turns that a thread has made in a row, whatever they got to
  /// Two turns that load, and one more, show what comes after what.
  bool steady() const { return !HasLoads || (Turns >= 2 && Loads >= 2); }
};

/// On a GPU: medians over rounds in which both versions ran in turns.
struct VerifyTiming {
  double OldMicroseconds = 0, NewMicroseconds = 0; ///< per launch
  unsigned Rounds = 0;
};

/// A condition of the new version that is none of a loop: which ways it went.
struct VerifyGuard {
  VerifyPlace At;
  bool False = false, True = false;
};

/// A place where data decide something.
struct VerifyDecision {
  VerifyPlace At;
  std::string By; ///< "branch": which way it goes; "address": what is accessed; "threads": what
                  ///< they do together; "call": it is not followed
};

/// What a case says about other data (docs/verify.md, "All data").
struct VerifyData {
  /// Whatever is in memory, both versions leave the same bits, as long as data decide alike at
  /// these places.
  bool Same = false;
  std::vector<VerifyDecision> Decided; ///< of the original
  std::string Why;                     ///< in one line; empty if Same
};

struct VerifyCase {
  std::string Kernel, Case;
  Verdict Result = Verdict::Pass;
  std::string Reason; ///< one line; empty for a pass
  std::optional<VerifyFault> Fault;
  std::optional<VerifyDifference> Difference;
  std::optional<VerifyRun> Run; ///< in which it showed
  std::optional<VerifyTiming> Timing;
  std::vector<VerifyLoop> Loops;   ///< under emulation
  std::vector<VerifyGuard> Guards; ///< under emulation
  bool Found = false;              ///< nobody has described the launch: it was searched for
  unsigned Threads = 0;            ///< of a block
  std::array<uint64_t, 3> Block = {0, 0, 0}; ///< its extents; 0: nothing was launched
  /// All loops of the old version in which threads wait and something is loaded turn so often at
  /// most, whatever it is given, and have done so in this case; none: one does not, or there is
  /// none.
  std::optional<uint64_t> AlwaysTurns;
  bool OneWarp =
      false; ///< its launch bounds allow no more, or in larger blocks the original is no good
  bool OfWarps = false; ///< in the new version lanes of a warp synchronise with each other
  std::string Hidden;   ///< what no run of the kernel shows, whatever the launch, in words; empty:
                        ///< there is nothing
  /// Under emulation: why another order of the threads, or another landing of copies, could show
  /// something else than these runs; empty: it could not (docs/verify.md, "Every schedule").
  std::string Order;
  std::optional<VerifyData> Data; ///< under emulation, of a pass
  unsigned Runs = 0;              ///< runs made, of both versions
  uint64_t Accesses = 0;          ///< of memory, in all runs
  uint64_t Copies = 0;            ///< asynchronous ones, in all runs
};

struct VerifyReport {
  std::string Engine;           ///< "emulate" or "gpu"
  std::string Device;           ///< the GPU's name; empty under emulation
  std::string Old, New, Launch; ///< file names; Launch empty: inferred
  std::vector<uint64_t> Seeds;
  std::vector<std::string>
      Assumptions; ///< that were granted, and count for what was run; ids of Assumptions.def
  std::vector<VerifyCase> Cases;
  /// Kernels of the new file that no description launches.
  std::vector<std::string> NotCovered;
  /// Of these, and of the device functions that no kernel of the file uses, what the old version
  /// has otherwise or not at all: whatever passed, this did not.
  std::vector<std::string> ChangedNotRun;
  std::vector<std::string> Missing; ///< of these what only the old version has
  /// Kernels that the two versions have in different words; for their loops it is said if they have
  /// not turned often enough.
  std::vector<std::string> Changed;
  std::string Repeat; ///< the command that makes these runs again

  /// Of all cases the loops whose steady state no case has reached, by kernel.
  std::vector<std::pair<std::string, VerifyLoop>> notSteady() const;
  /// Why what passed under launches that were searched for proves nothing, by kernel: a pass needs
  /// the steady state of every loop that changed, and blocks of two warps where lanes of a warp
  /// wait for each other. (Where they do not, a warp is as good as many: threads of one warp race
  /// like any others.)
  std::vector<std::pair<std::string, std::string>> notShown() const;
  Verdict verdict() const;
};

/// What some cases have covered.
struct VerifyCoverage {
  std::set<uint64_t> Turns;   ///< in each case by the loop that made most
  std::set<unsigned> Threads; ///< of the blocks
  std::set<std::array<uint64_t, 3>> Blocks;
  unsigned Guards = 0, BothWays = 0; ///< conditions, and those that went both ways
  std::string Order;                 ///< as VerifyCase::Order, of all
  std::string Data; ///< why they say less than all about other data, in words; empty: they say all
};
/// \p Counts: the loops that it is about.
VerifyCoverage coverageOf(llvm::ArrayRef<const VerifyCase *> Cases,
                          llvm::function_ref<bool(const VerifyLoop &)> Counts);

/// The loops of some cases of a kernel, each as far as it has come in any of them: another instance
/// of the loop, or another case, that gets there is enough.
std::vector<VerifyLoop> furthestOf(llvm::ArrayRef<const VerifyCase *> Cases);

/// What these cases of a kernel cannot show, whatever they were given, in words:
/// VerifyCase::Hidden; or lanes of a warp wait for each other in launches that were searched for,
/// no block has another warp, and one could have. Empty: it is not so.
std::string neverShown(llvm::ArrayRef<const VerifyCase *> Cases);

/// One kernel of both versions and how it is launched.
struct VerifyKernel {
  KernelSignature Old, New;
  std::vector<ConcreteLaunch> Launches;
  /// There are none, so launches are searched for.
  bool Search = false;
  /// Nobody has described any: they are searched for, or those of the file's host code.
  bool Undescribed = false;
  /// A launch of the old file's with a constant amount of dynamic shared memory.
  struct KnownSize {
    std::optional<std::array<uint64_t, 3>> Block;
    uint64_t SharedBytes = 0;
    std::vector<uint64_t>
        New; ///< that the new file's host code gives there, if it is something else
    bool operator==(const KnownSize &O) const {
      return Block == O.Block && SharedBytes == O.SharedBytes;
    }
  };
  std::vector<KnownSize> Sizes = {};
  /// A block that the new version asks for, to do something else where it gets another one: it is
  /// run in this and in others.
  std::optional<std::array<uint64_t, 3>> Asked = std::nullopt;
  bool AsksAtLeast = false; ///< larger ones will do
  /// Of every version that there is, the old one first.
  std::vector<std::optional<SharedDemand>> Demands = {};
  /// Of a version that wants to know what it is given, which the old one does not.
  std::optional<SharedDemand> demand(size_t Version) const {
    return Version < Demands.size() && !Demands.front() ? Demands[Version] : std::nullopt;
  }
};

/// Of the kernels of one old version that several new ones are run against: each is loaded and
/// searched once, in this process and not in a child. A crash of the emulated kernel is one of this
/// process then, so it had better be a child itself.
class SearchedOriginals {
public:
  SearchedOriginals();
  ~SearchedOriginals();
  struct Known;
  std::unique_ptr<Known> Of;
};

/// Runs in child processes, so that neither a crash nor an endless loop of a kernel ends this one.
/// \p Originals: of \p Old.
std::vector<VerifyCase> emulate(const DeviceModule &Old, const DeviceModule &New,
                                llvm::ArrayRef<VerifyKernel> Kernels, const VerifyOptions &Options,
                                SearchedOriginals *Originals = nullptr);

/// For each kernel a description of launches that are searched for. It has been read and the
/// original run under it: no case is left in which that is no good. In child processes as well.
std::vector<FoundDescription> describeLaunches(const DeviceModule &Module,
                                               llvm::ArrayRef<KernelSignature> Kernels,
                                               const VerifyOptions &Options);

void writeText(const VerifyReport &Report, llvm::raw_ostream &OS);
llvm::json::Value toJSON(const VerifyReport &Report);

llvm::json::Value toJSON(const VerifyCase &Case);
/// False: not what toJSON() writes.
bool fromJSON(const llvm::json::Value &Value, VerifyCase &Case, llvm::json::Path Path);

} // namespace cuda_pipeline

#endif
