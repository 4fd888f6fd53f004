// The next turn of an outer loop finds a part of what was loaded last.
__global__ void __launch_bounds__(64) last_in_outer_loop(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int round = 0; round < 5; ++round) {
  if (threadIdx.x < 7)
    tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
    tile[threadIdx.x] = in[(t + 1) * 64 + threadIdx.x];
    __syncthreads();
  }
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
