// The search of the C++ library: a pointer moves up, and the rest gets less.
struct Row {
  const float *begin;
  int length;
  __device__ int place(float x) const {
    const float *first = begin;
    int left = length;
    while (left > 0) {
      const int half = left >> 1;
      if (first[half] < x && *begin <= first[half]) {
        first += half + 1;
        left -= half + 1;
      } else {
        left = half;
      }
    }
    return first - begin;
  }
};
__global__ void k(const float *__restrict__ in, const float *table, float *__restrict__ out, int tiles, int n) {
  __shared__ float tile[64];
  const int lane = threadIdx.x;
  float sum = 0.f;
  const Row row = {table, n};
  for (int t = 0; t < tiles; ++t) {
    tile[lane] = in[t * 64 + lane];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += tile[(i + lane) & 63] * row.place(tile[i]);
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
  - {name: in, buffer: float, count: tiles * 64, role: input}
  - {name: table, buffer: float, count: 128, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: tiles}
  - {name: n, scalar: int, value: 100}
*/
