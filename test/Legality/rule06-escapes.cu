// Rule 6: a pointer into the tile outlives the iteration.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single -- %cpr
//--- bad.cu
__global__ void kept(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  const float *best = nullptr;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    best = part + t % 128; // refused: tile-escapes
    __syncthreads();
  }
  y[threadIdx.x] = sum + (best != nullptr);
}
//--- good.cu
__global__ void kept(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  const float *best = nullptr;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    best = x + t % 128;
    __syncthreads();
  }
  y[threadIdx.x] = sum + (best != nullptr);
}
