// Shared memory before and after, and how many blocks fit on an SM. All numbers are computed by hand:
// 20 KB of tiles and 128 threads; every block takes 1 KB more from 8.0 on.
//            SM       blocks before          blocks after (40 KB)     by threads
//   sm_75   64 KB     64/20 = 3              64/40 = 1                1024/128 = 8
//   sm_80  164 KB    164/21 = 7             164/41 = 4                2048/128 = 16
//   sm_86  100 KB    100/21 = 4             100/41 = 2                1536/128 = 12
//   sm_90  228 KB    228/21 = 10            228/41 = 5                2048/128 = 16
// RUN: %cpr --print=budget --arch=sm_75 %s | FileCheck %s --check-prefixes=ALL,SM75
// RUN: %cpr --print=budget --arch=sm_80 %s | FileCheck %s --check-prefixes=ALL,SM80
// RUN: %cpr --print=budget --arch=sm_86 %s | FileCheck %s --check-prefixes=ALL,SM86
// RUN: %cpr --print=budget --arch=sm_90 %s | FileCheck %s --check-prefixes=ALL,SM90

// ALL-LABEL: loop large
// Each of 128 threads: 5120 elements, a multiplication and an addition.
// ALL: ratio 64.00 (1310720 flops, 20480 bytes)
// ALL-NEXT: block 128x1x1 bound or claim
// SM75: ldg 2: 20480 -> 40960 of 49152 bytes, 3 -> 1 blocks per SM (shared-memory)
// SM75: ldg-single 1: 20480 -> 20480 of 49152 bytes, 3 -> 3 blocks per SM (shared-memory)
// SM80: cp-async 2: 20480 -> 40960 of 49152 bytes, 7 -> 4 blocks per SM (shared-memory)
// SM80: cp-async 3: 20480 -> 61440 of 166912 bytes
// SM80: ldg 2: 20480 -> 40960 of 49152 bytes, 7 -> 4 blocks per SM (shared-memory)
// SM86: ldg 2: 20480 -> 40960 of 49152 bytes, 4 -> 2 blocks per SM (shared-memory)
// SM90: ldg 2: 20480 -> 40960 of 49152 bytes, 10 -> 5 blocks per SM (shared-memory)
__global__ void __launch_bounds__(128) large(const float *__restrict__ x, float *__restrict__ y, int n, float w) {
  __shared__ float tile[5120];
  float s = 0.f;
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < 5120; i += 128)
      tile[i + threadIdx.x] = x[t * 5120 + i + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 5120; ++i)
      s += tile[i] * w;
    __syncthreads();
  }
  y[threadIdx.x] = s;
}

// The formula of a GEMM tile: 2*BM*BN*BK / ((BM*BK + BK*BN) * 4) = 2*16*16*16 / (512 * 4) = 4.
// The launch in this file is the only one, and the function is internal: its block size is exact.
// ALL-LABEL: loop gemm
// ALL: ratio 4.00 (8192 flops, 2048 bytes)
// ALL-NEXT: block 16x16x1 exact
// SM75: ldg 2: 2048 -> 4096 of 49152 bytes, 4 -> 4 blocks per SM (warps)
// SM80: ldg 2: 2048 -> 4096 of 49152 bytes, 8 -> 8 blocks per SM (warps)
// SM86: ldg 2: 2048 -> 4096 of 49152 bytes, 6 -> 6 blocks per SM (warps)
static __global__ void gemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N, int K) {
  __shared__ float As[16][16], Bs[16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  float c = 0.f;
  for (int k = 0; k < K; k += 16) {
    As[y][x] = A[(blockIdx.y * 16 + y) * K + k + x];
    Bs[y][x] = B[(k + y) * N + blockIdx.x * 16 + x];
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      c += As[y][i] * Bs[i][x];
    __syncthreads();
  }
  C[(blockIdx.y * 16 + y) * N + blockIdx.x * 16 + x] = c;
}
void launch(const float *A, const float *B, float *C, int N, int K) {
  gemm<<<dim3(N / 16, N / 16), dim3(16, 16)>>>(A, B, C, N, K);
}

// Nothing says how large the block is. What is no tile is not doubled: 1024 + 4 * 128 bytes.
// ALL-LABEL: loop unknown
// ALL: block unknown
// ALL: ldg 2: 1536 -> 2560 of 49152 bytes{{$}}
__global__ void unknown(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[256];
  __shared__ int flags[128];
  flags[threadIdx.x % 128] = 0;
  float s = 0.f;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = x[t * 256 + threadIdx.x];
    __syncthreads();
    s += tile[255 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = s;
}
