// Rule 7: two stages of 25,600 bytes are more than 48 KB of static shared memory.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single --hunks=3 -- %cpr
//--- bad.cu
__global__ void large(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[6400];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) { // refused: shared-memory-limit
    // says: 51200
    for (int i = 0; i < 6400; i += 256)
      part[i + threadIdx.x] = x[t * 6400 + i + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 6400; ++k)
      sum += part[k];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void large(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[6144];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    for (int i = 0; i < 6144; i += 256)
      part[i + threadIdx.x] = x[t * 6144 + i + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 6144; ++k)
      sum += part[k];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
