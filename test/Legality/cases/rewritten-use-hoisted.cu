// One use of the tile stands behind the loop, where it was hoisted to: it wants the last tile, and which stage that is
// depends on the number of turns.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused= --legal=cp-async:2,cp-async:3,cp-async:4,ldg,ldg-single -- %cpr
//--- good.cu
__global__ void gains(const unsigned *__restrict__ code, unsigned *__restrict__ out, int n) {
  __shared__ unsigned words[2][64];
  const int row = threadIdx.x / 64, at = threadIdx.x % 64;
  unsigned mix = 1u;
  for (int i = 0; i < n; ++i) {
    words[row][at] = code[i * 128 + threadIdx.x];
    __syncthreads();
    mix = mix * 31u + words[row ^ 1][63 - at];
    __syncthreads();
  }
  out[threadIdx.x] = n > 0 ? mix ^ words[1][at] : 0u;
}
