// The buffer is cleared before the loop, and the loop fills a part of it: in a second stage the rest is not clear.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single --wrong=ldg,cp-async:3 "--larger=the statement moves into the loop" -- %cpr
//--- bad.cu
__global__ void border(const float *__restrict__ in, float *__restrict__ out, int rows) {
  __shared__ float line[130];
  float sum = 0.0f;
  if (threadIdx.x < 2)
    line[threadIdx.x * 129] = 0.0f; // refused: tile-used-outside
  for (int r = 0; r < rows; ++r) {
    line[threadIdx.x + 1] = in[r * 128 + threadIdx.x];
    __syncthreads();
    sum += line[threadIdx.x] - line[threadIdx.x + 2];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- good.cu
__global__ void border(const float *__restrict__ in, float *__restrict__ out, int rows) {
  __shared__ float line[130];
  float sum = 0.0f;
  for (int r = 0; r < rows; ++r) {
    if (threadIdx.x < 2)
      line[threadIdx.x * 129] = 0.0f;
    line[threadIdx.x + 1] = in[r * 128 + threadIdx.x];
    __syncthreads();
    sum += line[threadIdx.x] - line[threadIdx.x + 2];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
