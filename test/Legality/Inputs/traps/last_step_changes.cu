// The counter's step is another one in each turn.
__global__ void __launch_bounds__(64) last_step_changes(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  int step = 1;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int t = 0; t < n; t += step) {
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    step = 3 - step;
    __syncthreads();
    if (t + step < n)
      tile[threadIdx.x] = in[(t + step) * 64 + threadIdx.x];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
