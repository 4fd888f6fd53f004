/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 6}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: short, count: 4096, role: input}
  - {name: idx, buffer: int, count: 4096, role: input, fill: uniform(0, 40)}
  - {name: out, buffer: short, count: 128, role: output}
  - {value: tiles}
*/
__device__ short lz(const short *p, int i, int e) { return i < e ? p[i] : 0; }
__global__ void k(const short *__restrict__ in, const int *__restrict__ idx, short *__restrict__ out, int tiles) {
  __shared__ short tile[64];
  const int tx = threadIdx.x;
  int base = 0; const short *p = in;
  
  short sum = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = lz(in, t * 64 + tx, 300);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 3 + tile[(tx + i) % 64];
    
    __syncthreads();
    
  }
  out[blockIdx.x * 64 + tx] = sum;
}
void run(const short *in, const int *idx, short *out, int n) { k<<<2, 64>>>(in, idx, out, n); }
