// How many elements a thread copies only the launch knows, and the second copy loop goes on where the first one ended: registers cannot be
// counted, asynchronous copies can.
__global__ void only_async(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[256][8], more[256][8];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    int at = (t * 512 + threadIdx.y) * 8 + threadIdx.x;
    for (int i = threadIdx.y; i < 256; i += blockDim.y) {
      tile[i][threadIdx.x] = in[at];
      at += blockDim.y * 8;
    }
    for (int i = threadIdx.y; i < 256; i += blockDim.y) {
      more[i][threadIdx.x] = in[at];
      at += blockDim.y * 8;
    }
    __syncthreads();
    for (int i = 0; i < 256; ++i)
      sum = sum * 0.5f + tile[(i + threadIdx.y) % 256][threadIdx.x] * more[i][threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.y * 8 + threadIdx.x] = sum;
}
