// The elements are of a class, whose operator= is none of the method's class.
struct Tile {
  int2 v[64];
  __device__ void fill(const int2 *from, int place) { v[threadIdx.x] = from[place * 64 + threadIdx.x]; }
};
__global__ void __launch_bounds__(64) k(const int2 *__restrict__ in, int *__restrict__ out, int tiles) {
  __shared__ Tile tile;
  int sum = 0;
  for (int t = 0; t < tiles; ++t) {
    tile.fill(in, t);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 3 + tile.v[i].x - tile.v[63 - i].y;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: int2, count: 1024, role: input}
  - {name: out, buffer: int, count: 128, role: output}
  - {value: tiles}
*/
