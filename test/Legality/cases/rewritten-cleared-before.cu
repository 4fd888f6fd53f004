// The buffer is cleared before the loop, and the loop fills a part of it: every stage begins clear.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused= --legal=cp-async:2,cp-async:3,cp-async:4,ldg,ldg-single -- %cpr
//--- good.cu
__global__ void border(const float *__restrict__ in, float *__restrict__ out, int rows) {
  __shared__ float line[130];
  float sum = 0.0f;
  if (threadIdx.x < 2)
    line[threadIdx.x * 129] = 0.0f;
  for (int r = 0; r < rows; ++r) {
    line[threadIdx.x + 1] = in[r * 128 + threadIdx.x];
    __syncthreads();
    sum += line[threadIdx.x] - line[threadIdx.x + 2];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
