/* launch
kernel: k
cases: [{T: 0}, {T: 1}, {T: 2}, {T: 5}]
grid: 2
block: 64
arguments:
  - {name: a, buffer: float4, count: 64 * T + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, value: T}
*/
#define COPY(dst, src) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(dst), "l"(src))
#define COMMIT() asm volatile("cp.async.commit_group;\n" ::)
#define WAIT(n) asm volatile("cp.async.wait_group %0;\n" ::"n"(n))
// Two groups, and a wait for the first one of them.
__global__ void __launch_bounds__(64) k(const float4 *__restrict__ a, float *__restrict__ out, int tiles) {
  __shared__ float4 s[64];
  const unsigned tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    unsigned place = __cvta_generic_to_shared(&s[tx]);
    if (t > 0)
      COPY(place, &a[t * 64 + tx]);
    COMMIT();
    if (t == 0)
      COPY(place, &a[tx]);
    COMMIT();
    WAIT(1);
    if (t >= 0)
      WAIT(0);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + s[i].x;
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
