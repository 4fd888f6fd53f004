// The caller's own class has the name of what the function returns.
struct Pair {
  float a, b;
};
__device__ inline Pair both(const float *in, int n, float *tile) {
  Pair r{0, 3};
  for (int c = 0; c < n; ++c) {
    tile[threadIdx.x] = in[c * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      r.a = r.a * 0.5f + tile[i] * (i ^ threadIdx.x);
    __syncthreads();
  }
  return r;
}
__global__ void __launch_bounds__(64) returns_class_of_caller(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  struct Pair {
    float b, a;
    Pair() = default;
    __device__ Pair(::Pair p) : b(p.a), a(p.b) {}
  };
  Pair r = both(in, n, tile);
  out[blockIdx.x * 64 + threadIdx.x] = r.a - r.b;
}
