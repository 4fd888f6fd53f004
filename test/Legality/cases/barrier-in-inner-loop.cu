// The trailing barrier stands in an inner loop; only its last execution is the trailing one.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t -- %cpr
//--- bad.cu
__global__ void halves(const int *__restrict__ a, int *__restrict__ c, int k) {
  __shared__ int as[256];
  int sum = 0;
  for (int i = 0; i < k; ++i) {
    for (int h = 0; h < 2; ++h)
      as[h * 128 + threadIdx.x] = a[i * 256 + h * 128 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 2; ++j)
      sum += as[j * 128 + 127 - threadIdx.x];
    for (int j = 0; j < 2; ++j) __syncthreads(); // refused: barrier-nested
  }
  c[threadIdx.x] = sum;
}
//--- good.cu
__global__ void halves(const int *__restrict__ a, int *__restrict__ c, int k) {
  __shared__ int as[256];
  int sum = 0;
  for (int i = 0; i < k; ++i) {
    for (int h = 0; h < 2; ++h)
      as[h * 128 + threadIdx.x] = a[i * 256 + h * 128 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 2; ++j)
      sum += as[j * 128 + 127 - threadIdx.x];
    __syncthreads();
  }
  c[threadIdx.x] = sum;
}
