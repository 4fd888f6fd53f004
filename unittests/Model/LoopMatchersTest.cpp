//===- LoopMatchersTest.cpp - The matchers by which loops are found -------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// What a matcher does not match is a loop that nobody hears of. So what is tested here are the
/// ways in which C++ hides a barrier, a store and a read; and that they are no excuse for matching
/// all.
///
//===----------------------------------------------------------------------===//
#include "Model/LoopMatchers.h"
#include "../ParsedFile.h"
#include "Model/KnownFunctions.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/Lex/Lexer.h"

using namespace cuda_pipeline;
using namespace clang::ast_matchers;

namespace {

struct Matched : ParsedFile {
  using ParsedFile::ParsedFile;

  /// The texts of what \p Like matches in the function \p Name, in order, with " | " between them.
  std::string in(const std::string &Name, const StatementMatcher &Like) const {
    std::set<std::pair<unsigned, std::string>> Out; // a conversion around it has the same text
    const clang::SourceManager &SM = context().getSourceManager();
    for (const BoundNodes &Nodes : match(functionDecl(forEachDescendant(stmt(Like).bind("it"))),
                                         *function(Name), context())) {
      const clang::SourceRange Range = Nodes.getNodeAs<clang::Stmt>("it")->getSourceRange();
      Out.insert({SM.getFileOffset(Range.getBegin()),
                  clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(Range), SM,
                                              context().getLangOpts())
                      .str()});
    }
    return llvm::join(llvm::make_second_range(Out), " | ");
  }

  LoopMatchers M;
};

TEST(LoopMatchers, Barriers) {
  const Matched File(R"(
    #include <cooperative_groups.h>
    struct Mutex { __device__ void lock() {} };
    __device__ void waits() { __syncthreads(); }
    __device__ void far() { waits(); }
    __device__ void further() { far(); }
    __device__ int twice(int x) { return 2 * x; }
    __global__ void k(int *p) {
      auto block = cooperative_groups::this_thread_block();
      Mutex m;
      __syncthreads();
      p[0] = __syncthreads_count(1);
      block.sync();
      cooperative_groups::sync(block);
      __syncwarp();
      __threadfence();
      asm volatile("bar.sync 0;");
      waits();
      further();
      m.lock();
      p[1] = twice(3);
    })");
  EXPECT_EQ(File.in("k", File.M.isBlockBarrier),
            "__syncthreads() | __syncthreads_count(1) | block.sync() | "
            "cooperative_groups::sync(block)");
  EXPECT_EQ(File.in("k", File.M.isWarpBarrier), "__syncwarp()");
  EXPECT_EQ(File.in("k", File.M.callsOwn), "waits() | further() | m.lock() | twice(3)");
  // What a called function calls is not looked into.
  EXPECT_EQ(
      File.in("k", File.M.mayWait),
      "__syncthreads() | __syncthreads_count(1) | block.sync() | "
      "cooperative_groups::sync(block) | __syncwarp() | asm volatile(\"bar.sync 0;\") | waits() "
      "| further()");
}

TEST(LoopMatchers, Objects) {
  const Matched File(R"(
    struct Vector {
      float x, y = 0;
      __device__ Vector(float x, float y) : x(x), y(y) {}
      __device__ Vector operator+(Vector o) const { return Vector(x + o.x, y + o.y); }
    };
    struct Plain { float a; int b[4]; };
    struct Guard { __device__ ~Guard() { __syncthreads(); } };
    struct Holder { Guard g; };
    struct Derived : Guard {};
    __global__ void k() {
      Vector v(1, 2);
      Vector w = v + v;
      Plain p = {1};
      Plain q[2];
      float4 f = make_float4(1, 2, 3, 4);
      auto add = [&](int i) { return p.a + i; };
      Guard g;
      Holder h;
      Derived d;
      Guard all[2];
    })");
  EXPECT_EQ(File.in("k", declStmt(File.M.makesObject)),
            "Guard g; | Holder h; | Derived d; | Guard all[2];");
  EXPECT_EQ(File.in("k", declStmt(hasDescendant(File.M.mayWait))),
            "Guard g; | Holder h; | Derived d; | Guard all[2];");
}

