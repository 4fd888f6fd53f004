// A function of another file has a table in dynamic shared memory, where the second stage would be.
__device__ void prepare(int i);
__device__ float prepared(int i);
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  extern __shared__ float tile[];
  float sum = 0.f;
  const int tx = threadIdx.x;
  prepare(tx);
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(i + tx) & 63];
    __syncthreads();
  }
  out[tx] = sum + prepared(tx);
}

/* elsewhere
extern __shared__ float table[];
__device__ void prepare(int i) { table[1024 + i] = i; }
__device__ float prepared(int i) { return table[1024 + i]; }
*/
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
shared: 16384
arguments:
  - {name: in, buffer: float, count: tiles * 64, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: tiles, value: tiles}
*/
