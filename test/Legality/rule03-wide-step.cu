// Rule 3: the sum of a step of a wider type is cut off; the counter reads every element.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single "--count=x:tiles * 256" -- %cpr
//--- bad.cu
__global__ void steps(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[256];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 256 + threadIdx.x];
    if (t % 2 == 0) // refused: stale-tile
      part[threadIdx.x + 128] = x[t * 256 + 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 256; i += 4294967297LL)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void steps(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[256];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 256 + threadIdx.x];
    if (t % 2 == 0)
      part[threadIdx.x + 128] = x[t * 256 + 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 256; i += 256)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
