//===- ReasonsTest.cpp - The registry of reasons -------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/Reasons.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;
using namespace llvm;

namespace {

TEST(Reasons, EveryEntryIsComplete) {
  StringSet<> Ids;
  unsigned Index = 0;
  for (const ReasonInfo &I : allReasons()) {
    SCOPED_TRACE(I.Id.str());
    EXPECT_EQ(static_cast<unsigned>(I.Value), Index++);
    EXPECT_EQ(&info(I.Value), &I);
    EXPECT_EQ(reasonFromId(I.Id), I.Value);
    EXPECT_TRUE(Ids.insert(I.Id).second) << "used twice";
    // Ids go into SARIF, URLs and lit test names.
    EXPECT_EQ(I.Id.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), StringRef::npos);
    EXPECT_LE(I.Rule, LastRule);
    EXPECT_FALSE(I.Message.empty());
    EXPECT_FALSE(I.Message.ends_with(".")) << "messages are no sentences, as in Clang";
    EXPECT_TRUE(I.Remedy.ends_with("."));
    // It may be refused for the same loop; the report adds those that are not.
    for (StringRef Variant : {"ldg", "cp-async"})
      EXPECT_FALSE(I.Remedy.contains(Variant)) << Variant.str();
    EXPECT_TRUE(I.Text.ends_with("."));
    EXPECT_GT(I.Text.size(), 120u);
    EXPECT_FALSE(I.Text.contains('\n'));
    EXPECT_FALSE(I.Text.contains("  "));
    // What only a mistake of the tool provokes has no example.
    if (I.Value == Reason::SelfCheckFailed)
      continue;
    for (StringRef Code : {I.Before, I.After}) {
      EXPECT_GT(Code.trim().size(), 10u);
      EXPECT_FALSE(Code.contains('\t'));
      SmallVector<StringRef> Lines;
      Code.split(Lines, '\n');
      for (StringRef Line : Lines)
        EXPECT_LE(Line.size(), 90u) << Line.str();
    }
    EXPECT_NE(I.Before, I.After);
  }
}

TEST(Reasons, EveryRuleHasATitleAndReasons) {
  for (unsigned Rule = 0; Rule <= LastRule; ++Rule) {
    EXPECT_FALSE(ruleTitle(Rule).empty());
    EXPECT_TRUE(any_of(allReasons(), [&](const ReasonInfo &I) { return I.Rule == Rule; })) << Rule;
  }
  EXPECT_TRUE(ruleTitle(LastRule + 1).empty());
}

TEST(Reasons, Format) {
  EXPECT_EQ(formatReason(Reason::TileWritten, {"As"}), "the compute phase writes to tile 'As'");
  EXPECT_EQ(formatReason(Reason::SharedMemoryLimit, {"3", "49408", "49152"}),
            "3 stages need 49408 bytes of shared memory; the limit is 49152");
  // Missing arguments become empty, further ones are ignored.
  EXPECT_EQ(formatReason(Reason::TileWritten, {}), "the compute phase writes to tile ''");
  EXPECT_EQ(formatReason(Reason::TileWritten, {"a", "b"}), "the compute phase writes to tile 'a'");
  // An argument is text of the user's program, never a pattern.
  EXPECT_EQ(formatReason(Reason::TileWritten, {"{0}{1}"}),
            "the compute phase writes to tile '{0}{1}'");
  EXPECT_EQ(formatReason(Reason::TileWritten, {"x[{}"}), "the compute phase writes to tile 'x[{}'");
  EXPECT_EQ(formatReason(Reason::BarrierNested, {"unused"}), info(Reason::BarrierNested).Message);
}

// The analysis passes these many arguments; a pattern that drops one loses what the user must know.
TEST(Reasons, PlaceholdersAreNumberedFromZero) {
  for (const ReasonInfo &I : allReasons()) {
    SCOPED_TRACE(I.Id.str());
    size_t Braces = I.Message.count('{'), Count = 0;
    while (I.Message.contains("{" + std::to_string(Count) + "}"))
      ++Count;
    EXPECT_EQ(Braces, Count);
  }
}

TEST(Reasons, Nearest) {
  EXPECT_EQ(nearestReasonId("stale-tiles"), StringRef("stale-tile"));
  EXPECT_EQ(nearestReasonId("Stale-Tile"), StringRef("stale-tile"));
  EXPECT_EQ(nearestReasonId("may-allias"), StringRef("may-alias"));
  EXPECT_EQ(nearestReasonId("inlineasm"), StringRef("inline-asm"));
  EXPECT_EQ(nearestReasonId("xyzzy-plugh"), std::nullopt);
  EXPECT_EQ(nearestReasonId(""), std::nullopt);
  for (const ReasonInfo &I : allReasons())
    EXPECT_EQ(nearestReasonId(I.Id), I.Id);
}

