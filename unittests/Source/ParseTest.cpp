//===- ParseTest.cpp - A CUDA file becomes a Clang AST ----------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestFiles.h"
#include "cuda-pipeline/Source.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <set>
#include <thread>

using namespace cuda_pipeline;

namespace {

/// The machine's toolkit, if it has one.
const std::optional<Toolkit> &installed() {
  static const std::optional<Toolkit> Found = [] {
    auto Result = findToolkit("");
    if (Result)
      return *Result;
    llvm::consumeError(Result.takeError());
    return std::optional<Toolkit>();
  }();
  return Found;
}

struct Result {
  std::shared_ptr<clang::ASTUnit> Unit;
  std::vector<std::string> Errors;
  bool ok() const { return Unit && Errors.empty() && !Unit->getDiagnostics().hasErrorOccurred(); }
  std::string text() const { return llvm::join(Errors, "\n"); }
};

Result run(const ParseRequest &Request) {
  Result R;
  clang::TextDiagnosticBuffer Buffer;
  R.Unit = parse(Request, &Buffer);
  for (auto I = Buffer.err_begin(); I != Buffer.err_end(); ++I)
    R.Errors.push_back(I->second);
  return R;
}

ParseRequest request(llvm::StringRef Code, llvm::StringRef Arch = "sm_86") {
  ParseRequest Request;
  Request.File = "test.cu";
  Request.Arch = Arch.str();
  Request.Contents = Code.str();
  return Request;
}

Result parseBundled(llvm::StringRef Code, llvm::StringRef Arch = "sm_86") {
  return run(request(Code, Arch));
}

/// Each test of this fixture runs twice: with the bundled declarations and with a toolkit.
class Parse : public ::testing::TestWithParam<bool> {
protected:
  void SetUp() override {
    if (GetParam() && !installed())
      GTEST_SKIP() << "no CUDA toolkit here";
  }
  ParseRequest prepare(ParseRequest Request) const {
    if (GetParam())
      Request.Cuda = installed();
    return Request;
  }
  Result code(llvm::StringRef Code, llvm::StringRef Arch = "sm_86") const {
    return run(prepare(request(Code, Arch)));
  }
};

/// Qualified names of what device code calls, in the main file.
class Calls : public clang::RecursiveASTVisitor<Calls> {
public:
  std::set<std::string> Names;
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitDeclRefExpr(clang::DeclRefExpr *E) {
    if (auto *F = llvm::dyn_cast<clang::FunctionDecl>(E->getDecl()))
      Names.insert(F->getQualifiedNameAsString());
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr *E) {
    if (auto *F = llvm::dyn_cast<clang::FunctionDecl>(E->getMemberDecl()))
      Names.insert(F->getQualifiedNameAsString());
    return true;
  }
};

std::set<std::string> callsIn(clang::ASTUnit &Unit) {
  Calls Visitor;
  for (auto I = Unit.top_level_begin(); I != Unit.top_level_end(); ++I)
    if (Unit.getSourceManager().isInMainFile((*I)->getLocation()))
      Visitor.TraverseDecl(*I);
  return Visitor.Names;
}

} // namespace

INSTANTIATE_TEST_SUITE_P(Headers, Parse, ::testing::Bool(),
                         [](const auto &Info) { return Info.param ? "Toolkit" : "Bundled"; });

TEST_P(Parse, DeviceSideOfTheArchitectureAskedFor) {
  for (auto [Arch, Value] : {std::pair("sm_75", "750"), std::pair("sm_86", "860"),
                             std::pair("sm_90a", "900"), std::pair("sm_100f", "1000")}) {
    Result R =
        code("#if __CUDA_ARCH__ != " + std::string(Value) + "\n#error wrong\n#endif\n", Arch);
    EXPECT_TRUE(R.ok()) << Arch << ": " << R.text();
  }
}

