//===- Fibre.h - Stacks that can be switched ------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// One fibre per CUDA thread. On x86-64 a switch saves the callee-saved registers and
/// swaps stacks (a few nanoseconds); elsewhere it is ucontext, which makes two system calls.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_VERIFY_EMULATOR_FIBRE_H
#define CUDA_PIPELINE_VERIFY_EMULATOR_FIBRE_H

#include <cstddef>
#include <cstdint>
#include <ucontext.h>

namespace cuda_pipeline {
namespace emulator {

/// Where a flow of control is suspended.
struct Context {
  void *StackPointer = nullptr;
  ucontext_t Portable;
  // For the address sanitizer, which wants to know about stacks.
  void *FakeStack = nullptr;
  const void *StackBottom = nullptr;
  size_t StackSize = 0;
};

/// The stacks of the threads of a block, which is all that there is in a process at a time. They
/// stay where they are from run to run, for a mapping and a guard page for each are what a short
/// run takes longest for.
class Stacks {
public:
  static constexpr size_t Most = 1024, Bytes = 512 * 1024,
                          GuardBytes = 4096; ///< Bytes: of one, its guard page included
  static Stacks &get();
  /// The lowest byte of the guard page of the \p Index-th.
  void *stack(size_t Index);
  /// All are zeros again, as fresh memory is.
  void clear();

private:
  Stacks();
  char *Base;
  size_t Guarded = 0; ///< so many have their guard page
};

class Fibre {
public:
  /// On a stack of Stacks::Bytes.
  explicit Fibre(void *Stack);
  Fibre(const Fibre &) = delete;

  /// Makes the fibre start over at \p Entry(\p Argument), which must never return.
  void reset(void (*Entry)(void *), void *Argument);
  /// Suspends \p From and runs the fibre from where it was.
  void enter(Context &From);
  /// Suspends the fibre and goes on in \p To.
  void leave(Context &To);
  /// The same for the last time, until reset().
  void finish(Context &To);

  uint64_t stackBegin() const { return reinterpret_cast<uint64_t>(Base) + Stacks::GuardBytes; }
  uint64_t stackEnd() const { return reinterpret_cast<uint64_t>(Base) + Stacks::Bytes; }

private:
  static void start();
  void *Base;
  Context Self;
  void (*Entry)(void *) = nullptr;
  void *Argument = nullptr;
};

} // namespace emulator
} // namespace cuda_pipeline

#endif
