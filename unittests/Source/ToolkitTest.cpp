//===- ToolkitTest.cpp - Finding a CUDA installation ------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestFiles.h"
#include "cuda-pipeline/Source.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace cuda_pipeline;

namespace {
/// Environment variables are put back as they were.
class ToolkitSearch : public ::testing::Test {
protected:
  TestDir Dir;

  void SetUp() override {
    for (const char *Name : {"CUDA_PATH", "CUDA_HOME", "PATH"}) {
      const char *Value = getenv(Name);
      Saved.emplace_back(Name, Value ? std::optional<std::string>(Value) : std::nullopt);
      unsetenv(Name);
    }
  }
  void TearDown() override {
    for (const auto &[Name, Value] : Saved)
      if (Value)
        setenv(Name.c_str(), Value->c_str(), 1);
      else
        unsetenv(Name.c_str());
  }

  /// A toolkit that has what is looked at.
  std::string make(llvm::StringRef Name, bool Cccl = false) {
    Dir.write((Name + "/include/cuda_runtime.h").str(), "");
    Dir.write((Name + "/include/cuda.h").str(), "#define CUDA_VERSION 12040\n");
    if (Cccl)
      Dir.write((Name + "/include/cccl/nv/target").str(), "");
    return Dir.path(Name);
  }
  std::optional<Toolkit> find(llvm::StringRef Path) {
    auto Found = findToolkit(Path);
    if (Found)
      return *Found;
    ADD_FAILURE() << llvm::toString(Found.takeError());
    return std::nullopt;
  }

private:
  std::vector<std::pair<std::string, std::optional<std::string>>> Saved;
};
} // namespace

TEST_F(ToolkitSearch, AtThePathGiven) {
  std::string Root = make("cuda");
  std::optional<Toolkit> Found = find(Root);
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Root, Root);
  EXPECT_EQ(Found->CcclInclude, "");
  EXPECT_EQ(Found->Version, "12.4");
}

TEST_F(ToolkitSearch, WithCccl) {
  std::string Root = make("cuda", /*Cccl=*/true);
  std::optional<Toolkit> Found = find(Root);
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->CcclInclude, Root + "/include/cccl");
}

TEST_F(ToolkitSearch, VersionFromJsonFirst) {
  std::string Root = make("cuda");
  Dir.write("cuda/version.json", "{\"cuda\": {\"name\": \"SDK\", \"version\": \"13.0.1\"}}");
  EXPECT_EQ(find(Root)->Version, "13.0");
  Dir.write("cuda/version.json", "not json");
  EXPECT_EQ(find(Root)->Version, "12.4");
}

TEST_F(ToolkitSearch, HeadersBelowTargets) {
  make("conda/targets/x86_64-linux");
  std::optional<Toolkit> Found = find(Dir.path("conda"));
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Root, Dir.path("conda/targets/x86_64-linux"));
}

TEST_F(ToolkitSearch, NothingAtThePathGiven) {
  auto Found = findToolkit(Dir.path("nowhere"));
  ASSERT_FALSE(Found);
  std::string Text = llvm::toString(Found.takeError());
  EXPECT_NE(Text.find("no CUDA toolkit in '" + Dir.path("nowhere") + "'"), std::string::npos)
      << Text;
  EXPECT_NE(Text.find("--cuda-path=none"), std::string::npos) << Text;
}

TEST_F(ToolkitSearch, NoneIsNone) {
  setenv("CUDA_PATH", make("cuda").c_str(), 1);
  EXPECT_FALSE(find("none"));
}

TEST_F(ToolkitSearch, EnvironmentInOrder) {
  setenv("CUDA_HOME", make("home").c_str(), 1);
  EXPECT_EQ(find("")->Root, Dir.path("home"));
  setenv("CUDA_PATH", make("path").c_str(), 1);
  EXPECT_EQ(find("")->Root, Dir.path("path"));
  setenv("CUDA_PATH", Dir.path("nowhere").c_str(), 1); // passed over, not an error
  EXPECT_EQ(find("")->Root, Dir.path("home"));
}

TEST_F(ToolkitSearch, NvccOnPathThroughALink) {
  make("cuda");
  std::string Nvcc = Dir.write("cuda/bin/nvcc", "#!/bin/sh\n");
  ASSERT_FALSE(llvm::sys::fs::setPermissions(Nvcc, llvm::sys::fs::all_all));
  Dir.write("bin/other", "");
  ASSERT_FALSE(llvm::sys::fs::create_link(Nvcc, Dir.path("bin/nvcc")));
  setenv("PATH", Dir.path("bin").c_str(), 1);
  std::optional<Toolkit> Found = find("");
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Root, Dir.path("cuda"));
}
