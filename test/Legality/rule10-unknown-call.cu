// Rule 10: a function whose body is not visible.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
extern __device__ float external(float);
__device__ float visible(float v) { return v * v; }
__global__ void calls(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += external(part[127 - threadIdx.x]); // refused: unknown-call
    // says: 'external'
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
extern __device__ float external(float);
__device__ float visible(float v) { return v * v; }
__global__ void calls(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += visible(part[127 - threadIdx.x]);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
