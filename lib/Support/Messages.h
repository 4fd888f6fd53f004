//===- Messages.h - What other programs say ----------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_LIB_SUPPORT_MESSAGES_H
#define CUDA_PIPELINE_LIB_SUPPORT_MESSAGES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cuda_pipeline {

/// Of a compiler's many lines the first one that says what is wrong, else the last one.
inline std::string tellingLine(llvm::StringRef Output) {
  llvm::StringRef Last;
  while (!Output.empty()) {
    llvm::StringRef Line;
    std::tie(Line, Output) = Output.split('\n');
    if (Line.contains_insensitive("error") || Line.contains("fatal"))
      return Line.trim().str();
    if (!Line.trim().empty())
      Last = Line.trim();
  }
  return Last.str();
}

/// One word for a shell: within single quotes nothing means anything, except a single quote.
inline std::string shellWord(llvm::StringRef Text) {
  std::string Result = "'";
  for (char C : Text)
    Result += C == '\'' ? "'\\''" : std::string(1, C);
  return Result + "'";
}

} // namespace cuda_pipeline

#endif
