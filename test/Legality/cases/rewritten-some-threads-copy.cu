// Only some threads issue copies: all of them must wait for the copies and reach the barrier. A guard
// that lets a part of the threads fill the whole tile is no guard of the data.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused= --legal=cp-async:2,cp-async:3,cp-async:4,ldg,ldg-single -- %cpr
//--- good.cu
__global__ void weigh(const double *__restrict__ samples, const double *__restrict__ weight, double *__restrict__ out,
                      int blocks) {
  __shared__ double row[96];
  __shared__ double w[2];
  double total = 0.0;
  for (int b = 0; b < blocks; b++) {
    if (threadIdx.x < 48)
      reinterpret_cast<double2 *>(row)[threadIdx.x] = reinterpret_cast<const double2 *>(samples + b * 96)[threadIdx.x];
    else if (threadIdx.x < 50)
      w[threadIdx.x - 48] = weight[b * 2 + threadIdx.x - 48];
    __syncthreads();
    total += row[threadIdx.x] * w[0] - row[95 - threadIdx.x] * w[1];
    __syncthreads();
  }
  out[threadIdx.x] = total;
}
//--- launch.yaml
kernel: weigh
cases: [{blocks: 0}, {blocks: 1}, {blocks: 2}, {blocks: 3}, {blocks: 8}]
grid: 1
block: 96
arguments:
  - {name: samples, buffer: double, count: blocks * 96, role: input}
  - {name: weight, buffer: double, count: blocks * 2, role: input}
  - {name: out, buffer: double, count: 96, role: output}
  - {value: blocks}
