// Sums that are kept in global memory: the compute phase reads and writes them, through pointers of which nobody says
// that they do not overlap with the tiles' source.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t -- %cpr
// RUN: %cpr %t/bad.cu --variant=ldg --assume=no-alias -o %t/granted.cu > %t/report && FileCheck %s < %t/granted.cu
// RUN: %cpr verify %t/bad.cu %t/granted.cu --launch=%t/launch.yaml > %t/verified
// CHECK: no-alias
//--- bad.cu
__global__ void attend(const float *keys, const float *query, float *total, float *peak, int groups) {
  __shared__ float ks[32][5];
  const int i = threadIdx.x;
  for (int g = 0; g < groups; ++g) {
    for (int d = 0; d < 5; ++d)
      ks[i][d] = keys[(g * 5 + d) * 32 + i];
    __syncthreads();
    float old = peak[i];
    for (int j = 0; j < 32; ++j) {
      float s = ks[j][j % 5] * query[i];
      total[i] = total[i] * 0.5f + s; // refused: may-alias
      old = fmaxf(old, s);
    }
    peak[i] = old;
    __syncthreads();
  }
}
//--- good.cu
__global__ void attend(const float *__restrict__ keys, const float *query, float *total, float *peak, int groups) {
  __shared__ float ks[32][5];
  const int i = threadIdx.x;
  for (int g = 0; g < groups; ++g) {
    for (int d = 0; d < 5; ++d)
      ks[i][d] = keys[(g * 5 + d) * 32 + i];
    __syncthreads();
    float old = peak[i];
    for (int j = 0; j < 32; ++j) {
      float s = ks[j][j % 5] * query[i];
      total[i] = total[i] * 0.5f + s;
      old = fmaxf(old, s);
    }
    peak[i] = old;
    __syncthreads();
  }
}
//--- launch.yaml
kernel: attend
cases: [{groups: 0}, {groups: 1}, {groups: 2}, {groups: 5}]
grid: 1
block: 32
arguments:
  - {name: keys, buffer: float, count: groups * 160, role: input}
  - {name: query, buffer: float, count: 32, role: input}
  - {name: total, buffer: float, count: 32, role: inout}
  - {name: peak, buffer: float, count: 32, role: inout}
  - {value: groups}
