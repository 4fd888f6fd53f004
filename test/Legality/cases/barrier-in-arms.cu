// The barrier behind the load phase stands in both arms of an if.
// RUN: split-file %s %t
// RUN: %python %S/../Inputs/legality.py %t --refused=ldg,cp-async "--count=a:k * 256" "--larger=the barrier moves over a brace" -- %cpr
//--- bad.cu
__global__ void halves(const int *__restrict__ a, int *__restrict__ c, int k) {
  __shared__ int as[256];
  int sum = 0;
  for (int i = 0; i < k; ++i) {
    if (k > 2) {
      as[threadIdx.x] = a[i * 256 + threadIdx.x];
      as[128 + threadIdx.x] = a[i * 256 + 128 + threadIdx.x];
      __syncthreads(); // refused: barrier-nested
    } else {
      as[threadIdx.x] = a[i * 256 + threadIdx.x];
      as[128 + threadIdx.x] = a[i * 256 + threadIdx.x];
      __syncthreads(); // refused: barrier-nested
    }
    for (int j = 0; j < 2; ++j)
      sum = sum * 3 + as[j * 128 + 127 - threadIdx.x];
    __syncthreads();
  }
  c[threadIdx.x] = sum;
}
//--- good.cu
__global__ void halves(const int *__restrict__ a, int *__restrict__ c, int k) {
  __shared__ int as[256];
  int sum = 0;
  for (int i = 0; i < k; ++i) {
    if (k > 2) {
      as[threadIdx.x] = a[i * 256 + threadIdx.x];
      as[128 + threadIdx.x] = a[i * 256 + 128 + threadIdx.x];
    } else {
      as[threadIdx.x] = a[i * 256 + threadIdx.x];
      as[128 + threadIdx.x] = a[i * 256 + threadIdx.x];
    }
    __syncthreads();
    for (int j = 0; j < 2; ++j)
      sum = sum * 3 + as[j * 128 + 127 - threadIdx.x];
    __syncthreads();
  }
  c[threadIdx.x] = sum;
}
