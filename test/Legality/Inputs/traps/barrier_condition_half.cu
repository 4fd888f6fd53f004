// Half of the threads have no turn, and a kernel of one turn has no barrier in front of it.
__global__ void __launch_bounds__(64) barrier_condition_half(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  __shared__ float all[64];
  float s = 0;
  for (int t = threadIdx.x < 32 ? 0 : n; t < n; ++t) {
    if (t > 0)
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
