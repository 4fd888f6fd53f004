// Behind the loop every thread goes back to it from another distance.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  const float *p = in + i;
  const float *end = p + n;
  int r = 0;
again:
  sum += 1.f;
  while (p < end) {
    for (int t = 0; t < n; t += 64) {
      tile[i] = p[t];
      __syncthreads();
      for (int j = 0; j < 64; ++j)
        sum = sum * 0.98f + tile[(j + i) & 63];

      __syncthreads();
    }
    p += 64;
  }
  p -= i * 64;
  if (++r < 2)
    goto again;
  out[blockIdx.x * 64 + i] = sum;
}
