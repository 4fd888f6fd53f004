// Rule 12: the variant was asked for by name; of two instantiations one copies single bytes.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=cp-async --legal=ldg,ldg-single -- %cpr
//--- bad.cu
template <typename T> __global__ void typed(const T *__restrict__ x, T *__restrict__ y, int tiles) {
  __shared__ T part[128];
  T sum = 0;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x]; // refused: copy-width
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void typed<float>(const float *, float *, int);
template __global__ void typed<char>(const char *, char *, int);
//--- good.cu
template <typename T> __global__ void typed(const T *__restrict__ x, T *__restrict__ y, int tiles) {
  __shared__ T part[128];
  T sum = 0;
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = x[t * 128 + threadIdx.x];
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void typed<float>(const float *, float *, int);
template __global__ void typed<int>(const int *, int *, int);
