// A loop that is turned around: it reads the tile, and then replaces it by the next plane. Where that has been on its way in a
// register all the while, the loop is pipelined already, and nothing is left to do; else it has no load phase in front.
// RUN: split-file %s %t
// RUN: %cpr %t/prefetched.cu --variant=ldg -o %t/same.cu > %t/report && FileCheck %s < %t/report
// CHECK: 1 loop: {{.*}}already pipelined
// RUN: cmp %t/prefetched.cu %t/same.cu
// RUN: %python %S/../Inputs/legality.py %t/turned --refused=ldg,ldg-single,cp-async "--no-twin=the loop would have to be turned around" -- %cpr
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
//--- turned/bad.cu
__global__ void stencil(const float *__restrict__ in, float *__restrict__ out, int planes) {
  __shared__ float tile[128];
  float bottom = in[threadIdx.x];
  float current = in[128 + threadIdx.x];
  tile[threadIdx.x] = current;
  __syncthreads();
  for (int k = 1; k < planes - 1; ++k) {
    out[k * 128 + threadIdx.x] = bottom + tile[127 - threadIdx.x] - current;
    __syncthreads(); // refused: barrier-shape
    // says: nothing is stored
    bottom = current;
    current = in[(k + 1) * 128 + threadIdx.x];
    tile[threadIdx.x] = current;
    __syncthreads();
  }
}
