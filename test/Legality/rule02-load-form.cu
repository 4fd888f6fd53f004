// A store that goes to one of two tiles.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t -- %cpr
//--- bad.cu
__global__ void either(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128], twin[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    (tiles > 4 ? part : twin)[threadIdx.x] = x[t * 128 + threadIdx.x]; // refused: load-form
    __syncthreads();
    for (int k = 0; k < 128; ++k)
      sum += part[k];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void either(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128], twin[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 128; ++k)
      sum += part[k];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
