// The schedule of the chosen candidate, as --print=plan has it: what becomes of each copy and of each tile.
// RUN: %cpr --arch=sm_80 --print=plan --variant=mixed %s | FileCheck %s --check-prefix=MIXED
// RUN: %cpr --arch=sm_80 --print=plan --variant=cp-async --stages=3 %s | FileCheck %s --check-prefix=ASYNC
// RUN: %cpr --arch=sm_80 --print=plan --variant=ldg-single %s | FileCheck %s --check-prefix=SINGLE

// What is scaled has to pass through registers; zeros are on no way.
// MIXED-LABEL: loop scaled
// MIXED: * mixed 2: score
// MIXED-NEXT: copy line [[#@LINE+16]] to a: cp.async, 16 bytes
// MIXED-NEXT: copy line [[#@LINE+16]] to b: registers, 4 bytes
// MIXED-NEXT: tile a: 2 stages, as an array, aligned to 16 bytes
// MIXED-NEXT: tile b: 2 stages, as an array, aligned to 4 bytes
// SINGLE-LABEL: loop scaled
// SINGLE: * ldg-single 1: score
// SINGLE-NEXT: copy line [[#@LINE+10]] to a: registers, 16 bytes
// SINGLE-NEXT: copy line [[#@LINE+10]] to b: registers, 4 bytes
// SINGLE-NEXT: tile a: 1 stage, as an array, aligned to 16 bytes
// SINGLE-NEXT: tile b: 1 stage, as an array, aligned to 4 bytes
__global__ void __launch_bounds__(64) scaled(const float4 *__restrict__ A, const float *__restrict__ B,
                                             float *__restrict__ C, int n) {
  __shared__ float4 a[64];
  __shared__ float b[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    a[threadIdx.x] = A[t * 64 + threadIdx.x];
    b[threadIdx.x] = 2 * B[t * 64 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += a[k].x * b[(k + threadIdx.x) % 64];
    __syncthreads();
  }
  C[threadIdx.x] = sum;
}

// Three stages are more than static shared memory holds: the first stays where the tile is.
// ASYNC-LABEL: loop large
// ASYNC: * cp-async 3: score
// ASYNC-NEXT: copy line [[#@LINE+7]] to tile: cp.async, 16 bytes
// ASYNC-NEXT: tile tile: 3 stages, the first in place, the others in dynamic shared memory, aligned to 16 bytes
__global__ void __launch_bounds__(256) large(const float4 *__restrict__ A, float *__restrict__ C, int n) {
  __shared__ float4 tile[1280];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < 1280; i += 256)
      tile[i] = A[t * 1280 + i];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[k * 20 + threadIdx.x % 20].x;
    __syncthreads();
  }
  C[threadIdx.x] = sum;
}
