// Rule 2: a variable that the load phase counts with, and that is used behind the loop: either it is
// refused, or the count is kept. (It was lost once.)
// RUN: split-file %s %t
// RUN: %cpr %t/k.cu --variant=ldg --exit-zero -o %t/ldg.cu > %t/ldg.txt
// RUN: FileCheck %s < %t/ldg.cu
// RUN: %cpr %t/k.cu --variant=ldg-single --exit-zero -o %t/single.cu > %t/single.txt
// RUN: FileCheck %s < %t/single.cu
// CHECK: ++inside;
//--- k.cu
__global__ void counts(const float *__restrict__ x, float *__restrict__ y, int tiles, int n) {
  __shared__ float part[128];
  float sum = 0.0f;
  int inside = 0;
  for (int t = 0; t < tiles; ++t) {
    if (t * 128 + threadIdx.x < n) {
      part[threadIdx.x] = x[t * 128 + threadIdx.x];
      ++inside; // counted
    } else {
      part[threadIdx.x] = 0.0f;
    }
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum / inside;
}
