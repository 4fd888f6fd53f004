// Rule 4: the load side would advance the offset ahead of the compute, which reads it through a pointer.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t -- %cpr
//--- bad.cu
struct Ref { int *p; };
__global__ void named(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int off = 0; // refused: not-yet-supported
  // says: 'off'
  Ref ref = {&off};
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[off + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x] * *ref.p;
    __syncthreads();
    off += 128;
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
struct Ref { int *p; };
__global__ void named(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int off = 0;
  Ref ref = {&off};
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[off + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x] * t;
    __syncthreads();
    off += 128;
  }
  y[threadIdx.x] = sum;
}
