// The step is no power of two, and the numbers do not go round.
__global__ __launch_bounds__(96) void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[96];
  const int tx = threadIdx.x;
  const int end = ((n + 95) / 96) * 96;
  float sum = 0.f;
  for (int j = threadIdx.x; j < end; j = j + 96) {
    tile[tx] = j < n ? in[j] : 0.f;
    __syncthreads();
    for (int i = 0; i < 96; ++i)
      sum = sum * 0.98f + tile[(i + tx) % 96];
    __syncthreads();
  }
  out[blockIdx.x * 96 + tx] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 65}, {n: 300}, {n: 384}]
grid: 2
block: 96
arguments:
  - {name: in, buffer: float, count: n + 1024, role: input}
  - {name: out, buffer: float, count: 96 * 2, role: output}
  - {value: n}
*/
