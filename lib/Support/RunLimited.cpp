//===- RunLimited.cpp - Another program, for so many seconds ---------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RunLimited.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace cuda_pipeline {

int runLimited(std::vector<std::string> Words, StringRef Log, unsigned Seconds,
               std::string &Problem) {
  const std::string Limit = std::to_string(Seconds);
  // The wait below would end the program alone.
  ErrorOr<std::string> Timeout = sys::findProgramByName("timeout");
  const bool ByTimeout = Seconds && Timeout;
  if (ByTimeout) {
    Words.insert(Words.begin(), {*Timeout, "-s", "KILL", Limit});
    Seconds += 10;
  }
  const std::vector<StringRef> Arguments(Words.begin(), Words.end());
  const std::optional<StringRef> Redirects[] = {StringRef(), Log, Log};
  const int Code = sys::ExecuteAndWait(Words.front(), Arguments, std::nullopt, Redirects, Seconds,
                                       /*MemoryLimit=*/0, &Problem);
  if (ByTimeout && (Code == 128 + 9 || Code == -2)) {
    Problem = "not done after " + Limit + " s";
    return -1;
  }
  if (Code < 0 && Problem.empty())
    Problem = "crashed";
  return Code;
}

} // namespace cuda_pipeline
