// The compute phase writes what the load reads.
__global__ void __launch_bounds__(64) last_where_written(float *in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    if (t + 1 < n)
      in[(t + 1) * 64 + threadIdx.x] = in[(t + 1) * 64 + threadIdx.x] + sum;
    __syncthreads();
    if (t + 1 < n)
      tile[threadIdx.x] = in[(t + 1) * 64 + threadIdx.x];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
