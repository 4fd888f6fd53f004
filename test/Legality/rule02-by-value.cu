// Rule 2: parameters that are passed by value are in constant memory.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=cp-async --legal=ldg,ldg-single "--count=x:(tiles + 1) * 128" -- %cpr
//--- bad.cu
struct Table { float value[512]; };
__global__ void byValue(const Table table, const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  const float *from = tiles > 4 ? x : table.value;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = from[t * 128 + threadIdx.x]; // refused: load-not-global
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
struct Table { float value[512]; };
__global__ void byValue(const Table table, const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  const float *from = tiles > 4 ? x : x + 128;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = from[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
