// What fills the tile chooses by its own arguments, which the kernel's do not change; what is left out means nothing here.
enum class Order { Rows, Reversed };
template <Order O, typename E, int N> __device__ void bring(E (&to)[N], const E *from, int lane) {
  if constexpr (O == Order::Reversed)
    to[N - 1 - lane] = from[lane];
  else if constexpr (sizeof(E) < 4) {
    to[lane] = from[lane].half();
  } else if constexpr (N > 16) {
    to[lane] = from[lane];
  } else {
    E::bring(to, from);
  }
  if constexpr (N < 64) {
    to[lane] = E::none;
  }
}
template <int Scale>
__global__ void __launch_bounds__(64)
    if_constexpr_in_copy(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    bring<Order::Rows>(tile, in + t * 64, threadIdx.x);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(threadIdx.x + i) % 64] * Scale;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
template __global__ void if_constexpr_in_copy<2>(const float *, float *, int);
template __global__ void if_constexpr_in_copy<3>(const float *, float *, int);
