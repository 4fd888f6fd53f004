// Where an element goes in the tile is read from memory: each thread finds a place of its own.
__global__ void k(const float *__restrict__ in, const int *__restrict__ to, float *__restrict__ out, int n) {
  __shared__ float s[64], t[8][9];
  const int x = threadIdx.x;
  for (int i = 0; i < n; ++i) {
    s[(to[0] + x) & 63] = in[i * 64 + x];
    t[(to[i] & 7) ^ (x / 8)][x % 8] = in[i * 64 + x] * 2;
    __syncthreads();
    out[i * 64 + x] = s[63 - x] - t[x % 8][x / 8];
    __syncthreads();
  }
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: n * 64 + 64, role: input}
  - {name: to, buffer: int, count: n + 1, role: input}
  - {name: out, buffer: float, count: n * 64 + 64, role: output}
  - {name: n, scalar: int, value: n}
*/
