// One row after another, with no barrier between a row's last iteration and the next row's prologue but those of the
// loop itself; the end of each row is filled with what the result depends on, and a row may have fewer tiles than
// there are stages.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused= --legal=cp-async:2,cp-async:3,cp-async:4,cp-async:8,ldg,ldg-single -- %cpr
//--- good.cu
__global__ void __launch_bounds__(64) decay(const float *__restrict__ in, float *__restrict__ out, int rows, int n) {
  __shared__ float tile[64];
  for (int r = 0; r < rows; ++r) {
    float m = -1.0f;
    for (int first = 0; first < n; first += 64) {
      tile[threadIdx.x] = first + threadIdx.x < n ? in[r * n + first + threadIdx.x] : 2.5f;
      __syncthreads();
      for (int k = 0; k < 64; k += 3)
        m = m * 0.5f + tile[(k + threadIdx.x) % 64];
      __syncthreads();
    }
    out[r * 64 + threadIdx.x] = m;
  }
}
//--- launch.yaml
kernel: decay
cases: [{rows: 1, n: 0}, {rows: 3, n: 1}, {rows: 2, n: 100}, {rows: 3, n: 250}, {rows: 2, n: 1250}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: rows * n, role: input}
  - {name: out, buffer: float, count: rows * 64, role: output}
  - {value: rows}
  - {value: n}
