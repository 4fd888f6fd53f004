// The variant was asked for by name, and the loop has nothing for registers; with a copy that is converted it has.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=mixed -- %cpr
//--- bad.cu
__global__ void both(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  __shared__ float weight[128];
  float sum = 0;
  for (int t = 0; t < tiles; ++t) { // refused: nothing-to-mix
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    weight[threadIdx.x] = w[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x] * weight[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void both(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  __shared__ float weight[128];
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    weight[threadIdx.x] = -w[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x] * weight[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
