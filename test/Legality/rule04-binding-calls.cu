// Rule 4: a structured binding of a type that looks like a tuple calls `get`.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/legality.py %t --refused=ldg,ldg-single,cp-async -- %cpr
//--- bad.cu
namespace std {
template <class T> struct tuple_size;
template <decltype(sizeof 0) I, class T> struct tuple_element;
} // namespace std
__device__ float src[16384], count[128];
struct Pair {
  int a;
  template <decltype(sizeof 0) I> __device__ int get() const {
    src[128 * 3 + threadIdx.x] = 1.0f;
    return a;
  }
};
template <> struct std::tuple_size<Pair> { static constexpr decltype(sizeof 0) value = 2; };
template <decltype(sizeof 0) I> struct std::tuple_element<I, Pair> { using type = int; };
__global__ void bound(float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  Pair p{3};
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = src[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    if (t == 2) {
      auto [a, b] = p; // refused: may-alias
      sum += a;
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- good.cu
namespace std {
template <class T> struct tuple_size;
template <decltype(sizeof 0) I, class T> struct tuple_element;
} // namespace std
__device__ float src[16384], count[128];
struct Pair {
  int a;
  template <decltype(sizeof 0) I> __device__ int get() const {
    count[threadIdx.x] = 1.0f;
    return a;
  }
};
template <> struct std::tuple_size<Pair> { static constexpr decltype(sizeof 0) value = 2; };
template <decltype(sizeof 0) I> struct std::tuple_element<I, Pair> { using type = int; };
__global__ void bound(float *__restrict__ y, int tiles) {
  __shared__ float part[128];
  float sum = 0.0f;
  Pair p{3};
  for (int t = 0; t < tiles; ++t) {
    part[threadIdx.x] = src[t * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += part[i] * (i + 1);
    if (t == 2) {
      auto [a, b] = p;
      sum += a;
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
