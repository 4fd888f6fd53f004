// Rule 1: two buffers that take turns need one barrier only. That is no race, but not the form either.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg-single -- %cpr
//--- bad.cu
__global__ void turns(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[2][128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    float *now = part[t & 1];
    now[threadIdx.x] = t < 7 ? x[t * 128 + threadIdx.x] : 0.0f;
    __syncthreads(); // refused: barrier-shape
    // says: one barrier
    sum += now[127 - threadIdx.x];
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void turns(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[2][128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    float *now = part[t & 1];
    now[threadIdx.x] = t < 7 ? x[t * 128 + threadIdx.x] : 0.0f;
    __syncthreads();
    sum += now[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
