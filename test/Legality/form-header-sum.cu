// The header declares what the compute phase changes.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t -- %cpr
//--- bad.cu
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  float tail = 0.0f;
  for (float t = 0, last = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[threadIdx.x + (int)t * 128];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
    last = sum; // refused: not-yet-supported
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  float tail = 0.0f;
  for (float t = 0, last = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[threadIdx.x + (int)t * 128];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
    tail = sum;
  }
  y[threadIdx.x] = sum;
}
