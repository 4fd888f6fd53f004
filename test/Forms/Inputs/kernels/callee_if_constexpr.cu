// the function that fills a tile leaves out what its template's arguments say
template <int N, bool Turned, bool Whole>
__device__ void fill(float (&to)[N][N + 1], const float *from, int pitch, int y0, int x0) {
  const int y = y0 + threadIdx.y, x = x0 + threadIdx.x;
  float v;
  if constexpr (Whole)
    v = from[y * pitch + x];
  else
    v = x < pitch ? from[y * pitch + x] : 0.f;
  if constexpr (Turned)
    to[threadIdx.x][threadIdx.y] = v;
  else
    to[threadIdx.y][threadIdx.x] = v;
}
__global__ void product(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n) {
  __shared__ float as[8][9], bs[8][9];
  float sum = 0.f;
  for (int k = 0; k < n; k += 8) {
    fill<8, false, false>(as, a, n, blockIdx.y * 8, k);
    fill<8, true, true>(bs, b, 16, k, blockIdx.x * 8);
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      sum += as[threadIdx.y][i] * bs[threadIdx.x][i];
    __syncthreads();
  }
  c[(blockIdx.y * 8 + threadIdx.y) * 16 + blockIdx.x * 8 + threadIdx.x] = sum;
}
/* launch
kernel: product
cases: [{n: 0}, {n: 8}, {n: 16}, {n: 29}]
grid: [2, 2]
block: [8, 8]
arguments:
  - {name: a, buffer: float, count: n * 16, role: input}
  - {name: b, buffer: float, count: (n + 8) * 16, role: input}
  - {name: c, buffer: float, count: 256, role: output}
  - {name: n, value: n}
*/
