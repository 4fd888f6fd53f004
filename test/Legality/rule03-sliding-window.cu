// Rule 3: a window of two tiles, one of which is from the iteration before.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single "--count=x:tiles * 128 + 1" -- %cpr
//--- bad.cu
__global__ void sliding(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float ring[256];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    ring[t % 2 * 128 + threadIdx.x] = x[t * 128 + threadIdx.x]; // refused: stale-tile
    __syncthreads();
    for (int k = 0; k < (t ? 256 : 128); ++k)
      sum += ring[k];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void sliding(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float ring[256];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    for (int h = 0; h < 2; ++h)
      ring[h * 128 + threadIdx.x] = x[t * 128 + h + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < (t ? 256 : 128); ++k)
      sum += ring[k];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
