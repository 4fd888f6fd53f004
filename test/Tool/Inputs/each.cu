// How many elements a thread copies only the launch knows: registers cannot be counted, asynchronous copies can.
__global__ void only_async(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[512][8];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    int at = (t * 512 + threadIdx.y) * 8 + threadIdx.x;
    for (int i = threadIdx.y; i < 512; i += blockDim.y) {
      tile[i][threadIdx.x] = in[at];
      at += blockDim.y * 8;
    }
    __syncthreads();
    for (int i = 0; i < 512; ++i)
      sum = sum * 0.5f + tile[(i + threadIdx.y) % 512][threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.y * 8 + threadIdx.x] = sum;
}
