// Rule 6: behind the loop a closure reads the buffer by its name: a name of the function is no name of the closure's.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single -- %cpr
//--- bad.cu
__global__ void reused(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128], rest[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  auto other = [&](int i) -> float & { return part[i]; }; // refused: tile-used-outside
  other(threadIdx.x) = sum;
  __syncthreads();
  y[threadIdx.x] = other(127 - threadIdx.x);
}
//--- good.cu
__global__ void reused(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128], rest[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  auto other = [&](int i) -> float & { return rest[i]; };
  other(threadIdx.x) = sum;
  __syncthreads();
  y[threadIdx.x] = other(127 - threadIdx.x);
}
