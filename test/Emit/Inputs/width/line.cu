// Rows of PITCH floats, which the command line says.
__global__ void rows(const float *in, float *out, int n) {
  __shared__ float tile[16][32];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < 16 * 32; i += blockDim.x)
      tile[i / 32][i % 32] = in[t * 32 + i / 32 * PITCH + i % 32];
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      sum += tile[threadIdx.x % 16][j];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
