//===- Isolate.h - Work that may crash or never end -----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Work in child processes: what crashes, never ends or eats up the memory there is a result like
/// any other here. The caller must have one thread only, as a child has a copy of that one.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_SUPPORT_ISOLATE_H
#define CUDA_PIPELINE_LIB_SUPPORT_ISOLATE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace cuda_pipeline {

struct IsolatedRun {
  /// Everything that the work has emitted, also before a crash.
  std::string Output;
  enum { Finished, Crashed, TimedOut, NotStarted } End = Finished;
  std::string Problem; ///< "signal 11 (Segmentation fault)"; empty when Finished
};

/// \p Status, of waitpid(): "signal 11 (Segmentation fault)", "exit status 3"; empty where the
/// process came to its end with 0.
std::string crashInWords(int Status);

using EmitText = llvm::function_ref<void(llvm::StringRef)>;

/// Runs \p Work in a child process that is ended after \p Seconds. What it passes to `Emit` arrives
/// in Output. Nothing that it changes in memory is seen here.
IsolatedRun isolate(llvm::function_ref<void(EmitText Emit)> Work, double Seconds);

/// The same for Work(0) to Work(\p Count - 1), \p AtOnce of them at a time and begun in this order.
/// \p Done is called here as each of them ends; \p Seconds is the time for one.
void isolateAll(unsigned Count, unsigned AtOnce, llvm::function_ref<double(unsigned)> Seconds,
                llvm::function_ref<void(unsigned, EmitText Emit)> Work,
                llvm::function_ref<void(unsigned, IsolatedRun)> Done);

} // namespace cuda_pipeline

#endif
