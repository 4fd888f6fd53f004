// The compute phase has barriers of its own: one in the middle, and those of a reduction. They stay where they are.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t/middle --refused= --legal=ldg,ldg-single,cp-async:2,cp-async:3 -- %cpr
// RUN: %python %S/Inputs/legality.py %t/reduction --refused= --legal=ldg,ldg-single,cp-async:2,cp-async:3 -- %cpr
//--- middle/good.cu
__global__ void pairs(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  __shared__ float told[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    told[threadIdx.x] = part[127 - threadIdx.x] * 0.5f;
    __syncthreads(); // in the middle
    sum += told[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- reduction/good.cu
__global__ void norms(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float row[128];
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    row[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    part[threadIdx.x] = row[threadIdx.x] * row[127 - threadIdx.x];
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
      if (threadIdx.x < half)
        part[threadIdx.x] += part[threadIdx.x + half];
      __syncthreads();
    }
    sum += row[(threadIdx.x + t) % 128] * part[0];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
