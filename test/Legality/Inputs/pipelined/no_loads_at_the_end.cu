// The loads are at the end of the turn: nothing is done between them and the stores.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  float sum = 0.f, v = in[i];
  for (int t = 1; t <= n; ++t) {
    tile[i] = v;
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum += tile[j ^ i];
    __syncthreads();
    v = in[t * 64 + i];
  }
  out[blockIdx.x * 64 + i] = sum;
}
