__device__ float v[64]; __device__ void st(float *s) { v[threadIdx.x] = *s; }
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  v[tx] = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = x[t * 64 + tx] + v[tx];
    __syncthreads();
    { float w __attribute__((cleanup(st))) = 0; for (int i = 0; i < 64; ++i)
 sum = sum * .97f + tile[(tx + i) % 64]; w = sum; }
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
  - {name: y, buffer: float, count: 128, role: output}
  - {value: tiles}
*/
