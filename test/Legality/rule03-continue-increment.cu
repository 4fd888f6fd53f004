// Rule 3: the increment of an inner loop is also reached from its continue, with other values.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single "--count=x:tiles * 256" -- %cpr
//--- bad.cu
static __global__ void jumps(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[256];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 256 + threadIdx.x];
    if (t % 2 == 0) // refused: stale-tile
      part[threadIdx.x + 128] = x[t * 256 + 128 + threadIdx.x];
    __syncthreads();
    int at = 0;
    for (int i = 0; i < 128; sum += part[at] * (i + 1), ++i) {
      at = i;
      if (i & 1) {
        at = i + 128;
        continue;
      }
      sum *= 0.5f;
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run(const float *x, float *y, int tiles) { jumps<<<1, 128>>>(x, y, tiles); }
//--- good.cu
static __global__ void jumps(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[256];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 256 + threadIdx.x];
    if (t % 2 == 0)
      part[threadIdx.x + 128] = x[t * 256 + 128 + threadIdx.x];
    __syncthreads();
    int at = 0;
    for (int i = 0; i < 128; sum += part[i] * (i + 1), ++i) {
      at = i;
      if (i & 1) {
        at = i + 128;
        continue;
      }
      sum *= 0.5f;
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run(const float *x, float *y, int tiles) { jumps<<<1, 128>>>(x, y, tiles); }
