__device__ inline float4 ld4(const float &x) { return *reinterpret_cast<const float4 *>(&x); }
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float4 tile[16];
  float sum = 0.f;
  const int tx = threadIdx.x;
  for (int t = 0; t < tiles; ++t) {
    if (tx < 16) tile[tx] = ld4(in[t * 64 + tx * 4]);
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum = sum * 0.98f + tile[(i + tx) & 15].z;
    __syncthreads();
  }
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
