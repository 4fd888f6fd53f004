// The start value is an enumerator, whose type has a comparison of its own.
enum E { A = 2 };
__device__ inline bool operator!=(int, E) { return true; }
__global__ void __launch_bounds__(64) last_start_enum(const float *__restrict__ in, float *__restrict__ out, int n, int first) {
  __shared__ float tile[64];
  float sum = 0;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int t = A; t < n; ++t) {
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
    tile[threadIdx.x] = in[(t + 1) * 64 + threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
