// options: --extra-arg=-std=c++17

__global__ void k(float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  if (x[64 + (tx ^ 1)] = 0.25f; tiles > 0)
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = x[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.97f + tile[(tx + i) % 64];
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
  - {name: x, buffer: float, count: 2048, role: inout}
  - {name: y, buffer: float, count: 64, role: output}
  - {value: tiles}
*/
