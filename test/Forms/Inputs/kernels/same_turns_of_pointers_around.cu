// The loop around the tile loop goes from pointer to pointer.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n, int rows) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  in += i;
  const float *const end = in + n * rows;
  float sum = 0.f;
  for (const float *row = in; row < end; row += n) {
    for (int t = 0; t < n; t += 64) {
      tile[i] = row[t];
      __syncthreads();
      for (int j = 0; j < 64; ++j)
        sum = sum * 0.98f + tile[(j + i) & 63];
      __syncthreads();
    }
    sum *= 0.5f;
  }
  out[blockIdx.x * 64 + i] = sum;
}
