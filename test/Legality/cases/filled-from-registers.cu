// The tile is filled from registers, and global memory is read by the compute phase only: nothing could be
// loaded ahead.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t "--count=in:16 * 128" --count=weights:16 -- %cpr
//--- bad.cu
__global__ void derive(const float *__restrict__ in, const float *__restrict__ weights,
                       float *__restrict__ out) {
  __shared__ float column[128];
  float mine[16];
  for (int k = 0; k < 16; ++k)
    mine[k] = in[k * 128 + threadIdx.x];
  float sum = 0.0f;
  for (int k = 0; k < 16; ++k) {
    column[threadIdx.x] = mine[k];
    __syncthreads(); // refused: barrier-shape
    for (int n = 0; n < 128; ++n)
      sum += column[n] * weights[k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//--- good.cu
__global__ void derive(const float *__restrict__ in, const float *__restrict__ weights,
                       float *__restrict__ out) {
  __shared__ float column[128];
  float mine[16];
  for (int k = 0; k < 16; ++k)
    mine[k] = in[k * 128 + threadIdx.x];
  float sum = 0.0f;
  for (int k = 0; k < 16; ++k) {
    column[threadIdx.x] = in[k * 128 + threadIdx.x];
    __syncthreads();
    for (int n = 0; n < 128; ++n)
      sum += column[n] * weights[k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
