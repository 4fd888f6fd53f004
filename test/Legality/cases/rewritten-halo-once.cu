// A halo that is filled once, before the loop.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused= --legal=cp-async:2,cp-async:3,cp-async:4,ldg,ldg-single -- %cpr
//--- good.cu
__global__ void halo(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[130];
  float sum = 0.0f;
  if (threadIdx.x < 2)
    part[128 + threadIdx.x] = 1.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 130; ++k)
      sum += part[k];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
