// Callers that are not seen may give some warps fewer tiles: those have nothing left to do, and go.
template <int N>
__device__ __inline__ void weigh(const float *in, float *out, int tiles) {
  __shared__ float tile[2][N / 2];
  const int w = threadIdx.x / 32, i = threadIdx.x % 32;
  float sum = 0.f;
  int t = 0;
  while (t < tiles) {
    tile[w][i] = in[t * N + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      sum = sum * 0.98f + tile[w][(j + i) & 31] + tile[0][j] * 0.01f;
    ++t;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
template __device__ void weigh<64>(const float *, float *, int);
/* elsewhere
__global__ void some_leave(const float *in, float *out, int tiles) {
  weigh<64>(in, out + blockIdx.x * 64, threadIdx.x < 32 ? tiles : (tiles + 1) / 2);
}
*/
/* launch
kernel: some_leave
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 5}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 64 + 512, role: input}
  - {name: out, buffer: float, count: 512, role: output}
  - {value: tiles}
*/
