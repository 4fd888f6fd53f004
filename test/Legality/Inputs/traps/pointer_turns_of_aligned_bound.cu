// The bound is rounded up to a place that is another distance away for each thread.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  const float *p = in + i;
  const float *end = reinterpret_cast<const float *>(
      (reinterpret_cast<unsigned long long>(p + n) + 127) & ~127ull);
  for (; p < end; p += 8) {
    tile[i] = *p;
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.98f + tile[(j + i) & 63];

    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
