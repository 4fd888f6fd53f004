// What the tiles hold is another type in another build.
#ifdef MORE
typedef int real;
#else
typedef float real;
#endif
__device__ void go(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64], a[64];
  __shared__ real b[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    tile[tx] = in[t * 64 + tx];
    a[tx] = b[tx] = in[t * 64 + 63 - tx];
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum = sum * 0.5f + tile[(j + tx) % 64] * a[j] - b[j];
    __syncthreads();
  }
  out[tx] += sum;
}
__global__ void __launch_bounds__(64) k(const float *__restrict__ in, float *__restrict__ out, int n) {
  out[threadIdx.x] = 0;
  go(in, out, n);
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 4096, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
