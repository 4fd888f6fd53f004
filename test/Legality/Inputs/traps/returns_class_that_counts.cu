// What the function returns counts its assignments.
__device__ int assigned;
struct Pair {
  float a, b;
  __device__ Pair &operator=(const Pair &other) {
    a = other.a + 1;
    b = other.b;
    return *this;
  }
};
__device__ inline Pair both(const float *in, int n, float *tile) {
  Pair r{0, 0};
  for (int c = 0; c < n; ++c) {
    tile[threadIdx.x] = in[c * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      r.a = r.a * 0.5f + tile[i] * (i ^ threadIdx.x);
    __syncthreads();
  }
  return r;
}
__global__ void __launch_bounds__(64) returns_class_that_counts(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  Pair r = both(in, n, tile);
  out[blockIdx.x * 64 + threadIdx.x] = r.a + r.b;
}
