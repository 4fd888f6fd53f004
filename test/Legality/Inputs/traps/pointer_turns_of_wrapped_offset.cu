// An unsigned sum that wraps around in some threads is no sum.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  const unsigned u = threadIdx.x, m = n;
  const float *p = in + u;
  const float *end = in + (u + m);
  while (p < end) {
    tile[i] = *p;
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.98f + tile[(j + i) & 63];
    p += 64;
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
