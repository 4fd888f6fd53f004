// With -DFOO the tile is read behind the loop (as with a macro that is empty without).
__global__ void __launch_bounds__(64) last_seen_in_other_build(const float *__restrict__ in, float *__restrict__ out, int n, int first) {
  __shared__ float tile[64];
  float sum = 0;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
    tile[threadIdx.x] = in[(t + 1) * 64 + threadIdx.x];
    __syncthreads();
  }
#ifdef FOO
  sum += tile[63 - threadIdx.x];
#endif
  out[threadIdx.x] = sum;
}
