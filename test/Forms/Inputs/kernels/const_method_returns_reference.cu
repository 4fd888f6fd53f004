// The method returns a part of the tile by a reference to const: nothing is written.
struct Tile {
  int v[64];
  __device__ const int &at(int i) const { return v[i]; }
  __device__ int &place(int i) { return v[i]; }
};
__global__ void __launch_bounds__(64) k(const int *__restrict__ in, int *__restrict__ out, int tiles) {
  __shared__ Tile tile;
  int sum = 0;
  for (int t = 0; t < tiles; ++t) {
    tile.v[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 3 + tile.at(63 - i) - tile.place((threadIdx.x + i) % 64);
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
  - {name: in, buffer: int, count: 1024, role: input}
  - {name: out, buffer: int, count: 128, role: output}
  - {value: tiles}
*/
