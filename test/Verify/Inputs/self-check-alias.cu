// `in` and `out` may lead to the same memory, as far as the text says.
__global__ void k(const float *in, float *out, int tiles) {
  __shared__ float tile[64];
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    float sum = 0.0f;
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(i + threadIdx.x) % 64];
    out[t * 64 + threadIdx.x] = sum;
    __syncthreads();
  }
}
