// The end belongs to the loop.
__global__ __launch_bounds__(64) void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  const int end = (n + 63) / 64 * 64;
  float sum = 0.f;
  for (int j = threadIdx.x; j <= end; j += 64) {
    tile[tx] = j < n ? in[j] : 0.f;
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.98f + tile[(i + tx) % 64];
    __syncthreads();
  }
  __syncthreads();
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 65}, {n: 300}, {n: 384}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: n + 1024, role: input}
  - {name: out, buffer: float, count: 64 * 2, role: output}
  - {value: n}
*/
