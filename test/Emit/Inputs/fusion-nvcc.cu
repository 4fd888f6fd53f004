// Kernels whose products nvcc 13 takes from their sums when they are rewritten without keep_rounding().
__global__ void guarded(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float s[60];
  int tx = threadIdx.x;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    for (int i = tx; i < 60; i += 8)
      s[i] = in[t * 60 + i];
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      sum += s[tx + k] * s[k];
    __syncthreads();
  }
  out[tx] = sum;
}
__global__ void carried(int tiles, const float *__restrict__ in, float *__restrict__ out) {
  __shared__ float s[3][10];
  const int tid = threadIdx.x;
  float value = 0.0f;
  for (int t = 0, k0 = 0; t < tiles; t += 1, k0 += 8) {
    for (int i = tid; i < 24; i += 16)
      s[i % 3][i / 3] = in[(k0 + i / 3) * 3 + i % 3];
    __syncthreads();
    value = value * 0.99f + s[2][tid % 8];
    __syncthreads();
  }
  out[tid] = value;
}
