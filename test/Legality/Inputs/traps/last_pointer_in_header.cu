// What the load steps ends the loop.
__global__ void __launch_bounds__(64) last_pointer_in_header(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  int left = n;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int t = 0; left > 0; ++t) {
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
    --left;
    if (left > 0)
      tile[threadIdx.x] = in[(t + 1) * 64 + threadIdx.x];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
