/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 6}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: 4096, role: input}
  - {name: idx, buffer: int, count: 4096, role: input, fill: uniform(0, 40)}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: tiles}
*/

__global__ void k(const float *__restrict__ in, const int *__restrict__ idx, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  int base = 0; const float *p = in;
  auto at = [&](int x) { return (x + base) % 64; }; auto g = [&] { return in[base + tx]; };
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[at(tx)] = g(); base += 65;
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 3 + tile[(tx + i) % 64];
    
    __syncthreads();
    
  }
  out[blockIdx.x * 64 + tx] = sum;
}
void run(const float *in, const int *idx, float *out, int n) { k<<<2, 64>>>(in, idx, out, n); }
