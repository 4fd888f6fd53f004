// CUDA on the host, for tests: every thread of a block is a fibre, __syncthreads() lets the others run
// (in a random order), asynchronous copies arrive when they are waited for and not before.
//
// The program prints FAIL when threads wait at different barriers, when a copy is misaligned, left in
// flight at the end, or goes to a place that another one is on its way to. Arrays end at a page that
// cannot be touched, so that a load past the end is a crash.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <sys/mman.h>
#include <ucontext.h>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __shared__ static
#define __constant__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))

struct uint3 { unsigned x, y, z; };
struct dim3 {
  unsigned x, y, z;
  dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
struct alignas(8) float2 { float x, y; };
struct alignas(16) float4 { float x, y, z, w; };
struct alignas(16) int4 { int x, y, z, w; };
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline int min(int a, int b) { return a < b ? a : b; }
template <typename T> T __ldg(const T *p) { return *p; }
inline void __syncwarp() {}

static uint3 threadIdx, blockIdx;
static dim3 blockDim, gridDim;

struct Copy { void *To; const void *From; size_t Bytes; };
struct Fibre {
  ucontext_t Context;
  std::vector<char> Stack;
  bool Done;
  int Barrier; // line
  uint3 Index;
  std::vector<std::vector<Copy>> Groups;
  std::vector<Copy> Open;
};
static std::vector<Fibre> Fibres;
static Fibre *Current;
static ucontext_t Scheduler;
static std::function<void()> Body;
static std::mt19937 Order, Values;

static void runFibre() {
  Body();
  if (!Current->Open.empty())
    puts("FAIL: a copy that was never committed");
  for (auto &Group : Current->Groups)
    if (!Group.empty())
      puts("FAIL: a copy is in flight at the end");
  Current->Done = true;
  swapcontext(&Current->Context, &Scheduler);
}

static void barrier(int Line) {
  Current->Barrier = Line;
  swapcontext(&Current->Context, &Scheduler);
}
#define __syncthreads() barrier(__LINE__)

static void checkFree(const std::vector<Copy> &Group, void *To, size_t Bytes) {
  for (const Copy &C : Group)
    if ((char *)C.To < (char *)To + Bytes && (char *)To < (char *)C.To + C.Bytes)
      puts("FAIL: two copies are on their way to one place");
}

inline void __pipeline_memcpy_async(void *To, const void *From, size_t Bytes) {
  if (Bytes != 4 && Bytes != 8 && Bytes != 16)
    puts("FAIL: the width of a copy");
  if ((uintptr_t)To % Bytes || (uintptr_t)From % Bytes)
    puts("FAIL: the alignment of a copy");
  for (auto &Group : Current->Groups)
    checkFree(Group, To, Bytes);
  checkFree(Current->Open, To, Bytes);
  volatile char Touch = *(const char *)From + ((const char *)From)[Bytes - 1];
  (void)Touch;
  memset(To, 0xff, Bytes); // NaN until the copy arrives
  Current->Open.push_back({To, From, Bytes});
}
inline void __pipeline_commit() {
  Current->Groups.push_back(Current->Open);
  Current->Open.clear();
}
inline void __pipeline_wait_prior(size_t Prior) {
  for (size_t I = 0; I + Prior < Current->Groups.size(); ++I) {
    std::vector<Copy> &Group = Current->Groups[I];
    for (auto C = Group.rbegin(); C != Group.rend(); ++C)
      memcpy(C->To, C->From, C->Bytes);
    Group.clear();
  }
}

template <typename Kernel> void launch(dim3 Grid, dim3 Block, Kernel K) {
  gridDim = Grid;
  blockDim = Block;
  Body = K;
  const size_t Threads = size_t(Block.x) * Block.y * Block.z;
  if (Fibres.size() < Threads)
    Fibres.resize(Threads);
  for (unsigned By = 0; By < Grid.y; ++By)
    for (unsigned Bx = 0; Bx < Grid.x; ++Bx) {
      blockIdx = {Bx, By, 0};
      std::vector<unsigned> Turn(Threads);
      for (size_t I = 0; I < Threads; ++I) {
        Fibre &F = Fibres[I];
        F.Done = false;
        F.Groups.clear();
        F.Open.clear();
        F.Index = {unsigned(I % Block.x), unsigned(I / Block.x % Block.y), unsigned(I / Block.x / Block.y)};
        F.Stack.resize(64 << 10);
        getcontext(&F.Context);
        F.Context.uc_stack.ss_sp = F.Stack.data();
        F.Context.uc_stack.ss_size = F.Stack.size();
        F.Context.uc_link = &Scheduler;
        makecontext(&F.Context, runFibre, 0);
        Turn[I] = I;
      }
      for (bool Any = true; Any;) {
        Any = false;
        std::shuffle(Turn.begin(), Turn.end(), Order);
        for (unsigned I : Turn) {
          if (Fibres[I].Done)
            continue;
          Any = true;
          Current = &Fibres[I];
          threadIdx = Current->Index;
          swapcontext(&Scheduler, &Current->Context);
        }
        int Line = 0;
        for (size_t I = 0; I < Threads; ++I)
          if (!Fibres[I].Done) {
            if (Line && Line != Fibres[I].Barrier)
              puts("FAIL: threads wait at different barriers");
            Line = Fibres[I].Barrier;
          }
      }
    }
}

/// An array of small whole numbers that ends where its page ends.
template <typename T, typename Part = T> T *data(size_t Count) {
  const size_t Page = 4096, Bytes = Count * sizeof(T), All = (Bytes + Page - 1) / Page * Page + 2 * Page;
  char *P = (char *)mmap(nullptr, All, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(P, Page, PROT_NONE);
  mprotect(P + All - Page, Page, PROT_NONE);
  T *Result = (T *)(P + All - Page - Bytes);
  for (size_t I = 0; I < Bytes / sizeof(Part); ++I)
    ((Part *)Result)[I] = Part(int(Values() % 17) - 8);
  return Result;
}

template <typename T> void show(const char *What, const T *P, size_t Count) {
  uint64_t Hash = 14695981039346656037u;
  for (size_t I = 0; I < Count * sizeof(T); ++I)
    Hash = (Hash ^ ((const unsigned char *)P)[I]) * 1099511628211u;
  printf("%s %016llx\n", What, (unsigned long long)Hash);
}
