// Threads return from the function, whose call is the last that the kernels do.
__device__ __forceinline__ void sums(const float *__restrict__ in, float *__restrict__ out, int tiles, int n, int scale) {
  __shared__ float tile[128];
  const int place = blockIdx.x * 64 + threadIdx.x;
  if (place >= n)
    return;
  float s = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    tile[threadIdx.x + 64] = in[t * 64 + threadIdx.x] * scale;
    __syncthreads();
    for (int k = 0; k < 4; ++k)
      s = s * 0.5f + tile[threadIdx.x] * tile[threadIdx.x + 64] + k;
    __syncthreads();
  }
  out[place] = s;
}
__global__ void __launch_bounds__(64) return_in_last_function(const float *__restrict__ in, float *__restrict__ out, int tiles, int n) {
  sums(in, out, tiles, n, 2);
}
extern "C" __global__ void __launch_bounds__(64) another(const float *__restrict__ in, float *__restrict__ out, int tiles, int n) {
  const int scale = 3;
  sums(in, out, tiles, n, scale);
  return;
}
