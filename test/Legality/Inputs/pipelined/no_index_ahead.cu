// What is loaded ahead is the next index, no tile.
__global__ void k(const int *__restrict__ index, const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  float sum = 0.f;
  int at = index[0];
  for (int t = 0; t < n; ++t) {
    tile[i] = in[at * 64 + i];
    __syncthreads();
    at = index[t + 1];
    for (int j = 0; j < 64; ++j) sum += tile[j ^ i];
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum;
}
