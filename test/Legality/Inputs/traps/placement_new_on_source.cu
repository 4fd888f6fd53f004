// The next tile is what this one leaves behind the barrier.
#include <new>
__global__ void k(float *in, float *__restrict__ out, int tiles) {
  __shared__ float s[64];
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    s[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    sum += s[63 - threadIdx.x];
    new (in + t * 64 + 64 - (t + 1 == tiles ? 64 : 0) + threadIdx.x) float(sum);
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
void run(float *in, float *out, int tiles) { k<<<2, 64>>>(in, out, tiles); }
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64 + 1, role: inout}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: tiles}
*/
