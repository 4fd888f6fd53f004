// A count is stepped by what the load phase declares; outside there is something else of that name.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused= --legal=ldg,ldg-single,cp-async -- %cpr
//--- good.cu
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int step = 100, count = 0;
  for (int t = 0; t < tiles; ++t) {
    int step = t + 1;
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    count += step;
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + count);
    __syncthreads();
  }
  y[threadIdx.x] = sum + step;
}
__global__ void unread(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int step = 100, count = 0;
  for (int t = 0; t < tiles; ++t) {
    int step = t + 1;
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    count += step;
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum + count + step;
}
