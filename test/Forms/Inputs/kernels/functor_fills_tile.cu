/* launch
kernel: rows
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 6}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: 4096, role: input}
  - {name: more, buffer: float, count: 4096, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: tiles}
*/
// Objects of a class, called like functions, copy; one of them counts the tiles itself.
struct Loader {
  static constexpr int pitch = 64;
  const float *from;
  __device__ __forceinline__ void operator()(float *to, int place, int lane) const {
    for (int r = 0; r < 2; ++r)
      to[r * pitch + lane] = from[place * 2 * pitch + r * pitch + lane];
  }
};
struct Walker {
  const float *from;
  int at;
  __device__ __forceinline__ void operator()(float (&to)[64]) {
    to[threadIdx.x] = from[at + threadIdx.x];
    at += 64;
  }
};
struct Both {
  Loader first;
  Walker second;
};
__global__ void rows(const float *__restrict__ in, const float *__restrict__ more, float *__restrict__ out, int tiles) {
  __shared__ float tile[128];
  __shared__ float other[64];
  const int tx = threadIdx.x;
  Both load = {{in}, {more, 0}};
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    load.first(tile, t, tx);
    load.second(other);
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum = sum * 0.5f + tile[(tx + i) % 128] * other[(i + 3 * tx) % 64];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
void run(const float *in, const float *more, float *out, int n) { rows<<<2, 64>>>(in, more, out, n); }
