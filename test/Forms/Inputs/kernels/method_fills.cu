/* launch
kernel: gemm
cases: [{N: 0}, {N: 16}, {N: 32}, {N: 80}]
grid: [2, 2]
block: [16, 8]
arguments:
  - {name: a, buffer: float, count: 32 * N, role: input}
  - {name: b, buffer: float, count: 32 * N, role: input}
  - {name: out, buffer: float, count: 32 * 32, role: output}
  - {name: n, value: N}
*/
// The tiles are objects that fill themselves: by members of all kinds, and by another method.
template <typename E, int N> struct Tile {
  static constexpr int Rows = 8;
  E v[N][N + 1];
  __device__ E &place(int r, int c) { return v[r][c]; }
  __device__ void load(const E *src, int stride, int r, int c) {
    // A row per pass.
    for (int i = threadIdx.y; i < N; i += Rows)
      this->v[i][threadIdx.x] = src[(r + i) * stride + c + threadIdx.x];
  }
  __device__ E at(int r, int c) const { return v[r][c]; }
};
struct Pair {
  Tile<float, 16> first;
  float second[16][16];
  __device__ void load(const float *b, int row, int col) {
    second[threadIdx.y][threadIdx.x] = b[(row + threadIdx.y) * 32 + col + threadIdx.x];
    second[threadIdx.y + 8][threadIdx.x] = b[(row + threadIdx.y + 8) * 32 + col + threadIdx.x];
  }
};

__global__ void __launch_bounds__(128) gemm(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int n) {
  __shared__ Pair A;
  float sum[2] = {};
  for (int t = 0; t < n; t += 16) {
    A.first.load(a, n, blockIdx.y * 16, t);
    A.load(b, t, blockIdx.x * 16);
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      for (int p = 0; p < 2; ++p)
        sum[p] += A.first.at(threadIdx.y + p * 8, i) * A.second[i][threadIdx.x];
    __syncthreads();
  }
  for (int p = 0; p < 2; ++p)
    out[(blockIdx.y * 16 + threadIdx.y + p * 8) * 32 + blockIdx.x * 16 + threadIdx.x] = sum[p];
}

// LDG: constexpr int Rows = 8;
// LDG: A.first.v[i][threadIdx.x] =
// LDG: A.second[threadIdx.y + 8][threadIdx.x] =
// ASYNC: __pipeline_memcpy_async(&A.second[threadIdx.y][threadIdx.x]
