// Each thread moves the pointer by the number that it reads.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  const float *p = in + i;
  const float *end = p + n;
  while (p < end) {
    for (int t = 0; t < n; t += 64) {
      tile[i] = p[t];
      __syncthreads();
      for (int j = 0; j < 64; ++j)
        sum = sum * 0.98f + tile[(j + i) & 63];

      __syncthreads();
    }
    sum += *p++;
    p += int(sum);
  }
  __syncthreads();
  out[blockIdx.x * 64 + i] = sum;
}
