// Two loops, one buffer: they agree about its stages.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused= --legal=cp-async:2,cp-async:3,cp-async:4,ldg,ldg-single -- %cpr
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
    for (int i = 0; i < n; ++i) {
      tile[threadIdx.x] = b[i * 128 + threadIdx.x];
      __syncthreads();
      s *= tile[threadIdx.x ^ 2];
      __syncthreads();
    }
  }
  out[threadIdx.x] = s;
}
