// Rule 2: a member of a packed structure is less aligned, also behind a local variable.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=cp-async --legal=ldg,ldg-single -- %cpr
//--- bad.cu
struct alignas(4) __attribute__((packed)) S { char c; float f; };
__global__ void k(const S *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    S v = x[t * 128 + threadIdx.x];
    part[threadIdx.x] = v.f; // refused: copy-width
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
struct alignas(4) S { char c; float f; };
__global__ void k(const S *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    S v = x[t * 128 + threadIdx.x];
    part[threadIdx.x] = v.f;
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
