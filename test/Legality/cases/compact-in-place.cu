// A stream is compacted in place: the compute phase writes to the very array that is streamed, at an index that is
// never ahead of what has been read. That nobody sees.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --options=--assume=no-alias -- %cpr
//--- bad.cu
__global__ void compact(int *item, int *kept, int chunks) {
  __shared__ int chunk[128];
  int count = 0;
  for (int c = 0; c < chunks; ++c) {
    chunk[threadIdx.x] = item[c * 128 + threadIdx.x];
    __syncthreads();
    if (chunk[127 - threadIdx.x] & 1)
      item[count++ * 128 + threadIdx.x] = chunk[127 - threadIdx.x]; // refused: may-alias
    __syncthreads();
  }
  kept[threadIdx.x] = count;
}
//--- good.cu
__global__ void compact(int *item, int *kept, int chunks) {
  __shared__ int chunk[128];
  int count = 0;
  for (int c = 0; c < chunks; ++c) {
    chunk[threadIdx.x] = item[c * 128 + threadIdx.x];
    __syncthreads();
    if (chunk[127 - threadIdx.x] & 1)
      kept[128 + count++ * 128 + threadIdx.x] = chunk[127 - threadIdx.x];
    __syncthreads();
  }
  kept[threadIdx.x] = count;
}
//--- launch.yaml
kernel: compact
cases: [{chunks: 0}, {chunks: 1}, {chunks: 2}, {chunks: 7}]
grid: 1
block: 128
arguments:
  - {name: item, buffer: int, count: chunks * 128, role: input}
  - {name: kept, buffer: int, count: chunks * 128 + 128, role: inout}
  - {value: chunks}
