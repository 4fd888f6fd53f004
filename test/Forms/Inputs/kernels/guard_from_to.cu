// From where to where the tile is, in two variables.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles, int n) {
  __shared__ float s[64];
  float acc = 0.f;
  for (int t = 0; t < tiles; ++t) {
    const int b = t * 64, e = min(b + 64, n);
    if (b + threadIdx.x < e)
      s[threadIdx.x] = in[b + threadIdx.x];
    __syncthreads();
    for (int i = b; i < e; ++i)
      acc = acc * 0.5f + s[i - b];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = acc;
}
/* launch
kernel: k
cases: [{tiles: 0, n: 0}, {tiles: 1, n: 5}, {tiles: 2, n: 100}, {tiles: 3, n: 64}, {tiles: 5, n: 320}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: 320, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
  - {name: n, scalar: int, value: n}
*/
