// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One access of one warp to shared memory per launch, at offsets that a pattern says. A profiler
// counts the wavefronts of each launch (banks.py), which lib/Gpu/BankConflicts.cpp has to compute.
//
// The patterns come on standard input, one per line: a kind, and 32 offsets in bytes (-1: the lane
// takes no part).
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

enum Kind { Load8, Load32, Load64, Load128, Store32, Store64, Store128, Matrix1, Matrix2, Matrix4 };
static const char *const Names[] = {"ld8",  "ld32",  "ld64", "ld128", "st32",
                                    "st64", "st128", "ldm1", "ldm2",  "ldm4"};

template <int K> __global__ void access(const int *Offsets, unsigned *Out) {
  extern __shared__ __align__(1024) char Memory[];
  const int Offset = Offsets[threadIdx.x];
  const unsigned At = unsigned(__cvta_generic_to_shared(Memory)) + unsigned(Offset);
  unsigned A = threadIdx.x, B = A, C = A, D = A;
  if (Offset >= 0) {
    if (K == Load8)
      asm volatile("ld.shared.u8 %0, [%1];" : "=r"(A) : "r"(At));
    else if (K == Load32)
      asm volatile("ld.shared.b32 %0, [%1];" : "=r"(A) : "r"(At));
    else if (K == Load64)
      asm volatile("ld.shared.v2.b32 {%0, %1}, [%2];" : "=r"(A), "=r"(B) : "r"(At));
    else if (K == Load128)
      asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(A), "=r"(B), "=r"(C), "=r"(D)
                   : "r"(At));
    else if (K == Store32)
      asm volatile("st.shared.b32 [%1], %0;" ::"r"(A), "r"(At) : "memory");
    else if (K == Store64)
      asm volatile("st.shared.v2.b32 [%2], {%0, %1};" ::"r"(A), "r"(B), "r"(At) : "memory");
    else if (K == Store128)
      asm volatile("st.shared.v4.b32 [%4], {%0, %1, %2, %3};" ::"r"(A), "r"(B), "r"(C), "r"(D),
                   "r"(At)
                   : "memory");
    else if (K == Matrix1)
      asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(A) : "r"(At));
    else if (K == Matrix2)
      asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                   : "=r"(A), "=r"(B)
                   : "r"(At));
    else
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(A), "=r"(B), "=r"(C), "=r"(D)
                   : "r"(At));
  }
  Out[threadIdx.x] = A + B + C + D;
}

#define CHECK(Call)                                                                                \
  if (cudaError_t E = (Call)) {                                                                    \
    fprintf(stderr, "banks: %s\n", cudaGetErrorString(E));                                         \
    return 1;                                                                                      \
  }

int main() {
  int *Offsets, Host[32];
  unsigned *Out;
  CHECK(cudaMalloc(&Offsets, sizeof Host));
  CHECK(cudaMalloc(&Out, 32 * sizeof *Out));
  char Name[16];
  unsigned Lines = 0;
  while (scanf("%15s", Name) == 1) {
    for (int &O : Host)
      if (scanf("%d", &O) != 1)
        return fprintf(stderr, "banks: a line without 32 offsets\n"), 2;
    CHECK(cudaMemcpy(Offsets, Host, sizeof Host, cudaMemcpyHostToDevice));
    int K = -1;
    for (int I = 0; I < 10; ++I)
      if (!strcmp(Name, Names[I]))
        K = I;
    void (*const Kernels[])(const int *, unsigned *) = {
        access<Load8>,   access<Load32>,   access<Load64>,  access<Load128>, access<Store32>,
        access<Store64>, access<Store128>, access<Matrix1>, access<Matrix2>, access<Matrix4>};
    if (K < 0)
      return fprintf(stderr, "banks: no kind '%s'\n", Name), 2;
    Kernels[K]<<<1, 32, 32768>>>(Offsets, Out);
    CHECK(cudaDeviceSynchronize());
    ++Lines;
  }
  printf("%u patterns\n", Lines);
}
