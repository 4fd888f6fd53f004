__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n, int rows, int cols) {
  extern __shared__ float tile[];
  float *last = tile + 4096;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    for (int r = threadIdx.x; r < rows; r += blockDim.x) {
      int at = r;
      for (int i = 0; i < cols; ++i) {
        tile[r * cols + i] = in[t + r * cols + i];
        at += 64;
      }
      last[r] = in[t + at];
    }
    __syncthreads();
    for (int j = 0; j < rows * cols; ++j)
      sum = sum * 0.98f + tile[j];
    for (int j = 0; j < rows; ++j)
      sum = sum * 0.98f + last[j];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 8
shared: 32768
arguments:
  - {name: in, buffer: float, count: 10000, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: tiles}
  - {name: rows, scalar: int, value: 60}
  - {name: cols, scalar: int, value: 50}
*/
