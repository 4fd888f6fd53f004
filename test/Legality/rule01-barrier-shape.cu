// Rule 1: three barriers for the block. The one in the middle orders what pairs of threads tell each other, for which a barrier of the
// warp is enough.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
__global__ void pairs(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  __shared__ float told[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) { // refused: barrier-shape
    // says: 3 barriers
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    told[threadIdx.x] = part[127 - threadIdx.x] * 0.5f;
    __syncthreads(); // in the middle
    sum += told[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void pairs(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  __shared__ float told[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    told[threadIdx.x] = part[127 - threadIdx.x] * 0.5f;
    __syncwarp(); // in the middle
    sum += told[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
