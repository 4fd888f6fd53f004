//===- TileModelTest.cpp - Which loops, and what one iteration does -------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../ParsedFile.h"

using namespace cuda_pipeline;

namespace {

/// A kernel `k` whose loop has this load and compute phase; `t` counts to `n`.
std::string kernel(const std::string &Load, const std::string &Compute = "s += tile[63 - tx];",
                   const std::string &Before = "", const std::string &Behind = "") {
  return "__global__ void __launch_bounds__(64) k(const float *__restrict__ A,\n"
         "    const float *__restrict__ B, float *__restrict__ C, int n, int m) {\n"
         "  __shared__ float tile[64]; const int tx = threadIdx.x; float s = 0; " +
         Before + "\n  for (int t = 0; t < n; ++t) {\n    " + Load +
         "\n    __syncthreads();\n    " + Compute + "\n    __syncthreads();\n    " + Behind +
         "\n  }\n  C[tx] = s;\n}\n";
}

std::string kernels(const ParsedFile &F) {
  std::vector<std::string> Out;
  for (const KLoop &L : F.Loops)
    Out.push_back(L.Kernel + ":" + std::to_string(L.Line));
  return llvm::join(Out, " ");
}

template <class Set> std::string names(const Set &Vars) {
  std::vector<std::string> Out;
  for (const clang::VarDecl *V : Vars)
    Out.push_back(V->getNameAsString());
  llvm::sort(Out);
  return llvm::join(Out, " ");
}

/// Refused, not merely misunderstood: one test with the same text but for one thing is accepted.
std::string refusals(const std::string &Code) { return ids(ParsedFile(Code).model().Refusals); }

} // namespace

// --- Loops
// ------------------------------------------------------------------------------------------

static const char *const Body =
    "{ __shared__ float s[32];\n"
    "for (int t = 0; t < n; ++t) { s[threadIdx.x] = x[t]; __syncthreads();\n"
    "  x[t] += s[0]; __syncthreads(); } }\n";

TEST(FindLoops, OncePerInstantiation) {
  std::string Code = std::string("template <class T> __global__ void k(T *x, int n)\n") + Body;
  ParsedFile Pattern(Code);
  ASSERT_EQ(kernels(Pattern), "k:3");
  EXPECT_TRUE(Pattern.Loops[0].IsPattern);

  ParsedFile Two(Code + "template __global__ void k(int *, int);\n"
                        "void f(float *x) { k<<<1, 32>>>(x, 3); }\n");
  ASSERT_EQ(kernels(Two), "k:3 k:3");
  EXPECT_EQ(Two.Loops[0].Begin, Two.Loops[1].Begin);
  EXPECT_NE(Two.Loops[0].Function, Two.Loops[1].Function);
  for (const KLoop &L : Two.Loops)
    EXPECT_TRUE(L.IsTemplate && !L.IsPattern && L.IsKernel);

  // A specialisation is a text of its own.
  ParsedFile Special(Code + "template <> __global__ void k(int *x, int n)\n" + Body +
                     "template __global__ void k(float *, int);\n");
  EXPECT_EQ(kernels(Special), "k:3 k:7");
}

TEST(FindLoops, MembersAndNamespaces) {
  std::string Method = std::string("static __device__ void run(float *x, int n)\n") + Body;
  EXPECT_EQ(kernels(ParsedFile("namespace a { namespace { struct S {" + Method + "}; } }")),
            "a::(anonymous namespace)::S::run:3");
  ParsedFile F("template <int N> struct S {" + Method +
               "};\n__global__ void k(float *x) { S<1>::run(x, 2);"
               " S<3>::run(x, 4); }");
  ASSERT_EQ(F.Loops.size(), 2u);
  EXPECT_EQ(F.Loops[0].Begin, F.Loops[1].Begin);
}

TEST(FindLoops, TheBarrierMayBeOutOfSight) {
  auto Loop = [](const std::string &Barrier, const std::string &Before = "") {
    return kernels(ParsedFile(Before +
                              "__global__ void k(float *x, int n) { __shared__ float s[32];\n"
                              "for (int t = 0; t < n; ++t) { s[threadIdx.x] = x[t];" +
                              Barrier + "x[t] += s[0];" + Barrier + "} }"));
  };
  EXPECT_EQ(Loop("__syncthreads();"), "k:2");
  EXPECT_EQ(Loop("sync();", "__device__ void sync() { __syncthreads(); }\n"), "k:3");
  EXPECT_EQ(Loop("asm volatile(\"bar.sync 0;\");"), "k:2");
  EXPECT_EQ(
      Loop("cooperative_groups::this_thread_block().sync();", "#include <cooperative_groups.h>\n"),
      "k:3");
  EXPECT_EQ(Loop(";"), "");
}

