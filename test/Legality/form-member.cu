// A tile that is a member of a struct.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single -- %cpr
//--- bad.cu
struct Storage { float part[128]; };
#define PART s.part
__global__ void member(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ Storage s; // refused: shared-decl-form
  __shared__ float own[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    PART[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += PART[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
struct Storage { float part[128]; };
#define PART own
__global__ void member(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ Storage s;
  __shared__ float own[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    PART[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += PART[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
