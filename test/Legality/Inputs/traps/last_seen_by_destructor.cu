// An object that ends behind the loop reads the tile.
struct Last {
  float *to;
  const float *from;
  __device__ ~Last() { to[64 + threadIdx.x] = from[63 - threadIdx.x]; }
};
__global__ void __launch_bounds__(64) last_seen_by_destructor(const float *__restrict__ in, float *__restrict__ out, int n, int first) {
  __shared__ float tile[64];
  float sum = 0;
  Last last{out, tile};
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
    tile[threadIdx.x] = in[(t + 1) * 64 + threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
