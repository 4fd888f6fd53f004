// The counter of the turn before is const, and the load calls another function with it.
__device__ inline int f(int &t) { return t + 1; }
__device__ inline int f(const int &t) { return t + 2; }
__global__ void __launch_bounds__(64) last_constant_reference(const float *__restrict__ in, float *__restrict__ out, int n, int first) {
  __shared__ float tile[64];
  float sum = 0;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
    tile[threadIdx.x] = in[(f(t)) * 64 + threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
