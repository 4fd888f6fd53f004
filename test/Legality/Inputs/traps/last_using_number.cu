// A using declaration in the compute phase says which number the load means.
__device__ const int K = 1;
namespace b {
__device__ const int K = 2;
}
__global__ void __launch_bounds__(64) last_using_number(const float *__restrict__ in, float *__restrict__ out, int n, int first) {
  __shared__ float tile[64];
  float sum = 0;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int t = 0; t < n; ++t) {
    using b::K;
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
    tile[threadIdx.x] = in[(t + K) * 64 + threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
