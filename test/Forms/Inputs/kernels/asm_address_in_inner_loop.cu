// The tile's address is taken for an instruction in an inner loop, as kernels with mma do.
__global__ void k(const float *__restrict__ A, float *__restrict__ out, int tiles) {
  __shared__ float S[64];
  const int tx = threadIdx.x;
  float acc = 0.f;
  for (int t = 0; t < tiles; ++t) {
    S[tx] = A[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i) {
      const unsigned sa = static_cast<unsigned>(__cvta_generic_to_shared(S)); float v;
      asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v) : "r"(sa + 4 * ((i + tx) % 64)));
      acc = acc * 0.98f + v;
    }
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
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
*/
