// The block counts what it leaves out, and has an else.
__global__ void __launch_bounds__(64) continue_in_block_else(const float *__restrict__ in, float *__restrict__ out, int n, int window) {
  __shared__ float tile[64];
  float sum = 0;
  int left = 0;
  for (int t = 0; t < n; ++t) {
    if (window > 0) {
      int first = n - window;
      ++left;
      if (t < first)
        continue;
    } else {
      sum += 1;
    }
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i ^ threadIdx.x);
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum + left;
}
