// Rule 5: the compute phase writes to the tile.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single -- %cpr
//--- bad.cu
__global__ void rewrites(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  __shared__ float other[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += part[threadIdx.x / 32 * 32 + k];
    __syncwarp();
    part[threadIdx.x] = sum; // refused: tile-written
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void rewrites(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  __shared__ float other[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += part[threadIdx.x / 32 * 32 + k];
    __syncwarp();
    other[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
