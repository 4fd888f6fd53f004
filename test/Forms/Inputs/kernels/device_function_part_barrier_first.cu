__device__ int tiles;
template <int N> __device__ void body(const float *in, float *out) {
  __shared__ float tile[64];
  const int tx = threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < N; ++t) {
    __syncthreads();
    tile[tx] = in[t * 128 + blockIdx.x * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum = sum * 0.5f + tile[(tx + i) % 64];
  }
  out[blockIdx.x * 64 + tx] = sum;
}
__global__ void k(const float *in, float *out, int n) {
  if (n == 1) body<1>(in, out);
  if (n == 0 && threadIdx.x < 32) body<0>(in, out);
  if (n == 3) body<3>(in, out);
}
void run(const float *in, float *out, int n) { k<<<2, 64>>>(in, out, n); }
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 3}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: tiles * 128 + 128, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, scalar: int, value: tiles}
*/
