// Rule 3: each thread has a bound of its own, and some fill less than others read.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single -- %cpr
//--- bad.cu
static __global__ void bounded(const float *__restrict__ x, float *__restrict__ y, int tiles, int first) {
  __shared__ float part[128];
  float sum = 0.0f;
  int last = 50;
  if (threadIdx.x > 60)
    last = 100;
  for (int t = 0; t < tiles; ++t) {
    if ((int)threadIdx.x < last || t % 2 == 0) // refused: stale-tile
      part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < last && k < 128; ++k)
      sum += part[k];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
static void run(const float *x, float *y, int tiles) { bounded<<<1, 128>>>(x, y, tiles, 3); }
//--- good.cu
static __global__ void bounded(const float *__restrict__ x, float *__restrict__ y, int tiles, int first) {
  __shared__ float part[128];
  float sum = 0.0f;
  int last = 50;
  if (blockIdx.x > 60)
    last = 100;
  for (int t = 0; t < tiles; ++t) {
    if ((int)threadIdx.x < last || t % 2 == 0)
      part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < last && k < 128; ++k)
      sum += part[k];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
static void run(const float *x, float *y, int tiles) { bounded<<<1, 128>>>(x, y, tiles, 3); }
