// Each thread reads its own.
__global__ void __launch_bounds__(64) k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[64], least[64];
  const int tx = threadIdx.x;
  float best = 0, sum = 0;
  int rounds = 0;
  do {
    best = 1e30f;
    for (int t = 0; t < n; ++t) {
      tile[tx] = in[(rounds % 3 * n + t) * 64 + tx];
      __syncthreads();
      for (int i = 0; i < 64; ++i) {
        const float value = tile[(i + tx) & 63] + rounds;
        best = value < best ? value : best;
        sum = sum * 0.5f + value;
      }
      __syncthreads();
    }
    least[tx] = best;
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
      if (tx < half && least[tx + half] < least[tx])
        least[tx] = least[tx + half];
      __syncthreads();
    }
    ++rounds;
    best = least[0];
    __syncthreads();
    least[tx] = best;
    best = least[tx];
  } while (best < 1.5f);
  out[blockIdx.x * 64 + tx] = sum + best;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: n * 192 + 1, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, scalar: int, value: n}
*/