// --- Segments -----------------------------------------------------------------------------------

TEST(TileModel, TheBarriersDivideTheBody) {
  ParsedFile F(kernel("int at = t * 64; tile[tx] = A[at + tx];", "s += tile[tx]; s *= 2; s += 1;",
                      "", "s -= 3;"));
  TileModel M = F.model();
  ASSERT_TRUE(M.understood()) << ids(M.Refusals);
  EXPECT_EQ(M.Segments[0].size(), 2u);
  EXPECT_EQ(M.Segments[1].size(), 3u);
  EXPECT_EQ(M.Segments[2].size(), 1u);
  ASSERT_TRUE(M.Barriers[0] && M.Barriers[1]);
  EXPECT_NE(M.Barriers[0], M.Barriers[1]);
}

TEST(TileModel, ABarrierBehindAMacroIsOne) {
  EXPECT_EQ(
      refusals("#define SYNC() __syncthreads()\n"
               "__global__ void k(const float *__restrict__ A, float *__restrict__ C, int n) {\n"
               "  __shared__ float tile[64]; float s = 0;\n  for (int t = 0; t < n; ++t) {\n"
               "    tile[threadIdx.x] = A[t * 64 + threadIdx.x]; SYNC();\n"
               "    s += tile[0]; SYNC();\n  }\n  C[0] = s;\n}"),
      "");
}

// --- State --------------------------------------------------------------------------------------

TEST(TileModel, StateOfEachSide) {
  ParsedFile F(kernel("tile[tx] = A[at + tx] + B[off];", "at += 64; s += tile[tx] * phase;",
                      "int at = 0, off = 0, phase = 0;", "off += 2; ++phase;"));
  TileModel M = F.model();
  ASSERT_TRUE(M.understood()) << ids(M.Refusals);
  // Where the compute phase or the header reads it too, the load side gets its own.
  EXPECT_EQ(names(M.LoadState), "at off t");
  EXPECT_EQ(names(M.Split), "t");
  std::map<std::string, const Advance *> Advances;
  for (const Advance &A : M.Advances)
    Advances[names(A.Vars)] = &A;
  ASSERT_TRUE(Advances.count("at") && Advances.count("off"));
  EXPECT_EQ(Advances["at"]->Segment, 1u);
  EXPECT_TRUE(Advances["at"]->LoadSide && !Advances["at"]->ComputeSide);
  EXPECT_EQ(Advances["off"]->Segment, 2u);

  ParsedFile Both(
      kernel("tile[tx] = A[at + tx];", "s += tile[tx] * at;", "int at = 0;", "at += 64;"));
  EXPECT_EQ(names(Both.model().Split), "at t");
  ParsedFile Counter(kernel("tile[tx] = A[t * 64 + tx];"));
  EXPECT_EQ(names(Counter.model().Split), "t");
}

// The load side's copy has another name, so nothing may reach the variable by any other way than
// its own.
TEST(TileModel, SplitStateHasOneName) {
  const std::string Load = "tile[tx] = A[at + tx];", Compute = "s += tile[tx] * at;";
  EXPECT_EQ(refusals(kernel(Load, Compute, "int at = 0;", "at += 64;")), "");
  for (auto [L, C, Before, Behind] : std::vector<std::array<std::string, 4>>{
           {"tile[tx] = A[r + tx];", Compute, "int at = 0; int &r = at;", "at += 64;"},
           {Load, "s += tile[tx] * r;", "int at = 0; int &r = at;", "at += 64;"},
           {Load, Compute, "int at = 0; int &r = at;", "r += 64;"},
           {Load, Compute, "int at = 0; int *p = &at;", "*p += 64;"},
           {"tile[tx] = A[*p + tx];", Compute, "int at = 0; int *p = &at;", "at += 64;"},
           {"tile[tx] = load();", Compute, "int at = 0; auto load = [&] { return A[at + tx]; };",
            "at += 64;"},
           {Load, "s += tile[tx] * now();", "int at = 0; auto now = [&] { return at; };",
            "at += 64;"},
           {Load, Compute, "int at = 0; auto step = [&] { at += 64; };", "step();"}})
    EXPECT_NE(refusals(kernel(L, C, Before, Behind)), "") << Before << " " << L << " " << Behind;
}

