// A register is stored that has been loaded in this turn, behind a read of another tile that is filled first.
__global__ void k(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ out, int n) {
  __shared__ float scale[64], tile[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    scale[i] = A[t * 64 + i];
    const float v = B[t * 64 + i];
    __syncthreads();
    const float s = scale[63 - i];
    tile[i] = v * s;
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum += tile[j ^ i];
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
