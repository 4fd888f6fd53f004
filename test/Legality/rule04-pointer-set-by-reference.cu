// Rule 4: a pointer that has another name is set by that name.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async "--count=x:max(128, tiles * 128)" -- %cpr
//--- bad.cu
__device__ void seat(const float *&p, const float *q) { p = q; }
__global__ void seated(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  const float *from = x, *other = x;
  const float *&name = from;
  seat(name, y);
  y[threadIdx.x] = x[threadIdx.x];
  sum = other == y;
  __syncthreads();
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = from[t * 128 + threadIdx.x]; // refused: load-reads-shared
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    y[(t + 1) * 128 + threadIdx.x] = sum;
    __syncthreads();
  }
}
//--- good.cu
__device__ void seat(const float *&p, const float *q) { p = q; }
__global__ void seated(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  const float *from = x, *other = x;
  const float *&name = other;
  seat(name, y);
  y[threadIdx.x] = x[threadIdx.x];
  sum = other == y;
  __syncthreads();
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = from[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    y[(t + 1) * 128 + threadIdx.x] = sum;
    __syncthreads();
  }
}