TEST(LoopMatchers, StoresAndReads) {
  const Matched File(R"(
    __device__ float global;
    __constant__ float table[4];
    constexpr int N = 4;
    const int M = 4; // constant memory, as far as its attributes say
    __device__ void fill(float *p) { *p = 1; }
    __global__ void k(const float *in, float *out, int n) {
      __shared__ float tile[4][4], one;
      float own = 0, array[4];
      float &other = tile[0][0];
      own = N;
      own += M;
      ++n;
      tile[threadIdx.y][threadIdx.x] = own;
      one = 1;
      other = 2;
      out[n] = own;
      own = in[3];
      own = *in;
      own = global;
      own = table[1];
      own = tile[1][2] + array[2] + fmaxf(own, 1) + __shfl_down_sync(~0u, own, 1);
      __syncthreads();
      fill(tile[0]);
    })");
  EXPECT_EQ(File.in("k", expr(File.M.copiesToShared)),
            "tile[threadIdx.y][threadIdx.x] = own | one = 1 | other = 2 | out[n] = own | "
            "fill(tile[0])");
  EXPECT_EQ(File.in("k", expr(File.M.readsGlobal)),
            "M | other | out[n] | in[3] | *in | global | table | table[1] | fill(tile[0])");
}

TEST(LoopMatchers, OnlyComputes) {
  const Matched File(R"(
    __device__ float fmaxf(float, float);
    __global__ void k(float *p) {
      p[0] = fminf(1, 2) + __shfl_sync(1, 2, 3) + max(1, 2) + __expf(3) + __syncthreads_or(1);
      __syncwarp();
    })");
  unsigned Count = 0;
  for (const BoundNodes &Nodes :
       match(decl(forEachDescendant(decl(File.M.onlyComputes).bind("it"))),
             *File.context().getTranslationUnitDecl(), File.context())) {
    const auto *F = Nodes.getNodeAs<clang::FunctionDecl>("it");
    if (F->getNameAsString().find("__fetch_builtin_") == 0)
      continue; // the value of threadIdx.x
    ++Count;
    const FunctionKind Kind = classifyFunction(F, File.context());
    EXPECT_TRUE(Kind == FunctionKind::Pure || Kind == FunctionKind::Warp ||
                Kind == FunctionKind::Barrier || Kind == FunctionKind::BarrierValue ||
                Kind == FunctionKind::WarpBarrier)
        << F->getQualifiedNameAsString();
  }
  EXPECT_GE(Count, 20u);
}

/// Each in a namespace of its own: what stands in front of the kernel, in front of the loop, and in
/// it.
struct Form {
  const char *Name, *Before, *Declared, *Body;
};

std::string fileOf(llvm::ArrayRef<Form> Forms, const std::string &Template = "",
                   const std::string &Number = "float") {
  std::string File = "#include <cooperative_groups.h>\n#include <cuda/barrier>\n"
                     "#include <cuda_pipeline.h>\n#include <new>\n"
                     "#define WAIT() do { __syncthreads(); } while (0)\n"
                     "__device__ inline int w() { __syncthreads(); return 1; }\n"
                     "__device__ inline void w2() { w(); }\n"
                     "struct Wait { __device__ ~Wait() { __syncthreads(); } };\n"
                     "struct Made { __device__ Made(int = 0) { __syncthreads(); } };\n";
  for (const Form &F : Forms)
    File += std::string("namespace ") + F.Name + " {\n" + F.Before + "\n" + Template +
            "__global__ void k(const " + Number + " *in, " + Number +
            " *out, int n) {\n__shared__ " + Number + " tile[64];\nfloat sum = 0;\n" + F.Declared +
            "\nfor (int t = 0; t < n; ++t) {\n" + F.Body + "\n}\nout[0] = sum;\n}\n}\n";
  return File;
}