TEST_P(Parse, MacrosOfArchitectureSuffixes) {
  EXPECT_TRUE(
      code("static_assert(__CUDA_ARCH_FEAT_SM90_ALL && __CUDA_ARCH_SPECIFIC__ == 900);", "sm_90a")
          .ok());
  Result R = code("static_assert(__CUDA_ARCH_FAMILY_SPECIFIC__ == 1000);\n"
                  "#ifdef __CUDA_ARCH_SPECIFIC__\n#error\n#endif\n",
                  "sm_100f");
  EXPECT_TRUE(R.ok()) << R.text();
}

TEST_P(Parse, KitchenSink) {
  for (const char *Arch : {"sm_80", "sm_90"}) {
    ParseRequest Request;
    Request.File = "Inputs/kitchen-sink.cu";
    Request.Arch = Arch;
    Result R = run(prepare(Request));
    EXPECT_TRUE(R.ok()) << Arch << ": " << R.text();
  }
}

TEST_P(Parse, LaunchesWork) {
  Result R = code("__global__ void k(int *) {}\n"
                  "int main() { k<<<1, 2, 3, 0>>>(nullptr); k<<<dim3(1), dim3(2)>>>(nullptr); }");
  EXPECT_TRUE(R.ok()) << R.text();
}

TEST_P(Parse, LaunchesInDeviceCode) {
  ParseRequest Request = request("__global__ void child(int) {}\n"
                                 "__global__ void k() { child<<<1, 2>>>(3); }");
  auto Flags = translateFlags({"-rdc=true"});
  ASSERT_TRUE(bool(Flags));
  Request.Flags = *Flags;
  Result R = run(prepare(Request));
  EXPECT_TRUE(R.ok()) << R.text();
}

TEST_P(Parse, NothingNeedsToBeIncluded) {
  Result R = code("__global__ void k(float *a, int n) {\n"
                  "  a[threadIdx.x] = fmaxf(a[0], sqrtf(a[1])) + min(n, 3) + max(a[2], 1.f);\n"
                  "  printf(\"%d\\n\", n);\n  assert(n);\n  __syncthreads();\n}\n"
                  "int host(int n) { return max(n, 3) + (int)fabs(2.0) + (int)time(0); }");
  EXPECT_TRUE(R.ok()) << R.text();
}

TEST_P(Parse, StandardHeaders) {
  // In front of and behind each other: which declaration of a function comes first matters.
  for (const char *Includes :
       {"#include <math.h>\n#include <cmath>\n#include <stdlib.h>\n#include <string.h>\n",
        "#include <cmath>\n#include <math.h>\n#include <cstdlib>\n#include <cstdio>\n"
        "#include <cstring>\n#include <cassert>\n#include <ctime>\n",
        "#include <vector>\n#include <algorithm>\n#include <iostream>\n#include <limits>\n"
        "#include <random>\n#include <chrono>\n#include <functional>\n#include <complex>\n"
        "#include <new>\n#include <memory>\n#include <tuple>\n#include <numeric>\n"}) {
    Result R =
        code(std::string(Includes) +
             "__global__ void k(float *a, int n) {\n"
             "  a[0] = sqrt(a[1]) + std::sqrt(a[2]) + fabs(a[3]) + pow(a[4], 2) + sqrt(n) +\n"
             "         std::abs(n) + abs(a[5]) + std::abs(a[6]) + isnan(a[7]);\n}");
    EXPECT_TRUE(R.ok()) << Includes << R.text();
  }
}

TEST_P(Parse, FloatArgumentsStayFloat) {
  Result R = code("template <class T, class U> struct same;\n"
                  "template <class T> struct same<T, T> {};\n"
                  "__device__ void f(float x, double y, int n) {\n"
                  "  same<decltype(fmax(x, x)), float>();\n  same<decltype(sqrt(x)), float>();\n"
                  "  same<decltype(sqrt(y)), double>();\n  same<decltype(sqrt(n)), double>();\n"
                  "  same<decltype(min(n, n)), int>();\n  same<decltype(fmax(x, y)), double>();\n"
                  "  same<decltype(abs(x)), float>();\n  same<decltype(abs(n)), int>();\n}");
  EXPECT_TRUE(R.ok()) << R.text();
}

