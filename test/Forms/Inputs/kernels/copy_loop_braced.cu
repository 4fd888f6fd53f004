// Everything is initialised with braces: the tile loop's counter, constants, the copy loops' counters.
template <typename T, size_t N, size_t THREADS>
__global__ void k(T const *__restrict__ A, T *C, size_t n) {
  __shared__ T s[N];
  T sum{0};
  constexpr size_t rounds{N / THREADS};
  for (size_t t{0U}; t < n; ++t) {
    constexpr size_t step{THREADS};
#pragma unroll
    for (size_t i{0U}; i < rounds; ++i) {
      static_assert(N % THREADS == 0U, "whole rounds");
      size_t const at{i * step + threadIdx.x};
      s[at] = A[t * N + at];
    }
    __syncthreads();
    for (size_t i{0U}; i < N; ++i)
      sum = sum * T{2} + s[(i + threadIdx.x) % N];
    __syncthreads();
  }
  C[threadIdx.x] = sum;
}
// LDG: T s_reg[rounds];
// LDG: for (size_t i{0U}; i < rounds; ++i) {
// LDG: s_reg[i] = A[t * N + at];
// LDG: static_assert(N % THREADS == 0U, "whole rounds");
void launch(const int *a, int *c, size_t n) { k<int, 96, 32><<<1, 32>>>(a, c, n); }
/* launch
kernel: k<int, 96, 32>
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 5}]
grid: 1
block: 32
arguments:
  - {buffer: int, count: 96 * n + 1, role: input, fill: "uniform(-99, 99)"}
  - {buffer: int, count: 32, role: output}
  - {value: n}
*/
