// The function with the loop returns an object of a class.
struct Pair {
  float a = 0, b = 1;
};
namespace sums {
__device__ inline Pair of(const float *in, int n, float *tile, float from) {
  Pair r;
  r.a = from;
  for (int c = 0; c < n; ++c) {
    tile[threadIdx.x] = in[c * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i) {
      r.a = r.a * 0.5f + tile[i] * (i ^ threadIdx.x);
      r.b = fmaxf(r.b, tile[i]);
    }
    __syncthreads();
  }
  return r;
}
} // namespace sums
__global__ void __launch_bounds__(64) returns_class(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const auto both = sums::of(in, n, tile, 2);
  out[blockIdx.x * 64 + threadIdx.x] = both.a + both.b;
}
