// Rule 12: the instantiation that is seen has one arm only, and another one must not lose its load. An if that keeps both arms
// is rewritten with both.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
template <bool Mirrored> __global__ void discards(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    if constexpr (Mirrored) // refused: not-yet-supported
      // says: 'if constexpr'
      part[threadIdx.x] = x[t * 128 + 127 - threadIdx.x];
    else
      part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void discards<true>(const float *, float *, int);
//--- good.cu
template <bool Mirrored> __global__ void discards(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    if (Mirrored)
      part[threadIdx.x] = x[t * 128 + 127 - threadIdx.x];
    else
      part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void discards<true>(const float *, float *, int);
