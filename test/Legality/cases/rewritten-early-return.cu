// Threads that have nothing to compute return in front of the loop. The barriers wait for the others, and these
// fill what they read.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused= --legal=ldg,ldg-single,cp-async,cp-async:4 -- %cpr
//--- good.cu
__global__ void spread(const float *__restrict__ in, const int *__restrict__ skip, float *__restrict__ out, int tiles,
                       int rows) {
  __shared__ float tile[128];
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  if (skip[row] > 2 && rows > 1000)
    return;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * 128 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 128 && k < rows; ++k)
      sum += tile[k] * (float)(k + 1);
    __syncthreads();
  }
  out[row] = sum;
}
//--- launch.yaml
kernel: spread
cases: [{tiles: 0, rows: 100}, {tiles: 1, rows: 128}, {tiles: 2, rows: 5}, {tiles: 5, rows: 100}, {tiles: 33, rows: 33}]
grid: 1
block: 128
arguments:
  - {name: in, buffer: float, count: "tiles * 128", role: input}
  - {name: skip, buffer: int, count: 128, role: input, fill: "uniform(0, 5)"}
  - {name: out, buffer: float, count: 128, role: inout}
  - {value: tiles}
  - {value: rows}
