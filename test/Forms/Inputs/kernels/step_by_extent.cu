// What is left becomes less by the turn's own extent, behind the compute phase, and the pointer goes on by it.
__global__ void __launch_bounds__(64) step_by_extent(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  int left = n;
  const float *from = in;
  while (left > 0) {
    const int rows = left > 60 ? 60 : left;
    if (threadIdx.x < rows)
      tile[threadIdx.x] = from[threadIdx.x];
    __syncthreads();
    for (int i = 0; i < rows; ++i) {
      if (tile[i] > 1e30f)
        break;
      sum = sum * 0.5f + tile[i] * (i ^ threadIdx.x);
    }
    from += rows; // on
    left -= rows;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
/* launch
kernel: step_by_extent
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 63}, {n: 64}, {n: 65}, {n: 130}, {n: 320}, {n: 450}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: 512, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, scalar: int, value: n}
*/
