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

TEST(Mending, RegistersOfAssembly) {
  EXPECT_EQ(mend("asm volatile(\"mov.u32 %0, %tid.x;\" : \"=r\"(t));"),
            "asm volatile(\"mov.u32 %0,%%tid.x;\" : \"=r\"(t));");
  EXPECT_EQ(mend("__asm__ (\"mov.u64 %0,  %globaltimer;\" : \"=l\"(t));"),
            "__asm__ (\"mov.u64 %0, %%globaltimer;\" : \"=l\"(t));");
  EXPECT_EQ(
      mend("asm(\"{.reg .u32 t;\\n\"\n\"mov.u32 t, %ntid.x; mad.lo.u32 %0, t, %ctaid.x, %1;}\" "
           ": \"=r\"(t) : \"r\"(u));"),
      "asm(\"{.reg .u32 t;\\n\"\n\"mov.u32 t, %%ntid.x; mad.lo.u32 %0, t,%%ctaid.x,%1;}\" "
      ": \"=r\"(t) : \"r\"(u));");
  // No blank to take, none too few, or no assembly.
  for (const char *Text :
       {"asm(\"mov.u32 %0,%tid.x;\" : \"=r\"(t));", "asm(\"mov.u32 %0, %%tid.x;\" : \"=r\"(t));",
        "asm(\"mov.u32 %[t], %%tid.x;\" : [t] \"=r\"(t));", "asm(\"mov.b32 %0, %h1;\" : : );",
        "printf(\"a, %tid\", 1);", "asm(\"bar.sync 0;\" ::: \"x, %tid\");"})
    EXPECT_EQ(mend(Text), "as it is") << Text;
}
