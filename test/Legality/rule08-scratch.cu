// Rule 8: scratch, written in front of the trailing barrier, read behind it, written again in the next
// iteration: this needs both barriers.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single -- %cpr
//--- bad.cu
__global__ void scratch(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  __shared__ float partial[128];
  float sum = 0.0f, own = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    own = part[127 - threadIdx.x] + sum;
    partial[threadIdx.x] = own;
    __syncthreads();
    sum += partial[threadIdx.x ^ 64]; // refused: barrier-orders-other
    // says: 'partial'
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void scratch(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  __shared__ float partial[128];
  float sum = 0.0f, own = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    own = part[127 - threadIdx.x] + sum;
    partial[threadIdx.x] = own;
    __syncthreads();
    sum += own;
  }
  y[threadIdx.x] = sum;
}
