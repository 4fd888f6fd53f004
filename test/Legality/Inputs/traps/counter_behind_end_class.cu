// The end is of a class with a sum of its own: `end + 64` says another number.
struct Count {
  int v;
  __host__ __device__ constexpr operator int() const { return v; }
};
__device__ constexpr int operator+(Count c, int k) { return c.v + k + 64; }
__device__ constexpr Count end{136};
__global__ void __launch_bounds__(64) counter_behind_end_class(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[264];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    int i;
    for (i = 0; i < end; i += 64)
      tile[i + threadIdx.x] = in[t * 200 + i + threadIdx.x];
    if (i + threadIdx.x < 200)
      tile[i + threadIdx.x] = in[t * 200 + i + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 200; k += 8)
      sum = sum * 0.5f + tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: counter_behind_end_class
cases: [{n: 1}, {n: 2}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: out, buffer: float, count: 4096, role: output}
  - {name: n, scalar: int, value: n}
*/
