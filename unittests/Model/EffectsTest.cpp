//===- EffectsTest.cpp - Accesses, points-to, known functions, values -----===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// An access that is not seen is a load that moves across it. So what is tested here are the ways
/// in which C++ hides one: another name, a call, a destructor, an operator.
///
//===----------------------------------------------------------------------===//
#include "Model/Effects.h"
#include "../ParsedFile.h"
#include "Model/Values.h"

using namespace cuda_pipeline;

namespace {

const char *spaceName(Space S) {
  switch (S) {
  case Space::Local:
    return "local";
  case Space::Shared:
    return "shared";
  case Space::Global:
    return "global";
  case Space::Constant:
    return "constant";
  case Space::Param:
    return "param";
  case Space::Texture:
    return "texture";
  case Space::Unknown:
    return "unknown";
  }
  return "";
}

/// "A.global tile.shared anything": sorted; locals only where \p Locals.
std::string text(const RootSet &Roots, bool Locals = false) {
  std::set<std::string> Out;
  for (const MemoryRoot &R : Roots) {
    if (R.In == Space::Local && !Locals)
      continue;
    if (R.Decl)
      Out.insert(R.Decl->getNameAsString() + "." + spaceName(R.In));
    else
      Out.insert(R.In == Space::Unknown ? "anything" : spaceName(R.In));
  }
  return llvm::join(Out, " ");
}

/// A file and the effects of its kernel `k`.
struct Seen : ParsedFile {
  explicit Seen(const std::string &Code)
      : ParsedFile(Code), Collector(context(), function("k")),
        All(Collector.collect(function("k")->getBody())) {}

  std::string touched(bool Write, bool Locals = false) const {
    RootSet Roots;
    for (const Access &A : All.Accesses)
      if (Write ? A.Write : A.Read)
        Roots.insert(A.Roots.begin(), A.Roots.end());
    return text(Roots, Locals);
  }
  std::string writes() const { return touched(true); }
  std::string reads() const { return touched(false); }
  bool unknown() const {
    return llvm::any_of(All.Actions, [](const Action &A) {
      return A.Kind == Action::UnknownCall || A.Kind == Action::Asm || A.Kind == Action::Allocation;
    });
  }

  EffectCollector Collector;
  Effects All;
};

/// The kernel's parameters and its tile are always the same.
std::string kernel(const std::string &Body, const std::string &Before = "") {
  return Before +
         "\n__global__ void k(float *A, float *B, int n) {\n  __shared__ float tile[64];\n  " +
         Body + "\n}\n";
}

} // namespace

TEST(Effects, SpacesOfObjects) {
  Seen S(
      "__device__ float device; __constant__ float constant; extern __shared__ float dynamic[];\n"
      "struct Args { float by; float *in; };\n"
      "__global__ void k(float *A, Args args) {\n"
      "  __shared__ float tile[4]; static float kept; float local[4];\n"
      "  local[0] = device + constant + dynamic[1] + args.by + args.in[2] + A[3];\n"
      "  kept = local[1]; tile[0] = local[2];\n}");
  EXPECT_EQ(S.reads(), "A.global A.param args.global args.param constant.constant device.global "
                       "dynamic.shared");
  EXPECT_EQ(S.writes(), "kept.global tile.shared");
}

TEST(Effects, PointersMayPointToWhateverWasAssigned) {
  EXPECT_EQ(Seen(kernel("float *p = A; p[0] = 1; if (n) p = tile;")).writes(),
            "A.global tile.shared");
  EXPECT_EQ(Seen(kernel("float *p = n ? A + n : &tile[3]; *p++ = 1;")).writes(),
            "A.global tile.shared");
  EXPECT_EQ(Seen(kernel("float *p = A, *q; q = p; q -= n; q[n] = 1; p = B;")).writes(),
            "A.global B.global");
  // The order of the statements says nothing in a loop.
  EXPECT_EQ(Seen(kernel("float *p = A, *q = B; for (; n; --n) { *p = 1; p = q; q = tile; }"))
                .touched(true),
            "A.global B.global n.param tile.shared");
  EXPECT_EQ(Seen(kernel("reinterpret_cast<float4 *>(A)[n] = *(const float4 *)&tile[4];")).writes(),
            "A.global");
}

