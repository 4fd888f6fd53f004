//===- Program.h - A kernel that can be run on the machine ----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// A DeviceModule is lowered (Lower.h), compiled in memory, and its kernels are run with concrete
/// arguments: first the buffers are laid out in the machine's memory and filled, then the machine
/// runs the blocks, then the buffers are read back.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_VERIFY_EMULATOR_PROGRAM_H
#define CUDA_PIPELINE_VERIFY_EMULATOR_PROGRAM_H

#include "Lower.h"
#include "Machine.h"
#include "OpenMemory.h"
#include "cuda-pipeline/DeviceModule.h"
#include "llvm/Support/Error.h"
#include <map>
#include <memory>

namespace llvm::orc {
class LLJIT;
}

namespace cuda_pipeline {
namespace emulator {

/// An argument or variable with its bytes.
struct RunBuffer {
  std::string Name;
  std::string Mangled; ///< of a variable
  uint64_t ElementBytes = 1;
  std::vector<uint8_t> Bytes;
};

struct RunArgument {
  enum { Scalar, Buffer, Null, Open } Is = Scalar;
  std::vector<uint8_t> Value; ///< scalars: in the parameter's type
  unsigned BufferIndex = 0;   ///< in RunRequest::Buffers, or OpenBuffers
  uint64_t Offset = 0;        ///< bytes into the buffer
  /// Scalars that are structs: pointers in them, by their offset; the number of an open buffer.
  std::vector<std::pair<uint64_t, unsigned>> Pointers;
};

struct RunRequest {
  std::string Kernel; ///< mangled
  std::array<uint64_t, 3> Grid = {1, 1, 1}, Block = {1, 1, 1};
  uint64_t DynamicShared = 0;
  std::vector<RunBuffer> Buffers;
  std::vector<RunArgument> Arguments;
  /// Contents of `__device__` and `__constant__` variables by name; others keep their initialisers.
  std::vector<RunBuffer> Globals;
  /// To read anything else of the buffers, or of the user's variables (by mangled name), is a fault
  /// that is noted; empty: no limits.
  std::vector<ByteSet> MayReadBuffers;
  std::map<std::string, ByteSet> MayReadVariables;
  /// Memory without sizes: what it holds, also what variables hold that nothing initialises. None:
  /// there is none of it.
  std::optional<OpenData> Open;
  std::vector<OpenBuffer> OpenBuffers;
  std::optional<std::map<std::string, OpenSet>>
      MayReadOpen; ///< by name of the region; none: no limits
};

struct RunResult {
  std::optional<Fault> Failed;
  std::optional<Fault>
      Speculated; ///< the first read that was none of MayReadBuffers and MayReadVariables
  std::vector<RunBuffer> Buffers; ///< as the kernel left them
  /// The user's `__device__` variables, before the run and behind it.
  std::vector<RunBuffer> VariablesBefore, Variables;
  /// Which bytes were read, of the buffers and of the user's variables.
  std::vector<ByteSet> ReadOfBuffers;
  std::map<std::string, ByteSet> ReadOfVariables;
  std::map<std::string, OpenImage>
      Opens; ///< open regions by name, also those that pointers in memory lead to
  std::map<std::string, uint8_t> Hints;  ///< LoadHint, by name of a region or variable
  std::vector<Machine::LoopTurns> Loops; ///< as LoweredModule::Loops
  std::vector<uint8_t> Guards; ///< two for each of LoweredModule::Guards: it was false, it was true
  uint64_t DynamicUsed =
      0; ///< so many bytes of dynamic shared memory, counted to the last one that was touched
  Statistics Stats;
  /// Of a numbered program: what was written and what data have decided, by place.
  std::map<std::string, NumberedBytes> Numbers;
  std::set<Decision> Decisions;
  std::unordered_set<ValueNumber> Deciding;
  bool NumbersAreLost = false; ///< of some values
};

/// Of a block, static and dynamic: 227 KB, as much as any GPU has (compute capability 9.0, 10.0).
constexpr uint64_t MaxSharedBytes = 232448;

/// Arrays in static shared memory that a kernel and what it calls name, with their sizes, and those
/// of them that nvcc certainly keeps.
struct StaticShared {
  std::map<std::string, uint64_t> Declared, Kept; ///< by mangled name
};
/// It takes as long as a compilation does.
llvm::Expected<StaticShared> staticShared(const DeviceModule &From, llvm::StringRef Kernel);

class Program {
public:
  ~Program();
  /// \p Kernels: mangled names. \p WithHints: hints() are wanted. Errors are one line.
  /// \p Numbered: its runs number their values: RunResult::Numbers. \p Elsewhere: as in Memory.
  static llvm::Expected<std::unique_ptr<Program>>
  load(const DeviceModule &Module, llvm::ArrayRef<std::string> Kernels, bool WithHints = false,
       bool Numbered = false, bool Elsewhere = false);
  llvm::Expected<RunResult> run(const RunRequest &Request, const MachineOptions &Options);

  /// "kernel.cu:41:12", or empty.
  std::string place(Site S) const;
  const SourcePlace &source(Site S) const {
    return Lowered.Sites[S < Lowered.Sites.size() ? S : 0];
  }
  /// Sizes of the user's device variables by name, in bytes.
  const std::vector<LoweredModule::DeviceVariable> &variables() const { return Lowered.Variables; }
  /// The source has it, and the kernels do not use it.
  bool isUnused(llvm::StringRef Variable) const {
    return llvm::is_contained(Lowered.Unused, Variable);
  }
  /// LoweredModule::Unseen and its place; LoweredModule::Waits.
  std::pair<std::string, Site> unseen() const { return {Lowered.Unseen, Lowered.UnseenAt}; }
  Site waits() const { return Lowered.Waits; }
  uint64_t staticSharedBytes() const;
  const std::vector<LoweredModule::TurningLoop> &loops() const { return Lowered.Loops; }
  const std::vector<LoweredModule::Guard> &guards() const { return Lowered.Guards; }
  const LaunchHints &hints() const { return Lowered.Hints; }
  /// The numbers that a layout consists of, if they are all of one kind; else bytes.
  ElementType scalarOf(int Layout) const;
  bool usesDynamicShared() const {
    return llvm::any_of(Lowered.Shared,
                        [](const LoweredModule::SharedVariable &S) { return S.Dynamic; });
  }

private:
  Program() = default;
  /// The variables that a kernel can change, as they are now.
  std::vector<RunBuffer> userVariables(const OpenMemory *Open) const;
  LoweredModule Lowered;
  std::unique_ptr<Memory> Space;
  std::unique_ptr<ValueNumbers> Numbers; ///< none: they are not wanted
  std::unique_ptr<llvm::orc::LLJIT> Jit;
  std::map<std::string, KernelEntry> Entries;
  std::vector<uint64_t> SharedAddresses; ///< as Lowered.Shared
  std::vector<uint64_t> VariableAddresses, FunctionAddresses;
  std::vector<std::vector<uint8_t>> Initial; ///< of the variables
  /// What has a name: where it begins and ends.
  struct Named {
    uint64_t End;
    std::string Mangled;
  };
  std::map<uint64_t, Named> Places;
  /// Puts a number that is made of the name in place of each address of a function or variable: two
  /// versions of a program have them at different addresses.
  void nameAddresses(llvm::MutableArrayRef<uint8_t> Bytes, const OpenMemory *Open = nullptr) const;
  std::vector<TypeLayout> Layouts; ///< DeviceModule::Layouts
};

} // namespace emulator
} // namespace cuda_pipeline

#endif
