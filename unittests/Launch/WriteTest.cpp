//===- WriteTest.cpp - Descriptions as text -------------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "Verify/Launch/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;
using namespace llvm;

namespace {

/// What is written is read as the same, and written the same again.
void roundTrip(StringRef Text) {
  auto First = parseLaunch(Text, "first.yaml");
  ASSERT_TRUE(static_cast<bool>(First)) << toString(First.takeError());
  for (const LaunchDescription &D : *First) {
    const std::string Written = launchText(D);
    auto Second = parseLaunch(Written, "second.yaml");
    ASSERT_TRUE(static_cast<bool>(Second)) << toString(Second.takeError()) << "\n" << Written;
    ASSERT_EQ(Second->size(), 1u);
    const LaunchDescription &E = Second->front();
    EXPECT_EQ(launchText(E), Written);
    EXPECT_EQ(E.Kernel, D.Kernel);
    EXPECT_EQ(E.Cases, D.Cases);
    EXPECT_EQ(E.Unit, D.Unit);
    auto Texts = [](ArrayRef<LaunchDescription::Expression> Es) {
      std::vector<std::string> All;
      for (const auto &X : Es)
        All.push_back(X.Text);
      return All;
    };
    EXPECT_EQ(Texts(E.Grid), Texts(D.Grid));
    EXPECT_EQ(Texts(E.Block), Texts(D.Block));
    EXPECT_EQ(E.Shared.Text, D.Shared.Text);
    ASSERT_EQ(E.Let.size(), D.Let.size());
    for (const auto &[A, B] : zip(E.Let, D.Let))
      EXPECT_EQ(std::pair(A.first, A.second.Text), std::pair(B.first, B.second.Text));
    for (auto Of :
         {&LaunchDescription::NewShared, &LaunchDescription::Flops, &LaunchDescription::Bytes}) {
      ASSERT_EQ((E.*Of).has_value(), (D.*Of).has_value());
      if (E.*Of) {
        EXPECT_EQ((E.*Of)->Text, (D.*Of)->Text);
      }
    }
    auto SameFill = [](const LaunchDescription::Fill &A, const LaunchDescription::Fill &B) {
      EXPECT_EQ(A.K, B.K);
      if (A.K == BufferFill::Kind::Uniform || A.K == BufferFill::Kind::Value ||
          A.K == BufferFill::Kind::Index) {
        EXPECT_EQ(A.Low.Text, B.Low.Text);
      }
      if (A.K == BufferFill::Kind::Uniform) {
        EXPECT_EQ(A.High.Text, B.High.Text);
      }
    };
    ASSERT_EQ(E.Arguments.size(), D.Arguments.size());
    for (const auto &[A, B] : zip(E.Arguments, D.Arguments)) {
      EXPECT_EQ(A.Name, B.Name);
      EXPECT_EQ(A.IsBuffer, B.IsBuffer);
      EXPECT_EQ(A.TypeName, B.TypeName);
      EXPECT_EQ(A.Count.Text, B.Count.Text);
      EXPECT_EQ(A.Offset.Text, B.Offset.Text);
      EXPECT_EQ(Texts(A.Values), Texts(B.Values));
      EXPECT_EQ(A.Role, B.Role);
      EXPECT_EQ(A.SameAs, B.SameAs);
      EXPECT_EQ(A.Null, B.Null);
      SameFill(A.Contents, B.Contents);
      ASSERT_EQ(A.Fields.size(), B.Fields.size());
      for (const auto &[F, G] : zip(A.Fields, B.Fields)) {
        EXPECT_EQ(F.TypeName, G.TypeName);
        EXPECT_EQ(Texts(F.Values), Texts(G.Values));
      }
    }
    ASSERT_EQ(E.Globals.size(), D.Globals.size());
    for (const auto &[A, B] : zip(E.Globals, D.Globals)) {
      EXPECT_EQ(std::pair(A.Name, A.TypeName), std::pair(B.Name, B.TypeName));
      SameFill(A.Contents, B.Contents);
    }
  }
}

TEST(Write, ExamplesOfTheDocumentation) {
  auto File = MemoryBuffer::getFile(CPR_DOCS_DIR "/launch.md");
  ASSERT_TRUE(static_cast<bool>(File));
  SmallVector<StringRef> Parts;
  (*File)->getBuffer().split(Parts, "```");
  unsigned Examples = 0;
  for (size_t I = 1; I < Parts.size(); I += 2)
    if (Parts[I].consume_front("yaml\n")) {
      ++Examples;
      roundTrip(Parts[I]);
    }
  EXPECT_GE(Examples, 2u);
}

TEST(Write, OddWords) {
  roundTrip(R"(
kernel: 'k<(anonymous namespace)::T, ''x''>'
cases:
  - {n: -3, yes: 0x10, y: 2}
let: {m: "n > 2 ? -1 : 1"}
grid: "n < 0 ? 1 : 2"
block: [max(n, 32), '!n + 1', (y)]
)" + std::string("arguments: []\n"));
  roundTrip(R"(
kernel: k
cases: [{n: 3}]
let: {m: "n > 2 ? n : 1"}
grid: max(1, n % 4 == 0 && n || 2)
block: [32, 1, "n ? 2 : 1"]
shared: m * -1 + 4
new_shared: min(m, n)
flops: 2 * n
bytes: "n > 0 ? 4 : 8"
unit: fp32
arguments:
  - {name: 'on', buffer: unsigned char, count: 'n ? 1 : 2', offset: 1, role: input, fill: 'uniform(n ? -1 : -2, 7)'}
  - {buffer: bytes:12, count: 0, role: output}
  - {name: argument 3, buffer: float, count: 4, fill: value(1e-3)}
  - {name: q, buffer: float, count: 4, fill: index(-4)}
  - {buffer: half2, count: 4, fill: poison}
  - {same_as: q, offset: n - 3}
  - {scalar: int4, value: [n, -1, "n ? 1 : 0", +2]}
  - {value: -0.5}
  - {value: inf}
  - {fields: [{scalar: half2, value: [1, 0.25]}, {scalar: bool, value: true}]}
globals:
  - {name: w, type: double, fill: uniform(-1, 1)}
  - {name: s, type: int, fill: 3}
)");
}

TEST(Write, Comments) {
  LaunchDescription D;
  D.Kernel = "k";
  D.Cases = {{{"n", 1}}, {{"n", 2}}};
  D.Grid = D.Block = {{"1", 0}};
  D.Arguments.resize(1);
  D.Arguments[0].Values = {{"n", 0}};
  LaunchComments C;
  C.Above = {"two\nlines: {"};
  C.Cases = {"one turn"};
  C.Arguments = {"int n"};
  EXPECT_EQ(launchText(D, C), R"(# two lines: {
kernel: k
cases:
  - {n: 1}                    # one turn
  - {n: 2}
grid: [1]
block: [1]
arguments:                    # in the order of the parameters
  # int n
  - {value: n}
)");
}

// A kernel with a description has that; one without has a template, and why.
TEST(Write, AmongTemplates) {
  KernelSignature Kernels[] = {kernel({}, "a"), kernel({pointer("p", "float *")}, "b")};
  const FoundDescription Found[] = {{"kernel: a\ngrid: 7\nblock: 1\n", ""}, {"", "it is\nnot so"}};
  const std::string Text = launchTemplate({}, Kernels, Found);
  auto D = parseLaunch(Text, "t");
  ASSERT_TRUE(static_cast<bool>(D)) << toString(D.takeError());
  ASSERT_EQ(D->size(), 2u);
  EXPECT_EQ((*D)[0].Grid[0].Text, "7");
  EXPECT_EQ((*D)[1].Kernel, "b");
  EXPECT_NE(Text.find("that could stand here: it is not so\nkernel: b\n"), std::string::npos)
      << Text;
  // Pointers to pointers are no error of the whole file.
  auto L = evaluate((*D)[1], Kernels[1]);
  EXPECT_TRUE(static_cast<bool>(L)) << toString(L.takeError());
}

TEST(Write, TypeNames) {
  for (StringRef Name :
       {"float",    "double",    "half",       "half2",   "__nv_bfloat16", "__nv_bfloat162",
        "bool",     "int",       "unsigned",   "int8_t",  "uint8_t",       "int16_t",
        "uint16_t", "int64_t",   "uint64_t",   "float2",  "float3",        "float4",
        "double2",  "char4",     "uchar2",     "short3",  "ushort4",       "int2",
        "uint3",    "longlong2", "ulonglong4", "bytes:28"}) {
    std::optional<ElementType> T = elementType(Name);
    ASSERT_TRUE(T.has_value()) << Name.str();
    EXPECT_EQ(launch::typeName(*T), Name.str());
  }
  EXPECT_EQ(launch::typeName({ElementType::Kind::Bool, 1, 4}), "");
  EXPECT_EQ(launch::typeName({ElementType::Kind::Half, 2, 4}), "");
  EXPECT_EQ(launch::typeName({ElementType::Kind::Float, 4, 8}), "");
}

} // namespace
