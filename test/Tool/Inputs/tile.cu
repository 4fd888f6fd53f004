// A tile loop that every variant can pipeline: 4-byte copies, nothing else in the way.
__global__ void __launch_bounds__(128) tile_sum(const float *__restrict__ in,
                                                float *__restrict__ out, int tiles) {
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
