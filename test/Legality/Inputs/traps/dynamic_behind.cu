// Behind the tile, in the same array, the compute phase keeps sums of its own, and after the loop they are read.
__global__ void k(const float *__restrict__ in, float *out, int n) {
  extern __shared__ float s[];
  float *tile = s, *sums = s + 64;
  sums[threadIdx.x] = threadIdx.x;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    sums[threadIdx.x] = sums[threadIdx.x] * 0.5f + tile[63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sums[threadIdx.x ^ 1];
}
/* launch
kernel: k
cases: [{n: 1}, {n: 2}, {n: 5}]
grid: 1
block: 64
shared: 512
arguments:
  - {buffer: float, count: 64 * n + 1, role: input}
  - {buffer: float, count: 64, role: output}
  - {value: n}
*/
