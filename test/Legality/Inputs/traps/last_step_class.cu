// The step is an object, whose class has a subtraction of its own.
struct S {
  int v;
  __device__ constexpr S(int x) : v(x) {}
  __device__ constexpr operator int() const { return v; }
};
__device__ inline int operator-(int t, S) { return t; }
__global__ void __launch_bounds__(64) last_step_class(const float *__restrict__ in, float *__restrict__ out, int n, int first) {
  __shared__ float tile[64];
  float sum = 0;
  constexpr S two(2);
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int t = 0; t < n; t += two) {
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
    tile[threadIdx.x] = in[(t + 2) * 64 + threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