// What the load phase needs must not come out of the compute phase.
TEST(TileModel, FeedbackIntoTheLoad) {
  for (auto [L, C, Before] : std::vector<std::array<std::string, 3>>{
           {"tile[tx] = A[at + tx];", "at = (int)tile[0];", "int at = 0;"},
           {"tile[tx] = A[at + tx];", "int d = (int)tile[0]; at += d;", "int at = 0;"},
           {"tile[tx] = A[at + tx];", "if (tile[0] > 0) at += 64;", "int at = 0;"},
           {"if (on) tile[tx] = A[t]; else tile[tx] = 0;", "on = tile[0] > 0;", "bool on = true;"},
           {"for (int i = 0; i < w; ++i) tile[tx + i] = A[t];", "w = (int)tile[1];", "int w = 0;"},
           {"tile[tx] = w > 1 ? A[t] : 0;", "w = tile[1];", "float w = 0;"},
           {"tile[tx] = A[at.x + tx];", "at.x = (int)tile[0];", "int2 at = make_int2(0, 0);"},
           {"tile[tx] = A[at[0] + tx];", "at[0] = (int)tile[0];", "int at[2] = {};"},
           {"tile[tx] = P[tx];", "P = tile[0] > 0 ? A : B;", "const float *P = A;"}})
    EXPECT_NE(refusals(kernel(L, C, Before)), "") << L << " " << C;
}

// What the load phase leaves behind for others is not the next tile's.
TEST(TileModel, ValuesOfTheLoadPhaseUsedElsewhere) {
  for (auto [L, C] : std::vector<std::array<std::string, 2>>{
           {"tile[tx] = A[t * 64 + tx]; C[t] = 1;", "s += tile[0];"},
           {"if (tile[tx] = A[t], A[t] > 0) ++hits;", "s += tile[0] + hits;"}}) {
    ParsedFile F(kernel(L, C, "float last = 0; int hits = 0;"));
    TileModel M = F.model();
    EXPECT_NE(ids(M.Refusals) + ids(M.Registers.Refusals), "") << L << " " << C;
  }
}

// What the load phase sets for the compute phase alone, of what is local, is the compute phase's.
TEST(TileModel, SetForTheComputePhase) {
  for (auto [L, C, Before, Moved] :
       std::vector<std::tuple<std::string, std::string, std::string, unsigned>>{
           {"tile[tx] = A[t * 64 + tx]; s += 1;", "s += tile[0];", "", 1},
           {"q = 0; p = t; tile[tx] = A[t * 64 + tx];", "q += tile[0]; s += q * p;", "float q, p;",
            2},
           {"q[t & 1] = 0; tile[tx] = A[t * 64 + tx];", "s += tile[0] + q[1];", "float q[2] = {};",
            1},
           // Loaded, needed by the copy, made of what it sets, known by another name.
           {"q = A[t]; tile[tx] = A[t * 64 + tx];", "s += tile[0] + q;", "float q;", 0},
           {"q = t; tile[tx] = A[t * 64 + tx] * q;", "s += tile[0] + q;", "float q;", 0},
           {"q = at; at = t * 64 + tx; tile[tx] = A[at];", "s += tile[0] + q;",
            "float q; int at = 0;", 0},
           {"q = t; tile[tx] = A[t * 64 + tx];", "s += tile[0] + *p;", "float q, *p = &q;", 0}}) {
    ParsedFile F(kernel(L, C, Before));
    EXPECT_EQ(F.model().MovedToCompute.size(), Moved) << L;
  }
}

