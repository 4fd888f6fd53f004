constexpr int W = 64;
template <int I, int N> struct L {
  static constexpr int W = 32;
  static __device__ __forceinline__ void load(float *tile, const float *in, int at) {
    tile[I * W + threadIdx.x] = in[at + I * W + threadIdx.x];
    __syncthreads();
    L<I + 1, N>::load(tile, in, at);
  }
};
template <int N> struct L<N, N> {
  static __device__ __forceinline__ void load(float *tile, const float *in, int at) {}
};
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[512];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    L<0, 4>::load(tile, in, t * 256);
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum = sum * 0.98f + tile[(i + tx) % (128)];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 512 + 1024, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: tiles}
*/
