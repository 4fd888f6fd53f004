// A function that some of the threads call, with one turn and no barrier in front of it.
__device__ float some(const float *__restrict__ in, float *tile, int n) {
  float s = 0;
  for (int t = 0; t < n; ++t) {
    if (t > 0) {
      __syncthreads();
      tile[threadIdx.x & 31] = in[t * 32 + (threadIdx.x & 31)];
      __syncthreads();
    }
    for (int i = 0; i < 32; ++i)
      s = s * 0.5f + tile[i];
  }
  return s;
}
__global__ void __launch_bounds__(64) barrier_condition_in_function(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[32];
  if (threadIdx.x < 32)
    tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float s = 0;
  if (threadIdx.x < 32)
    s = some(in, tile, n < 1 ? n : 1);
  out[blockIdx.x * 64 + threadIdx.x] = s;
}