TEST_P(Parse, Errors) {
  Result R = code("__global__ void k() { int x = undeclared; }");
  EXPECT_FALSE(R.ok());
  ASSERT_EQ(R.Errors.size(), 1u);
  EXPECT_NE(R.Errors[0].find("undeclared"), std::string::npos);
  ASSERT_TRUE(R.Unit);
  EXPECT_TRUE(R.Unit->getDiagnostics().hasErrorOccurred());
}

TEST_P(Parse, CallsAcrossTheBoundaryAreErrors) {
  EXPECT_FALSE(code("void host();\n__global__ void k() { host(); }").ok());
}

TEST_P(Parse, WhatNvccOnlyWarnsAbout) {
  Result R = code("void f(int n) { register int x = 0; float a[] = {n, 2.0}; }");
  EXPECT_TRUE(R.ok()) << R.text();
}

TEST_P(Parse, BarriersAndPipelinesInSharedMemory) {
  Result R = code("#include <cooperative_groups.h>\n#include <cuda/barrier>\n"
                  "#include <cuda/pipeline>\n"
                  "__global__ void k() {\n"
                  "  __shared__ cuda::barrier<cuda::thread_scope_block> b;\n"
                  "  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> s;\n"
                  "  if (threadIdx.x == 0) init(&b, blockDim.x);\n"
                  "  auto g = cooperative_groups::this_thread_block();\n"
                  "  auto p = cuda::make_pipeline(g, &s);\n  b.arrive_and_wait();\n}");
  EXPECT_TRUE(R.ok()) << R.text();
}

TEST_P(Parse, OtherSharedVariablesWithConstructorsAreErrors) {
  Result R = code("struct S { int x; __device__ S() : x(3) {} };\n"
                  "__global__ void k() { __shared__ S s; }");
  EXPECT_FALSE(R.ok());
  ASSERT_EQ(R.Errors.size(), 1u);
  EXPECT_NE(R.Errors[0].find("not supported for __shared__"), std::string::npos) << R.text();
}

// The analysis knows functions by these names, so they must not depend on where they come from.
TEST_P(Parse, QualifiedNames) {
  Result R = code("#include <mma.h>\n#include <cooperative_groups.h>\n"
                  "#include <cooperative_groups/memcpy_async.h>\n#include <cuda_pipeline.h>\n"
                  "#include <cuda/pipeline>\n"
                  "__global__ void k(half *h, float *f) {\n"
                  "  __shared__ float t[32];\n"
                  "  nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half, "
                  "nvcuda::wmma::row_major> a;\n"
                  "  nvcuda::wmma::load_matrix_sync(a, h, 16);\n"
                  "  auto b = cooperative_groups::this_thread_block();\n"
                  "  cooperative_groups::memcpy_async(b, t, f, 128);\n"
                  "  cooperative_groups::wait(b);\n  b.sync();\n"
                  "  __pipeline_memcpy_async(t, f, 16);\n  __pipeline_commit();\n"
                  "  __pipeline_wait_prior(0);\n  auto p = cuda::make_pipeline();\n"
                  "  p.producer_commit();\n  f[0] = __half2float(h[0]) + __shfl_sync(~0u, 1, 0);\n"
                  "  atomicAdd(f, __ldg(f));\n  __syncthreads();\n  __threadfence();\n}");
  ASSERT_TRUE(R.ok()) << R.text();
  std::set<std::string> Names = callsIn(*R.Unit);
  for (const char *Name :
       {"nvcuda::wmma::load_matrix_sync", "cooperative_groups::__v1::this_thread_block",
        "cooperative_groups::__v1::memcpy_async", "cooperative_groups::__v1::wait",
        "cooperative_groups::__v1::thread_block::sync", "__pipeline_memcpy_async",
        "__pipeline_commit", "__pipeline_wait_prior", "cuda::make_pipeline",
        "cuda::pipeline<cuda::std::thread_scope_thread>::producer_commit", "__half2float",
        "__shfl_sync", "atomicAdd", "__ldg", "__syncthreads", "__threadfence"})
    EXPECT_TRUE(Names.count(Name)) << Name << " is not among\n"
                                   << llvm::join(Names.begin(), Names.end(), "\n");
}

