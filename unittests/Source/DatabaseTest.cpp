//===- DatabaseTest.cpp - Flags from compile_commands.json ------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestFiles.h"
#include "cuda-pipeline/Source.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;
using Strings = std::vector<std::string>;

namespace {
class Database : public ::testing::Test {
protected:
  TestDir Dir;

  void entries(llvm::StringRef Json) { Dir.write("build/compile_commands.json", Json); }
  std::string entry(llvm::StringRef File, llvm::StringRef Command) {
    return "{\"directory\": \"" + Dir.path("build") + "\", \"file\": \"" + File.str() +
           "\", \"command\": \"" + Command.str() + "\"}";
  }
  std::optional<CompileFlags> find(llvm::StringRef File) {
    auto All = FlagDatabase::load(Dir.path("build"));
    if (!All) {
      ADD_FAILURE() << llvm::toString(All.takeError());
      return std::nullopt;
    }
    auto Found = All->flagsOf(File);
    if (Found)
      return *Found;
    ADD_FAILURE() << llvm::toString(Found.takeError());
    return std::nullopt;
  }
  std::string error(llvm::StringRef BuildDir) {
    auto All = FlagDatabase::load(BuildDir);
    if (!All)
      return llvm::toString(All.takeError());
    auto Found = All->flagsOf("a.cu");
    return Found ? "" : llvm::toString(Found.takeError());
  }
};
} // namespace

TEST_F(Database, AbsoluteFile) {
  std::string A = Dir.write("a.cu", "");
  entries("[" + entry(A, "nvcc -DA -arch=sm_86 -c " + A + " -o a.o") + "]");
  std::optional<CompileFlags> Flags = find(A);
  ASSERT_TRUE(Flags);
  EXPECT_EQ(Flags->ClangArgs, Strings({"-DA"}));
  EXPECT_EQ(Flags->Archs, Strings({"sm_86"}));
  EXPECT_EQ(Flags->Directory, Dir.path("build"));
}

TEST_F(Database, FileRelativeToTheEntrysDirectory) {
  std::string A = Dir.write("a.cu", "");
  entries("[" + entry("../a.cu", "nvcc -DA -c ../a.cu") + "]");
  ASSERT_TRUE(find(A));
  EXPECT_TRUE(find(Dir.path("build") + "/../a.cu"));
}

TEST_F(Database, FileThroughALink) {
  std::string A = Dir.write("src/a.cu", "");
  ASSERT_FALSE(llvm::sys::fs::create_link("src", Dir.path("link")));
  entries("[" + entry(A, "nvcc -DA -c " + A) + "]");
  EXPECT_TRUE(find(Dir.path("link/a.cu")));
}

TEST_F(Database, QuotesInTheCommand) {
  std::string A = Dir.write("a.cu", "");
  entries("[" +
          entry(A, "nvcc \\\"--generate-code=arch=compute_80,code=[compute_80,sm_80]\\\" "
                   "-DS=\\\\\\\"x\\\\\\\" -c " +
                       A) +
          "]");
  std::optional<CompileFlags> Flags = find(A);
  ASSERT_TRUE(Flags);
  EXPECT_EQ(Flags->Archs, Strings({"sm_80"}));
  EXPECT_EQ(Flags->ClangArgs, Strings({"-DS=\"x\""}));
}

TEST_F(Database, ArgumentsInsteadOfACommand) {
  std::string A = Dir.write("a.cu", "");
  entries("[{\"directory\": \"/\", \"file\": \"" + A +
          "\", \"arguments\": [\"nvcc\", \"-DA B\", \"-c\", \"a.cu\"]}]");
  std::optional<CompileFlags> Flags = find(A);
  ASSERT_TRUE(Flags);
  EXPECT_EQ(Flags->ClangArgs, Strings({"-DA B"}));
  EXPECT_EQ(Flags->Directory, "/");
}

TEST_F(Database, FirstOfSeveralEntries) {
  std::string A = Dir.write("a.cu", "");
  entries("[" + entry(A, "nvcc -DFIRST -c " + A) + "," + entry(A, "nvcc -DSECOND -c " + A) + "]");
  std::optional<CompileFlags> Flags = find(A);
  ASSERT_TRUE(Flags);
  EXPECT_EQ(Flags->ClangArgs, Strings({"-DFIRST"}));
}

TEST_F(Database, NoEntryIsNoGuess) {
  std::string A = Dir.write("a.cu", "");
  Dir.write("other/a.cu", "");
  entries("[" + entry(A, "nvcc -DA -c " + A) + "]");
  EXPECT_FALSE(find(Dir.path("a.cuh")));
  EXPECT_FALSE(find(Dir.path("other/a.cu")));
}

TEST_F(Database, OptionsFileRelativeToTheEntry) {
  std::string A = Dir.write("a.cu", "");
  Dir.write("build/a.rsp", "-DA");
  entries("[" + entry(A, "nvcc --options-file a.rsp -c " + A) + "]");
  std::optional<CompileFlags> Flags = find(A);
  ASSERT_TRUE(Flags);
  EXPECT_EQ(Flags->ClangArgs, Strings({"-DA"}));
}

TEST_F(Database, Missing) {
  std::string Text = error(Dir.path("nowhere"));
  EXPECT_NE(Text.find("no compile_commands.json in '" + Dir.path("nowhere") + "'"),
            std::string::npos)
      << Text;
  EXPECT_NE(Text.find("CMAKE_EXPORT_COMPILE_COMMANDS"), std::string::npos);
}

TEST_F(Database, Malformed) {
  for (const char *Json : {"", "{", "[{]", "{\"a\": 1}", "[1]", "[{\"file\": \"a.cu\"}]"}) {
    entries(Json);
    std::string Text = error(Dir.path("build"));
    EXPECT_NE(Text.find("cannot read"), std::string::npos) << Json << ": " << Text;
    EXPECT_EQ(Text.find('\n'), std::string::npos) << Text;
  }
}

TEST_F(Database, AllEntriesOfAFile) {
  std::string A = Dir.write("a.cu", "");
  entries("[" + entry(A, "nvcc -DA -c " + A) + "," + entry(A, "nvcc -DB -c " + A) + "," +
          entry(A, "nvcc -DA -o x.o -c " + A) + "," + entry(A, "nvcc -DC -E " + A) + "," +
          entry(A, "nvcc -x c++ -DD -c " + A) + "]");
  auto All = FlagDatabase::load(Dir.path("build"));
  ASSERT_TRUE(bool(All));
  auto Ways = All->allFlagsOf(A);
  ASSERT_TRUE(bool(Ways));
  ASSERT_EQ(Ways->size(), 2u);
  EXPECT_EQ((*Ways)[0].ClangArgs, Strings({"-DA"}));
  EXPECT_EQ((*Ways)[1].ClangArgs, Strings({"-DB"}));
  EXPECT_EQ((*Ways)[1].From, "entry 2 of '" + Dir.path("build") + "/compile_commands.json'");
  EXPECT_TRUE(All->allFlagsOf(Dir.path("b.cu"))->empty());
}
