// A scalar's list: there is no 'unsigned int{}'.
#include <stdint.h>
__global__ void k(const unsigned *__restrict__ A, float *__restrict__ out, int tiles, int n) {
  __shared__ unsigned S[64];
  const int tx = threadIdx.x;
  float acc = 0.f;
  for (int t = 0; t < tiles; ++t) {
    unsigned v{}; if (t * 64 + tx < n) v = A[t * 64 + tx]; S[tx] = v;
    __syncthreads();
    for (int i = 0; i < 64; ++i) acc = acc * 0.5f + (float)(S[(i + tx) & 63] % 1021);
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = acc;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 2
block: 64
arguments:
  - {name: A, buffer: unsigned, count: tiles * 64 + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, value: tiles}
  - {name: n, value: "tiles * 64 - 17"}
*/
