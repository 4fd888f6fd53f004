__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  float4 v; 
  for (int t = 0; t < tiles; ++t) {
    if (tx < 16) { v = ((const float4 *)in)[t * sizeof(v) + tx]; tile[4 * tx] = v.x; tile[4 * tx + 1] = v.y; tile[4 * tx + 2] = v.z; tile[4 * tx + 3] = v.w; }
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum = sum * 0.5f + tile[(tx + i) % 64];
    __syncthreads();
  }
  out[tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 512, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
*/
