// The loop stands in another one: the next turn's prologue must not write what a slow thread still reads
// of the last tile, and scratch that is written behind the loop is read in front of it in the next turn.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused= --legal=cp-async:2,cp-async:3,cp-async:4,ldg,ldg-single -- %cpr
//--- good.cu
__global__ void __launch_bounds__(64) sweep(const float *__restrict__ field, float *__restrict__ out, int rounds, int strips) {
  __shared__ float strip[2][64];
  __shared__ float carry[64];
  carry[threadIdx.x] = 1.0f;
  __syncthreads();
  for (int r = 0; r < rounds; ++r) {
    float acc = carry[63 - threadIdx.x];
    for (int s = strips - 1; s >= 0; --s) {
      for (int h = 0; h < 2; ++h)
        strip[h][threadIdx.x] = field[((r * strips + s) * 2 + h) * 64 + threadIdx.x];
      __syncthreads();
      for (int i = 0; i < 64; i += 3)
        acc = acc * 0.5f + strip[s & 1][i] - strip[1][63 - threadIdx.x];
      __syncthreads();
    }
    out[r * 64 + threadIdx.x] = acc;
    __syncthreads();
    carry[threadIdx.x] = acc;
    __syncthreads();
  }
}
//--- launch.yaml
kernel: sweep
cases: [{rounds: 1, strips: 0}, {rounds: 3, strips: 1}, {rounds: 2, strips: 2}, {rounds: 3, strips: 5}]
grid: 1
block: 64
arguments:
  - {name: field, buffer: float, count: rounds * strips * 128, role: input}
  - {name: out, buffer: float, count: rounds * 64, role: output}
  - {value: rounds}
  - {value: strips}
