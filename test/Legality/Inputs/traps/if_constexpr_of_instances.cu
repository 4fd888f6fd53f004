// Which arm is taken hangs on the kernel's own arguments: neither may be left out of the text.
template <int Kind, typename E, int N> __device__ void bring(E (&to)[N], const E *from, int lane) {
  if constexpr (Kind == 1) {
    to[N - 1 - lane] = from[lane];
  } else {
    to[lane] = from[lane] + Kind;
  }
}
template <int Kind>
__global__ void __launch_bounds__(64)
    if_constexpr_of_instances(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    bring<Kind>(tile, in + t * 64, threadIdx.x);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[i] * (i + threadIdx.x);
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
template __global__ void if_constexpr_of_instances<1>(const float *, float *, int);
template __global__ void if_constexpr_of_instances<2>(const float *, float *, int);
