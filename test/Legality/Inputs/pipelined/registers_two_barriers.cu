// One buffer, the next tile in registers.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  float sum = 0.f, ahead = in[i];
  for (int t = 0; t < n; ++t) {
    tile[i] = ahead;
    __syncthreads();
    if (t + 1 < n) ahead = in[(t + 1) * 64 + i];
    for (int j = 0; j < 64; ++j) sum += tile[j ^ i];
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