/// Names of the forms in whose kernels a loop is found.
std::string foundIn(const ParsedFile &File) {
  std::string Out;
  for (const KLoop &L : File.Loops)
    Out += L.Kernel.substr(0, L.Kernel.find(':')) + " ";
  return Out;
}
std::string namesOf(llvm::ArrayRef<Form> Forms) {
  std::string Out;
  for (const Form &F : Forms)
    Out += std::string(F.Name) + " ";
  return Out;
}

#define LOAD "tile[threadIdx.x] = in[t * 64 + threadIdx.x];"
#define USE "sum += tile[63 - threadIdx.x];"

TEST(LoopMatchers, EveryBarrier) {
  const Form Forms[] = {
      {"plain", "", "", LOAD "__syncthreads();" USE},
      {"value", "", "", LOAD "sum += __syncthreads_count(1);" USE},
      {"named", "", "", LOAD "__barrier_sync(0);" USE},
      {"assembly", "", "", LOAD "asm volatile(\"bar.sync 0;\" ::: \"memory\");" USE},
      {"macro", "", "", LOAD "WAIT();" USE},
      {"warp", "", "", LOAD "__syncwarp();" USE},
      {"warpCalled", "__device__ inline void f() { __syncwarp(); }", "", LOAD "f();" USE},
      {"called", "", "", LOAD "w();" USE},
      {"calledTwice", "", "", LOAD "w2();" USE},
      {"calledThrice", "__device__ inline void f() { w2(); }", "", LOAD "f();" USE},
      {"instance", "template <bool B> __device__ void f() { if constexpr (B) w(); }", "",
       LOAD "f<true>();" USE},
      {"group", "", "auto b = cooperative_groups::this_thread_block();", LOAD "b.sync();" USE},
      {"groupGiven", "", "auto b = cooperative_groups::this_thread_block();",
       LOAD "cooperative_groups::sync(b);" USE},
      {"method", "struct G { __device__ void f() { w(); } };", "G g;", LOAD "g.f();" USE},
      {"pointed", "struct G { __device__ void f() { w(); } };", "G g; G *p = &g;",
       LOAD "p->f();" USE},
      {"functor", "struct G { __device__ void operator()() const { w(); } };", "G g;",
       LOAD "g();" USE},
      {"closure", "", "auto f = [&] { __syncthreads(); };", LOAD "f();" USE},
      {"generic", "", "auto f = [&](auto) { __syncthreads(); };", LOAD "f(1);" USE},
      {"atOnce", "", "", LOAD "[&] { __syncthreads(); }();" USE},
      {"conversion", "struct G { __device__ operator int() const { return w(); } };", "G g;",
       LOAD "sum += g;" USE},
      {"operation", "struct G { __device__ int operator+(int) const { return w(); } };", "G g;",
       LOAD "sum += g + 1;" USE},
      {"condition", "", "", LOAD "if (__syncthreads_or(1)) " USE},
      {"declared",
       "struct G { __device__ G(int) { w(); } __device__ operator bool() { return 1; } };", "",
       LOAD "if (G g{1}) " USE},
      {"expression", "", "", LOAD "({ __syncthreads(); });" USE},
      {"comma", "", "", LOAD "__syncthreads(), sum += 1;" USE},
      {"either", "", "", LOAD "n ? __syncthreads() : __syncthreads();" USE},
      {"grid", "", "auto g = cooperative_groups::this_grid();", LOAD "g.sync();" USE},
      {"object", "", "__shared__ cuda::barrier<cuda::thread_scope_block> b;",
       LOAD "b.arrive_and_wait();" USE},
      {"token", "", "__shared__ cuda::barrier<cuda::thread_scope_block> b;",
       LOAD "b.wait(b.arrive());" USE},
      {"unseen", "__device__ void f();", "", LOAD "f();" USE},
      {"byPointer", "", "void (*f)() = w2;", LOAD "f();" USE},
      {"virtually", "struct G { __device__ virtual void f() {} };", "G vg; G *p = &vg;",
       LOAD "p->f();" USE},
      {"gone", "", "", LOAD "{ Wait g; }" USE},
      {"goneBase", "struct G : Wait {};", "", LOAD "{ G g; }" USE},
      {"goneField", "struct G { int x; Wait w[2]; };", "", LOAD "{ G g; }" USE},
      {"goneArray", "", "", LOAD "{ Wait g[2][3]; }" USE},
      {"goneTemporary", "struct G : Wait { int x = 1; };", "", LOAD "sum += G().x;" USE},
      {"goneBound", "", "", LOAD "{ const Wait &g = Wait(); }" USE},
      {"made", "", "", LOAD "Made g;" USE},
      {"madeField", "struct G { Made m; };", "", LOAD "G g;" USE},
      {"madeInside", "struct G { __device__ G() { Made m; } };", "", LOAD "G g;" USE},
      {"inherited", "struct G : Made { using Made::Made; };", "", LOAD "G g(1);" USE},
      {"initialised", "struct G { int a; __device__ G() : a(w()) {} };", "", LOAD "G g;" USE},
      {"inClass", "struct G { int a = w(); __device__ G() {} };", "", LOAD "G g;" USE},
      {"aggregate", "struct G { int a = w(); };", "", LOAD "G g{};" USE},
      {"aggregateTemporary", "struct G { int a = w(); };", "", LOAD "sum += G{}.a;" USE},
      {"byDefault", "__device__ inline void f(int = w()) {}", "", LOAD "f();" USE},
      {"byDefaultInside",
       "__device__ inline void f(int = w()) {} __device__ inline void g() { f(); }", "",
       LOAD "g();" USE},
      {"byDefaultMade", "struct G { __device__ G(int = w()) {} };", "", LOAD "G g;" USE},
      {"range",
       "struct R { float *a; __device__ float *begin() { w(); return a; } __device__ float *end() "
       "{ "
       "return a; } };",
       "R r{out};", LOAD "for (float x : r) sum += x;" USE},
      {"parts", "struct P { int a, b; }; __device__ inline P f() { w(); return {1, 2}; }", "",
       LOAD "auto [a, b] = f();" USE},
  };
  EXPECT_EQ(foundIn(ParsedFile(fileOf(Forms))), namesOf(Forms));
}

