// The copy loop's end is a macro that names the tile, whose name is another in front of the loop.
#define CNT ((int)(sizeof(S) / 512))
template <typename T> __global__ void k(const T *__restrict__ A, float *__restrict__ out, int tiles, int n) {
  __shared__ T S[128];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int t = 0; t < tiles; ++t) {
    for (int i = 0; i < CNT; ++i) S[tx + i * 64] = A[t * 64 + (tx ^ i)];
    __syncthreads();
    for (int i = 0; i < 64; ++i) acc = acc * 0.5f + (float)S[(i + tx) & 63];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = acc;
}
template __global__ void k<float>(const float *, float *, int, int);
/* launch
kernel: k<float>
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 2
block: 64
arguments:
  - {name: A, buffer: float, count: tiles * 64 + 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, value: tiles}
  - {name: n, value: "tiles * 64 - 17"}
*/
