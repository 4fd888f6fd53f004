// The bound was made of what the counter held before it got its start.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  int t = 0;
  const int end = t + n;
  for (t = i; t < end; t += 64) {
    tile[i] = in[t];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.98f + tile[(j + i) & 63];

    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
