// A binary search in a table that an object has: whatever it reads, there is less to search in each turn.
struct Point {
  float x, y;
};
struct Table {
  const Point *points;
  int n;
  __device__ int place(float x) const {
    int low = 0, high = n - 1;
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      if (points[middle].x > x)
        high = middle;
      else
        low = middle;
    }
    return low;
  }
};
__global__ void k(const float *__restrict__ in, const float *table, float *__restrict__ out, int tiles, int n) {
  __shared__ float tile[64];
  const int lane = threadIdx.x;
  float sum = 0.f;
  const Table held = {(const Point *)table, n / 2};
  for (int t = 0; t < tiles; ++t) {
    tile[lane] = in[t * 64 + lane];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += tile[(i + lane) & 63] * held.place(tile[i]);
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
