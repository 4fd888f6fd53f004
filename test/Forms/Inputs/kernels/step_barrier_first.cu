// The same with the barrier at the top, and a step that is made of what the compute phase has.
__global__ void __launch_bounds__(64) step_barrier_first(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  int done = 0;
  for (int left = n; left > 0;) {
    int rows = left > 64 ? 64 : left;
    __syncthreads();
    if (threadIdx.x < rows)
      tile[threadIdx.x] = in[done + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < rows; ++i)
      sum = sum * 0.5f + tile[i] * (i ^ threadIdx.x);
    left = left - rows;
    done += rows;
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum + done;
}
/* launch
kernel: step_barrier_first
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 63}, {n: 64}, {n: 65}, {n: 130}, {n: 320}, {n: 450}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: 512, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, scalar: int, value: n}
*/
