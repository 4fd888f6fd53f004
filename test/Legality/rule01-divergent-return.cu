// Rule 1: threads return from a loop around the tile loop: there are fewer of them in its next turn.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
__global__ void early(const float *__restrict__ x, float *__restrict__ y, int tiles, int n) {
  __shared__ float part[128];
  for (;;) {
    float sum = 0.0f;
    for (int t = 0; t < tiles; ++t) {
      part[threadIdx.x] = x[t * 128 + threadIdx.x];
      __syncthreads();
      for (int k = 0; k < 128; ++k)
        sum += part[k];
      __syncthreads();
    }
    y[threadIdx.x] = sum;
    if (threadIdx.x < 128)
      return; // refused: divergent-loop
  }
}
//--- good.cu
__global__ void early(const float *__restrict__ x, float *__restrict__ y, int tiles, int n) {
  __shared__ float part[128];
  for (;;) {
    float sum = 0.0f;
    for (int t = 0; t < tiles; ++t) {
      part[threadIdx.x] = x[t * 128 + threadIdx.x];
      __syncthreads();
      for (int k = 0; k < 128; ++k)
        sum += part[k];
      __syncthreads();
    }
    y[threadIdx.x] = sum;
    if (blockIdx.x < 128)
      return;
  }
}
