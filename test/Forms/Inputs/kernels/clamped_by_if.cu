// The last tile may be shorter: said in two statements, and used by both phases.
__global__ void __launch_bounds__(64) clamped_by_if(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    int rows = 64;
    if (rows > n - k)
      rows = n - k;
    if (threadIdx.x < rows)
      tile[threadIdx.x] = in[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < rows; ++i)
      sum = sum * 0.5f + tile[i] * (i ^ threadIdx.x);
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
/* launch
kernel: clamped_by_if
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 63}, {n: 64}, {n: 65}, {n: 130}, {n: 320}, {n: 450}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: 512, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, scalar: int, value: n}
*/
