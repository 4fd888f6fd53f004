// How many bytes are filled has a name, and what it is made of changes behind it.
#include <cuda_pipeline.h>
__global__ void __launch_bounds__(64) k(const float *__restrict__ in, float *__restrict__ out, int n, int count) {
  __shared__ float tile[64];
  float sum = 0;
  const int tx = threadIdx.x;
  for (int t = 0; t < n; ++t) {
    int at = t * 64 + tx;
    const unsigned bytes = at < count ? 0 : 4;
    at = min(at, n * 64);
    __pipeline_memcpy_async(&tile[tx], &in[at], 4, bytes);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum = sum * 0.5f + tile[(i + tx) & 63];
    __syncthreads();
  }
  out[tx] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: n * 64 + 1, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
  - {name: count, scalar: int, value: 'max(0, n * 64 - 21)'}
*/
