// The bound may wrap around in some threads.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  unsigned t = threadIdx.x;
  const unsigned end = t + n;
  while (t < end) {
    tile[i] = in[t];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.98f + tile[(j + i) & 63];
    t += 64;
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
