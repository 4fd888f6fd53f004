// The counter that the condition names hides one of the file.
__device__ int t = 4;
__global__ void __launch_bounds__(64) k(const float *__restrict__ in, const int *__restrict__ flags, float *__restrict__ out, int n) {
  __shared__ float tile[64], other[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  const float *p = in + tx;
  for (int t = 0; t < n; ++t) {
    if (t % 3 == 1) continue;
    tile[tx] = *p++;
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum = sum * 0.5f + tile[(j + tx) % 64];
    __syncthreads();
  }
  out[tx] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 5}, {n: 9}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: flags, buffer: int, count: 4096, role: input, fill: "uniform(-20, 90)"}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