TEST_P(Parse, FlagsOfTheUser) {
  TestDir Dir;
  Dir.write("inc/mine.h", "#define FROM_HEADER 1\n");
  ParseRequest Request = request("#include \"mine.h\"\n#include <theirs.h>\n"
                                 "static_assert(FROM_HEADER + FROM_FLAG + THEIRS == 6 && "
                                 "__cplusplus == 202002L && EXTRA);");
  Dir.write("sys/theirs.h", "#define THEIRS 3\n");
  auto Flags = translateFlags(
      {"-I" + Dir.path("inc"), "-DFROM_FLAG=2", "-std=c++20", "-isystem", Dir.path("sys")});
  ASSERT_TRUE(bool(Flags));
  Request.Flags = *Flags;
  Request.ExtraArgs = {"-DEXTRA=1"};
  Result R = run(prepare(Request));
  EXPECT_TRUE(R.ok()) << R.text();
}

TEST_P(Parse, DirectoryOfTheCommand) {
  TestDir Dir;
  Dir.write("build/inc/mine.h", "#define MINE 1\n");
  std::string File = Dir.write("src/a.cu", "#include <mine.h>\nstatic_assert(MINE);");
  auto Flags = translateFlags({"-Iinc"}, Dir.path("build"));
  ASSERT_TRUE(bool(Flags));
  ParseRequest Request;
  Request.File = File;
  Request.Arch = "sm_80";
  Request.Flags = *Flags;
  Result R = run(prepare(Request));
  EXPECT_TRUE(R.ok()) << R.text();
}

// The command is CMake's own, word for word but for the directories.
TEST_P(Parse, DatabaseOfCMake) {
  TestDir Dir;
  Dir.write("inc/inc.h", "#define INC 1\n");
  Dir.write("sys/sys.h", "#define SYS 1\n");
  std::string File = Dir.write(
      "a.cu",
      "#include \"inc.h\"\n#include <sys.h>\n"
      "static_assert(COUNT == 1 && sizeof(TEXT) == 4 && INC && SYS && __cplusplus == 201703L);\n"
      "__global__ void k() {}\n");
  Dir.write("build/compile_commands.json",
            "[{\"directory\": \"" + Dir.path("build") +
                "\", \"command\": \"/usr/local/cuda/bin/nvcc -forward-unknown-to-host-compiler "
                "-DCOUNT=1 -DTEXT=\\\"\\\\\\\"x y\\\\\\\"\\\" -I" +
                Dir.path("inc") + " -isystem=" + Dir.path("sys") +
                " --generate-code=arch=compute_80,code=[sm_80] "
                "\\\"--generate-code=arch=compute_86,code=[compute_86,sm_86]\\\" "
                "--generate-code=arch=compute_90a,code=[sm_90a] -std=c++17 -Xcompiler=-fPIC "
                "--expt-relaxed-constexpr -Xcompiler=-Wall --use_fast_math -x cu -rdc=true -c " +
                File + " -o CMakeFiles/a.dir/a.cu.o\", \"file\": \"" + File + "\"}]");
  auto All = FlagDatabase::load(Dir.path("build"));
  ASSERT_TRUE(bool(All)) << llvm::toString(All.takeError());
  auto Flags = All->flagsOf(File);
  ASSERT_TRUE(bool(Flags)) << llvm::toString(Flags.takeError());
  ASSERT_TRUE(Flags->has_value());
  EXPECT_EQ((*Flags)->Archs, std::vector<std::string>({"sm_80", "sm_86", "sm_90a"}));
  ParseRequest Request;
  Request.File = File;
  Request.Arch = "sm_90a";
  Request.Flags = **Flags;
  Result R = run(prepare(Request));
  EXPECT_TRUE(R.ok()) << R.text();
}

