__global__ void inHeader(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[64];
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = x[t * 64 + threadIdx.x];
    __syncthreads();
    y[threadIdx.x] += tile[63 - threadIdx.x];
    __syncthreads();
  }
}
