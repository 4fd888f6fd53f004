// Steps that are doubled as long as it goes on, and halved behind that.
struct Row {
  const float *begin;
  int length;
  __device__ int place(float x) const {
    const int end = length;
    int width = 1, at = 0;
    while (width < end) {
      __syncwarp();
      if (begin[width] > x)
        break;
      width *= 2;
    }
    for (int step = width; step > 0; step >>= 1) {
      __syncwarp();
      if (at + step < length && begin[at + step] < x)
        at += step;
      else if (begin[at] == x)
        break;
    }
    return at;
  }
};
__global__ void k(const float *__restrict__ in, const float *table, float *__restrict__ out, int tiles, int n) {
  __shared__ float tile[64];
  const int lane = threadIdx.x;
  float sum = 0.f;
  const Row row = {table, n};
  const int from = row.place(0.5f);
  for (int t = 0; t < tiles; ++t) {
    tile[lane] = in[t * 64 + lane];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += tile[(i + lane) & 63] * from;
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
