// The same of its base.
__device__ int made;
struct Base {
  float v;
  template <int N = 0> __device__ Base() : v(0) { atomicAdd(&made, 1); }
  Base(const Base &) = default;
  Base &operator=(const Base &) = default;
};
struct Value : Base {};
__global__ void __launch_bounds__(64) begins_by_base_template(const Value *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ alignas(16) char raw[256];
  Value *tile = reinterpret_cast<Value *>(raw);
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    const Value next = in[t * 64 + threadIdx.x];
    tile[threadIdx.x] = next;
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i].v * (i + threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
