// The compute phase uses the value that this turn has loaded.
__global__ void k(const float *__restrict__ A, float *__restrict__ out, int tiles) {
  __shared__ float S[64];
  const int tx = threadIdx.x;
  float acc = 0.f;
  for (int t = 0; t < tiles; ++t) {
    float a;
    asm volatile("ld.global.f32 %0, [%1];" : "=f"(a) : "l"(A + t * 64 + tx));
    S[tx] = a;
    __syncthreads();
    acc = acc * 0.5f + S[63 - tx];
    acc += a;
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
