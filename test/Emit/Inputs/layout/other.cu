// Builds that this one knows nothing of.
#ifndef W
#define W 32
#endif

__global__ void __launch_bounds__(1024) branch(const float *__restrict__ in, float *out, int turns) {
  __shared__ float tile[32][32];
  float sum = 0;
  for (int t = 0; t < turns; ++t) {
    tile[threadIdx.y][threadIdx.x] = in[t * 1024 + threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += tile[threadIdx.x][k];
    __syncthreads();
  }
#ifdef CHECK_ALL
  for (int i = 0; i < 1024; ++i)
    sum += tile[0][i];
#endif
  out[threadIdx.y * 32 + threadIdx.x] = sum;
}

__global__ void __launch_bounds__(1024) number(const float *__restrict__ in, float *out, int turns) {
  __shared__ float tile[32 * 32];
  float sum = 0;
  for (int t = 0; t < turns; ++t) {
    tile[threadIdx.x / 32 * 32 + threadIdx.x % W] = in[t * 1024 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += tile[threadIdx.x % 32 * 32 + k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(1024) taken(const float *__restrict__ in, float *out, int tile_PITCH) {
  __shared__ float tile[32][32];
  float sum = 0;
  for (int t = 0; t < tile_PITCH; ++t) {
    tile[threadIdx.y][threadIdx.x] = in[t * 1024 + threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += tile[threadIdx.x][k];
    __syncthreads();
  }
  out[threadIdx.y * 32 + threadIdx.x] = sum;
}

void launch(const float *in, float *out, int turns) {
  branch<<<1, dim3(32, 32)>>>(in, out, turns);
  number<<<1, 1024>>>(in, out, turns);
  taken<<<1, dim3(32, 32)>>>(in, out, turns);
}
