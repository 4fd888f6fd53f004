// Which count it is the thread's number does not say: it may be in the tile.
constexpr int threads = 128, dims = 4, centers = 32;
__global__ void nearest(const float *__restrict__ points, const float *__restrict__ center, int *__restrict__ label,
                        int *__restrict__ total, int tiles) {
  extern __shared__ char memory[];
  int *count = (int *)memory;
  float *tile = (float *)(memory + 64 * sizeof(int));
  const int t = threadIdx.x, i = blockIdx.x * threads + t;
  if (t < 64)
    count[t] = 0;
  __syncthreads();
  float best = 1e30f;
  int which = 0;
  for (int c = 0; c < tiles; ++c) {
    tile[t] = center[c * centers * dims + t];
    __syncthreads();
    for (int k = 0; k < centers; ++k) {
      float sum = 0.f;
      for (int d = 0; d < dims; ++d)
        sum = sum * 0.5f + (points[i * dims + d] - tile[k * dims + d]);
      if (sum < best) {
        best = sum;
        which = c * centers + k;
      }
    }
    __syncthreads();
  }
  label[i] = which;
  atomicAdd(&count[(which + t) % 192], 1);
  __syncthreads();
  if (t < 64)
    atomicAdd(&total[t], count[t]);
}
void run(const float *a, const float *b, int *c, int *d, int tiles) {
  nearest<<<2, threads, 64 * sizeof(int) + threads * sizeof(float)>>>(a, b, c, d, tiles);
}
/* launch
kernel: nearest
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 128
shared: 768
arguments:
  - {buffer: float, count: 1024, role: input}
  - {buffer: float, count: tiles * 128, role: input}
  - {buffer: int, count: 256, role: output}
  - {buffer: int, count: 64, role: inout}
  - {value: tiles}
*/
