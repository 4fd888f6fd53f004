//===- UnifiedDiffTest.cpp - Line diff in unified format -----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/UnifiedDiff.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "gtest/gtest.h"
#include <random>

using namespace cuda_pipeline;
using namespace llvm;

namespace {

std::string diff(StringRef Old, StringRef New, StringRef OldName = "f", StringRef NewName = "f") {
  std::string S;
  raw_string_ostream OS(S);
  unifiedDiff(OldName, NewName, Old, New, OS);
  return S;
}

TEST(UnifiedDiff, Golden) {
  EXPECT_EQ(diff("a\n", "a\n"), "");
  EXPECT_EQ(diff("", ""), "");
  EXPECT_EQ(diff("", "a\nb\n"), "--- f\n+++ f\n@@ -0,0 +1,2 @@\n+a\n+b\n");
  EXPECT_EQ(diff("a\n", ""), "--- f\n+++ f\n@@ -1 +0,0 @@\n-a\n");
  EXPECT_EQ(diff("a\n", "b\n"), "--- f\n+++ f\n@@ -1 +1 @@\n-a\n+b\n");
  EXPECT_EQ(diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n"),
            "--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n");
}

TEST(UnifiedDiff, HunksJoinWhenTheirContextsMeet) {
  // Six lines between two changes: one hunk. Seven: two.
  auto Hunks = [](unsigned Between) {
    std::string Middle;
    for (unsigned I = 0; I < Between; ++I)
      Middle += "m" + std::to_string(I) + "\n";
    std::string D = diff("a\n" + Middle + "b\n", "A\n" + Middle + "B\n");
    return StringRef(D).count("@@ -");
  };
  EXPECT_EQ(Hunks(6), 1u);
  EXPECT_EQ(Hunks(7), 2u);
}

TEST(UnifiedDiff, LinesAreFoundAgainHoweverDeepTheyStand) {
  using Map = std::vector<unsigned>;
  EXPECT_EQ(matchLines("", "a\n"), Map({0}));
  EXPECT_EQ(matchLines("a\n", ""), Map({0, 0}));
  EXPECT_EQ(matchLines("a\n  b\nc", "a\nx\n    b\r\n  c\n"), Map({0, 1, 3, 4}));
  EXPECT_EQ(matchLines("a\nb\nc\nd\n", "b\nd\ny\n"), Map({0, 0, 1, 0, 2}));
}

TEST(UnifiedDiff, NoNewlineAtEnd) {
  EXPECT_EQ(diff("a\nb", "a\nb\n"),
            "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of "
            "file\n+b\n");
  EXPECT_EQ(diff("a\nb\n", "a\nb"), "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at "
                                    "end of file\n");
  EXPECT_EQ(diff("x\nb", "y\nb"), "--- f\n+++ f\n@@ -1,2 +1,2 @@\n-x\n+y\n b\n\\ No newline at end "
                                  "of file\n");
}

TEST(UnifiedDiff, LineEndsStay) {
  EXPECT_EQ(diff("a\r\nb\r\n", "a\r\nc\r\n"), "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n");
  EXPECT_EQ(diff("a\r\n", "a\n"), "--- f\n+++ f\n@@ -1 +1 @@\n-a\r\n+a\n");
}

TEST(UnifiedDiff, Names) {
  EXPECT_EQ(StringRef(diff("", "a\n", "my file.cu", "b\"\t\\.cu")).split("@@").first,
            "--- my file.cu\t\n+++ \"b\\\"\\011\\\\.cu\"\n");
}

std::vector<std::string> lines(StringRef S) {
  std::vector<std::string> Lines;
  while (!S.empty()) {
    size_t End = S.find('\n');
    Lines.push_back(S.take_front(End == StringRef::npos ? End : End + 1).str());
    S = S.drop_front(Lines.back().size());
  }
  return Lines;
}

// A strict patch: every context and deleted line must be where the hunk says, every count right.
std::optional<std::string> applyPatch(StringRef Old, StringRef Patch) {
  std::vector<std::string> From = lines(Old), P = lines(Patch);
  std::string Result;
  size_t At = 0, I = 2;
  while (I < P.size()) {
    unsigned OldBegin, OldCount = 1, NewBegin, NewCount = 1;
    StringRef H = P[I++];
    auto Number = [&](unsigned &N) { return !H.consumeInteger(10, N); };
    if (!H.consume_front("@@ -") || !Number(OldBegin) ||
        (H.consume_front(",") && !Number(OldCount)) || !H.consume_front(" +") ||
        !Number(NewBegin) || (H.consume_front(",") && !Number(NewCount)) || H != " @@\n")
      return std::nullopt;
    size_t Begin = OldCount == 0 ? OldBegin : OldBegin - 1;
    while (At < Begin && At < From.size())
      Result += From[At++];
    if (lines(Result).size() != (NewCount == 0 ? NewBegin : NewBegin - 1))
      return std::nullopt;
    while (I < P.size() && !StringRef(P[I]).starts_with("@@")) {
      char Sign = P[I][0];
      std::string Text = P[I++].substr(1);
      if (I < P.size() && P[I][0] == '\\') {
        Text.pop_back();
        ++I;
      }
      if (Sign != '+') {
        if (At >= From.size() || From[At] != Text)
          return std::nullopt;
        ++At;
        --OldCount;
      }
      if (Sign != '-') {
        Result += Text;
        --NewCount;
      }
    }
    if (OldCount != 0 || NewCount != 0)
      return std::nullopt;
  }
  while (At < From.size())
    Result += From[At++];
  return Result;
}

// Few different lines, so that there are many ways to match them.
std::string randomText(std::mt19937 &Rng, unsigned MaxLines, unsigned Letters) {
  std::string S;
  unsigned N = Rng() % (MaxLines + 1);
  for (unsigned I = 0; I < N; ++I) {
    S += static_cast<char>('a' + Rng() % Letters);
    S += Rng() % 8 == 0 ? "\r\n" : "\n";
  }
  if (!S.empty() && Rng() % 4 == 0)
    S.pop_back();
  return S;
}

std::string randomEdit(std::mt19937 &Rng, StringRef Text) {
  std::string Result;
  for (const std::string &L : lines(Text)) {
    unsigned Dice = Rng() % 12;
    if (Dice == 0)
      continue;
    if (Dice == 1)
      Result += "inserted " + std::to_string(Rng() % 5) + "\n";
    Result += L;
  }
  return Result;
}

size_t longestCommonSubsequence(const std::vector<std::string> &A,
                                const std::vector<std::string> &B) {
  std::vector<std::vector<size_t>> T(A.size() + 1, std::vector<size_t>(B.size() + 1));
  for (size_t I = 0; I < A.size(); ++I)
    for (size_t J = 0; J < B.size(); ++J)
      T[I + 1][J + 1] = A[I] == B[J] ? T[I][J] + 1 : std::max(T[I][J + 1], T[I + 1][J]);
  return T.back().back();
}

TEST(UnifiedDiff, RandomTextsApplyAndAreMinimal) {
  std::mt19937 Rng(1);
  for (unsigned Round = 0; Round < 3000; ++Round) {
    std::string Old = randomText(Rng, 25, 1 + Rng() % 6);
    std::string New = Rng() % 2 ? randomText(Rng, 25, 1 + Rng() % 6) : randomEdit(Rng, Old);
    std::string Patch = diff(Old, New);
    SCOPED_TRACE("round " + std::to_string(Round) + "\n" + Patch);
    ASSERT_EQ(Old == New, Patch.empty());
    if (Patch.empty())
      continue;
    std::optional<std::string> Applied = applyPatch(Old, Patch);
    ASSERT_TRUE(Applied);
    ASSERT_EQ(*Applied, New);

    size_t Edits = 0;
    std::vector<std::string> P = lines(Patch);
    for (const std::string &L : ArrayRef(P).drop_front(2))
      Edits += L[0] == '-' || L[0] == '+';
    std::vector<std::string> A = lines(Old), B = lines(New);
    ASSERT_EQ(Edits, A.size() + B.size() - 2 * longestCommonSubsequence(A, B));
  }
}

TEST(UnifiedDiff, LargeAndDifferent) {
  std::string Old, New;
  for (unsigned I = 0; I < 3000; ++I) {
    Old += "old " + std::to_string(I) + "\n";
    New += "new " + std::to_string(I) + "\n";
  }
  EXPECT_EQ(applyPatch(Old, diff(Old, New)), New);
}

class ExternalTool : public testing::Test {
protected:
  SmallString<128> Folder;

