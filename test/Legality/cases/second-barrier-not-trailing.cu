// The second barrier is not the trailing one: the values are still read behind it, and the next turn overwrites them. A race in
// the source, to be named with both places and the array. The scores that the barrier orders are in shared memory, for
// which the two-buffer variants keep no barrier in the twin either; or they go from thread to thread.
// RUN: rm -rf %t && split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t/shared --refused=ldg-single -- %cpr
// RUN: mkdir %t/alone && cp %t/shared/bad.cu %t/alone
// RUN: %python %S/../Inputs/legality.py %t/alone --refused=ldg,cp-async "--no-twin=is above" -- %cpr
// RUN: %python %S/../Inputs/legality.py %t/shuffled -- %cpr
// The emulator sees the race as well, in the original.
// RUN: %{exit} 4 %cpr verify %t/shared/bad.cu %t/shared/bad.cu --launch=%t/launch.yaml | FileCheck %s
// CHECK: the original is itself at fault
// CHECK-NEXT: race
//--- shared/bad.cu
__global__ void attend(const float *__restrict__ k, const float *__restrict__ v, float *__restrict__ out, int blocks) {
  __shared__ float keys[16][9];
  __shared__ float values[16][8];
  __shared__ float score[8][16];
  const int c = threadIdx.x % 16, r = threadIdx.x / 16;
  float acc = 0.0f;
  for (int b = 0; b < blocks; ++b) {
    keys[c][r] = k[(b * 16 + c) * 8 + r];
    values[c][r] = v[(b * 16 + c) * 8 + r];
    __syncthreads();
    float s = 0.0f;
    for (int d = 0; d < 8; ++d)
      s += keys[c][d] * keys[r][d];
    score[r][c] = s;
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      acc = acc * 0.5f + score[r][i] * values[i][r]; // refused: missing-barrier
    // says: 'values'
    // note: overwritten here
  }
  out[threadIdx.x] = acc;
}
//--- shared/good.cu
__global__ void attend(const float *__restrict__ k, const float *__restrict__ v, float *__restrict__ out, int blocks) {
  __shared__ float keys[16][9];
  __shared__ float values[16][8];
  __shared__ float score[8][16];
  const int c = threadIdx.x % 16, r = threadIdx.x / 16;
  float acc = 0.0f;
  for (int b = 0; b < blocks; ++b) {
    keys[c][r] = k[(b * 16 + c) * 8 + r];
    values[c][r] = v[(b * 16 + c) * 8 + r];
    __syncthreads();
    float s = 0.0f;
    for (int d = 0; d < 8; ++d)
      s += keys[c][d] * keys[r][d];
    score[r][c] = s;
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      acc = acc * 0.5f + score[r][i] * (i - r);
  }
  out[threadIdx.x] = acc;
}
//--- shuffled/bad.cu
__global__ void attend(const float *__restrict__ k, const float *__restrict__ v, float *__restrict__ out, int blocks) {
  __shared__ float keys[16][9];
  __shared__ float values[16][8];
  const int c = threadIdx.x % 16, r = threadIdx.x / 16;
  float acc = 0.0f;
  for (int b = 0; b < blocks; ++b) {
    keys[c][r] = k[(b * 16 + c) * 8 + r];
    values[c][r] = v[(b * 16 + c) * 8 + r];
    __syncthreads();
    float s = 0.0f;
    for (int d = 0; d < 8; ++d)
      s += keys[c][d] * keys[r][d];
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      acc = acc * 0.5f + __shfl_sync(~0u, s, i, 16) * values[i][r]; // refused: missing-barrier
    // says: 'values'
    // note: overwritten here
  }
  out[threadIdx.x] = acc;
}
//--- shuffled/good.cu
__global__ void attend(const float *__restrict__ k, const float *__restrict__ v, float *__restrict__ out, int blocks) {
  __shared__ float keys[16][9];
  __shared__ float values[16][8];
  const int c = threadIdx.x % 16, r = threadIdx.x / 16;
  float acc = 0.0f;
  for (int b = 0; b < blocks; ++b) {
    keys[c][r] = k[(b * 16 + c) * 8 + r];
    values[c][r] = v[(b * 16 + c) * 8 + r];
    __syncthreads();
    float s = 0.0f;
    for (int d = 0; d < 8; ++d)
      s += keys[c][d] * keys[r][d];
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      acc = acc * 0.5f + __shfl_sync(~0u, s, i, 16) * (i - r);
  }
  out[threadIdx.x] = acc;
}
//--- launch.yaml
kernel: attend
cases: [{blocks: 2}]
grid: 1
block: 128
arguments:
  - {name: k, buffer: float, count: blocks * 128, role: input}
  - {name: v, buffer: float, count: blocks * 128, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: blocks}
