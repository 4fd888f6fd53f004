// Each instantiation is in the same build.
template <int N> __global__ void any(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float tile[N];
  float sum = 0.f;
  int tx = threadIdx.x;
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = in[t * N + tx];
    __syncthreads();
#ifdef HALF
    for (int i = 0; i < N / 2; ++i) sum = sum * 0.98f + tile[(i + tx) % N];
#else
    for (int i = 0; i < N; ++i) sum = sum * 0.98f + tile[(i + tx) % N];
#endif
    __syncthreads();
  }
  out[blockIdx.x * N + tx] = sum;
}
template __global__ void any<64>(const float *, float *, int);
template __global__ void any<32>(const float *, float *, int);
/* launch
kernel: any<64>
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
*/