// What the stores need or set, and no address, keeps its order with the compute phase unless a copy
// runs ahead as a whole.
TEST(TileModel, StateOfTheStores) {
  for (auto [L, C, Before, Name] : std::vector<std::array<std::string, 4>>{
           {"last = A[t * 64 + tx]; tile[tx] = last;", "s += tile[0]; s += last;",
            "float last = 0;", "last"},
           {"last = A[t * 64 + tx]; tile[tx] = 0;", "s += tile[0]; s += last;", "float last = 0;",
            "last"},
           {"last = A[t * 64 + tx]; tile[tx] = last;", "last = tile[0]; s += last;",
            "float last = 0;", "last"},
           {"for (int i = 0; i < 1; ++i) tile[tx + i] = A[t] * w;", "w = tile[1];", "float w = 0;",
            "w"},
           {"tile[at] = A[tx];", "at = (int)tile[0];", "int at = 0;", "at"}}) {
    ParsedFile F(kernel(L, C, Before));
    TileModel M = F.model();
    EXPECT_EQ(ids(M.Refusals) + ids(M.Registers.Refusals) + ids(M.TwoBufferRefusals), "")
        << L << " " << C;
    EXPECT_EQ(names(M.StoreState), Name) << L << " " << C;
    EXPECT_EQ(names(M.LoadState), "t") << L << " " << C;
    EXPECT_NE(ids(M.AsyncRefusals), "") << L << " " << C;
  }
  // Behind the trailing barrier it comes too late for two buffers, and a second name hides who
  // changes it.
  for (auto [L, C, Before, Behind] : std::vector<std::array<std::string, 4>>{
           {"tile[tx] = A[t] * w;", "s += tile[0];", "float w = 0;", "w = s;"},
           {"tile[tx] = A[t] * w;", "w = tile[1];", "float w = 0;", "w *= 2;"},
           {"tile[tx] = A[t] * w;", "*p = tile[1];", "float w = 0; float *p = &w;", ""}})
    EXPECT_NE(refusals(kernel(L, C, Before, Behind)), "") << L << " " << C << " " << Behind;
  // What the compute phase computes again of the load phase comes behind the stores.
  for (auto [L, C, Before] : std::vector<std::array<std::string, 3>>{
           {"const float prev = v; v = A[t * 64 + tx]; tile[tx] = v;", "s += tile[0] + prev + v;",
            "float v = 0;"},
           {"c += v; v = (int)A[t * 64 + tx]; tile[tx] = v;", "s += tile[0] + c + v;",
            "int c = 0, v = 0;"}})
    EXPECT_NE(refusals(kernel(L, C, Before)), "") << L;
  // Stores that change what a load needs.
  for (const char *L : {"int k = tx; tile[tx] = A[t] + (k += 2); tile[k] = A[t + k];",
                        "int k = tx; tile[k++] = A[t]; tile[tx] = A[t + k];"}) {
    ParsedFile F(kernel(L));
    EXPECT_NE(ids(F.model().Registers.Refusals), "") << L;
  }
  // A variable of the load phase itself is set where the compute phase sees it if there is one
  // buffer, and is kept for it with two.
  ParsedFile F(kernel("float v = A[t * 64 + tx]; tile[tx] = v;", "s += tile[0] + v;"));
  TileModel M = F.model();
  EXPECT_EQ(ids(M.Refusals) + ids(M.Registers.Refusals), "");
  EXPECT_EQ(ids(M.TwoBufferRefusals), "");
  EXPECT_EQ(M.Kept.size(), 1u);
  EXPECT_NE(ids(M.AsyncRefusals), "");
}

// --- Copies -------------------------------------------------------------------------------------

static TileModel oneCopy(ParsedFile &F) {
  TileModel M = F.model();
  EXPECT_TRUE(M.understood()) << ids(M.Refusals);
  EXPECT_EQ(M.Copies.size(), 1u);
  return M;
}

TEST(TileModel, TurnsOfACopyLoop) {
  struct Case {
    const char *Header;
    std::optional<uint64_t> MaxTrips;
    bool Constant;
  };
  for (const Case &C :
       std::vector<Case>{{"int i = 0; i < 4; ++i", 4, true},
                         {"int i = 0; i <= 4; i++", 5, true},
                         {"int i = 1; i < 10; i += 3", 3, true},
                         {"int i = 1; i <= 10; i += 3", 4, true},
                         {"int i = tx; i < 256; i += 64", 4, true},
                         {"int i = tx; i < 257; i += 64", 5, false},
                         {"int i = tx; i < 200; i += 64", 4, false},
                         {"int i = tx; i < 256; i += 100", 3, false},
                         {"int i = tx; i < 256; i += blockDim.x", std::nullopt, false},
                         {"int i = tx; i < m; i += 64", 8, false}, // the tile has no room for more
                         {"int i = tx; i <= m; i += 100", 6, false},
                         {"int i = m; i < 256; i += 64", std::nullopt, false},
                         {"int i = 0; i < 256; i += m", std::nullopt, false}}) {
    ParsedFile F(
        "__global__ void __launch_bounds__(64) k(const float *__restrict__ A, float *__restrict__ "
        "C,"
        " int n, int m) {\n  __shared__ float tile[512]; int tx = threadIdx.x; float s = 0;\n"
        "  for (int t = 0; t < n; ++t) {\n    for (" +
        std::string(C.Header) +
        ") tile[i + tx] = A[t * 512 + i];\n    __syncthreads();\n    s += tile[0];\n"
        "    __syncthreads();\n  }\n  C[0] = s;\n}");
    TileModel M = F.model();
    if (M.CopyLoops.size() != 1) {
      // Refused is fine where the number of turns is not known; not where it is.
      EXPECT_FALSE(C.MaxTrips) << C.Header << ": " << ids(M.Refusals);
      continue;
    }
    EXPECT_EQ(M.CopyLoops[0]->OfAny.MaxTrips, C.MaxTrips) << C.Header;
    // Too careful is no error; too bold is.
    EXPECT_LE(M.CopyLoops[0]->OfAny.ConstantTrips, C.Constant) << C.Header;
  }
}

