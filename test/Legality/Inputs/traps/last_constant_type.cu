// The counter of the turn before is const, and the load asks for its type.
template <class T> struct S {
  static constexpr int v = 1;
};
template <class T> struct S<const T> {
  static constexpr int v = 2;
};
__global__ void __launch_bounds__(64) last_constant_type(const float *__restrict__ in, float *__restrict__ out, int n, int first) {
  __shared__ float tile[64];
  float sum = 0;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
    tile[threadIdx.x] = in[(t + S<decltype(t)>::v) * 64 + threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