#define WAIT_USE "__syncthreads();" USE

TEST(LoopMatchers, EveryCopy) {
  const Form Forms[] = {
      {"pointer", "", "float *p = tile;", "p[0] = in[t];" WAIT_USE},
      {"reference", "", "float &r = tile[1];", "r = in[t];" WAIT_USE},
      {"dereferenced", "", "float *p = tile;", "*p = in[t];" WAIT_USE},
      {"scalar", "", "__shared__ float one;", "one = in[t]; __syncthreads(); sum += one;"},
      {"field", "struct P { float a; };", "__shared__ P one;",
       "one.a = in[t]; __syncthreads(); sum += one.a;"},
      {"part", "", "__shared__ float two[2]; auto &[a, b] = two;", "a = in[t];" WAIT_USE},
      {"called", "__device__ inline void f(float *p, const float *q) { *p = *q; }", "",
       "f(tile, in + t);" WAIT_USE},
      {"closure", "", "auto f = [&](int t) { tile[0] = in[t]; };", "f(t);" WAIT_USE},
      {"assignment", "struct P { float *p; __device__ void operator=(float x) { *p = x; } };",
       "P p{tile};", "p = in[t];" WAIT_USE},
      {"compound", "", "", "tile[0] += in[t];" WAIT_USE},
      {"increment", "", "__shared__ int c[4];", "c[0]++; sum += in[t];" WAIT_USE},
      {"vector", "", "__shared__ float4 wide[4];",
       "wide[0] = *(const float4 *)(in + t); __syncthreads(); sum += wide[3].x;"},
      {"assembly", "", "unsigned a = (unsigned)__cvta_generic_to_shared(tile);",
       "asm volatile(\"st.shared.f32 [%0], %1;\" :: \"r\"(a), \"f\"(in[t]));" WAIT_USE},
      {"async", "", "unsigned a = (unsigned)__cvta_generic_to_shared(tile);",
       "asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4;\" :: \"r\"(a), \"l\"(in + "
       "t));" WAIT_USE},
      {"pipeline", "", "", "__pipeline_memcpy_async(&tile[0], in + t, 4);" WAIT_USE},
      {"placed", "", "", "new (&tile[0]) float(in[t]);" WAIT_USE},
      {"cached", "", "", "__stcg(&tile[0], in[t]);" WAIT_USE},
      {"atomic", "", "", "atomicAdd(&tile[0], in[t]);" WAIT_USE},
      {"results", "", "", "sincosf(in[t], &tile[0], &tile[1]);" WAIT_USE},
      {"made", "struct P { __device__ P(float *p, float x) { *p = x; } };", "",
       "P p(tile, in[t]);" WAIT_USE},
      {"library", "", "", "memcpy(tile, in + t, 4);" WAIT_USE},
      {"fromPointer", "", "", "tile[0] = *(in + t);" WAIT_USE},
      {"fromReference", "", "const float &r = in[n];", "tile[0] = r;" WAIT_USE},
      {"fromCache", "", "", "tile[0] = __ldg(in + t);" WAIT_USE},
      {"fromTexture", "", "cudaTextureObject_t g = n;",
       "tile[0] = tex2D<float>(g, t, 1);" WAIT_USE},
      {"fromGlobal", "__device__ float g;", "", "tile[0] = g;" WAIT_USE},
      {"fromGlobals", "__device__ float g[64];", "", "tile[0] = g[t];" WAIT_USE},
      {"fromConstants", "__constant__ float g[64];", "", "tile[0] = g[t];" WAIT_USE},
      {"fromConstant", "__constant__ float g;", "", "tile[0] = g;" WAIT_USE},
      {"fromStatic", "", "static float g;", "tile[0] = g;" WAIT_USE},
      {"fromStaticMember", "struct P { static float x; }; __device__ float P::x;", "P p;",
       "tile[0] = p.x;" WAIT_USE},
      {"fromFieldReference", "struct P { const float &x; };", "P p{in[0]};",
       "tile[0] = p.x;" WAIT_USE},
      {"fromPointed", "struct P { float x; };", "const P *p = (const P *)in;",
       "tile[0] = p->x;" WAIT_USE},
      {"fromMemberPointer", "struct P { float x; };",
       "float P::*m = &P::x; const P *q = (const P *)in;", "tile[0] = q->*m;" WAIT_USE},
      {"fromPart", "struct Q { float a, b; };", "const Q *q = (const Q *)in; auto &[a, b] = *q;",
       "tile[0] = a;" WAIT_USE},
      {"fromRow", "", "__shared__ float t3[2][3][4]; auto q = (const float (*)[4])in;",
       "t3[1][2][3] = q[1][t]; __syncthreads(); sum += t3[0][0][0];"},
      {"fromPointers", "", "float *p[2] = {out, out};", "tile[0] = p[1][t];" WAIT_USE},
      {"fromCall", "__device__ inline float f(const float *p, int t) { return p[t]; }", "",
       "tile[0] = f(in, t);" WAIT_USE},
      {"fromClosure", "", "auto f = [=](int t) { return in[t]; };", "tile[0] = f(t);" WAIT_USE},
      {"fromAtomic", "", "", "tile[0] = __atomic_load_n((const int *)in, 0);" WAIT_USE},
      {"fromComplex", "", "_Complex float c = 1;", "tile[0] = __real__ c;" WAIT_USE},
      {"fromCaptured", "", "float c[2] = {1, 2};", "tile[0] = [c] { return c[0]; }();" WAIT_USE},
      {"fromParts", "", "float c[2] = {1, 2};", "auto [a, b] = c; tile[0] = a;" WAIT_USE},
  };
  EXPECT_EQ(foundIn(ParsedFile(fileOf(Forms))), namesOf(Forms));
}

