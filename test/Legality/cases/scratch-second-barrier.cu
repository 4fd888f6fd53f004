// The second barrier orders scratch inside of the compute phase, and there is legally no third: the tile dies at the
// second, the scratch is protected by the first of the next turn. With two buffers and one barrier it would not be.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single -- %cpr
//--- bad.cu
__global__ void advect(const float *__restrict__ u, float *__restrict__ out, int levels) {
  __shared__ float value[128];
  __shared__ float slope[128];
  float sum = 0.0f;
  for (int level = 0; level < levels; ++level) {
    value[threadIdx.x] = u[level * 128 + threadIdx.x];
    __syncthreads();
    slope[threadIdx.x] = value[threadIdx.x] - value[(threadIdx.x + 1) % 128];
    sum += value[127 - threadIdx.x];
    __syncthreads();
    sum = sum * 0.5f + slope[(threadIdx.x + 1) % 128]; // refused: barrier-orders-other
    // says: 'slope'
  }
  out[threadIdx.x] = sum;
}
//--- good.cu
__global__ void advect(const float *__restrict__ u, float *__restrict__ out, int levels) {
  __shared__ float value[128];
  __shared__ float slope[128];
  float sum = 0.0f;
  for (int level = 0; level < levels; ++level) {
    value[threadIdx.x] = u[level * 128 + threadIdx.x];
    __syncthreads();
    slope[threadIdx.x] = value[threadIdx.x] - value[(threadIdx.x + 1) % 128];
    sum += value[127 - threadIdx.x];
    __syncthreads();
    sum = sum * 0.5f + level;
  }
  out[threadIdx.x] = sum;
}
