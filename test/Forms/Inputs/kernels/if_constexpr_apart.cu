// Each instantiation takes one of the two: the other is none of its text.
template <int MODE> __global__ void __launch_bounds__(64) k(const int *__restrict__ in, int *__restrict__ out, int tiles) {
  __shared__ int tile[64];
  int sum = 0;
  for (int t = 0; t < tiles; ++t) {
    if constexpr (MODE != 0) {
      tile[threadIdx.x] = in[t * 64 + 63 - threadIdx.x];
    }
    if constexpr (MODE == 0)
      tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 3 + tile[63 - i];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
template __global__ void k<0>(const int *__restrict__, int *__restrict__, int);
template __global__ void k<1>(const int *__restrict__, int *__restrict__, int);
/* launch
kernel: k<1>
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: int, count: 1024, role: input}
  - {name: out, buffer: int, count: 128, role: output}
  - {value: tiles}
*/
