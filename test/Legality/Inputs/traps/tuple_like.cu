namespace std { template <class T> struct tuple_size; template <unsigned long I, class T> struct tuple_element; }
__device__ float src[4096];
struct P { int a; template <unsigned long I> __device__ int get() const { src[64 * 3 + threadIdx.x] = 1.0f; return a; } };
template <> struct std::tuple_size<P> { static constexpr unsigned long value = 2; };
template <unsigned long I> struct std::tuple_element<I, P> { using type = int; };
__global__ void k(float *__restrict__ out, int tiles) {
  __shared__ float tile[64];
  float sum = 0.f;
  int tx = threadIdx.x;
  P p{3};
  for (int t = 0; t < tiles; ++t) {
    tile[tx] = src[t * 64 + tx];
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum = sum * 0.5f + tile[(i + tx) & 63];
    if (t == 2) { auto [x, y] = p; sum += x; }
    __syncthreads();
  }
  out[blockIdx.x * 64 + tx] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 2}, {tiles: 3}, {tiles: 4}, {tiles: 7}]
grid: 1
block: 64
arguments:
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
globals:
  - {name: src, type: float, fill: random}
*/
