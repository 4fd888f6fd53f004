// With -DFOO the condition is another thing.
#ifdef FOO
struct N { int v; __device__ N(int v) : v(v) {} };
struct M { int v; __device__ bool operator!() const { return v == 3; } __device__ explicit operator bool() const { return v != 1; } };
__device__ inline M operator+(int a, N b) { return M{a + b.v}; }
#else
typedef int N;
#endif
__global__ void __launch_bounds__(64) k_type2(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    const N zero = 0;
    if (t + zero) {
      tile[threadIdx.x] = in[t * 64 + threadIdx.x];
      __syncthreads();
      for (int i = 0; i < 64; ++i)
        sum = sum * 0.5f + tile[i] * (i ^ threadIdx.x);
      __syncthreads();
    }
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: k_type2
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 7}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: out, buffer: float, count: 4096, role: output}
  - {name: n, scalar: int, value: n}
*/
