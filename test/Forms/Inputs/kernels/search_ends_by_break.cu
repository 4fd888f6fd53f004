// An endless loop that a break ends where nothing is left to search.
struct Row {
  const float *begin;
  unsigned length;
  __device__ unsigned place(float x) const {
    unsigned lo = 0, hi = length;
    for (;;) {
      if (lo >= hi)
        break;
      const unsigned mid = lo + (hi - lo) / 2;
      const float found = begin[mid];
      if (found == x)
        return mid;
      found < x ? (lo = mid + 1) : (hi = mid);
    }
    return lo;
  }
};
__global__ void k(const float *__restrict__ in, const float *table, float *__restrict__ out, int tiles, int n) {
  __shared__ float tile[64];
  const int lane = threadIdx.x;
  float sum = 0.f;
  const Row row = {table, (unsigned)n};
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
