// Rule 10: the user's own function, defined in another file, has the name of one that only computes.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t -- %cpr
//--- bad.cu
__device__ float saturate(float x); // and no more
__global__ void levels(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += saturate(part[127 - threadIdx.x]); // refused: unknown-call
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__device__ float saturate(float x); // and no more
__global__ void levels(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += __saturatef(part[127 - threadIdx.x]);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
