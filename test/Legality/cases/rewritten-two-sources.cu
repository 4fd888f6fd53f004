// Groups and buffers that do not match, the second tile read at the first one's place, a wait that waits
// for one group too few: hidden by square shapes and by equal data. Two tiles of different shapes from
// matrices of different pitches, by every number of stages.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused= --legal=cp-async:2,cp-async:3,cp-async:4,cp-async:5,cp-async:8,ldg,ldg-single -- %cpr
//--- good.cu
constexpr int ROWS = 8, COLS = 16, DEPTH = 4;
__global__ void product(const float *__restrict__ left, const float *__restrict__ right, float *__restrict__ out,
                        int depth, int width) {
  __shared__ float ls[DEPTH][ROWS + 1];
  __shared__ float rs[DEPTH][COLS];
  const int tid = threadIdx.x, row = tid / COLS, col = tid % COLS;
  float acc = 0.0f;
  for (int k = 0; k < depth; k += DEPTH) {
    if (tid < ROWS * DEPTH)
      ls[tid % DEPTH][tid / DEPTH] = left[(tid / DEPTH) * depth + k + tid % DEPTH];
    if (tid < DEPTH * COLS)
      rs[tid / COLS][col] = right[(k + tid / COLS) * width + blockIdx.x * COLS + col];
    __syncthreads();
    for (int i = 0; i < DEPTH; ++i)
      acc = acc * 0.75f + ls[i][row] * rs[i][col];
    __syncthreads();
  }
  out[row * width + blockIdx.x * COLS + col] = acc;
}
//--- launch.yaml
kernel: product
cases: [{k: 0}, {k: 1}, {k: 2}, {k: 3}, {k: 9}]
let: {depth: k * 4, width: 48}
grid: 3
block: 128
arguments:
  - {name: left, buffer: float, count: 8 * depth, role: input}
  - {name: right, buffer: float, count: depth * width, role: input}
  - {name: out, buffer: float, count: 8 * width, role: output}
  - {value: depth}
  - {value: width}
