// A pointer to a function, chosen when the kernel runs, leads to what does.
extern __shared__ float table[];
__device__ void put(int i) { table[1024 + i] = i; }
__device__ float get(int i) { return table[1024 + i]; }
__device__ void (*const putters[])(int) = {put};
__device__ float (*const getters[])(int) = {get};
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  extern __shared__ float tile[];
  float sum = 0.f;
  const int tx = threadIdx.x;
  putters[0](tx);
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(i + tx) & 63];
    __syncthreads();
  }
  sum += getters[0](tx);
  out[tx] = sum;
}
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