TEST(Effects, PointersThatAreChangedUnderAnotherName) {
  for (const char *Body :
       {"float *p = A; float **q = &p; *q = tile; p[0] = 1;",
        "float *p = A; float *&r = p; r = tile; p[0] = 1;",
        "float *p = A, *q = B; (n ? p : q) = tile; p[0] = 1;",
        "float *p = A; auto f = [&] { p = tile; }; f(); p[0] = 1;",
        "float *p = A; set(p, tile); p[0] = 1;", "float *p = A; set(&p, tile); p[0] = 1;",
        "struct { float *p; } s{A}; s.p = tile; s.p[0] = 1;",
        "float *p[2] = {A, tile}; p[n][0] = 1;", "float *p = A; Ref r{p}; r.to = tile; p[0] = 1;",
        "auto [p, q] = Two{tile, A}; p[0] = 1;", "float *p = choose(A, tile); p[0] = 1;"}) {
    std::string Writes =
        Seen(kernel(Body, "struct Ref { float *&to; }; struct Two { float *p, *q; };\n"
                          "__device__ void set(float *&p, float *to) { p = to; }\n"
                          "__device__ void set(float **p, float *to) { *p = to; }\n"
                          "__device__ float *choose(float *a, float *b) { return a > b ? a : b; }"))
            .writes();
    EXPECT_TRUE(llvm::StringRef(Writes).contains("tile") ||
                llvm::StringRef(Writes).contains("anything"))
        << Body << ": " << Writes;
  }
}

TEST(Effects, PointersOfOthers) {
  // What a __device__ function is given may be anything.
  ParsedFile F(
      "__device__ void k(float *A, float **P, float &r) { A[0] = 1; P[1][2] = 3; r = 4; }");
  EffectCollector C(F.context(), F.function("k"));
  for (const Access &A : C.collect(F.function("k")->getBody()).Accesses)
    if (A.Write) {
      EXPECT_TRUE(A.mayTouch(Space::Unknown)) << text(A.Roots);
    }
  // A pointer that is loaded leads to global memory, unless the kernel itself may have put another
  // one there.
  EXPECT_EQ(
      Seen("__device__ float *kept;\n__global__ void k(float **A) { kept[0] = 1; A[0][0] = 2; }")
          .writes(),
      "global");
  EXPECT_EQ(Seen("__device__ float *kept;\n__global__ void k() { __shared__ float s[4]; kept = s; "
                 "kept[0] = 1; }")
                .writes(),
            "anything kept.global");
}

TEST(Effects, Names) {
  EXPECT_EQ(Seen(kernel("float &r = tile[n]; r = 1;")).writes(), "tile.shared");
  EXPECT_EQ(Seen(kernel("float &r = n ? tile[n] : A[n]; r += 1;")).writes(),
            "A.global tile.shared");
  EXPECT_EQ(Seen(kernel("for (float &x : tile) x = 0;")).writes(), "tile.shared");
  EXPECT_EQ(Seen(kernel("auto &[a, b] = two[0]; b = 1;",
                        "struct Two { float a, b; }; __device__ Two two[4];"))
                .writes(),
            "two.global");
  EXPECT_EQ(Seen(kernel("auto &[a, b] = two[0]; tile[0] = b;",
                        "struct Two { float a, b; }; __device__ Two two[4];"))
                .reads(),
            "two.global");
  // A member that is a reference is not where its object is, but what it was bound to.
  EXPECT_EQ(Seen(kernel("View v{A[n]}; v.x = 1;", "struct View { float &x; };")).writes(),
            "A.global");
  EXPECT_EQ(
      Seen(kernel("View v{A[n]}; *(float **)&v = tile; v.x = 1;", "struct View { float &x; };"))
          .writes(),
      "A.global anything");
}

