// The function that the kernel calls goes on behind the call: it is no kernel.
__device__ void sums(const float *__restrict__ in, float *__restrict__ out, int tiles, int n) {
  __shared__ float tile[64];
  if ((int)threadIdx.x >= n)
    return;
  float s = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < n && k < 64; ++k)
      s = s * 0.5f + tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = s;
}
__device__ void around(const float *__restrict__ in, float *__restrict__ out, int tiles, int n) {
  sums(in, out, tiles, n);
}
__global__ void __launch_bounds__(64) return_in_function_of_another(const float *__restrict__ in, float *__restrict__ out, int tiles, int n) {
  __shared__ float all[64];
  all[threadIdx.x] = threadIdx.x;
  around(in, out, tiles, n); __syncthreads(); out[threadIdx.x] += all[63 - threadIdx.x];
}
