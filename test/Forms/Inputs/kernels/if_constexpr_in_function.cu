// A function template with the loop chooses by if constexpr, and is called by a kernel that is none.
constexpr int T = 64;
struct Real {
  float v;
};
template <typename Ty, int N, bool Square> __device__ void sums(const Ty *in, Ty *tile, float *out, int n) {
  float s = 0;
  for (int t = 0; t < n; ++t) {
    if constexpr (sizeof(Ty) == 4 && N > 32) {
      tile[threadIdx.x] = in[t * N + threadIdx.x];
    } else if constexpr (N > 16) {
      tile[threadIdx.x].v = in[t * N + threadIdx.x].missing;
      return;
    } else {
      tile[threadIdx.x] = Ty{};
    }
    __syncthreads();
    for (int i = 0; i < N; ++i)
      if constexpr (Square) {
        s += tile[i] * tile[i];
      } else {
        s += tile[i] - float(threadIdx.x);
      }
    if constexpr (N < 0) {
      s = in[0].nothing();
    }
    __syncthreads();
  }
  out[blockIdx.x * N + threadIdx.x] = s;
}
__global__ void __launch_bounds__(T) ifc(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[T];
  sums<float, T, false>(in, tile, out, n);
}
