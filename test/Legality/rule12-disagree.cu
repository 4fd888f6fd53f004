// Rule 12: the stages are aligned for float4 in one instantiation and for float2 in the other; there is
// one declaration for both.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,cp-async --legal=ldg-single "--count=x:tiles * 512" -- %cpr
//--- bad.cu
template <typename V> __global__ void wide(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[512];
  const int width = sizeof(V) / sizeof(float), at = threadIdx.x * width;
  float sum = 0;
  for (int t = 0; t < tiles; ++t) { // refused: instantiations-disagree
    *reinterpret_cast<V *>(&part[at]) = *reinterpret_cast<const V *>(&x[t * 128 * width + at]);
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void wide<float4>(const float *, float *, int);
template __global__ void wide<float2>(const float *, float *, int);
//--- good.cu
template <typename V> __global__ void wide(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[512];
  const int width = sizeof(V) / sizeof(float), at = threadIdx.x * width;
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    *reinterpret_cast<V *>(&part[at]) = *reinterpret_cast<const V *>(&x[t * 128 * width + at]);
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void wide<float4>(const float *, float *, int);
