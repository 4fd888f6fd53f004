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
template <typename E> __device__ E el(const E *f, int i) { return f[i]; }
__global__ void k(const float *__restrict__ in, const int *__restrict__ idx, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  int base = 0; const float *p = in;
  const int *q = idx;
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = el(in, *q++ * 3 + tx);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 3 + tile[(tx + i) % 64];
    
    __syncthreads();
    
  }
  out[blockIdx.x * 64 + tx] = sum;
}
void run(const float *in, const int *idx, float *out, int n) { k<<<2, 64>>>(in, idx, out, n); }
