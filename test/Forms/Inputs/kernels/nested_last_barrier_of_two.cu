// Each part of the compute phase ends with a barrier, the last one with the turn; the tile is only read.
__global__ void k(const float *__restrict__ in, float *out, int n, int parts) {
  __shared__ float s[64], mine[64];
  const int tx = threadIdx.x;
  float sum = 1.f;
  for (int t = 0; t < n; ++t) {
    s[tx] = in[t * 64 + tx];
    __syncthreads();
    for (int p = 0; p < parts; ++p) {
      mine[tx] = s[(tx + p) % 64] - sum;
      __syncthreads();
      sum = sum * 0.5f + mine[(tx * 5 + p) % 64];
      __syncthreads();
    }
  }
  out[tx] = sum;
}
/* launch
kernel: k
cases: [{n: 0, p: 3}, {n: 1, p: 1}, {n: 2, p: 2}, {n: 3, p: 4}, {n: 6, p: 3}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: n * 64 + 64, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
  - {name: parts, scalar: int, value: p}
*/
