// The load phase moves a part of the window on and loads the rest. The part that is moved belongs to the tile before:
// with one buffer it stays where it is, with two it would come from the wrong one.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single -- %cpr
//--- bad.cu
__global__ void slide(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float line[2][128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    line[0][threadIdx.x] = t == 0 ? 0.0f : line[1][threadIdx.x]; // refused: load-reads-shared
    line[1][threadIdx.x] = in[t * 128 + threadIdx.x];
    __syncthreads();
    sum = sum * 0.5f + line[0][127 - threadIdx.x] - line[1][threadIdx.x ^ 1];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- good.cu
__global__ void slide(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float line[2][128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    line[0][threadIdx.x] = t == 0 ? 0.0f : in[t * 128 + 127 - threadIdx.x];
    line[1][threadIdx.x] = in[t * 128 + threadIdx.x];
    __syncthreads();
    sum = sum * 0.5f + line[0][127 - threadIdx.x] - line[1][threadIdx.x ^ 1];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
