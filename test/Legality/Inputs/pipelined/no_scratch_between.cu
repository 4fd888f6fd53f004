// What is read between the load and the store is no tile.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64], left[64];
  const int i = threadIdx.x;
  float sum = 0.f, total = 0.f;
  left[i] = 1.f;
  __syncthreads();
  for (int t = 0; t < n; ++t) {
    const float v = in[t * 64 + i];
    total += v * left[63 - i];
    tile[i] = v * 0.5f;
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum += tile[j ^ i];
    left[i] = sum;
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum + total;
}
