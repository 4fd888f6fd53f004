// Thread 0 waits in front of the loop for what thread 32 sets in the first turn. The loop begins with its barrier now: deadlock.
__global__ void __launch_bounds__(64) last_spin_ahead(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  __shared__ volatile int flag;
  float sum = 0;
  flag = 0;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0)
    while (!flag)
      ;
  for (int t = 0; t < n; ++t) {
    if (threadIdx.x == 32)
      flag = 1;
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
    tile[threadIdx.x] = in[(t + 1) * 64 + threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: last_spin_ahead
cases: [{n: 1}, {n: 2}, {n: 4}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: out, buffer: float, count: 4096, role: output}
  - {name: n, scalar: int, value: n}
*/
