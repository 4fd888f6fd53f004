// A shuffle between load and store: all threads of the warp have to come there.
__global__ void k(const float *__restrict__ A, float *__restrict__ out, int tiles) {
  __shared__ float S[64];
  const int tx = threadIdx.x;
  float acc = 0.f;
  for (int t = 0; t < tiles; ++t) {
    float a = A[t * 64 + tx], b;
    asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=f"(b) : "f"(a));
    S[tx] = a + b;
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
