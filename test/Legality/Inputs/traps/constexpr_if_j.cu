// options: --block-size=64 --assume=block-size --extra-arg=-std=c++17
template <class T, int N> __global__ void kk(const T *__restrict__ in, T *__restrict__ out, int tiles) {
  __shared__ T tile[N];
  const int tx = threadIdx.x;
  T sum = 0.f;
  for (int t = 0; t < tiles; ++t) {
    if constexpr (N > 100) sum += 1.f; tile[tx] = in[t*64+tx];
    __syncthreads();
    for (int i = 0; i < N; ++i) sum = sum * 0.5f + tile[(tx + i) % N];
    __syncthreads();
  }
  out[tx] = sum;
}
template __global__ void kk<float, 64>(const float *__restrict__, float *__restrict__, int);
/* launch
kernel: kk
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 1
block: 64
arguments:
  - {name: in, buffer: float, count: 4096, role: input}
  - {name: out, buffer: float, count: 64, role: output}
  - {value: tiles}
*/
