// The object that fills the tile has the pointer to it by its constructor, whose body sets other members, too, also by a
// method; and a pointer that is made of another one.
struct Tile {
  float *to, *end;
  int at;
  float scale;
  __device__ void reset() { at = 0; }
  __device__ Tile(char *base, int n) : to(reinterpret_cast<float *>(base)) {
    reset();
    end = to;
    end += n;
    scale = n * 2;
  }
  __device__ void load(const float *__restrict__ g, int t) {
    for (int i = threadIdx.x; i < 64; i += 64)
      to[i] = g[t + i];
  }
};
__global__ void __launch_bounds__(64) constructor_sets_pointer(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[64];
  float sum = 0;
  Tile tile{reinterpret_cast<char *>(s), 64};
  for (int t = 0; t < n; t += 64) {
    tile.load(a, t);
    __syncthreads();
    for (int i = 0; i < 64; ++i) {
      sum = sum * 0.5f + tile.to[i] * (i ^ threadIdx.x) + (tile.end - tile.to) * tile.scale;
    }
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
/* launch
kernel: constructor_sets_pointer
cases: [{n: 0}, {n: 1}, {n: 64}, {n: 65}, {n: 128}, {n: 448}]
grid: 2
block: 64
arguments:
  - {buffer: float, count: n + 256, role: input}
  - {buffer: float, count: 128, role: output}
  - {value: n}
*/
