// A macro that is a statement with its semicolon, and a register that both phases load into.
#define LOAD4(to, from) to = *((const float4 *)(from));
#define KEEP4(to, v) \
  *((float4 *)(to)) = v;
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ __align__(16) float tile[256];
  float4 v, sum = make_float4(0.f, 0.f, 0.f, 0.f);
  const int tx = threadIdx.x;
  for (int t = 0; t < tiles; ++t) {
    LOAD4(v, &in[t * 256 + tx * 4])
    KEEP4(&tile[tx * 4], v)
    __syncthreads();
    for (int i = 0; i < 4; ++i) {
      LOAD4(v, &tile[((tx + i) & 63) * 4])
      sum.x += v.x; sum.y += v.y * 0.5f; sum.z += v.z; sum.w += v.w;
    }
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum.x + sum.y - sum.z + sum.w;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 7}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 256, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
