// The step is unsigned, so the counter wraps without overflow and is 0 again in turn 4: that turn's load is left out.
__global__ void __launch_bounds__(64) last_step_wraps(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  int left = n;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int t = 0; left > 0; t += 0x40000000u) {
    --left;
    for (int i = 0; i < 64; ++i)
      sum += tile[i] * (i + threadIdx.x);
    __syncthreads();
    tile[threadIdx.x] = in[((t >> 30) & 3) * 64 + left * 256 + threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: last_step_wraps
cases: [{n: 2}, {n: 5}, {n: 7}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 8192, role: input}
  - {name: out, buffer: float, count: 4096, role: output}
  - {name: n, scalar: int, value: n}
*/
