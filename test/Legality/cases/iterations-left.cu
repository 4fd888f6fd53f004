// A while loop that counts down what is left, and an index that moves on between the load and its use.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused= --legal=ldg,ldg-single,cp-async:2,cp-async:3 -- %cpr
//--- good.cu
__global__ void dequantise(const int *__restrict__ codes, float *__restrict__ out, int iters) {
  __shared__ int tile[128];
  float sum = 0.0f;
  int at = threadIdx.x;
  while (iters--) {
    tile[threadIdx.x] = codes[at];
    __syncthreads();
    at += 128;
    for (int i = 0; i < 128; i += 5)
      sum += tile[i] * 0.25f;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- launch.yaml
kernel: dequantise
cases: [{iters: 0}, {iters: 1}, {iters: 2}, {iters: 5}]
grid: 1
block: 128
arguments:
  - {name: codes, buffer: int, count: iters * 128, role: input, fill: "uniform(-8, 8)"}
  - {name: out, buffer: float, count: 128, role: output}
  - {value: iters}
