__global__ void sum(const float *__restrict__ in, float *out, int n) {
  extern __shared__ float tile[];
  float total = 0;
  for (int i = 0; i < n; ++i) {
    tile[threadIdx.x] = in[i * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < blockDim.x; ++k)
      total += tile[k];
    __syncthreads();
  }
  out[threadIdx.x] = total;
}
