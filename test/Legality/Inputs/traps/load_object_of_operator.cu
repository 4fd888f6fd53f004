struct V { float v; __device__ float operator+(float b) const { return v + this[1].v + b; } };
__global__ void k(const V *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = x[t * 64 + tx] + 1.f;
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(tx + i) % 64];
    __syncthreads();
    
  }
  
  y[tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: x, buffer: float, count: 2048, role: input}
  - {name: y, buffer: float, count: 64, role: output}
  - {value: tiles}
*/
