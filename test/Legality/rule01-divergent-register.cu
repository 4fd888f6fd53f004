// Rule 1: what Clang calls the special registers of a thread are its own. The block's are not.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
__global__ void registers(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  const int less = __nvvm_read_ptx_sreg_tid_x() < 64 ? 0 : tiles / 2;
  for (int t = 0; t < tiles - less; ++t) { // refused: divergent-loop
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void registers(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  const int less = __nvvm_read_ptx_sreg_ctaid_x() < 64 ? 0 : tiles / 2;
  for (int t = 0; t < tiles - less; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    __syncthreads();
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
