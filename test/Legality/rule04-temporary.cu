// Rule 4: a reference to a temporary is a variable like any other; this one is no number that can be split.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t -- %cpr
//--- bad.cu
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  auto &&at = 0;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[at + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
    at += 128; // refused: counter-modified
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  auto at = 0;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[at + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
    at += 128;
  }
  y[threadIdx.x] = sum;
}
