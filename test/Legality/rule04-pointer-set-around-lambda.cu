// Rule 4: a lambda writes through a pointer that it and its surroundings set.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg-single -- %cpr
//--- bad.cu
__global__ void put(const float *__restrict__ x, float *__restrict__ y, float *d, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  float *p = d;
  auto set = [&](int v) {
    p[127 - threadIdx.x] = v;
    p = y;
  };
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = d[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    p = d + (t + 1) * 128;
    set(sum); // refused: may-alias
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void put(const float *__restrict__ x, float *__restrict__ y, float *d, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  float *p = d;
  auto set = [&](int v) {
    p[127 - threadIdx.x] = v;
    p = y;
  };
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    p = d + (t + 1) * 128;
    set(sum);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
