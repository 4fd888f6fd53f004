// The bound is made of what the first part changes behind the start.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  int a = i, r;
  for (r = a, a += i; r < a + n; r += 64) {
    for (int t = 0; t < n; t += 64) {
      tile[i] = in[t + r];
      __syncthreads();
      for (int j = 0; j < 64; ++j)
        sum = sum * 0.98f + tile[(j + i) & 63];

      __syncthreads();
    }
  }
  out[blockIdx.x * 64 + i] = sum;
}
