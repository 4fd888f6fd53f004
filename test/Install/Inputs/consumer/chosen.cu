__global__ void chosen(const float *in, float *out, int n) {
  __shared__ float tile[256];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * 256 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 256; ++i)
      sum += tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
