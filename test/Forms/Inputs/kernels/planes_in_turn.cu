// Which plane is stored to is the store's alone to know: the fetch does not turn the planes.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles, int len) {
  __shared__ float s[256];
  const int tx = threadIdx.x;
  float sum = 0.f;
  int now = 0, next = 1, spare = 2, old = 0;
  s[tx] = 1.f;
  __syncthreads();
  for (int t = 0; t < tiles; ++t) {
    s[next * 64 + tx] = in[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + s[now * 64 + (tx + i) % 64] - s[next * 64 + i];
    __syncthreads();
    old = now;
    now = next;
    next = spare;
    spare = old;
  }
  out[tx] = sum;
}
// SINGLE: auto fetch_tile = [&](int t) {
// SINGLE-NEXT: s_reg = in[t * 64 + tx];
// SINGLE-NEXT: };
/* launch
kernel: k
cases: [{tiles: 0, len: 9}, {tiles: 1, len: 3}, {tiles: 2, len: 100}, {tiles: 5, len: 300}, {tiles: 6, len: 131}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 1024, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: tiles, scalar: int, value: tiles}
  - {name: len, scalar: int, value: len}
*/
