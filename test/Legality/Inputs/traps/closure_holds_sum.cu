__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles, int n) {
  __shared__ float tile[64];
  int tx = threadIdx.x;
  auto acc = [s = 0.0f](float v) mutable { s = s * 0.98f + v * v; return s; };
  float last = 0.f;
  for (int t = 0; t < tiles; ++t) {
    int x = t * 64 + tx;
    if (x < n) tile[tx] = in[x]; else tile[tx] = 0.f;
    __syncthreads();
    for (int i = 0; i < 64; ++i) last = acc(tile[(i + tx) & 63]);
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = last;
}
/* launch
kernel: k
cases: [{tiles: 0, n: 0}, {tiles: 1, n: 64}, {tiles: 2, n: 100}, {tiles: 3, n: 192}, {tiles: 7, n: 400}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: n, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
  - {name: n, scalar: int, value: n}
*/
