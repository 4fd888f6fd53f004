//===- Isolate.h - Work that may crash or never end -----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_VERIFY_ISOLATE_H
#define CUDA_PIPELINE_LIB_VERIFY_ISOLATE_H

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

/// Runs \p Work in a child process that is ended after \p Seconds. What it passes to `Emit` arrives in
/// Output. Nothing that it changes in memory is seen here.
IsolatedRun isolate(llvm::function_ref<void(llvm::function_ref<void(llvm::StringRef)> Emit)> Work,
                    double Seconds);

} // namespace cuda_pipeline

#endif
