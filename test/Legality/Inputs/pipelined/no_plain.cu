// An ordinary tile loop.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    tile[i] = in[t * 64 + i];
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum += tile[j ^ i];
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
