//===- SharedDemandTest.cpp - How much dynamic shared memory is enough ----===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda-pipeline/CompileDevice.h"
#include "gtest/gtest.h"

using namespace cuda_pipeline;

namespace {

/// Of the only kernel of the file; that is, of the last one. `ASK` puts what is given into `given`.
std::optional<SharedDemand> demand(const std::string &Text) {
  ParseRequest Request;
  Request.File = "kernels.cu";
  Request.Arch = "sm_80";
  Request.Contents =
      "#define ASK unsigned given; asm(\"mov.u32 %0, %%dynamic_smem_size;\" : \"=r\"(given))\n"
      "extern __shared__ float tile[];\n" +
      Text;
  std::string Messages;
  auto Compiled = compileDevice(Request, {}, Messages);
  if (!Compiled) {
    ADD_FAILURE() << llvm::toString(Compiled.takeError()) << "\n" << Messages;
    return std::nullopt;
  }
  return Compiled->Kernels.back().Shared;
}

std::string kernel(const std::string &Body) {
  return "__global__ void k(float *out, int n) {\n" + Body + "\n}\n";
}

std::optional<uint64_t> enough(const std::string &Text, uint64_t OfOriginal) {
  auto D = demand(Text);
  EXPECT_TRUE(D.has_value());
  return D ? D->enough(OfOriginal) : std::nullopt;
}

TEST(SharedDemand, NobodyAsks) {
  EXPECT_FALSE(demand(kernel("out[0] = tile[0];")).has_value());
  EXPECT_FALSE(demand("__device__ void other() { ASK; tile[0] = given; }\n" + kernel("out[0] = 1;"))
                   .has_value());
}

TEST(SharedDemand, Numbers) {
  EXPECT_EQ(enough(kernel("ASK; if (given >= 3 * 1024) out[0] = 1;"), 0), 3072u);
  EXPECT_EQ(enough(kernel("ASK; if (given < 3072) out[0] = 1;"), 0), 3072u);
  EXPECT_EQ(enough(kernel("ASK; if (3072 <= given) out[0] = 1;"), 0), 3072u);
  EXPECT_EQ(enough(kernel("ASK; if (given > 3072) out[0] = 1;"), 0), 3073u);
  EXPECT_EQ(enough(kernel("ASK; if (given <= 3072) out[0] = 1;"), 0), 3073u);
  EXPECT_EQ(enough(kernel("ASK; if (3072 >= given) out[0] = 1;"), 0), 3073u);
  EXPECT_EQ(enough(kernel("ASK; if (3072 > given) out[0] = 1;"), 0), 3072u);
  EXPECT_EQ(enough(kernel("ASK; const unsigned bytes = sizeof(float[32][9]); if (n > 2 && given >= "
                          "2 * bytes) out[0] = 1;"),
                   0),
            2304u);
  // The largest of several, also in functions that are called, and in lambdas.
  EXPECT_EQ(
      enough("template <class T> __device__ bool fits() { ASK; return given >= 10 * sizeof(T); }\n"
             "struct S { float data; __device__ S() { ASK; data = given >= 50 ? 1 : 2; } };\n" +
                 kernel("S s; auto f = [&] { ASK; if (given >= 60) out[2] = s.data; }; f();\n"
                        "if (fits<double>() || fits<char>()) out[0] = 1; ASK; if (given >= 7) "
                        "out[1] = 2;"),
             0),
      80u);
  EXPECT_EQ(enough("template <class T, int N> __global__ void k(T *out) { ASK; if (given >= (N - "
                   "1) * (sizeof(T) * 8)) out[0] = 1; }\n"
                   "template __global__ void k<double, 4>(double *);\n",
                   0),
            192u);
}

TEST(SharedDemand, TimesWhatTheLaunchGives) {
  EXPECT_EQ(
      enough(
          kernel("ASK; const unsigned bytes = 4 * blockDim.x; if (given >= 3 * bytes) out[0] = 1;"),
          1008),
      3024u);
  EXPECT_EQ(
      enough(kernel("ASK; const unsigned bytes = 4 * blockDim.x; if (given >= bytes) out[0] = 1;"),
             1008),
      1008u);
  // Stages begin where the tile could.
  EXPECT_EQ(enough(kernel("ASK; const unsigned bytes = (4 * n + 15) / 16 * 16; if (given >= 2 * "
                          "bytes) out[0] = tile[n];"),
                   1000),
            2016u);
  EXPECT_EQ(enough("extern __shared__ __align__(128) float wide[];\n" +
                       kernel("ASK; const unsigned bytes = (4 * n + 127) / 128 * 128; if (given >= "
                              "2 * bytes) out[0] = wide[n];"),
                   1000),
            2048u);
  EXPECT_EQ(enough(kernel("ASK; const unsigned bytes = 4 * n; if (given >= bytes * 2 || given >= "
                          "5000) out[0] = 1;"),
                   1000),
            5000u);
  EXPECT_EQ(
      enough(kernel("ASK; const unsigned bytes = 4 * n; if (given >= 2 * bytes) out[0] = 1;"), 0),
      std::nullopt)
      << "nothing times two is nothing";
}

TEST(SharedDemand, Unknown) {
  EXPECT_EQ(enough(kernel("ASK; out[0] = given;"), 1000), std::nullopt);
  EXPECT_EQ(enough(kernel("ASK; if (given >= 100) out[0] = given;"), 1000), std::nullopt);
  EXPECT_EQ(enough(kernel("ASK; if (given == 100) out[0] = 1;"), 1000), std::nullopt);
  EXPECT_EQ(
      enough(kernel("ASK; const unsigned bytes = 4 * n; if (given > bytes) out[0] = 1;"), 1000),
      std::nullopt);
  EXPECT_EQ(enough("__device__ unsigned ask() { ASK; return given; }\n" +
                       kernel("if (ask() >= 100) out[0] = 1;"),
                   1000),
            std::nullopt);
}

} // namespace
