// The condition of a do reads it.
__global__ void __launch_bounds__(64) k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[128];
  const int tx = threadIdx.x;
  float sum = 0.f;
  int at = 3;
  for (int k = 0; k < n; k += 64) {
    for (int j = 0; j < 2; ++j) {
      at = k + j * 64 + tx;
      tile[j * 64 + tx] = in[at];
    }
    __syncthreads();
    int i = 0;
    do {
      at = ++i + (tx & 1);
      sum = sum * 0.5f + tile[at & 127];
    } while (at < 4);
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 63}, {n: 64}, {n: 130}, {n: 200}, {n: 449}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: n + 256, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, scalar: int, value: n}
*/
