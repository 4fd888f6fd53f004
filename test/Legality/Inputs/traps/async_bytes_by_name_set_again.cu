// The name is no constant.
__global__ void __launch_bounds__(64) k(const float *__restrict__ in, float *__restrict__ out, int n, int count) {
  __shared__ float tile[64];
  float sum = 0;
  const int tx = threadIdx.x;
  for (int t = 0; t < n; ++t) {
    int bytes = t * 64 + tx < count ? 4 : 0;
    if (tx == 3) bytes = 0;
    const unsigned to = (unsigned)__cvta_generic_to_shared(&tile[tx]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" :: "r"(to), "l"(in + t * 64 + tx), "r"(bytes));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum = sum * 0.5f + tile[(i + tx) & 63];
    __syncthreads();
  }
  out[tx] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: n * 64 + 1, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
  - {name: count, scalar: int, value: 'max(0, n * 64 - 21)'}
*/
