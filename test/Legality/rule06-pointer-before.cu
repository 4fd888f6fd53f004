// Rule 6: a pointer into the tile that is set again would keep pointing to the first stage.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single -- %cpr
//--- bad.cu
__global__ void pointer(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  const float *mirror = part; // refused: tile-used-outside
  mirror += 127 - threadIdx.x;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += *mirror;
    __syncthreads();
  }
  y[threadIdx.x] = tiles > 0 ? sum + *mirror : sum;
}
//--- good.cu
__global__ void pointer(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  const float *mirror = x;
  mirror += 127 - threadIdx.x;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += *mirror;
    __syncthreads();
  }
  y[threadIdx.x] = tiles > 0 ? sum + *mirror : sum;
}
