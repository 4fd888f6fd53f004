//===- Lower.h - GPU code becomes host code that asks before it touches ---===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Takes a module as Clang made it for the GPU and turns it into one for the host:
///
/// 1. What no wanted kernel reaches is dropped.
/// 2. Built-in variables become loads from the running thread's context; barriers, fences and
/// special
///    registers become calls to the machine; inline PTX becomes a call to the interpreter.
/// 3. `__shared__` variables become addresses in the machine's shared memory; `__device__` and
///    `__constant__` variables stay variables, whose place the machine is told.
/// 4. Every load and store, except of a local variable that is used within its bounds, is announced
///    to the machine with its size, alignment and source line.
/// 5. Each kernel gets an entry that takes its arguments as an array of pointers.
///
/// The address spaces need no work: host back ends take the numbers below 256 for flat memory.
/// Whatever is not known is named in the error.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_VERIFY_EMULATOR_LOWER_H
#define CUDA_PIPELINE_VERIFY_EMULATOR_LOWER_H

#include "../Ptx/Ptx.h"
#include "LaunchHints.h"
#include "Shadow.h"
#include "cuda-pipeline/DeviceModule.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/TargetParser/Triple.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cuda_pipeline {
namespace emulator {

struct SourcePlace {
  std::string File;
  unsigned Line = 0, Column = 0;
};

/// What the compiled module needs from outside of itself, and what is known about it.
struct LoweredModule {
  /// Site -> place; entry 0 is "unknown".
  std::vector<SourcePlace> Sites;
  /// The code refers to these by address: they must live as long as it does.
  std::vector<std::unique_ptr<PtxBlock>> Ptx;
  /// `__shared__` arrays with their place in shared memory. Dynamic ones have size 0 here.
  struct SharedVariable {
    std::string Name;
    uint64_t Bytes = 0, Align = 1, ElementBytes = 1;
    bool Dynamic = false;
    std::string Symbol; ///< an external symbol whose address is the array's
  };
  std::vector<SharedVariable> Shared;
  struct DeviceVariable {
    std::string Name; ///< as in the source, without scopes
    std::string Mangled;
    std::string Symbol;
    uint64_t Bytes = 0;
    bool Constant = false; ///< nobody writes it
    bool InConstantMemory = false;
    bool Initialised = false; ///< with something else than zeros
    /// The numbers and pointers in it by their offsets, of which those of half precision look like
    /// short integers.
    std::vector<TypeLayout::Leaf> Leaves;
    bool User = true; ///< declared by the user, not made by the compiler (string literals)
  };
  std::vector<DeviceVariable> Variables;
  /// Loops in which threads wait for each other, by the number with which they report their turns.
  struct TurningLoop {
    unsigned Site = 0;
    unsigned Loads = 0;      ///< places in it where a turn loads global memory; each reports, too
    std::vector<bool> Aside; ///< of these places: no turn that comes by waits anywhere
    bool AsksFirst =
        false; ///< its head asks whether to go on, and is reached once more than the loop turns
    std::optional<uint64_t> Always; ///< turns that it makes whatever the kernel is given
    uint64_t turns(uint64_t Reached) const { return AsksFirst && Reached ? Reached - 1 : Reached; }
  };
  std::vector<TurningLoop> Loops;
  /// Conditions of the user's code by which it goes one way or the other, by the number with which
  /// they report; none of loops.
  struct Guard {
    unsigned Site = 0;
  };
  std::vector<Guard> Guards;
  LaunchHints Hints;
  /// With hints: the place of what a loop waits for (Waits.h); 0: none does.
  unsigned Waits = 0;
  /// A function without a body that the kernels may call: its name, and where; empty: there is
  /// none.
  std::string Unseen;
  unsigned UnseenAt = 0;
  /// Functions whose addresses are values of the program.
  struct AddressedFunction {
    std::string Mangled, Symbol;
  };
  std::vector<AddressedFunction> Functions;
  /// Names of the user's device variables that no kernel uses.
  std::vector<std::string> Unused;
};

/// The symbol of the entry of \p Kernel (a mangled name).
std::string entrySymbol(llvm::StringRef Kernel);

/// Lowers \p M in place. \p Kernels: mangled names of those that will be run. \p WithHints: also
/// what a search for launches asks the code (LaunchHints.h).
/// \p Numbered: the code numbers its values (NumberValues.h); loops and conditions are not counted.
llvm::Expected<LoweredModule> lower(llvm::Module &M, llvm::ArrayRef<std::string> Kernels,
                                    const llvm::Triple &Host, const llvm::DataLayout &HostLayout,
                                    bool WithHints, bool Numbered = false);

} // namespace emulator
} // namespace cuda_pipeline

#endif
