//===- ArchTest.cpp - Names of GPU architectures ----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cuda-pipeline/Source.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;

static std::string normalized(llvm::StringRef Arch) {
  llvm::Expected<std::string> Name = normalizeArch(Arch);
  return Name ? *Name : "error: " + llvm::toString(Name.takeError());
}

TEST(Arch, SpellingsOfOneArchitecture) {
  for (const char *Arch : {"sm_86", "compute_86", "lto_86", "86", " sm_86 "})
    EXPECT_EQ(normalized(Arch), "sm_86") << Arch;
}

TEST(Arch, AllOfTheTable) {
  for (const char *Arch : {"sm_70", "sm_72", "sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90",
                           "sm_100", "sm_103", "sm_110", "sm_120", "sm_121"})
    EXPECT_EQ(normalized(Arch), Arch);
}

TEST(Arch, Suffixes) {
  for (const char *Arch : {"sm_90a", "sm_100a", "sm_100f", "sm_121f"})
    EXPECT_EQ(normalized(Arch), Arch);
  for (const char *Arch : {"sm_80a", "sm_90f", "sm_100b", "sm_100aa"})
    EXPECT_NE(normalized(Arch).find("error:"), std::string::npos) << Arch;
}

TEST(Arch, UnknownOnesListWhatIsAccepted) {
  for (const char *Arch : {"", "sm_", "sm_999", "gfx906", "native", "sm_086", "sm_86 x"}) {
    std::string Text = normalized(Arch);
    EXPECT_NE(Text.find("unknown GPU architecture '" + std::string(Arch) + "'"), std::string::npos)
        << Text;
    EXPECT_NE(Text.find("sm_75, sm_80, sm_86"), std::string::npos) << Text;
    EXPECT_EQ(Text.find('\n'), std::string::npos);
  }
}

TEST(Arch, TooOldOnesSaySo) {
  for (const char *Arch : {"sm_35", "sm_50", "compute_61"})
    EXPECT_NE(normalized(Arch).find("too old a GPU architecture '" + std::string(Arch) +
                                    "'; accepted are sm_70"),
              std::string::npos);
}
