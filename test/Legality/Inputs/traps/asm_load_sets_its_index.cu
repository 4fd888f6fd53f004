// The index of the next load is an output.
__global__ void k(const float *__restrict__ A, float *__restrict__ out, int tiles) {
  __shared__ float S[64];
  const int tx = threadIdx.x;
  float acc = 0.f; int at = tx;
  for (int t = 0; t < tiles; ++t) {
    float a;
    asm volatile("{ ld.global.nc.f32 %0, [%2]; add.s32 %1, %3, 64; }" : "=f"(a), "=r"(at) : "l"(A + at), "r"(at));
    S[tx] = a;
    __syncthreads();
    acc = acc * 0.5f + S[63 - tx];
    __syncthreads();
  }
  out[tx] = acc;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: A, buffer: float, count: 64 * (tiles + 8), role: input}
  - {name: out, buffer: float, count: 64 * (tiles + 8), role: inout}
  - {value: tiles}
*/
