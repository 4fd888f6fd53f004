template <int I, int N> __device__ __forceinline__ void load(float *tile, const float *in, int at) {
  tile[I * 64 + threadIdx.x] = in[at + I * 64 + threadIdx.x];
  if constexpr (I + 1 < N)
    load<I + 1, N>(tile, in, at);
}
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[512];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    load<0, 4>(tile, in, t * 256);
    __syncthreads();
    for (int i = 0; i < 256; ++i)
      sum = sum * 0.98f + tile[(i + tx) % (256)];
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
