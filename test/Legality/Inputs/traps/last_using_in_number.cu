// A using declaration in the compute phase says which function a number that is declared again calls.
__device__ inline int f(int t) { return t; }
namespace b {
__device__ inline int f(int t) { return t + 1; }
}
__global__ void __launch_bounds__(64) last_using_in_number(const float *__restrict__ in, float *__restrict__ out, int n, int first) {
  __shared__ float tile[64];
  float sum = 0;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int t = 0; t < n; ++t) {
    using b::f;
    const int next = f(t);
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
    tile[threadIdx.x] = in[(next) * 64 + threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