TEST(LoopMatchers, EveryTemplate) {
  const Form Forms[] = {
      {"plain", "", "", LOAD WAIT_USE},
      {"noRead", "", "", "tile[threadIdx.x] = 1;" WAIT_USE},
      {"noType", "", "__shared__ int i[4];", "i[0] = 1; __syncthreads();"},
      {"pointer", "", "T *p = tile;", "p[0] = ((T *)in)[t];" WAIT_USE},
      {"cast", "", "auto p = reinterpret_cast<T *>(tile);", "p[0] = in[t];" WAIT_USE},
      {"called", "", "", "load(tile, in, t);" WAIT_USE},
      {"method", "", "", "tile[0].set(in, t);" WAIT_USE},
      {"objectOfBoth", "", "", "T load(tile, in); load();" WAIT_USE},
      {"view", "", "auto view = make_view(tile);", "copy(in, view);" WAIT_USE},
      {"given",
       "struct Memory { __device__ static float *get() { __shared__ float s[4]; return s; } };",
       "T *s = (T *)Memory::get();", "s[0] = in[t];" WAIT_USE},
      {"open", "", "", LOAD "T::sync();" USE},
      {"openMethod", "", "", LOAD "in[0].wait();" USE},
      {"openIf", "", "", LOAD "if (n) T::barrier();" USE},
  };
  EXPECT_EQ(foundIn(ParsedFile(fileOf(Forms, "template <typename T> ", "T"))), namesOf(Forms));
}

