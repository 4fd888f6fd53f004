// Another build has another text of the assignment.
#ifndef S
#define S 1
#endif
struct Pair {
  float x, y;
  __device__ Pair &operator=(const Pair &o) {
    x = o.x;
    y = o.y;
#if !S
    y *= 2.f;
#endif
    return *this;
  }
};
__global__ void k(const Pair *__restrict__ in, float *__restrict__ out, int tiles, int n) {
  __shared__ Pair tile[64];
  const int lane = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    tile[lane] = in[t * 64 + lane];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(i + lane) & 63].x - tile[i].y;
    __syncthreads();
  }
  out[blockIdx.x * 64 + lane] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float2, count: tiles * 64 + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: tiles}
  - {name: n, scalar: int, value: 3}
*/
