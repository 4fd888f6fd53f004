// Rule 12: the instantiation that is seen has one arm only. Another one must not lose its load: it is
// refused, or both arms are kept, or the other one fails to compile.
// RUN: split-file %s %t
// RUN: %cpr %t/k.cu --variant=ldg --exit-zero -o - 2> %t/report | FileCheck %s
// CHECK: {{if constexpr \(Twice\)|static_assert\(Twice}}
// CHECK: {{= x\[t \* 128|static_assert\(Twice}}
//--- k.cu
template <bool Twice> __global__ void discards(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    if constexpr (Twice)
      part[threadIdx.x] = 2 * x[t * 128 + threadIdx.x];
    else
      part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void discards<true>(const float *, float *, int);