TEST_P(Parse, RelativeFileWithTheDirectoryOfTheCommand) {
  TestDir Dir;
  auto Flags = translateFlags({"-Iinc"}, Dir.path());
  ASSERT_TRUE(bool(Flags));
  ParseRequest Request;
  Request.File = "Inputs/kitchen-sink.cu"; // relative to our directory, not to the command's
  Request.Arch = "sm_80";
  Request.Flags = *Flags;
  Result R = run(prepare(Request));
  EXPECT_TRUE(R.ok()) << R.text();
}

TEST_P(Parse, CudaHeadersAreFiles) {
  TestDir Dir;
  ParseRequest Request;
  Request.File = Dir.write("kernel.cuh", "#pragma once\n__global__ void k(int *a) { a[0] = 1; }");
  Request.Arch = "sm_80";
  Result R = run(prepare(Request));
  EXPECT_TRUE(R.ok()) << R.text();
}

TEST_P(Parse, OddFiles) {
  TestDir Dir;
  ParseRequest Request;
  Request.Arch = "sm_80";
  Request.File = Dir.write("empty.cu", "");
  EXPECT_TRUE(run(prepare(Request)).ok());
  Request.File = Dir.write("crlf.cu", "__global__ void k() {}\r\n// no newline at the end");
  EXPECT_TRUE(run(prepare(Request)).ok());
  Request.File = Dir.write("bom.cu", "\xEF\xBB\xBF__global__ void k() {}\n");
  EXPECT_TRUE(run(prepare(Request)).ok());
  Request.File = Dir.write("-dash.cu", "");
  EXPECT_TRUE(run(prepare(Request)).ok());

  Request.File = Dir.write("binary.cu", llvm::StringRef("\x7f"
                                                        "ELF\0\1\2\xff\xfe\0}{",
                                                        12));
  EXPECT_FALSE(run(prepare(Request)).ok());
  Request.File = Dir.write("nested.cu", std::string(100000, '('));
  EXPECT_FALSE(run(prepare(Request)).ok());
  Request.File = Dir.path("missing.cu");
  Result Missing = run(prepare(Request));
  EXPECT_FALSE(Missing.ok());
  EXPECT_FALSE(Missing.Errors.empty());
  Request.File = Dir.path();
  EXPECT_FALSE(run(prepare(Request)).ok());
  Request.File = "";
  EXPECT_FALSE(run(prepare(Request)).ok());
}

TEST_P(Parse, AnUnknownExtraArgument) {
  ParseRequest Request = request("");
  Request.ExtraArgs = {"--no-such-flag"};
  Result R = run(prepare(Request));
  EXPECT_FALSE(R.Unit);
  ASSERT_EQ(R.Errors.size(), 1u);
  EXPECT_NE(R.Errors[0].find("--no-such-flag"), std::string::npos);
}

TEST_P(Parse, NobodyListens) {
  EXPECT_TRUE(parse(prepare(request("__global__ void k() {}")), nullptr));
  EXPECT_FALSE(parse(prepare(request("#error no")), nullptr)->getDiagnostics().getNumWarnings());
}

TEST_P(Parse, ContentsInsteadOfTheDisk) {
  TestDir Dir;
  ParseRequest Request = request("__global__ void k() {}");
  Request.File = Dir.write("a.cu", "this is not C++");
  EXPECT_TRUE(run(prepare(Request)).ok());
  Request.File = Dir.path("not-there.cu");
  EXPECT_TRUE(run(prepare(Request)).ok());
}

TEST_P(Parse, InParallel) {
  std::vector<int> Ok(4);
  std::vector<std::thread> Threads;
  for (int I = 0; I != 4; ++I)
    Threads.emplace_back([&, I] { Ok[I] = code("__global__ void k() {}").ok(); });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(Ok, std::vector<int>(4, 1));
}

