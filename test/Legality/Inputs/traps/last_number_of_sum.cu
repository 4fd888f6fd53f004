// A number of the turn is made of what the compute phase changes.
__global__ void __launch_bounds__(64) last_number_of_sum(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  int seen = 0;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    const int next = t + 1 + (seen & 1) * 0;
    const int place = seen;
    ++seen;
    __syncthreads();
    if (next < n)
      tile[threadIdx.x] = in[(place + 1) * 64 + threadIdx.x];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