  void SetUp() override { ASSERT_FALSE(sys::fs::createUniqueDirectory("diff-test", Folder)); }
  void TearDown() override { sys::fs::remove_directories(Folder); }

  std::string path(StringRef Name) const { return (Folder + "/" + Name).str(); }
  void write(StringRef Name, StringRef Contents) const {
    std::error_code EC;
    raw_fd_ostream OS(path(Name), EC);
    OS << Contents;
  }
  std::string read(StringRef Name) const {
    auto Buffer = MemoryBuffer::getFile(path(Name), false, false);
    return Buffer ? (*Buffer)->getBuffer().str() : "<missing>";
  }

  // Each round: write the old file, let the tool apply the patch, compare.
  void run(StringRef Program, std::vector<std::string> Args, StringRef Name) {
    auto Found = sys::findProgramByName(Program);
    if (!Found)
      GTEST_SKIP() << Program.str() << " is not installed";
    std::mt19937 Rng(2);
    for (unsigned Round = 0; Round < 40; ++Round) {
      // Not empty: for a patch from or to nothing the tools create and delete files.
      std::string Old = "begin\n" + randomText(Rng, 40, 8);
      std::string New = randomEdit(Rng, Old) + (Rng() % 3 ? "" : "end");
      std::string Patch = diff(Old, New, Name, Name);
      if (Patch.empty() || New.empty())
        continue;
      write(Name, Old);
      write("p.patch", Patch);
      std::vector<StringRef> Argv = {*Found};
      Argv.insert(Argv.end(), Args.begin(), Args.end());
      std::string Input = path("p.patch"), Output = path("log");
      // The tools work in the current directory.
      SmallString<128> Before;
      ASSERT_FALSE(sys::fs::current_path(Before));
      ASSERT_FALSE(sys::fs::set_current_path(Folder));
      int Status = sys::ExecuteAndWait(*Found, Argv, std::nullopt,
                                       {StringRef(Input), StringRef(Output), StringRef(Output)});
      ASSERT_FALSE(sys::fs::set_current_path(Before));
      ASSERT_EQ(Status, 0) << read("log") << Patch;
      // "succeeded at 7 (offset 2 lines)" would be a wrong line number.
      ASSERT_EQ(read("log").find("offset"), std::string::npos) << read("log") << Patch;
      ASSERT_EQ(read(Name), New) << Patch;
    }
  }
};

TEST_F(ExternalTool, Patch) { run("patch", {"-p0", "--binary"}, "kernel.cu"); }
TEST_F(ExternalTool, PatchNameWithBlank) { run("patch", {"-p0", "--binary"}, "my kernel.cu"); }
TEST_F(ExternalTool, GitApply) { run("git", {"apply", "-p0"}, "kernel.cu"); }
TEST_F(ExternalTool, GitApplyNameWithQuote) { run("git", {"apply", "-p0"}, "a\"b c.cu"); }

} // namespace
