// The condition of the break counts what the number in front of it has been made of: `++x <= (x) + m`.
__global__ void __launch_bounds__(64) exit_counts(const float *__restrict__ in, float *__restrict__ out, int n, int m, int l) {
  __shared__ float tile[64];
  float sum = 0;
  int x = 0;
  for (int t = 0; t < n; ++t) {
    const int k = x;
    if (++x > k + m)
      break;
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