TEST(TileModel, Guards) {
  for (auto [Load, Kind] : std::vector<std::pair<const char *, GuardKind>>{
           {"tile[tx] = A[t * 64 + tx];", GuardKind::None},
           {"if (t + tx < m) tile[tx] = A[t * 64 + tx];", GuardKind::Other},
           {"for (int i = 0; i < 1; ++i) if (t + tx < m) tile[tx] = A[t * 64 + tx];",
            GuardKind::Other},
           {"switch (m) { case 1: tile[tx] = A[t * 64 + tx]; }", GuardKind::Other}}) {
    ParsedFile F(kernel(Load));
    TileModel M = F.model();
    if (!M.understood())
      continue; // nothing is claimed
    ASSERT_EQ(M.Copies.size(), 1u) << Load;
    EXPECT_EQ(int(M.Copies[0].Guard), int(Kind)) << Load;
  }
  // Loads under a conditional; two loads are no copy of bytes.
  for (auto [Load, One] : std::vector<std::pair<const char *, bool>>{
           {"tile[tx] = t + tx < m ? A[t * 64 + tx] : 0.f;", true},
           {"tile[tx] = t + tx < m ? 0.f : A[t * 64 + tx];", true},
           {"tile[tx] = t + tx < m ? (tx < 9 ? A[t * 64 + tx] : 1.f) : 0.f;", true},
           {"tile[tx] = t + tx < m ? 2.f : tx < 9 ? 1.f : A[t * 64 + tx];", true},
           {"tile[tx] = t + tx < m ? (tx < 9 ? A[t * 64 + tx] : 1.f) : A[tx];", false},
           {"tile[tx] = t + tx < m ? (tx < 9 ? A[t * 64 + tx] : 1.) : 0.f;", false},
           {"tile[tx] = t + tx < m ? (A[tx] > 9 ? A[t * 64 + tx] : 1.f) : 0.f;", true},
           {"tile[tx] = t + tx < m ? (tx < 9 ? A[t * 64 + tx] + 1.f : 1.f) : 0.f;", false}}) {
    ParsedFile F(kernel(Load));
    TileModel M = oneCopy(F);
    ASSERT_EQ(M.Copies.size(), 1u) << Load;
    EXPECT_EQ(M.Copies[0].Ternary != nullptr, One) << Load;
    EXPECT_EQ(M.Copies[0].Converted, !One) << Load;
  }
}

TEST(TileModel, PlainCopies) {
  for (auto [Load, Plain] : std::vector<std::pair<const char *, bool>>{
           {"tile[tx] = A[t * 64 + tx];", true},
           {"float v = A[t * 64 + tx]; tile[tx] = v;", true},
           {"tile[tx] = 2 * A[t * 64 + tx];", false},
           {"tile[tx] = -A[t * 64 + tx];", false},
           {"tile[tx] = (int)A[t * 64 + tx];", false},
           {"tile[tx] = (double)A[t * 64 + tx];", false},
           {"float v = A[t * 64 + tx]; v += 1; tile[tx] = v;", false},
           {"tile[tx] = A[t * 64 + tx] + B[t];", false}}) {
    ParsedFile F(kernel(Load));
    TileModel M = oneCopy(F);
    ASSERT_EQ(M.Copies.size(), 1u) << Load;
    const TileCopy &C = M.Copies[0];
    bool IsPlain = (C.SourceAccess || C.Staging) && !C.Converted && C.SourceIsGlobal;
    EXPECT_EQ(IsPlain, Plain) << Load;
  }
}

