//===- MendingTest.cpp - What nvcc reads and Clang does not -----------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../lib/Source/Mending.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;

static std::string mend(llvm::StringRef Text, bool IsLinked = false) {
  std::optional<std::string> New = mended(Text, IsLinked);
  EXPECT_TRUE(!New || New->size() == Text.size());
  return New.value_or("as it is");
}

TEST(Mending, Launches) {
  EXPECT_EQ(mend("k << < 1, 32 >> > ();"), "k <<<  1, 32 >>>  ();");
  EXPECT_EQ(mend("k<1> << <\n(a > b), f(c, [d])\n>> >(x);"),
            "k<1> <<< \n(a > b), f(c, [d])\n>>> (x);");
  EXPECT_EQ(mend("k < << 1, 2 > >> ();"), "k <<<  1, 2 >>>  ();");
  EXPECT_EQ(mend("k <<< 1, 2 >> > ();"), "k <<< 1, 2 >>>  ();");
  EXPECT_EQ(mend("k <<\n< 1 >\n>> ();"), "k <<<\n 1 >>>\n ();");
}

TEST(Mending, OtherText) {
  for (const char *Text :
       {"k<<<1, 2>>>();", "operator<< <char>(s, c) >> (2);", "a << b < c;", "Q<P<R<int>> > q(1);",
        "// k << < 1 >> > ();\n", "\"k << < 1 >> > ()\"", "#if A << < 1\n",
        "int f(int a) { return a << < 2; }", "R\"(k << < 1 >> > ())\"", "a << < b } >> > ()"})
    EXPECT_EQ(mend(Text), "as it is") << Text;
  EXPECT_EQ(mend("#define K k << < 1 >> > ()\n"), "#define K k <<<  1 >>>  ()\n");
}

TEST(Mending, ObjectsInSharedMemory) {
  EXPECT_EQ(mend("extern __shared__ S s;"), "       __shared__ S s;");
  EXPECT_EQ(mend("__shared__ extern S s;"), "__shared__        S s;");
  EXPECT_EQ(mend("extern __shared__ __align__(16) ns::S<int> s;"),
            "       __shared__ __align__(16) ns::S<int> s;");
  for (const char *Text : {"extern __shared__ float s[];", "extern __shared__ float s[], t;",
                           "extern \"C\" { __shared__ int s; }", "extern int s; __shared__ int t;",
                           "extern __device__ void f(); __shared__ int t;"})
    EXPECT_EQ(mend(Text), "as it is") << Text;
  EXPECT_EQ(mend("extern __shared__ S s;", /*IsLinked=*/true), "as it is");
}
