// From turn m on there is no barrier, and the second warp waits in turn t for what the first one sets in turn t + 2. Now all meet in each turn: deadlock.
__global__ void __launch_bounds__(64) barrier_against_spin_ahead(const float *__restrict__ in, float *__restrict__ out, int n, int m) {
  __shared__ float tile[64];
  __shared__ volatile int flag;
  float sum = 0;
  tile[threadIdx.x] = 0;
  flag = 0;
  __syncthreads();
  for (int t = 0; t < n; ++t) {
    if (t < m) {
      __syncthreads();
      tile[threadIdx.x] = in[t * 64 + threadIdx.x];
      __syncthreads();
    }
    if (threadIdx.x == 0)
      flag = t;
    if (threadIdx.x >= 32 && t >= m && t + 2 < n)
      while (flag < t + 2)
        ;
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
  }
  out[threadIdx.x] = sum;
}
