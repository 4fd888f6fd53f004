// A closure moves the pointer.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  const float *p = in + i;
  const float *end = p + n;
  auto skip = [&] { p += i * 64; };
  skip();
  while (p < end) {
    for (int t = 0; t < n; t += 64) {
      tile[i] = in[t + i];
      __syncthreads();
      for (int j = 0; j < 64; ++j)
        sum = sum * 0.98f + tile[(j + i) & 63];

      __syncthreads();
    }
    p += 64;
  }
  __syncthreads();
  out[blockIdx.x * 64 + i] = sum;
}