TEST(Effects, Operators) {
  EXPECT_EQ(Seen(kernel("(n, tile[n]) = 1;")).writes(), "tile.shared");
  EXPECT_EQ(Seen(kernel("(A[n] = 1) = 2; ++(tile[n] *= 2);")).writes(), "A.global tile.shared");
  EXPECT_EQ(Seen(kernel("tile[n] += B[n]--;")).reads(), "B.global B.param n.param tile.shared");
  EXPECT_EQ(Seen(kernel("tile[n] += B[n]--;")).writes(), "B.global tile.shared");
  // An unevaluated operand is no access, and an address is none either.
  EXPECT_EQ(Seen(kernel("auto s = sizeof(A[n]); auto a = &B[1];")).reads(), "B.param");
}

TEST(Effects, Calls) {
  const char *Helpers =
      "__device__ void put(float *to, float value) { *to = value; }\n"
      "__device__ void putAgain(float *to, float value) { put(to + 1, value); }\n"
      "__device__ void byReference(float &to, const float &value) { to = value; }\n"
      "struct Counter { float *at; float own; __device__ void add() { own += 1; }\n"
      "  __device__ void store() { at[0] = own; } };\n"
      "__device__ void again(float *p, int n) { if (n) again(p, n - 1); }\n"
      "__device__ void elsewhere(float *);\n";
  EXPECT_EQ(Seen(kernel("putAgain(&tile[n], A[n]);", Helpers)).writes(), "tile.shared");
  EXPECT_EQ(Seen(kernel("putAgain(&tile[n], A[n]);", Helpers)).reads(), "A.global A.param n.param");
  EXPECT_EQ(Seen(kernel("byReference(tile[n], A[n]);", Helpers)).writes(), "tile.shared");
  EXPECT_EQ(Seen(kernel("auto f = [&](int i) { tile[i] = A[i]; }; f(n);", Helpers)).writes(),
            "tile.shared");
  EXPECT_EQ(Seen(kernel("Counter c{A, 0}; c.store();", Helpers)).writes(), "A.global");
  EXPECT_EQ(Seen(kernel("Counter c{A, 0}; Counter *d = &c; c.store();", Helpers)).writes(),
            "A.global anything");
  EXPECT_TRUE(Seen(kernel("again(tile, n);", Helpers)).unknown());
  EXPECT_TRUE(Seen(kernel("elsewhere(tile);", Helpers)).unknown());
  EXPECT_TRUE(Seen(kernel("void (*f)(float *) = elsewhere; f(tile);", Helpers)).unknown());
  EXPECT_FALSE(Seen(kernel("putAgain(&tile[n], A[n]);", Helpers)).unknown());
}

TEST(Effects, WhatRunsWithoutBeingCalled) {
  const char *Types =
      "struct Flush { float *to; float v; __device__ ~Flush() { *to = v; } };\n"
      "struct Loud { float *to; __device__ Loud(float *to) : to(to) { *to = 1; } };\n"
      "struct Base { __device__ virtual void put(float *p) {} };\n"
      "struct Derived : Base { __device__ void put(float *p) override { *p = 1; } };\n"
      "struct Member { Flush f; };\n"
      "struct Number { float v; __device__ operator float() { v += 1; return v; } };\n"
      "__device__ float next(float *p, float v = 1) { return p[0] += v; }\n"
      "__device__ float counter;\n"
      "__device__ float count(float v = counter++) { return v; }\n";
  EXPECT_TRUE(Seen(kernel("Flush f{A, 1};", Types)).unknown());
  EXPECT_TRUE(Seen(kernel("Flush{A, 1};", Types)).unknown());
  EXPECT_TRUE(Seen(kernel("Member m{{A, 1}};", Types)).unknown());
  EXPECT_EQ(Seen(kernel("Loud l(A);", Types)).writes(), "A.global");
  EXPECT_TRUE(Seen(kernel("Derived d; Base &b = d; b.put(A);", Types)).unknown());
  // The conversion writes into its object.
  EXPECT_TRUE(
      llvm::StringRef(Seen(kernel("Number n1{A[0]}; tile[0] = n1;", Types)).touched(true, true))
          .contains("n1.local"));
  EXPECT_EQ(Seen(kernel("tile[0] = next(A);", Types)).writes(), "A.global tile.shared");
  EXPECT_EQ(Seen(kernel("tile[0] = count();", Types)).writes(), "counter.global tile.shared");
  EXPECT_TRUE(Seen(kernel("float *p = new float; delete p;", Types)).unknown());
}

