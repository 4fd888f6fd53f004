// Where the header goes, and what stands around the loop.
// RUN: split-file %s %t
// RUN: %cpr --variant=cp-async --stages=2 -o - %t/setting.cu 2> %t/setting.report | FileCheck %s --check-prefix=SETTING
// RUN: %cpr --variant=cp-async --stages=2 -o - %t/guard.cu 2> %t/guard.report | FileCheck %s --check-prefix=GUARD
// RUN: %cpr --variant=cp-async --stages=2 -o - %t/inside.cu 2> %t/inside.report -- -I%t | FileCheck %s --check-prefix=INSIDE
// RUN: %cpr --variant=cp-async --stages=2 -o - %t/comment.cu 2> %t/comment.report | FileCheck %s --check-prefix=COMMENT
// RUN: %cpr --variant=ldg -o - %t/names.cu 2> %t/names.report | FileCheck %s --check-prefix=NAMES
// RUN: %cpr --variant=ldg -o - %t/jump.cu 2> %t/jump.report | FileCheck %s --check-prefix=JUMP

// A setting with a default is no include guard.
// SETTING: {{^}}#include <cuda_pipeline_primitives.h>
// SETTING-NEXT: #ifndef WIDTH
// GUARD: #define GUARD_CU
// GUARD-NEXT: #include <cuda_pipeline_primitives.h>
// GUARD-NEXT: __global__
// Not inside of braces.
// INSIDE: {{^}}#include <cuda_pipeline_primitives.h>
// INSIDE-NEXT: static const int table[] = {
// COMMENT: is not needed */
// COMMENT-NEXT: #include <cuda_pipeline_primitives.h>
// NAMES: {{^ *}}Pair As_reg;
// NAMES: {{^ *}}Quad As_reg;
// A goto may not jump over the new declarations: they get a block.
// JUMP: goto done;
// JUMP-NEXT: {
// JUMP-NEXT: // The next tile
// JUMP: // Epilogue
// JUMP-NEXT: }
// JUMP-NEXT: done:
// JUMP: float Bs_reg1[1];

//--- setting.cu
#ifndef WIDTH
#define WIDTH 32
#endif
#include <stddef.h>
__global__ void k(const float *__restrict__ A, float *__restrict__ C, int n) {
  __shared__ float As[WIDTH];
  float s = 0;
  for (int t = 0; t < n; ++t) {
    As[threadIdx.x] = A[t * WIDTH + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < WIDTH; ++k) s += As[k];
    __syncthreads();
  }
  C[threadIdx.x] = s;
}
//--- guard.cu
#ifndef GUARD_CU
#define GUARD_CU
__global__ void k(const float *__restrict__ A, float *__restrict__ C, int n) {
  __shared__ float As[32];
  float s = 0;
  for (int t = 0; t < n; ++t) {
    As[threadIdx.x] = A[t * 32 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k) s += As[k];
    __syncthreads();
  }
  C[threadIdx.x] = s;
}
#endif
//--- table.inc
1, 2, 3
//--- inside.cu
static const int table[] = {
#include "table.inc"
};
__global__ void k(const float *__restrict__ A, float *__restrict__ C, int n) {
  __shared__ float As[32];
  float s = 0;
  for (int t = 0; t < n; ++t) {
    As[threadIdx.x] = A[t * 32 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k) s += As[k];
    __syncthreads();
  }
  C[threadIdx.x] = s;
}
//--- comment.cu
#include <stddef.h> /* for size_t
#include <stdio.h> is not needed */
__global__ void k(const float *__restrict__ A, float *__restrict__ C, int n) {
  __shared__ float As[32];
  float s = 0;
  for (int t = 0; t < n; ++t) {
    As[threadIdx.x] = A[t * 32 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k) s += As[k];
    __syncthreads();
  }
  C[threadIdx.x] = s;
}
//--- names.cu
namespace {
struct Pair { float a, b; };
typedef struct { float a, b, c, d; } Quad;
}
__global__ void pairs(const Pair *__restrict__ A, float *__restrict__ C, int n) {
  __shared__ Pair As[32];
  float s = 0;
  for (int t = 0; t < n; ++t) {
    As[threadIdx.x] = A[t * 32 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k) s += As[k].a;
    __syncthreads();
  }
  C[threadIdx.x] = s;
}
__global__ void quads(const Quad *__restrict__ A, float *__restrict__ C, int n) {
  __shared__ Quad As[32];
  float s = 0;
  for (int t = 0; t < n; ++t) {
    As[threadIdx.x] = A[t * 32 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k) s += As[k].a;
    __syncthreads();
  }
  C[threadIdx.x] = s;
}
//--- jump.cu
#define EXTRA 0
__global__ void k(const float *__restrict__ A, float *__restrict__ C, int n) {
  __shared__ float As[64], Bs[64];
  float s = 0;
  if (n <= 0)
    goto done;
  for (int t = 0; t < n; ++t) {
    As[threadIdx.x] = A[t * 32 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k) s += As[k];
    __syncthreads();
  }
done:
  s += 1;
  for (int t = 0; t < n; ++t) {
    Bs[threadIdx.x] = A[t * 32 + threadIdx.x];
    for (int e = 0; e < EXTRA; ++e)
      Bs[32 + e * 32 + threadIdx.x] = A[t * 32 + threadIdx.x + e];
    __syncthreads();
    for (int k = 0; k < 32; ++k) s += Bs[k];
    __syncthreads();
  }
  C[threadIdx.x] = s;
}
