// Rule 1: 'continue' leaves or shortcuts the body, but for the rest behind the trailing barrier.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
__global__ void leaving(const float *__restrict__ x, float *__restrict__ y, int tiles, int from) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    if (t % 3 != 1)
      continue; // refused: early-exit
    // says: 'continue'
    __syncthreads();
    if (t % 5 != 1)
      continue;
    sum *= 0.5f;
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void leaving(const float *__restrict__ x, float *__restrict__ y, int tiles, int from) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
    if (t % 5 != 1)
      continue;
    sum *= 0.5f;
  }
  y[threadIdx.x] = sum;
}
