// A temporary of a default argument does.
extern __shared__ float table[];
struct Write {
  __device__ Write() { table[1024 + threadIdx.x] = threadIdx.x; }
  __device__ operator float() const { return table[1024 + threadIdx.x]; }
};
__device__ float begin(float v = Write()) { return v; }
__device__ float end() { return table[1024 + threadIdx.x]; }
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  extern __shared__ float tile[];
  float sum = 0.f;
  const int tx = threadIdx.x;
  sum = begin();
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(i + tx) & 63];
    __syncthreads();
  }
  sum += end();
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
