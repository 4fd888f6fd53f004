// Rule 4: where the next tile lies is read from memory behind the compute. Not pipelined by hand: nothing but an index is
// loaded ahead.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single -- %cpr
//--- bad.cu
__global__ void follows(const float *__restrict__ x, const int *__restrict__ link, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int at = 0;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = at < 100 ? __ldg(&x[at * 128 + threadIdx.x]) : 0.0f;
    __syncthreads();
    sum += part[127 - threadIdx.x];
    at = link[at]; // refused: counter-modified
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
__global__ void follows(const float *__restrict__ x, const int *__restrict__ link, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  int at = 0;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = at < 100 ? __ldg(&x[at * 128 + threadIdx.x]) : 0.0f;
    __syncthreads();
    sum += part[127 - threadIdx.x];
    at = at + 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
