// A window of differences between two images that are read as textures; sums over its rows take its place.
#define BW 16
#define BH 8
#define RAD 3
__global__ __launch_bounds__(BW * BH) void k(unsigned *__restrict__ out, cudaTextureObject_t left, cudaTextureObject_t right, int from, int to) {
  __shared__ unsigned diff[BH][BW + 2 * RAD];
  const int x = blockIdx.x * BW + threadIdx.x, y = threadIdx.y;
  unsigned best = ~0u, at = 0, cost;
  const unsigned here = tex2D<unsigned>(left, x - RAD, y), beside = tex2D<unsigned>(left, x - RAD + BW, y);
  for (int d = from; d <= to; ++d) {
    unsigned there = tex2D<unsigned>(right, x - RAD + d, y);
    cost = __vsadu4(here, there);
    diff[threadIdx.y][threadIdx.x] = cost;
    if (threadIdx.x < 2 * RAD) {
      there = tex2D<unsigned>(right, x - RAD + BW + d, y);
      cost = __vsadu4(beside, there);
      diff[threadIdx.y][threadIdx.x + BW] = cost;
    }
    __syncthreads();
    cost = 0;
#pragma unroll
    for (int i = -RAD; i <= RAD; ++i)
      cost += diff[threadIdx.y][threadIdx.x + RAD + i];
    __syncthreads();
    diff[threadIdx.y][threadIdx.x + RAD] = cost;
    __syncthreads();
    cost = 0;
    for (int i = 0; i < BH; ++i)
      cost += diff[i][threadIdx.x + RAD];
    if (cost < best) {
      best = cost;
      at = d + 8;
    }
    __syncthreads();
  }
  out[y * gridDim.x * BW + x] = at + best;
}
/* launch
kernel: k
cases: [{to: -1}, {to: 0}, {to: 1}, {to: 2}, {to: 9}]
grid: 2
block: [16, 8]
arguments:
  - {name: out, buffer: unsigned int, count: 256, role: output}
  - {value: 77}
  - {value: 78}
  - {value: 0}
  - {value: to}
*/
