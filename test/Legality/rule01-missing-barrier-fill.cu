// Rule 1: the missing barrier is named also where the tile is filled in both arms of a condition.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t -- %cpr
//--- bad.cu
__global__ void race(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < 100 * n; t += 128) {
    if (t + threadIdx.x < 100 * n)
      part[threadIdx.x] = x[t + threadIdx.x];
    else
      part[threadIdx.x] = 0.0f;
    __syncthreads();
    for (int k = 0; k < 128; ++k)
      sum += part[k] * threadIdx.x; // refused: missing-barrier
    // note: overwritten here
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void race(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < 100 * n; t += 128) {
    if (t + threadIdx.x < 100 * n)
      part[threadIdx.x] = x[t + threadIdx.x];
    else
      part[threadIdx.x] = 0.0f;
    __syncthreads();
    for (int k = 0; k < 128; ++k)
      sum += part[k] * threadIdx.x;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