TEST(Effects, AssemblyWritesItsOutputs) {
  Seen S(kernel("int lane = 0; asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(lane)); tile[0] = lane;"));
  EXPECT_EQ(S.touched(true, true), "lane.local tile.shared");
  EXPECT_TRUE(S.unknown());
  FunctionValues Values(S.context(), S.Collector, S.function("k"));
  EXPECT_FALSE(Values.isSetOnce(S.var("lane")));
  Seen P(kernel("float *p = A; asm(\"\" : \"=l\"(p)); p[0] = 1;"));
  EXPECT_EQ(P.writes(), "A.global anything");
}

TEST(Effects, Textures) {
  Seen S(kernel("cudaTextureObject_t t = n; float v = tex2D<float>(t, n, 1); tile[0] = v;"));
  EXPECT_EQ(S.reads(), "n.param texture");
  EXPECT_TRUE(S.All.has(FunctionKind::LoadTexture));
  EXPECT_FALSE(S.unknown());
  // To a variable by its address, and one of the user's.
  Seen To(kernel("float v; tex2D(&v, n, n, 1); tile[0] = v;"));
  EXPECT_FALSE(To.All.has(FunctionKind::LoadTexture));
  EXPECT_TRUE(To.unknown());
}

TEST(Effects, KnownFunctions) {
  Seen S(kernel("float v = __ldg(A + n) + __shfl_sync(~0u, n, 0); atomicAdd(&tile[n], v);\n"
                "  __stcg(B, v); __syncthreads(); __threadfence();"));
  EXPECT_EQ(S.reads(), "A.global A.param B.param n.param tile.shared");
  EXPECT_EQ(S.writes(), "B.global tile.shared");
  for (FunctionKind Kind : {FunctionKind::LoadPointer, FunctionKind::Warp, FunctionKind::Atomic,
                            FunctionKind::StorePointer, FunctionKind::Barrier, FunctionKind::Fence})
    EXPECT_TRUE(S.All.has(Kind)) << int(Kind);
  EXPECT_FALSE(S.unknown());

  // The user's function with a name of CUDA's is what its body says.
  EXPECT_EQ(
      Seen(kernel(
               "tile[0] = fast::min(A, n) + saturate(B);",
               "namespace fast { __device__ float min(float *p, int n) { p[n] = 0; return 0; } }\n"
               "__device__ float saturate(float *p) { return *p = 1; }"))
          .writes(),
      "A.global B.global tile.shared");
}

TEST(Effects, ThreadIndexInsideOfCalls) {
  const char *Helper = "__device__ int lane() { return threadIdx.x & 31; }\n"
                       "__device__ int block() { return blockIdx.x; }\n";
  EXPECT_TRUE(Seen(kernel("tile[lane()] = 1;", Helper)).All.ThreadIndex);
  EXPECT_TRUE(
      Seen(kernel("auto f = [] { return (int)threadIdx.y; }; tile[f()] = 1;")).All.ThreadIndex);
  EXPECT_FALSE(Seen(kernel("tile[block()] = blockDim.x;", Helper)).All.ThreadIndex);
}

