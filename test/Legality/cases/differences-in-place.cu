// The tile is rewritten in place by the compute phase, between barriers of its own.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single "--count=left:128" "--count=right:steps > 0 ? steps + 127 : 0" "--larger=a phase less is two statements" -- %cpr
//--- bad.cu
__global__ void disparity(const unsigned *__restrict__ left, const unsigned *__restrict__ right, unsigned *__restrict__ out, int steps) {
  __shared__ unsigned diff[128];
  unsigned best = ~0u;
  for (int d = 0; d < steps; ++d) {
    diff[threadIdx.x] = right[d + threadIdx.x];
    __syncthreads();
    diff[threadIdx.x] = diff[threadIdx.x] > left[threadIdx.x] ? diff[threadIdx.x] - left[threadIdx.x] : left[threadIdx.x] - diff[threadIdx.x]; // refused: tile-written
    __syncthreads();
    unsigned cost = 0;
    for (int i = 0; i < 8; ++i)
      cost += diff[(threadIdx.x + i) % 128];
    best = min(best, cost);
    __syncthreads();
  }
  out[threadIdx.x] = best;
}
//--- good.cu
__global__ void disparity(const unsigned *__restrict__ left, const unsigned *__restrict__ right, unsigned *__restrict__ out, int steps) {
  __shared__ unsigned diff[128];
  unsigned best = ~0u;
  for (int d = 0; d < steps; ++d) {
    diff[threadIdx.x] = right[d + threadIdx.x];
    __syncthreads();
    unsigned cost = 0;
    for (int i = 0; i < 8; ++i)
      cost += diff[(threadIdx.x + i) % 128];
    best = min(best, cost);
    __syncthreads();
  }
  out[threadIdx.x] = best;
}
