namespace std { template <class T> struct tuple_size; template <unsigned long I, class T> struct tuple_element; }
struct Tu { int *p; template <unsigned long I> __device__ int get() const { return *(volatile int *)(p + I); } };
template <> struct std::tuple_size<Tu> { static constexpr unsigned long value = 2; };
template <unsigned long I> struct std::tuple_element<I, Tu> { using type = int; };
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int tiles, int *flag, int n) {
  __shared__ float tile[64];
  const int lane = threadIdx.x;
  float sum = 0.f;
  if (threadIdx.x==0) { bool done; do { auto [a, b] = Tu{flag}; done = a != 0; } while (!done); }
  for (int t = 0; t < tiles; ++t) {
    tile[lane] = in[t * 64 + lane];
    tile[lane + 32] = in[t * 64 + lane + 32];
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum += tile[(i + lane) & 63];
    __syncthreads();
  }
  out[blockIdx.x * 64 + lane] = sum;
}
/* launch
kernel: k
cases: [{tiles: 0}, {tiles: 1}, {tiles: 3}]
grid: 2
block: 32
arguments:
  - {name: in, buffer: float, count: tiles * 64, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: tiles, scalar: int, value: tiles}
  - {name: flag, buffer: int, count: 1024, fill: uniform(1, 2)}
  - {name: n, scalar: int, value: 1}
*/
