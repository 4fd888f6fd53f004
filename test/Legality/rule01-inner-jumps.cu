// Rule 1: threads may leave a loop of the compute at different times; a loop around the tile loop not.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles, int rows) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int r = 0; r < rows; ++r) { // refused: divergent-loop
    for (int t = 0; t < tiles; ++t) {
      part[threadIdx.x] = x[t * 128 + threadIdx.x];
      __syncthreads();
      for (int k = 0; k < 128; ++k) {
        if (part[k] < 0.0f)
          continue;
        sum += part[k];
        if (sum > 4.0f)
          break;
      }
      switch (threadIdx.x) {
      case 3:
        sum = 1.0f;
        break;
      }
      __syncthreads();
    }
    if (threadIdx.x < r)
      break;
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void some(const float *__restrict__ x, float *__restrict__ y, int tiles, int rows) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int r = 0; r < rows; ++r) {
    for (int t = 0; t < tiles; ++t) {
      part[threadIdx.x] = x[t * 128 + threadIdx.x];
      __syncthreads();
      for (int k = 0; k < 128; ++k) {
        if (part[k] < 0.0f)
          continue;
        sum += part[k];
        if (sum > 4.0f)
          break;
      }
      switch (threadIdx.x) {
      case 3:
        sum = 1.0f;
        break;
      }
      __syncthreads();
    }
    if (blockIdx.x < r)
      break;
  }
  y[threadIdx.x] = sum;
}
