// The barrier behind the compute phase stands in a loop of its own, behind each half: only its last execution is the trailing
// one.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t "--count=a:k * 256" "--larger=the barrier moves over a brace" -- %cpr
//--- bad.cu
__global__ void halves(const int *__restrict__ a, int *__restrict__ c, int k) {
  __shared__ int as[256];
  int sum = 0;
  for (int i = 0; i < k; ++i) {
    for (int h = 0; h < 2; ++h)
      as[h * 128 + threadIdx.x] = a[i * 256 + h * 128 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 2; ++j) {
      sum = sum * 3 + as[j * 128 + 127 - threadIdx.x];
      __syncthreads(); // refused: barrier-nested
    }
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
    for (int j = 0; j < 2; ++j) {
      sum = sum * 3 + as[j * 128 + 127 - threadIdx.x];
    }
    __syncthreads();
  }
  c[threadIdx.x] = sum;
}
