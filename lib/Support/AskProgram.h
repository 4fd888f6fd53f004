//===- AskProgram.h - What another program says to a question --------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Work that may crash or never end, for callers with several threads, where isolate() is not to be
/// had: a program of its own reads the question from its standard input, to the end, and writes the
/// answer to its standard output. It has its own process group, all of which is ended with it.
///
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_SUPPORT_ASKPROGRAM_H
#define CUDA_PIPELINE_LIB_SUPPORT_ASKPROGRAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <atomic>
#include <string>

namespace cuda_pipeline {

struct ProgramAnswer {
  enum { Given, Crashed, TimedOut, Stopped, NotStarted } End = Given;
  std::string Text;    ///< also what was written before a crash
  std::string Problem; ///< "signal 11 (Segmentation fault)"; empty when Given
};

/// \p Words: the path of the program, and its arguments. It is ended after \p Seconds, or soon
/// after another thread has set \p Stop.
ProgramAnswer askProgram(llvm::ArrayRef<std::string> Words, llvm::StringRef Question,
                         double Seconds, const std::atomic<bool> &Stop);

} // namespace cuda_pipeline

#endif
