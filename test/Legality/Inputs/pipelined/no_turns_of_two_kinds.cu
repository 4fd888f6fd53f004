// Even turns load, odd turns compute: never both.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[2][64];
  const int i = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    if (t % 2 == 0) {
      tile[t / 2 % 2][i] = in[t * 64 + i];
    } else {
      for (int j = 0; j < 64; ++j) sum += tile[(t - 1) / 2 % 2][j ^ i];
    }
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
