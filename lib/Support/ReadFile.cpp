//===- ReadFile.cpp - What is read is known, and stays as it was read ---------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadFile.h"
#include <mutex>
#include <set>

using namespace llvm;

namespace cuda_pipeline {
namespace {

struct Noted {
  std::mutex Lock;
  std::set<std::string> Names;
};
Noted &noted() {
  static Noted All;
  return All;
}

/// Volatile: read, not mapped.
ErrorOr<std::unique_ptr<MemoryBuffer>> copyOf(const Twine &Path, bool IsText) {
  return MemoryBuffer::getFile(Path, IsText, /*RequiresNullTerminator=*/true, /*IsVolatile=*/true);
}

} // namespace

void noteRead(StringRef Path) {
  std::lock_guard<std::mutex> Guard(noted().Lock);
  noted().Names.insert(Path.str());
}

std::vector<std::string> filesRead() {
  std::lock_guard<std::mutex> Guard(noted().Lock);
  return {noted().Names.begin(), noted().Names.end()};
}

ErrorOr<std::unique_ptr<MemoryBuffer>> readFile(const Twine &Path, bool IsText) {
  auto Buffer = copyOf(Path, IsText);
  if (Buffer)
    noteRead(Path.str());
  return Buffer;
}

ErrorOr<std::unique_ptr<MemoryBuffer>> lookInto(const Twine &Path) {
  return copyOf(Path, /*IsText=*/false);
}

} // namespace cuda_pipeline