std::string explain(Reason R) {
  std::string S;
  raw_string_ostream OS(S);
  renderExplain(R, OS);
  return S;
}

TEST(Reasons, Explain) {
  EXPECT_TRUE(StringRef(explain(Reason::TileWritten))
                  .starts_with("tile-written (soundness rule 5: Tiles are read-only)\n\n"
                               "  the compute phase writes to tile '...'\n\n"));
  EXPECT_TRUE(StringRef(explain(Reason::MacroText)).contains("(form of the source text)"));
  for (const ReasonInfo &I : allReasons()) {
    SCOPED_TRACE(I.Id.str());
    std::string S = explain(I.Value);
    StringRef All = S;
    const bool HasExample = I.Value != Reason::SelfCheckFailed;
    EXPECT_EQ(All.contains("\nRefused:\n\n"), HasExample);
    EXPECT_EQ(All.contains("\nAccepted, as far as this reason goes:\n\n"), HasExample);
    EXPECT_TRUE(All.contains("\nWhat makes it possible:\n"));
    EXPECT_FALSE(All.contains(" \n")) << "blanks at the end of a line";
    EXPECT_FALSE(All.contains("\n\n\n"));
    EXPECT_TRUE(All.ends_with(".\n"));
    SmallVector<StringRef> Lines;
    All.split(Lines, '\n');
    for (StringRef Line : Lines)
      EXPECT_LE(Line.size(), 100u);
  }
}

TEST(Reasons, Rules) {
  std::string S;
  raw_string_ostream OS(S);
  renderRules(OS);
  EXPECT_TRUE(StringRef(S).starts_with("Rule 1: Shape\n  barrier-shape "));
  size_t Last = 0;
  for (unsigned Rule = 1; Rule <= LastRule; ++Rule) {
    size_t At = S.find("Rule " + std::to_string(Rule) + ": ");
    ASSERT_NE(At, std::string::npos);
    EXPECT_TRUE(Rule == 1 || At > Last);
    Last = At;
  }
  for (const ReasonInfo &I : allReasons())
    EXPECT_NE(S.find("\n  " + I.Id.str() + " "), std::string::npos) << I.Id.str();
}

// docs/reasons.md is the generator's output. CPR_UPDATE_DOCS=1 in the environment writes it anew.
TEST(Reasons, DocsAreCurrent) {
  std::string Generated;
  raw_string_ostream OS(Generated);
  renderReasonsMarkdown(OS);
  const char *Path = CPR_DOCS_DIR "/reasons.md";
  if (std::getenv("CPR_UPDATE_DOCS")) {
    std::error_code EC;
    raw_fd_ostream File(Path, EC);
    ASSERT_FALSE(EC) << EC.message();
    File << Generated;
  }
  auto Buffer = MemoryBuffer::getFile(Path);
  ASSERT_TRUE(bool(Buffer)) << Path;
  EXPECT_TRUE((*Buffer)->getBuffer() == Generated)
      << "docs/reasons.md differs from Reasons.def; run this test with CPR_UPDATE_DOCS=1";
}

// docs/soundness.md names, for every rule, exactly the reasons that the registry gives it.
TEST(Reasons, SoundnessPageNamesThem) {
  auto Buffer = MemoryBuffer::getFile(CPR_DOCS_DIR "/soundness.md");
  ASSERT_TRUE(bool(Buffer));
  StringRef Page = (*Buffer)->getBuffer();
  for (unsigned Rule = 0; Rule <= LastRule; ++Rule) {
    std::string Heading =
        "\n## " + (Rule == 0 ? "" : std::to_string(Rule) + ". ") + ruleTitle(Rule).str() + "\n";
    size_t Begin = Page.find(Heading);
    ASSERT_NE(Begin, StringRef::npos) << Heading;
    StringRef Section = Page.drop_front(Begin + 1);
    Section = Section.take_front(Section.find("\n## "));
    for (const ReasonInfo &I : allReasons()) {
      // Links look like [stale-tile](reasons.md#stale-tile).
      std::string Link = ("[" + I.Id + "](reasons.md#" + I.Id + ")").str();
      EXPECT_EQ(Section.contains(Link), I.Rule == Rule) << Heading << Link;
    }
  }
}

} // namespace
