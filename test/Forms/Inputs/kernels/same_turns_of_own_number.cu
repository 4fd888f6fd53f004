__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  int at = i;
  at += blockIdx.x * 16;
  const int end = at + n;
  while (at < end) {
    tile[i] = in[at];
    at += 64;
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.98f + tile[(j + i) & 63];
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
