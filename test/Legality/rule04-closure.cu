// Rule 4: the closure keeps a count of its own that both phases advance.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t -- %cpr
//--- bad.cu
__global__ void counts(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  auto next = [n = 0]() mutable { return n++; };
  for (int t = 0; t < tiles; ++t) {
    const int at = next();
    part[threadIdx.x] = x[at * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x] * next(); // refused: counter-modified
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void counts(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  auto next = [n = 0]() mutable { return n++; };
  for (int t = 0; t < tiles; ++t) {
    const int at = next();
    part[threadIdx.x] = x[at * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x] * 2;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
