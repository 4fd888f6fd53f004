// The condition of the barrier counts.
__global__ void __launch_bounds__(64) barrier_condition_steps(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  __shared__ float all[64];
  float s = 0;
  for (int t = 0, turns = 0; t < n; ++t) {
    if (turns++ > 0)
      __syncthreads();
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      s = s * 0.5f + tile[i] * (i + threadIdx.x);
  }
  all[threadIdx.x] = s;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = all[63 - threadIdx.x] * s;
}
