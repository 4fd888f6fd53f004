struct S { float *p; };
__global__ void k(float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  S s{y}; s = __builtin_bit_cast(S, uint2{(unsigned)(unsigned long long)x, (unsigned)((unsigned long long)x >> 32)});
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = x[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.97f + tile[(tx + i) % 64];
    s.p[(t + 1) * 64 + tx] = sum;
    __syncthreads();
    
  }
  
  y[960 + tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: x, buffer: float, count: 512, role: inout}
  - {name: y, buffer: float, count: 1024, role: output}
  - {value: tiles}
*/
