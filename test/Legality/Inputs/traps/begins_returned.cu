// The value of the function is of a class whose default constructor is a template: the variable that it is written out to is made by that.
__device__ int made;
struct Value {
  float v;
  template <int N = 0> __device__ Value() : v(0) { atomicAdd(&made, 1); }
  __device__ Value(float f) : v(f) {}
  Value(const Value &) = default;
  Value &operator=(const Value &) = default;
};
__device__ Value pick(const float *from, int lane) {
  Value value(from[lane]);
  return value;
}
__global__ void __launch_bounds__(64) begins_returned(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    Value v(0.f);
    v = pick(in + t * 64, threadIdx.x);
    tile[threadIdx.x] = v.v;
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: begins_returned
cases: [{n: 1}, {n: 2}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
