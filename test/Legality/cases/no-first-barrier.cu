// The barrier between filling and using the tile is missing: to be named with both places and the array.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t -- %cpr
//--- bad.cu
__global__ void histogram(const float *__restrict__ sample, int *__restrict__ out, int n) {
  __shared__ float chunk[128];
  int count = 0;
  for (int i = 0; i < n; ++i) {
    chunk[threadIdx.x] = sample[i * 128 + threadIdx.x];
    for (int k = 0; k < 128; ++k)
      count += chunk[k] < chunk[threadIdx.x]; // refused: missing-barrier
    // says: 'chunk'
    // note: written here
    __syncthreads();
  }
  out[threadIdx.x] = count;
}
//--- good.cu
__global__ void histogram(const float *__restrict__ sample, int *__restrict__ out, int n) {
  __shared__ float chunk[128];
  int count = 0;
  for (int i = 0; i < n; ++i) {
    chunk[threadIdx.x] = sample[i * 128 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 128; ++k)
      count += chunk[k] < chunk[threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = count;
}
