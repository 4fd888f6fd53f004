// The class's default constructor is a template, which ctors() does not have: it is taken for one that does nothing, and is called for the new variable.
__device__ int made;
struct Value {
  float v;
  template <int N = 0> __device__ Value() : v(0) { atomicAdd(&made, 1); }
  Value(const Value &) = default;
  Value &operator=(const Value &) = default;
};
__global__ void __launch_bounds__(64) begins_by_template(const Value *__restrict__ in, float *__restrict__ out, int n) {
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
