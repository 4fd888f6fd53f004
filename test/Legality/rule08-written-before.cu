// Rule 8: the block has written the memory that it loads, and the loop's first barrier makes it visible. With more than
// two stages the second tile would be loaded before that barrier.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=cp-async:3,cp-async:8 --legal=cp-async:2,ldg,ldg-single "--count=x:8 * 128" -- %cpr
//--- bad.cu
__global__ void passes(const float *__restrict__ x, float *y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int i = 0; i < 8; ++i)
    y[i * 128 + threadIdx.x] = x[i * 128 + threadIdx.x] * 2;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = y[t * 128 + (threadIdx.x + t) % 128]; // refused: barrier-orders-other
    // says: 'y'
    // note: written here, with no barrier in front of the loop
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[1024 + threadIdx.x] = sum;
}
//--- good.cu
__global__ void passes(const float *__restrict__ x, float *y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int i = 0; i < 8; ++i)
    y[i * 128 + threadIdx.x] = x[i * 128 + threadIdx.x] * 2;
  __syncthreads();
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = y[t * 128 + (threadIdx.x + t) % 128];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[1024 + threadIdx.x] = sum;
}
