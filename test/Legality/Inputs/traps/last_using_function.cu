// A using declaration in the compute phase says which function the load calls.
__device__ inline int f(int t) { return t; }
namespace b {
__device__ inline int f(int t) { return t + 1; }
}
__global__ void __launch_bounds__(64) last_using_function(const float *__restrict__ in, float *__restrict__ out, int n, int first) {
  __shared__ float tile[64];
  float sum = 0;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int t = 0; t < n; ++t) {
    using b::f;
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
    tile[threadIdx.x] = in[(f(t)) * 64 + threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
