// The bound was made of the pointer before each thread moved its own.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  const float *p = in, *end = p + n;
  p += i * 64;
  while (p < end) {
    tile[i] = *p;
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.98f + tile[(j + i) & 63];
    p += 64;
    __syncthreads();
  }
  __syncthreads();
  out[blockIdx.x * 64 + i] = sum;
}
