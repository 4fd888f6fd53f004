#include <limits>
// A number of a header's: nothing is called.
__global__ void k(const float *x, const int *ends, float *y, int n) {
  __shared__ float s[64];
  float least = std::numeric_limits<float>::max();
  const int end = min(n, ends[blockIdx.x]);
  for (int t = 0; t < end; ++t) {
    s[threadIdx.x] = x[t * 64 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      least = fminf(least, fabsf(s[j] - 0.5f));
    __syncthreads();
  }
  y[threadIdx.x] = least;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: x, buffer: float, count: n * 64 + 1, role: input}
  - {name: ends, buffer: int, count: 1, role: input, fill: 'uniform(6, 7)'}
  - {name: y, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
*/