TEST(Effects, VolatileAndWidth) {
  Seen S("__global__ void k(volatile float *A, float *B) {\n"
         "  __shared__ float tile[64]; float v = A[1];\n"
         "  reinterpret_cast<float4 *>(B)[1] = *reinterpret_cast<float4 *>(&tile[4]); }");
  bool Volatile = false, Wide = false;
  for (const Access &A : S.All.Accesses) {
    Volatile |= A.Volatile && A.touches(S.function("k")->getParamDecl(0));
    Wide |= A.Read && A.touches(S.var("tile")) && A.Bytes == 16 && A.Alignment == 16;
  }
  EXPECT_TRUE(Volatile);
  EXPECT_TRUE(Wide);
}

// --- Known functions by name
// ------------------------------------------------------------------------

TEST(KnownFunctions, BarriersAreToldApart) {
  EXPECT_EQ(classifyFunctionName("__syncthreads"), FunctionKind::Barrier);
  EXPECT_EQ(classifyFunctionName("cooperative_groups::__v1::thread_block::sync"),
            FunctionKind::Barrier);
  EXPECT_EQ(classifyFunctionName("__syncthreads_or"), FunctionKind::BarrierValue);
  EXPECT_EQ(classifyFunctionName("__syncwarp"), FunctionKind::WarpBarrier);
  EXPECT_EQ(classifyFunctionName("cooperative_groups::__v1::grid_group::sync"),
            FunctionKind::GridBarrier);
  // Of a part of the block.
  for (const char *Name : {"cooperative_groups::__v1::coalesced_group::sync",
                           "cooperative_groups::__v1::thread_group::sync",
                           "cooperative_groups::__v1::__static_size_thread_block_tile_base::sync"})
    EXPECT_EQ(classifyFunctionName(Name), FunctionKind::BarrierOther) << Name;
}

TEST(KnownFunctions, NothingWithAnEffectIsPure) {
  for (const char *Name : {"printf",
                           "__trap",
                           "__threadfence",
                           "__nanosleep",
                           "clock64",
                           "atomicAdd",
                           "atomicCAS_block",
                           "__ldg",
                           "__stwt",
                           "__shfl_xor_sync",
                           "__ballot_sync",
                           "__reduce_add_sync",
                           "__syncthreads",
                           "__pipeline_commit",
                           "cooperative_groups::__v1::memcpy_async",
                           "cooperative_groups::__v1::wait",
                           "cuda::pipeline<cuda::std::thread_scope_thread>::consumer_wait",
                           "__assertfail",
                           "malloc",
                           "free",
                           "memcpy",
                           "memset",
                           "__prof_trigger",
                           "sincosf",
                           "modff",
                           "frexpf",
                           "curand",
                           "cudaDeviceSynchronize",
                           "__ldcv",
                           "__ldlu",
                           "__barrier_sync",
                           "__cluster_barrier_arrive",
                           "__isGlobal2",
                           "vprintf"})
    EXPECT_NE(classifyFunctionName(Name), FunctionKind::Pure) << Name;
}

TEST(KnownFunctions, NamesOfOthersAreUnknown) {
  for (const char *Name :
       {"mine::__syncthreads", "mine::min", "Matrix::load", "loadTile", "__mysqrt", "sqrtfast",
        "__float2", "__2float", "__vecload", "", "::", "__", "nvcuda::wmma::other",
        "cooperative_groups::__v1::reduce", "std::vector<float>::min", "mine::wmma::mma_sync"})
    EXPECT_EQ(classifyFunctionName(Name), FunctionKind::Unknown) << Name;
  for (const char *Name : {"sqrtf", "std::min", "::fmaf", "__float2half_rn", "__hfma2_relu",
                           "__dp4a", "make_float4", "cuda::std::max", "__fmaf_rn", "__vadd4"})
    EXPECT_EQ(classifyFunctionName(Name), FunctionKind::Pure) << Name;
}

// --- Values
// -----------------------------------------------------------------------------------------

namespace {

struct Values : Seen {
  explicit Values(const std::string &Code) : Seen(Code), Of(context(), Collector, function("k")) {}
  std::string fold(const std::string &Name) const {
    std::optional<int64_t> V = Of.fold(value(Name));
    return V ? std::to_string(*V) : "none";
  }
  std::string range(const std::string &Name) const {
    std::optional<ValueRange> R = Of.range(value(Name));
    return R ? std::to_string(R->Lo) + ".." + std::to_string(R->Hi) : "none";
  }
  FunctionValues Of;
};

} // namespace

