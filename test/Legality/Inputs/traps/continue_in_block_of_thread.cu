// Each thread leaves out other turns, and waits for nobody in them.
__global__ void __launch_bounds__(64) continue_in_block_of_thread(const float *__restrict__ in, float *__restrict__ out, int n, int window) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (window > 0) {
      int first = n - window * (threadIdx.x & 1);
      if (t >= first) {
        continue;
      }
    }
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i ^ threadIdx.x);
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