/// A closure is a part of the function that it stands in, if that is one of the GPU.
TEST(LoopMatchers, DeviceFunctions) {
  const ParsedFile File(R"(
    template <typename F> __global__ void run(F f) { f(); }
    __global__ void k(int *p) {
      auto f = [=] { auto g = [=] { p[1] = 1; }; g(); };
      f();
    }
    void host(int *p) {
      run<<<1, 1>>>([=] __device__ {
        auto inner = [=] { p[0] = 1; };
        inner();
      });
      auto no = [=] { p[0] = 2; }; // of both sides, as far as Clang is concerned
      no();
    })");
  std::string Names;
  const clang::SourceManager &SM = File.context().getSourceManager();
  for (const BoundNodes &Nodes :
       match(decl(forEachDescendant(decl(LoopMatchers().deviceFunction).bind("it"))),
             *File.context().getTranslationUnitDecl(), File.context())) {
    const auto *F = Nodes.getNodeAs<clang::FunctionDecl>("it");
    if (SM.isInMainFile(F->getLocation()) && !F->isImplicit())
      Names += F->getNameAsString() + ":" +
               std::to_string(SM.getSpellingLineNumber(F->getLocation())) + " ";
  }
  EXPECT_EQ(Names, "run:2 run:2 k:3 operator():8 ");
}

/// Not even looked at.
TEST(LoopMatchers, NoTileLoop) {
  const Matched File(R"(
    struct Vector {
      float x, y;
      __device__ Vector operator+(Vector o) const { return {x + o.x, y + o.y}; }
    };
    __device__ float twice(float x) { return 2 * x; }
    __global__ void k(const float *in, float *out, Vector *v, int n) {
      __shared__ float s[64];
      for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = twice(in[i]);
      for (int i = 0; i < n; ++i)
        v[i] = v[i] + v[0];
      for (int d = 32; d > 0; d /= 2) {
        if (threadIdx.x < d)
          s[threadIdx.x] = fmaxf(s[threadIdx.x], s[threadIdx.x + d]);
        __syncthreads();
      }
      float sum = s[0];
      for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(~0u, sum, d);
      while (n-- > 0)
        atomicAdd(out, sum);
      do
        __syncthreads();
      while (n++ < 4);
      do {
        s[threadIdx.x] = in[n];
        __syncthreads();
      } while (0);
      do {
        s[threadIdx.x] = in[n];
        __syncthreads();
      } while (false);
    })");
  EXPECT_EQ(File.in("k", File.M.tileLoop), "");
  EXPECT_EQ(match(functionDecl(forEachDescendant(stmt(File.M.anyLoop).bind("it"))),
                  *File.function("k"), File.context())
                .size(),
            6u);
}

} // namespace
