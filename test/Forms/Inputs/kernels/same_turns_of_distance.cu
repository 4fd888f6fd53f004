__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  const float *p = in + i, *const end = p + n;
  float sum = 0.f;
  for (long long t = 0; t < end - p; t += 64) {
    tile[i] = p[t];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.98f + tile[(j + i) & 63];
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
