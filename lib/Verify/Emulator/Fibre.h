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

class Fibre {
public:
  /// \p Bytes of stack with a guard page below.
  explicit Fibre(size_t Bytes);
  ~Fibre();
  Fibre(const Fibre &) = delete;

  /// Makes the fibre start over at \p Entry(\p Argument), which must never return.
  void reset(void (*Entry)(void *), void *Argument);
  /// Suspends \p From and runs the fibre from where it was.
  void enter(Context &From);
  /// Suspends the fibre and goes on in \p To.
  void leave(Context &To);
  /// The same for the last time, until reset().
  void finish(Context &To);

  uint64_t stackBegin() const { return reinterpret_cast<uint64_t>(Base) + GuardBytes; }
  uint64_t stackEnd() const { return reinterpret_cast<uint64_t>(Base) + Bytes; }

private:
  static constexpr size_t GuardBytes = 4096;
  static void start();
  void *Base;
  size_t Bytes;
  Context Self;
  void (*Entry)(void *) = nullptr;
  void *Argument = nullptr;
};

} // namespace emulator
} // namespace cuda_pipeline

#endif
