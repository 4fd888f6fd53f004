// How many elements a thread copies only the launch knows: registers cannot be counted, asynchronous copies can.
__global__ void only_async(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[2048];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    for (int i = threadIdx.x; i < 2048; i += blockDim.x)
      tile[i] = in[t * 2048 + i];
    __syncthreads();
    for (int i = 0; i < 2048; ++i)
      sum = sum * 0.5f + tile[(i + threadIdx.x) % 2048];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
