// Rule 1: nothing divides the compute phase from the next load phase. (Each thread works on its own element, so it is no race.)
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
__global__ void own(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads(); // refused: barrier-shape
    // says: one barrier
    sum += part[threadIdx.x];
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void own(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
