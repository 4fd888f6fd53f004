/* launch
kernel: rounds
cases: [{R: 1, T: 0}, {R: 1, T: 1}, {R: 2, T: 3}, {R: 3, T: 2}, {R: 2, T: 5}]
grid: [2]
block: [16, 2, 2]
arguments:
  - {name: in, buffer: int, count: 64 * (T + 1) * (R + 1), role: input}
  - {name: out, buffer: int, count: 128, role: output}
  - {name: count, value: R}
  - {name: tiles, value: T}
*/
// In a loop around the tile loop: filled in front, read behind, and what one round leaves the next one finds.
struct Pair {
  int first, second;
};
__global__ void rounds(const int *in, int *out, int count, int tiles) {
  __shared__ Pair pairs[65];
  const int id = threadIdx.x + 16 * (threadIdx.y + 2 * threadIdx.z);
  pairs[id].first = 3 * id;
  pairs[id].second = id;
  if (id == 0)
    pairs[64] = {5, 7};
  __syncthreads();
  int sum = 0;
  for (int r = 0; r < count; ++r) {
    for (int t = 0; t < tiles; ++t) {
      pairs[id].first = in[(r * tiles + t) * 64 + id];
      __syncthreads();
      for (int k = 0; k < 64; ++k)
        sum = sum * 3 + pairs[(id + k) % 65].first - pairs[(id * 5 + k) % 65].second;
      __syncthreads();
    }
    sum += pairs[63 - id].first;
    __syncthreads();
    pairs[id].second += r + pairs[id].first;
    __syncthreads();
  }
  out[blockIdx.x * 64 + id] = sum;
}
