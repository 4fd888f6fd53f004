__device__ float src[4096];
__device__ inline void __syncthreads(int t) { src[(t + 1) * 64 + threadIdx.x] += 1.0f; }
__global__ void k(float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  float sum = 0.f;
  int tx = threadIdx.x;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = src[t * 64 + tx];
    __syncthreads(t);
    sum = sum * 0.98f + tile[tx] * t;
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 1
block: 64
arguments:
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
globals:
  - {name: src, type: float, fill: random}
*/
