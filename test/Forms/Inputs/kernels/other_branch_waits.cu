// Another loop with barriers stands in the other branch: nobody has been there.
__global__ __launch_bounds__(64) void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  if (n % 2 == 0) {
    const int end = n / 64 * 64;
    for (int j = tx; j < end; j += 64) {
      tile[tx] = in[j];
      __syncthreads();
      sum += tile[63 - tx];
      __syncthreads();
    }
    if (tx < 32)
      out[128 + blockIdx.x * 64 + tx] = sum;
    if (tx == 40)
      return;
  } else {
    for (int j = 0; j < n; j += 64) {
      tile[tx] = in[j + tx];
      __syncthreads();
      for (int i = 0; i < 64; ++i)
        sum = sum * 0.98f + tile[(i + tx) % 64];
      __syncthreads();
    }
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 63}, {n: 64}, {n: 65}, {n: 301}, {n: 384}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: n + 1024, role: input}
  - {name: out, buffer: float, count: 256, role: output}
  - {value: n}
*/
