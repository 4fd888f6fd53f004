// The same of an object that the function is given.
struct Guard {
  float *to;
  __device__ Guard(float *to) : to(to) {}
  __device__ ~Guard() {
    __syncthreads();
    to[threadIdx.x] = 1;
  }
};
__device__ void part(const float *__restrict__ in, float *__restrict__ out, int n, int m, Guard) {
  __shared__ float tile[64];
  float sum = 0;
  if (threadIdx.x >= m * 16)
    return;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(64) ends_by_argument(const float *__restrict__ in, float *__restrict__ out, int n, int m) {
  part(in, out, n, m, Guard(out + 64));
}
/* launch
kernel: ends_by_argument
cases: [{n: 3, m: 4}, {n: 3, m: 2}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: out, buffer: float, count: 4096, role: output}
  - {name: n, scalar: int, value: n}
  - {name: m, scalar: int, value: m}
*/
