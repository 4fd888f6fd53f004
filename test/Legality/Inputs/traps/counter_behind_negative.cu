// The copy loop has no turn.
__global__ void __launch_bounds__(64) counter_behind_negative(const float *__restrict__ in, float *__restrict__ out, int n, int most) {
  __shared__ float tile[264];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    int i;
    for (i = 0; i < 64 - 264; i += 64) tile[i + threadIdx.x] = in[t * 264 + i + threadIdx.x];
    if (i + threadIdx.x < 264)
      tile[i + threadIdx.x] = in[t * 264 + i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 264; ++j)
      sum = sum * 0.5f + tile[j] * (j ^ threadIdx.x);
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
