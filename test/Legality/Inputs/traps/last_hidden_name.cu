// The compute phase gives the name of a parameter to something else, which the load means.
__global__ void __launch_bounds__(64) last_hidden_name(const float *__restrict__ in, float *__restrict__ out, int n, int skew) {
  __shared__ float tile[64];
  float sum = 0;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    const int skew = t;
    __syncthreads();
    if (t + 1 < n)
      tile[threadIdx.x] = in[(skew + 1) * 64 + threadIdx.x];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
