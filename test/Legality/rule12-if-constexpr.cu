// Rule 12: the instantiation that is seen has one arm only, and another one must not lose its load. Where both arms are good code for
// it, it is looked at with both; here one is not.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
template <typename T, bool Mirrored> __global__ void discards(const T *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    if constexpr (Mirrored) // refused: not-yet-supported
      // says: 'if constexpr'
      part[threadIdx.x] = x[t * 128 + 127 - threadIdx.x];
    else
      part[threadIdx.x] = x[t * 128 + threadIdx.x].value;
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void discards<float, true>(const float *, float *, int);
//--- good.cu
template <typename T, bool Mirrored> __global__ void discards(const T *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    if constexpr (Mirrored)
      part[threadIdx.x] = x[t * 128 + 127 - threadIdx.x];
    else
      part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void discards<float, true>(const float *, float *, int);
