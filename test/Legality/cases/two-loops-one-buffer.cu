// Two loops, one buffer: with their own numbers of stages they would not agree about its shape.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single -- %cpr
//--- bad.cu
__global__ void passes(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int n) {
  __shared__ float tile[128];
  float s = 0.0f;
  for (int i = 0; i < n; ++i) {
    tile[threadIdx.x] = a[i * 128 + threadIdx.x];
    __syncthreads();
    s += tile[127 - threadIdx.x]; // refused: tile-used-outside
    __syncthreads();
  }
  { // the second loop's scope
    for (int i = 0; i < n; ++i) {
      tile[threadIdx.x] = b[i * 128 + threadIdx.x];
      __syncthreads();
      s *= tile[threadIdx.x ^ 2]; // refused: tile-used-outside
      __syncthreads();
    }
  }
  out[threadIdx.x] = s;
}
//--- good.cu
__global__ void passes(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int n) {
  __shared__ float tile[128];
  float s = 0.0f;
  for (int i = 0; i < n; ++i) {
    tile[threadIdx.x] = a[i * 128 + threadIdx.x];
    __syncthreads();
    s += tile[127 - threadIdx.x];
    __syncthreads();
  }
  { // the second loop's scope
    __shared__ float tile[128];
    for (int i = 0; i < n; ++i) {
      tile[threadIdx.x] = b[i * 128 + threadIdx.x];
      __syncthreads();
      s *= tile[threadIdx.x ^ 2];
      __syncthreads();
    }
  }
  out[threadIdx.x] = s;
}
