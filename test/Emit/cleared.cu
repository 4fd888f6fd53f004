// RUN: split-file %s %t
// RUN: %python %S/Inputs/same.py %t -- %cpr
// RUN: %cpr --variant=ldg --exit-zero -o - %t/kernel.cu 2> %t/report.LDG | FileCheck %s --check-prefix=LDG
// RUN: %cpr --variant=ldg --exit-zero --format=json --report=%t/report.json -o %t/out %t/other.cu
// RUN: FileCheck %s --check-prefix=OTHER < %t/report.json

// Cleared first, then stored to where there is data: every element is written in every iteration.
// LDG-LABEL: cleared(
// LDG: if (t * 64 + tx < limit) tile_reg = in[t * 64 + tx];
// LDG: tile[tx] = 0.f;
// LDG-NEXT: if (t * 64 + tx < limit) tile[tx] = tile_reg;
// The comment between a pragma and its loop stays between them.
// LDG-LABEL: commented(
// LDG: int stage = 0;
// LDG-NEXT: #pragma unroll 1
// LDG-NEXT: // over the tiles
// LDG-NEXT: for (int t = 0; t < n; ++t) {
// Another element than the one that was cleared: what was there stays.
// OTHER: "id": "stale-tile"

//--- kernel.cu
__global__ void __launch_bounds__(64) cleared(const float *__restrict__ in, float *out, int n, int limit) {
  __shared__ float tile[64];
  int tx = threadIdx.x;
  float s = 0.f;
  for (int t = 0; t < n; ++t) {
    tile[tx] = 0.f;
    if (t * 64 + tx < limit) tile[tx] = in[t * 64 + tx];
    __syncthreads();
    for (int j = 0; j < 64; ++j) s = s * 0.5f + tile[j];
    __syncthreads();
  }
  out[tx] = s;
}
__global__ void __launch_bounds__(64) commented(const float *__restrict__ in, float *out, int n) {
  __shared__ float tile[64];
  float s = 0.f;
#pragma unroll 1
  // over the tiles
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j) s = s * 0.5f + tile[j];
    __syncthreads();
  }
  out[threadIdx.x] = s;
}
//--- other.cu
__global__ void __launch_bounds__(64) other(const float *__restrict__ in, float *out, int n, int limit) {
  __shared__ float tile[64];
  int tx = threadIdx.x;
  float s = 0.f;
  for (int t = 0; t < n; ++t) {
    tile[tx ^ 1] = 0.f;
    if (t * 64 + tx < limit) tile[tx] = in[t * 64 + tx];
    __syncthreads();
    for (int j = 0; j < 64; ++j) s = s * 0.5f + tile[j];
    __syncthreads();
  }
  out[tx] = s;
}
//--- drive.h
void drive() {
  for (int n : {0, 1, 2, 3, 4, 7}) {
    float *in = data<float>(64 * n), *out = data<float>(64);
    int limit = 64 * n - 13;
    launch(1, 64, [=] { cleared(in, out, n, limit); });
    show("cleared", out, 64);
    launch(1, 64, [=] { commented(in, out, n); });
    show("commented", out, 64);
  }
}
