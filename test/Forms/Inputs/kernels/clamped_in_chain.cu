// A variable of the function, set by a chain of conditions, each arm another integer type.
__global__ void __launch_bounds__(64) clamped_in_chain(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  int at;
  for (int k = 0; k < n; k += 64) {
    if (k == 0)
      at = threadIdx.x;
    else if (k + 64 <= n) {
      at = k + (threadIdx.x ^ 3);
    } else
      at = n - 1 > k + int(threadIdx.x) ? k + int(threadIdx.x) : n - 1;
    tile[threadIdx.x] = in[at];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i ^ threadIdx.x) + at;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
/* launch
kernel: clamped_in_chain
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 63}, {n: 64}, {n: 65}, {n: 130}, {n: 320}, {n: 450}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: 512, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, scalar: int, value: n}
*/
