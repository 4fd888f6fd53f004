// A loop that is turned around: it reads the tile, and then replaces it by the next plane. Where that has been on its way in a
// register all the while, the loop is pipelined already, and nothing is left to do; else the plane is what the next turn loads first.
// RUN: split-file %s %t
// RUN: %cpr %t/prefetched.cu --variant=ldg -o %t/same.cu > %t/report && FileCheck %s < %t/report
// CHECK: 1 loop: {{.*}}already pipelined
// RUN: cmp %t/prefetched.cu %t/same.cu
// RUN: %cpr %t/turned.cu --variant=ldg-single -o %t/new.cu | FileCheck %s --check-prefix=TURNED
// TURNED: remark: pipelined with ldg-single
// TURNED: what a turn loads at its end is taken as what the next one loads first
// RUN: %cpr verify %t/turned.cu %t/new.cu
//--- prefetched.cu
__global__ void stencil(const float *__restrict__ in, float *__restrict__ out, int planes) {
  __shared__ float tile[128];
  float bottom = in[threadIdx.x];
  float current = in[128 + threadIdx.x];
  tile[threadIdx.x] = current;
  __syncthreads();
  for (int k = 1; k < planes - 1; ++k) {
    float top = in[(k + 1) * 128 + threadIdx.x];
    out[k * 128 + threadIdx.x] = top + bottom + tile[127 - threadIdx.x] - current;
    bottom = current;
    __syncthreads();
    tile[threadIdx.x] = top;
    current = top;
    __syncthreads();
  }
}
//--- turned.cu
__global__ void stencil(const float *__restrict__ in, float *__restrict__ out, int planes) {
  __shared__ float tile[128];
  float bottom = in[threadIdx.x];
  float current = in[128 + threadIdx.x];
  tile[threadIdx.x] = current;
  __syncthreads();
  for (int k = 1; k < planes - 1; ++k) {
    out[k * 128 + threadIdx.x] = bottom + tile[127 - threadIdx.x] - current;
    __syncthreads();
    bottom = current;
    current = in[(k + 1) * 128 + threadIdx.x];
    tile[threadIdx.x] = current;
    __syncthreads();
  }
}
