//===- NamesTest.cpp - Which variables have other names -------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Each case is one statement that does something with `int n`; beside it, what else stands for `n`
/// behind it.
///
//===----------------------------------------------------------------------===//
#include "Model/Names.h"
#include "../ParsedFile.h"

using namespace cuda_pipeline;

namespace {

const char *Helpers = "struct Bind { int *p; __device__ void operator()(int &v) { p = &v; } };\n"
                      "struct Hold { const int &r; };\n"
                      "struct Refer { int &r; };\n"
                      "struct Made { int &r; int i; __device__ Made(int &v) : r(v), i(v) {} };\n"
                      "__device__ void step(Refer v) { v.r += 1; }\n"
                      "__device__ int get(Refer v) { return v.r; }\n"
                      "__device__ int gone(Refer v);\n"
                      "struct Keep { int *p; __device__ Keep(int &v) : p(&v) {} };\n"
                      "struct Count { int c; __device__ Count(int &v) : c(v) { ++v; } };\n"
                      "struct Own { int a, *p = &a; };\n"
                      "__device__ void advance(int &at) { at += 4; }\n"
                      "__device__ void twice(int &at) { advance(at); advance(at); }\n"
                      "__device__ int &same(int &at) { return at; }\n"
                      "__device__ auto late(int &at) { return [&at] { return at; }; }\n"
                      "__device__ void again(int &at) { if (at) again(at); }\n"
                      "__device__ void unknown(const int &at);\n"
                      "template <typename F> __device__ void apply(F &f) { f(); }\n";

/// "" none, "reads" or "changes".
std::string otherNames(const std::string &Statement) {
  ParsedFile File(std::string(Helpers) + "__global__ void k(int m) {\n  int n = m;\n  " +
                  Statement + "\n}\n");
  const clang::FunctionDecl *Kernel = File.function("k");
  const clang::Stmt *Body = Kernel->getBody();
  if (namedElsewhere(Body, File.context(), Kernel, NamesThat::Change).count(File.var("n")))
    return "changes";
  return namedElsewhere(Body, File.context(), Kernel).count(File.var("n")) ? "reads" : "";
}

TEST(Names, DirectUses) {
  for (const char *Statement :
       {"m = n;", "n = m;", "n += 2; ++n; n--;", "(n) = 1;", "(m ? n : m) = 1;", "m = (m, n);",
        "m = sizeof(n);", "advance(n);", "twice(n);", "Count c(n);", "min(n, 4);",
        "auto f = [=] { return n; };", "struct { int a; } s = {n}; s.a = n;",
        "int a[2] = {n, n}; a[n] = n;", "float f = n; (void)f; (void)n;",
        "asm(\"mov.u32 %0, %1;\" : \"=r\"(n) : \"r\"(n));", "for (; n < 4; ++n) ;",
        "switch (n) { case 1: ++n; }", "(n = 2) += 1;"})
    EXPECT_EQ(otherNames(Statement), "") << Statement;
}

TEST(Names, OtherNames) {
  for (const char *Statement : {"int *p = &n;",
                                "int &r = n; r = 1;",
                                "Bind b; b(n);",
                                "Keep keep(n);",
                                "same(n) = 1;",
                                "int &r = same(n);",
                                "auto f = [&] { n += 1; };",
                                "auto f = [&r = n] { r = 1; };",
                                "again(n);",
                                "unknown(n);",
                                "void (*f)(int &) = advance; f(n);",
                                "Refer h = {n}; h.r = 1;",
                                "Made h(n); h.r += 1;",
                                "Refer h = {n}; step(h);",
                                "Refer h = {n}; Refer i = {h.r}; ++i.r;",
                                "Refer h = {n}; int &r = h.r; r = 1;",
                                "Refer h = {n}; auto &[r] = h; r = 1;",
                                "Refer h = {n}; gone(h);",
                                "Refer h = {n}; **reinterpret_cast<int **>(&h) = 1;",
                                "Refer h = {n}; n = 2;",
                                "asm volatile(\"\" :: \"m\"(n));",
                                "const int &r = n; const_cast<int &>(r) = 1;",
                                "const int &r = n; const int *p = &r;",
                                "int &r = (n = 3); ++r;",
                                "int &r = ++n; r = 1;",
                                "int &r = m ? n : m; r = 2;",
                                "reinterpret_cast<unsigned &>(n) = 1;",
                                "auto f = [&] { return [&] { ++n; }; };",
                                "auto f = [&](auto v) { n += v; }; f(1);"})
    EXPECT_EQ(otherNames(Statement), "changes") << Statement;
}

TEST(Names, NamesThatOnlyRead) {
  for (const char *Statement :
       {"const int &r = n;", "Hold h = {n};", "Refer h = {n}; m = h.r;",
        "Made h(n); m = h.r + get({h.r});", "int &r = n; m = r;", "auto f = [&] { return n; };",
        "auto f = late(n);", "const int &r = n; const int &s = r; m = s;",
        "auto f = [&](auto v) { return n + v; }; f(1);"})
    EXPECT_EQ(otherNames(Statement), "reads") << Statement;
}

TEST(Names, PartsStandForTheWhole) {
  auto Named = [](const std::string &Statement, const char *Of) {
    ParsedFile File(std::string(Helpers) + "__global__ void k(int n) {\n  " + Statement + "\n}\n");
    const clang::FunctionDecl *Kernel = File.function("k");
    return namedElsewhere(Kernel->getBody(), File.context(), Kernel).count(File.var(Of)) != 0;
  };
  EXPECT_TRUE(Named("struct { int a[2]; } s; int *p = &s.a[1];", "s"));
  EXPECT_TRUE(Named("struct { int a[2]; } s; int *p = s.a;", "s"));
  EXPECT_FALSE(Named("struct { int a[2]; } s; s.a[1] = 2;", "s"));
  EXPECT_TRUE(Named("struct S { int a; } s; auto &[b] = s; b = 1;", "s"));
  EXPECT_FALSE(Named("struct S { int a; } s; auto [b] = s; b = 1;", "s"));
  EXPECT_TRUE(Named("Own own{};", "own"));
  EXPECT_FALSE(Named("float4 v = {}; v.x = 1; float4 w; w = v;", "v"));
}

} // namespace
