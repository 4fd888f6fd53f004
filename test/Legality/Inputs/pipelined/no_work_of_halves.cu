// Half of the block loads, and then the other half computes: with a barrier in between.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[128];
  const int i = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    if (i < 128) tile[i] = in[t * 128 + i];
    __syncthreads();
    if (i >= 128)
      for (int j = 0; j < 128; ++j) sum += tile[(j + i) & 127];
    __syncthreads();
  }
  out[blockIdx.x * 256 + i] = sum;
}
