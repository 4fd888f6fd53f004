// In the load another variable has the counter's name.
__global__ void __launch_bounds__(64) last_hides_counter(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
    for (int i = 0, k = t; i < 1; ++i) {
      int t = k + 1;
      if (t < n)
        tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    }
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
