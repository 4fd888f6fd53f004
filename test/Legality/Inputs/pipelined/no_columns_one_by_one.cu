// Column by column, the earlier ones stay: no stages that come round again.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float panel[64][33];
  const int i = threadIdx.x;
  float sum = 0.f;
  for (int c = 0; c < 32 && c < n; ++c) {
    panel[i][c] = in[c * 64 + i];
    for (int j = 0; j < c; ++j) sum += panel[i][j];
    __syncthreads();
    sum += panel[63 - i][c];
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
