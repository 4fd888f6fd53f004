// What the copy loop has counted to is read in the compute phase.
__global__ void __launch_bounds__(64) k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[256];
  const int tx = threadIdx.x;
  float sum = 0;
  int l;
  for (int t = 0; t < n; ++t) {
    for (l = tx; l < 256; l += 64)
      tile[l] = in[t * 256 + l];
    __syncthreads();
    for (int i = 0; i < 256; ++i)
      sum = sum * 0.5f + tile[(i + tx) & 255] * (l & 7);
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: n * 256 + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: n}
*/
