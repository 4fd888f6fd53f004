// Rule 10: inline assembly is not looked into.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
__global__ void assembly(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    float v = part[127 - threadIdx.x];
    asm volatile("add.f32 %0, %0, %1;" : "+f"(sum) : "f"(v)); // refused: inline-asm
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void assembly(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    float v = part[127 - threadIdx.x];
    sum += v;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
