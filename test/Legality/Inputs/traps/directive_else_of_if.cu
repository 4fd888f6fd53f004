// The loop is what an if does, which has an else behind it.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  float sum = 0.f;
  int tx = threadIdx.x;
  if (tiles > 2)
    for (int t = 0; t < tiles; ++t) {
      tile[tx] = in[t * 64 + tx];
      __syncthreads();
#ifdef HALF
      for (int i = 0; i < 32; ++i)
#else
      for (int i = 0; i < 64; ++i)
#endif
        sum = sum * 0.98f + tile[(i + tx) & 63];
      __syncthreads();
    }
  else
    sum = 5;
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
