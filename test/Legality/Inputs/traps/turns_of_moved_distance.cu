// The difference of two pointers, one of which some threads move in between.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  const float *p = in + i, *end = p + n;
  if (i >= 32)
    end += 64;
  for (long long t = 0; t < end - p; t += 64) {
    tile[i] = p[t];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.98f + tile[(j + i) & 63];

    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
