//===- HarnessTest.cpp - The text of GPU harnesses -----------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Requests.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;
using namespace llvm;

namespace {

std::string file(const Harness &H, StringRef Name) {
  for (const auto &[N, Text] : H.Files)
    if (N == Name)
      return Text;
  return "missing";
}

Harness make(const HarnessRequest &R) {
  auto H = makeHarness(R);
  if (!H) {
    ADD_FAILURE() << toString(H.takeError());
    return {};
  }
  return std::move(*H);
}

HarnessRequest simple() {
  HarnessRequest R;
  R.Versions[0].Text = "old text\n";
  R.Versions[1].Text = "new text\n";
  R.Arch = "sm_90";
  R.NvccFlags = {"-I", "a b", "-DX='y'"};
  add(R, signature("k<1>", {"float *A", "float *B", "half *C", "int n", "float2 v"}),
      "kernel: k<1>\ncases: [{n: 4}, {n: 5}]\ngrid: [n, 2]\nblock: 3\nshared: 100\narguments:\n"
      "- {name: A, buffer: float, count: n, fill: uniform(-0.5, n)}\n- {name: B, same_as: A, "
      "offset: 2}\n"
      "- {buffer: null}\n- {value: n}\n- {value: [1, 2]}\n"
      "globals: [{name: \"ns::g\", type: int, fill: 3}]\n");
  return R;
}

TEST(MakeHarness, Files) {
  Harness H = make(simple());
  EXPECT_EQ(file(H, "old.cu"), "old text\n");
  EXPECT_EQ(file(H, "new.cu"), "new text\n");
  for (StringRef Name :
       {"harness.cu", "cpr-harness/side.h", "side.cu", "cpr-harness/tables.h", "cpr-harness/Fill.h",
        "cpr-harness/Fill.cpp", "cpr-harness/cases.h", "build.sh"})
    EXPECT_NE(file(H, Name), "missing") << Name.str();
  // The generator in the harness is the one that the emulator uses.
  auto Fill = MemoryBuffer::getFile("../../lib/Verify/Launch/Fill.cpp");
  ASSERT_TRUE(static_cast<bool>(Fill));
  EXPECT_EQ(file(H, "cpr-harness/Fill.cpp"), (*Fill)->getBuffer());
}

TEST(MakeHarness, Cases) {
  std::string Text = file(make(simple()), "cpr-harness/cases.h");
  for (StringRef Part :
       {"#define CPR_ARCH \"sm_90\"", "#define CPR_SEEDS {1u, 2u}", "#define CPR_ROUNDS 15",
        "Launches_0[] = {{{4u, 2u, 1u}, {3u, 1u, 1u}, 100u}, {{4u, 2u, 1u}, {3u, 1u, 1u}, 100u}}",
        "{0, \"k<1>\", \"n=4\", Launches_0, 5, Arguments_0, 1, Globals_0}",
        "{0, \"k<1>\", \"n=5\", Launches_1, 5, Arguments_1, 1, Globals_1}",
        "{cpr_harness::VersionInfo::Old, \"old\", \"old\"}",
        "{cpr_harness::VersionInfo::New, \"new\", \"new\"}",
        "Argument::Buffer, \"A\", {cuda_pipeline::fill::Base::Float, 4, 1, "
        "cuda_pipeline::fill::Kind::Uniform, cpr_harness::fromBits(0xbfe0000000000000u)",
        "Argument::SameAs, \"B\"", "8u, 0, nullptr}", "Argument::Null, \"C\"",
        "Value_0_3[] = {4, 0, 0, 0}", "Value_0_4[] = {0, 0, 128, 63, 0, 0, 0, 64}",
        "{\"ns::g\", 0, {cuda_pipeline::fill::Base::SignedInt, 4, 1, "
        "cuda_pipeline::fill::Kind::Value"})
    EXPECT_NE(Text.find(Part.str()), std::string::npos) << Part.str() << "\n" << Text;
}

TEST(MakeHarness, Build) {
  std::string Text = file(make(simple()), "build.sh");
  EXPECT_NE(Text.find("-arch='sm_90' -std=c++17 '-I' 'a b' '-DX='\\''y'\\''' "), std::string::npos)
      << Text;
  HarnessRequest R = simple();
  R.NvccFlags = {"-std=c++20"};
  EXPECT_EQ(file(make(R), "build.sh").find("-O3 -arch='sm_90' -std=c++17"), std::string::npos);
}

TEST(MakeHarness, IdFollowsTheContents) {
  const std::string Id = make(simple()).Id;
  EXPECT_EQ(Id.size(), 16u);
  EXPECT_EQ(make(simple()).Id, Id);
  HarnessRequest R = simple();
  R.Versions[1].Text += " ";
  EXPECT_NE(make(R).Id, Id);
  R = simple();
  R.Kernels[0].Launches.pop_back();
  EXPECT_NE(make(R).Id, Id);
  R = simple();
  R.Seeds = {5};
  EXPECT_NE(make(R).Id, Id) << "a result is that of its options";
}

TEST(MakeHarness, Errors) {
  auto Error = [](const HarnessRequest &R) {
    auto H = makeHarness(R);
    return H ? "no error" : toString(H.takeError());
  };
  HarnessRequest R = simple();
  R.Kernels[0].New.Parameters.pop_back();
  EXPECT_EQ(Error(R), "'k<1>' has other parameters in the new version");
  R = simple();
  R.Kernels[0].New.Parameters[3] = parameter("long n");
  EXPECT_EQ(Error(R), "'k<1>' has other parameters in the new version");
  R.Kernels.clear();
  EXPECT_EQ(Error(R), "there is no launch to make a GPU harness for");
}

TEST(MakeHarness, Write) {
  SmallString<128> Folder;
  ASSERT_FALSE(sys::fs::createUniqueDirectory("harness-test", Folder));
  HarnessRequest R = simple();
  R.Extra = {{"sub/local.h", "local\n"}};
  Harness H = make(R);
  EXPECT_FALSE(errorToBool(writeHarness(H, (Folder + "/a/b").str())));
  for (const auto &[Name, Text] : H.Files) {
    auto File = MemoryBuffer::getFile(Folder + "/a/b/" + Name);
    ASSERT_TRUE(static_cast<bool>(File)) << Name;
    EXPECT_EQ((*File)->getBuffer(), Text);
  }
  Error E = writeHarness(H, (Folder + "/a/b/old.cu").str());
  EXPECT_NE(toString(std::move(E)).find("/a/b/old.cu"), std::string::npos);
  sys::fs::remove_directories(Folder);
}

} // namespace
