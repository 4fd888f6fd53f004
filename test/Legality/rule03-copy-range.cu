// Rule 3: how far the copy goes depends on the iteration.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=cp-async "--count=x:tiles * 256" -- %cpr
//--- bad.cu
__global__ void shrinking(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[256];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    for (int i = threadIdx.x; i < 256 - t; i += 128) // refused: stale-tile
      part[i] = x[t * 256 + i];
    __syncthreads();
    sum += part[255 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void shrinking(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[256];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    for (int i = threadIdx.x; i < 256; i += 128)
      part[i] = x[t * 256 + i];
    __syncthreads();
    sum += part[255 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
