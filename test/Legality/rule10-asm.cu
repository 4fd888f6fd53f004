// Rule 10: inline assembly is understood where it computes on registers; a branch goes somewhere.
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
    asm volatile("{ .reg .pred p; setp.lt.f32 p, %1, 0f00000000; @p bra done; add.f32 %0, %0, %1; done: }" : "+f"(sum) : "f"(v)); // refused: inline-asm
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
    asm volatile("{ .reg .pred p; setp.lt.f32 p, %1, 0f00000000; @!p add.f32 %0, %0, %1; }" : "+f"(sum) : "f"(v));
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
