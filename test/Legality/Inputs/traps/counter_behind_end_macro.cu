// The end is a macro, which counts as one word: (END + 4 - 1) is 1 << (3 + 4 - 1), and `i` 64 behind the loop in place of 8.
#define END 1 << 3
__global__ void __launch_bounds__(64) counter_behind_end_macro(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[192];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    int i;
    for (i = 0; i < END; i += 4)
      tile[i * 16 + threadIdx.x] = in[t * 192 + i * 16 + threadIdx.x];
    if (i * 16 + threadIdx.x < 192)
      tile[i * 16 + threadIdx.x] = in[t * 192 + i * 16 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 192; k += 8)
      sum = sum * 0.5f + tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