TEST(Values, Fold) {
  Values V("constexpr int C = 6;\ntemplate <int N> struct T { static constexpr int V = N * 2; };\n"
           "__global__ void k(int n) {\n"
           "  int once = C * 7; int a = once + 1, b = once / 5 % 4, c = -once;\n"
           "  int twice = 1; twice = 2; int d = twice;\n"
           "  int bumped = 1; ++bumped; int e = bumped;\n"
           "  int named = 1; int &r = named; r = 3; int f = named;\n"
           "  int pointed = 1; int *p = &pointed; *p = 3; int g = pointed;\n"
           "  int captured = 1; auto l = [&] { captured = 3; }; l(); int h = captured;\n"
           "  int zero = 0; int i = 1 / zero, j = 1 % zero;\n"
           "  unsigned u = 3; unsigned w = u - 5; unsigned char byte = once * 10;\n"
           "  int m = 2147483647 + zero + 1; int q = T<4>::V + once; int s = n;\n"
           "  for (int t = 0; t < 4; ++t) { int x = t; }\n}");
  EXPECT_EQ(V.fold("a"), "43");
  EXPECT_EQ(V.fold("b"), "0");
  EXPECT_EQ(V.fold("q"), "50");
  // Set more than once, by whatever name.
  for (const char *Name : {"d", "e", "f", "g", "h", "s", "x"})
    EXPECT_EQ(V.fold(Name), "none") << Name;
  // What wraps, does not fit, or is undefined.
  for (const char *Name : {"i", "j", "w", "byte", "m"})
    EXPECT_EQ(V.fold(Name), "none") << Name;
}

TEST(Values, Range) {
  Values V(
      "__global__ void __launch_bounds__(256) k(int n, unsigned un) {\n"
      "  int x = threadIdx.x, z = threadIdx.z, dim = blockDim.x, warp = threadIdx.x / 32;\n"
      "  int lane = x % 32, mask = n & 7, shift = x >> 2, scaled = x * 4 + 3, minus = x - 8;\n"
      "  int bad = n, badMask = n & -8, badMod = n % 8, badDiv = minus / 4, badShift = 1 << n;\n"
      "  unsigned wrapped = threadIdx.x - 8; unsigned char narrow = x * 4;\n"
      "  int negMod = minus % 4; long big = (long)x * 1000000000000;\n"
      "  int overflow = x * 1000000000; int block = blockIdx.x; int moved = x; moved += n; int m = "
      "moved;\n"
      "}");
  EXPECT_EQ(V.range("x"), "0..255");
  EXPECT_EQ(V.range("z"), "0..63");
  EXPECT_EQ(V.range("dim"), "1..256");
  EXPECT_EQ(V.range("warp"), "0..7");
  EXPECT_EQ(V.range("lane"), "0..31");
  EXPECT_EQ(V.range("mask"), "0..7");
  EXPECT_EQ(V.range("shift"), "0..63");
  EXPECT_EQ(V.range("scaled"), "3..1023");
  EXPECT_EQ(V.range("minus"), "-8..247");
  EXPECT_EQ(V.range("block"), "0..2147483646");
  for (const char *Name : {"bad", "badMask", "badMod", "badDiv", "badShift", "wrapped", "narrow",
                           "negMod", "overflow", "m"})
    EXPECT_EQ(V.range(Name), "none") << Name;
}

// Without launch bounds a block has up to 1,024 threads; with larger ones, too.
TEST(Values, LaunchBoundsAreUpperBounds) {
  EXPECT_EQ(Values("__global__ void k() { int x = threadIdx.x; }").range("x"), "0..1023");
  EXPECT_EQ(
      Values("__global__ void __launch_bounds__(4096) k() { int x = threadIdx.x; }").range("x"),
      "0..1023");
}
