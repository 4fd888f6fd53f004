// Another argument may make an alias of what is none here, or memory that is written of a number: `__restrict__`, an array or
// a pointer as a member, a reference. The rewrite says for which arguments it was shown.

// RUN: split-file %s %t
// RUN: %cpr --variant=ldg -o - %t/kernel.cu 2>/dev/null | FileCheck %s

// CHECK-LABEL: void restricted(
// CHECK: static_assert(std::is_same<W, float *__restrict>::value,
// CHECK-LABEL: void bounded(
// CHECK: static_assert(std::is_same<Q, Problem>::value,

//--- kernel.cu
template <class W> __global__ void restricted(const float *__restrict__ in, W out, int tiles) {
  __shared__ float tile[64];
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += tile[i];
    out[t * 64 + threadIdx.x] = sum;
    __syncthreads();
  }
}
template __global__ void restricted<float *__restrict__>(const float *__restrict__, float *__restrict__, int);

struct Problem { int tiles; };
template <class Q> __global__ void bounded(const float *__restrict__ in, float *__restrict__ out, Q q) {
  __shared__ float tile[64];
  float sum = 0.f;
  for (int t = 0; t < q.tiles; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
template __global__ void bounded<Problem>(const float *__restrict__, float *__restrict__, Problem);
