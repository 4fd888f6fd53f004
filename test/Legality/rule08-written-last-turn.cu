// Rule 8: the same, where the writes are those of the enclosing loop's last turn.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=cp-async:4 --legal=cp-async:2,ldg,ldg-single -- %cpr
//--- bad.cu
__global__ void sweeps(float *line, int tiles) {
  __shared__ float part[128];
  for (int turn = 0; turn < 3; ++turn) {
    float sum = line[4096 + turn];
    for (int t = 0; t < tiles; ++t) {
      part[threadIdx.x] = line[((turn + t) * 5 + t) * 128 + (threadIdx.x + t) % 128]; // refused: barrier-orders-other
      __syncthreads();
      sum += part[127 - threadIdx.x];
      __syncthreads();
    }
    line[(turn + 1) * 640 + threadIdx.x] = sum;
  }
}
//--- good.cu
__global__ void sweeps(float *line, int tiles) {
  __shared__ float part[128];
  for (int turn = 0; turn < 3; ++turn) {
    __syncthreads();
    float sum = line[4096 + turn];
    for (int t = 0; t < tiles; ++t) {
      part[threadIdx.x] = line[((turn + t) * 5 + t) * 128 + (threadIdx.x + t) % 128];
      __syncthreads();
      sum += part[127 - threadIdx.x];
      __syncthreads();
    }
    line[(turn + 1) * 640 + threadIdx.x] = sum;
  }
}
