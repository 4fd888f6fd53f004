// options: --block-size=64 --assume=block-size --extra-arg=-std=c++17
template <int... I> __global__ void kk(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[64 * sizeof...(I)];
  const int tx = threadIdx.x; float sum = 0.f; constexpr int N = 64 * sizeof...(I);
  for (int t = 0; t < tiles; ++t) { const float v[] = {in[t * N + I * 64 + tx]...}; for (int j = 0; j < int(sizeof...(I)); ++j) tile[j * 64 + tx] = v[j]; __syncthreads(); for (int i = 0; i < N; ++i) sum = sum * 0.5f + tile[(tx + i) % N]; __syncthreads(); }
  out[tx] = sum;
}
template __global__ void kk<0, 1>(const float *__restrict__, float *__restrict__, int);
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
