// A number that a function is given by reference is a temporary where its value stands in its place.
__device__ inline int f(int &&) { return 9; }
__device__ inline int f(const int &) { return 2; }
__global__ void __launch_bounds__(64) exit_number_is_no_variable(const float *__restrict__ in, float *__restrict__ out, int n, int m, int l) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    const int k = m + 1;
    if (f(k) * t > 30)
      break;
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
