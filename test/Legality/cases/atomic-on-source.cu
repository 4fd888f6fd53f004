// The compute phase adds atomically to the array that later tiles are loaded from: they must not be hoisted over it.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t -- %cpr
//--- bad.cu
__global__ void relax(int *__restrict__ level, const int *__restrict__ delta, int *__restrict__ out, int waves) {
  __shared__ int front[64];
  int reached = 0;
  for (int w = 0; w < waves; ++w) {
    front[threadIdx.x] = level[w * 64 + threadIdx.x];
    __syncthreads();
    reached += front[63 - threadIdx.x];
    atomicAdd(&level[w * 64 + 64 + (threadIdx.x + 7) % 64], front[threadIdx.x]); // refused: may-alias
    // says: 'level'
    __syncthreads();
  }
  out[threadIdx.x] = reached;
}
//--- good.cu
__global__ void relax(int *__restrict__ level, const int *__restrict__ delta, int *__restrict__ out, int waves) {
  __shared__ int front[64];
  int reached = 0;
  for (int w = 0; w < waves; ++w) {
    front[threadIdx.x] = delta[w * 64 + threadIdx.x];
    __syncthreads();
    reached += front[63 - threadIdx.x];
    atomicAdd(&level[w * 64 + 64 + (threadIdx.x + 7) % 64], front[threadIdx.x]);
    __syncthreads();
  }
  out[threadIdx.x] = reached;
}
//--- launch.yaml
kernel: relax
cases: [{waves: 0}, {waves: 1}, {waves: 2}, {waves: 5}]
grid: 1
block: 64
arguments:
  - {name: level, buffer: int, count: waves * 64 + 64, role: inout}
  - {name: delta, buffer: int, count: waves * 64, role: input}
  - {name: out, buffer: int, count: 64, role: output}
  - {value: waves}
