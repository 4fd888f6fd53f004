// Two buffers, four registers, one barrier.
__global__ void k(const float *__restrict__ A, float *__restrict__ out, int n) {
  __shared__ float As[2][4][64];
  const int i = threadIdx.x;
  float sum = 0.f, reg[4];
#pragma unroll
  for (int r = 0; r < 4; ++r) As[0][r][i] = A[r * 64 + i];
  __syncthreads();
  int write = 1;
  for (int t = 0; t < n; ++t) {
    if (t + 1 < n) {
#pragma unroll
      for (int r = 0; r < 4; ++r) reg[r] = A[(t + 1) * 256 + r * 64 + i];
    }
    const int read = write ^ 1;
    for (int r = 0; r < 4; ++r)
      for (int j = 0; j < 64; ++j) sum += As[read][r][j ^ i];
    if (t + 1 < n) {
#pragma unroll
      for (int r = 0; r < 4; ++r) As[write][r][i] = reg[r];
      __syncthreads();
      write ^= 1;
    }
  }
  out[blockIdx.x * 64 + i] = sum;
}
