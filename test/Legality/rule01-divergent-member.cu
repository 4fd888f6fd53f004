// Rule 1: a member's initialiser depends on the thread.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
struct Coords {
  int row = threadIdx.x / 64;
  int half = row / 2;
};
__global__ void rows(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  Coords c;
  for (int t = 0; t < tiles - c.row; ++t) { // refused: divergent-loop
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- good.cu
struct Coords {
  int row = blockIdx.x / 64;
  int half = row / 2;
};
__global__ void rows(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  Coords c;
  for (int t = 0; t < tiles - c.row; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
