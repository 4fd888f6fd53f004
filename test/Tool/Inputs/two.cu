// Two kernels: the first can be pipelined, the loop of the second is left by a break.
__global__ void __launch_bounds__(128) good(const float *__restrict__ in, float *__restrict__ out,
                                            int tiles) {
  __shared__ float tile[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * 128 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 128; ++k)
      sum += tile[k];
    __syncthreads();
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}

__global__ void __launch_bounds__(128) leaves(const float *__restrict__ in,
                                              float *__restrict__ out, int tiles) {
  __shared__ float tile[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * 128 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 128; ++k)
      sum += tile[k];
    __syncthreads();
    if (sum > 1e6f)
      break;
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}
