//===- TestFiles.h - Files in a temporary directory -------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUDA_PIPELINE_UNITTESTS_SOURCE_TESTFILES_H
#define CUDA_PIPELINE_UNITTESTS_SOURCE_TESTFILES_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <string>

namespace cuda_pipeline {

/// A directory that goes away with the object.
class TestDir {
public:
  TestDir() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("cuda-pipeline-source", Path));
    llvm::SmallString<256> Real;
    EXPECT_FALSE(llvm::sys::fs::real_path(Path, Real));
    Path = Real;
  }
  ~TestDir() { llvm::sys::fs::remove_directories(Path); }

  std::string path(llvm::StringRef Name = "") const {
    llvm::SmallString<256> Full(Path);
    if (!Name.empty())
      llvm::sys::path::append(Full, Name);
    return std::string(Full);
  }

  /// Writes a file, with the directories that it needs. Returns its path.
  std::string write(llvm::StringRef Name, llvm::StringRef Text) const {
    std::string Full = path(Name);
    EXPECT_FALSE(llvm::sys::fs::create_directories(llvm::sys::path::parent_path(Full)));
    std::error_code Error;
    llvm::raw_fd_ostream OS(Full, Error);
    EXPECT_FALSE(Error) << Error.message();
    OS << Text;
    return Full;
  }

private:
  llvm::SmallString<256> Path;
};

} // namespace cuda_pipeline

#endif
