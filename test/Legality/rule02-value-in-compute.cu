// Rule 2: the compute phase uses a register that the load phase fills: with cp-async it would be that of a later tile.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=cp-async --legal=ldg,ldg-single -- %cpr
//--- bad.cu
__global__ void shares(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    const float mine = x[t * 128 + threadIdx.x]; // refused: load-side-effect
    // says: 'mine'
    part[threadIdx.x] = mine;
    __syncthreads();
    sum += part[127 - threadIdx.x] * mine;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void shares(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    const float mine = x[t * 128 + threadIdx.x];
    part[threadIdx.x] = mine;
    __syncthreads();
    sum += part[127 - threadIdx.x] * part[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