TEST(TileModel, SourceIsGlobalOnlyWhenShown) {
  const char *Head =
      "struct Args { float in[64]; };\n__constant__ float table[64];\n"
      "__global__ void k(const float *__restrict__ A, Args args, float *__restrict__ C, int n) {\n"
      "  __shared__ float tile[64], other[64]; float own[64]; const int tx = threadIdx.x;\n"
      "  other[tx] = own[tx] = tx; __syncthreads();\n  float s = A[0];\n";
  for (const char *Source :
       {"A", "table", "args.in", "own", "(n > 4 ? A : table)", "(n > 4 ? A : other)"}) {
    ParsedFile F(
        Head + std::string("  const float *from = ") + Source +
        ";\n  for (int t = 0; t < n; ++t) {\n    tile[tx] = from[tx];\n    __syncthreads();\n"
        "    s += tile[0] + A[t];\n    __syncthreads();\n  }\n  C[tx] = s;\n}");
    ASSERT_EQ(F.Loops.size(), 1u) << Source;
    TileModel M = F.model();
    EXPECT_TRUE(!M.understood() || M.Copies.size() == 1) << Source;
    bool Global = M.understood() && M.Copies.size() == 1 && M.Copies[0].SourceIsGlobal;
    EXPECT_EQ(Global, llvm::StringRef(Source) == "A") << Source << " " << ids(M.Refusals);
  }
}

TEST(TileModel, AlignmentIsThatOfTheStrictestAccess) {
  auto Alignment = [](const std::string &Load, const std::string &Compute) {
    ParsedFile F(kernel(Load, Compute));
    TileModel M = F.model();
    EXPECT_EQ(M.Buffers.size(), 1u) << ids(M.Refusals);
    return M.Buffers.empty() ? 0 : M.Buffers[0]->Alignment;
  };
  EXPECT_EQ(Alignment("tile[tx] = A[t * 64 + tx];", "s += tile[0];"), 4u);
  EXPECT_EQ(Alignment("tile[tx] = A[t * 64 + tx];", "float4 v = ((float4 *)tile)[1]; s += v.x;"),
            16u);
  EXPECT_EQ(
      Alignment(
          "tile[tx] = A[t * 64 + tx];",
          "const float2 *p = reinterpret_cast<const float2 *>(&tile[2]); float2 v = *p; s += v.y;"),
      8u);
  EXPECT_EQ(Alignment("if (tx < 16) ((float4 *)tile)[tx] = ((const float4 *)A)[t * 16 + tx];",
                      "s += tile[0];"),
            16u);
}

// The compiler reads `.x` and `.y` of one vector together.
TEST(TileModel, AlignmentOfAMember) {
  for (const char *Compute :
       {"s += ((float4 *)tile)[1].x + ((float4 *)tile)[1].y;",
        "const float4 *p = reinterpret_cast<const float4 *>(tile); s += p->x + p->y;"}) {
    ParsedFile F(kernel("tile[tx] = A[t * 64 + tx];", Compute));
    TileModel M = F.model();
    ASSERT_EQ(M.Buffers.size(), 1u);
    EXPECT_EQ(M.Buffers[0]->Alignment, 16u) << Compute;
  }
}

TEST(TileModel, TheTileOutsideOfTheLoop) {
  for (auto [Before, Outside] : std::vector<std::pair<const char *, bool>>{
           {"", false}, {"tile[tx] = 0;", true}, {"float *p = tile;", true}}) {
    ParsedFile F(kernel("tile[tx] = A[t * 64 + tx];", "s += tile[0];", Before));
    TileModel M = F.model();
    bool Seen = M.Buffers.size() == 1 ? M.Buffers[0]->usedOutside() : !M.understood();
    EXPECT_EQ(Seen, Outside) << Before;
  }
}

// --- Already pipelined
// ------------------------------------------------------------------------------

TEST(TileModel, AlreadyPipelined) {
  EXPECT_TRUE(ParsedFile(kernel("tile[tx] = next;",
                                "if (t + 1 < n) next = A[(t + 1) * 64 + tx]; s += tile[0];",
                                "float next = A[tx];"))
                  .model()
                  .AlreadyPipelined);
  // An index for the next iteration is no prefetched tile.
  EXPECT_FALSE(
      ParsedFile(kernel("tile[tx] = A[at + tx]; at = (int)B[t];", "s += tile[0];", "int at = 0;"))
          .model()
          .AlreadyPipelined);
  EXPECT_FALSE(
      ParsedFile(kernel("float v = A[t * 64 + tx]; tile[tx] = v;")).model().AlreadyPipelined);
}