// --- Only with the bundled declarations ----------------------------------------------------------

TEST(BundledParse, AToolkitsIncludeDirectoryIsNotSearched) {
  TestDir Dir;
  Dir.write("cuda/include/cuda_runtime.h", "#error the toolkit's\n");
  Dir.write("cuda/include/crt/host_config.h", "");
  Dir.write("mine/cuda_runtime_helper.h", "");
  for (const std::vector<std::string> &Flag :
       {std::vector<std::string>{"-I" + Dir.path("cuda/include")},
        std::vector<std::string>{"-isystem", Dir.path("cuda/include")}}) {
    ParseRequest Request = request("#include <cuda_runtime.h>\n#include <cuda_runtime_helper.h>\n");
    Request.Flags.ClangArgs = Flag;
    Request.Flags.ClangArgs.push_back("-I" + Dir.path("mine"));
    Result R = run(Request);
    EXPECT_TRUE(R.ok()) << R.text();
  }
}

TEST(BundledParse, LibrariesThatKernelsAreComparedWith) {
  Result R = parseBundled("#include <cublas_v2.h>\n#include <curand_kernel.h>\n"
                          "#include <cuComplex.h>\n#include <cuda_profiler_api.h>\n"
                          "void f(cublasHandle_t h, float *a) {\n  float one = 1;\n"
                          "  cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, a, 1, a, 1, "
                          "&one, a, 1);\n}\n"
                          "__global__ void k(curandState *s, float *a) {\n"
                          "  curand_init(1, 2, 3, s);\n  a[0] = curand_uniform(s);\n}");
  EXPECT_TRUE(R.ok()) << R.text();
}

TEST(BundledParse, HelpersThatAskForTheRuntimesIncludeGuard) {
  EXPECT_TRUE(parseBundled("#ifndef __DRIVER_TYPES_H__\n#error\n#endif\n"
                           "#ifndef __CUDA_RUNTIME_H__\n#error\n#endif")
                  .ok());
}

TEST(BundledParse, NamesOfOtherHeadersAreFree) {
  EXPECT_TRUE(parseBundled("struct half { int x; };\nstruct pipeline {};\nint wmma;").ok());
}

TEST(BundledParse, OlderLanguages) {
  for (const char *Std : {"c++11", "c++14", "c++17", "c++20", "c++23"}) {
    ParseRequest Request = request("#include <mma.h>\n#include <cooperative_groups.h>\n"
                                   "#include <cuda_fp8.h>\n#include <cuda/pipeline>\n");
    Request.Flags.ClangArgs = {std::string("-std=") + Std};
    Result R = run(Request);
    EXPECT_TRUE(R.ok()) << Std << ": " << R.text();
  }
}

// --- The command line ---------------------------------------------------------------------------

TEST(ClangArguments, HoldTheUsersFlagsAndTheFileLast) {
  ParseRequest Request = request("");
  Request.Flags.ClangArgs = {"-DA"};
  Request.ExtraArgs = {"-DB"};
  std::vector<std::string> Args = clangArguments(Request);
  auto At = [&](llvm::StringRef Arg) { return llvm::find(Args, Arg) - Args.begin(); };
  EXPECT_LT(At("-DA"), At("-DB"));
  EXPECT_LT(At("--cuda-gpu-arch=sm_86"), At("-DA"));
  EXPECT_EQ(Args.back(), "test.cu");
  EXPECT_EQ(*(Args.end() - 2), "--");
}

TEST(ClangArguments, NewerToolkitsThanClangKnows) {
  ParseRequest Request = request("");
  for (auto [Version, Sdk] : {std::pair("13.0", "12.9"), std::pair("11.8", "11.8"),
                              std::pair("", "12.9"), std::pair("12.10", "12.9")}) {
    Request.Cuda = Toolkit{"/cuda", "", Version};
    EXPECT_TRUE(
        llvm::is_contained(clangArguments(Request), std::string("-target-sdk-version=") + Sdk))
        << Version;
  }
}
