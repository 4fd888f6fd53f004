// A copy in a function of its own has no text in the loop that could be moved.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t -- %cpr
//--- bad.cu
__device__ void put(float *to, float value) { *to = value; }
__global__ void called(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    put(&part[threadIdx.x], x[t * 128 + threadIdx.x]); // refused: not-yet-supported
    __syncthreads();
    for (int k = 0; k < 128; ++k)
      sum += part[k];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__device__ void put(float *to, float value) { *to = value; }
__global__ void called(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 128; ++k)
      sum += part[k];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
