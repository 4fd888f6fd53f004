// Turns in front of the window are left out, or those behind it; both is asked in a block of its own.
__global__ void __launch_bounds__(64) continue_in_block(const float *__restrict__ in, float *__restrict__ out, int n, int window, int left) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (window > 0 || left > 0) {
      const int first = n - window;
      if (t < first)
        continue;
      if (left > 0) {
        if (t > left) {
          continue;
        }
      }
    }
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i ^ threadIdx.x);
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
/* launch
kernel: continue_in_block
cases: [{n: 0, w: 1, l: 0}, {n: 1, w: 1, l: 9}, {n: 9, w: 4, l: 7}, {n: 9, w: 0, l: 0}, {n: 9, w: 9, l: 3}, {n: 9, w: 5, l: 0}, {n: 9, w: -3, l: 0}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: n * 64, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
  - {name: window, scalar: int, value: w}
  - {name: left, scalar: int, value: l}
*/
