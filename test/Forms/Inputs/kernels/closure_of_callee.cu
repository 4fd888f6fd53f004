// options: --extra-arg=-std=c++20
// the function that fills the tiles does it with a lambda whose sizes are given in the call
template <int Rows, int Cols, bool Turned>
__device__ void fill(const float *left, const float *right, int pitch, float *l, float *r, int at) {
  auto part = [&]<int R, int C, bool T>(const float *from, float *to, int first) {
    for (int e = threadIdx.x; e < R * C; e += 64) {
      const int row = e / C, col = e % C;
      float v = 0.f;
      if (at + col < pitch)
        v = from[(first + row) * pitch + at + col];
      if constexpr (T)
        to[col * R + row] = v;
      else
        to[e] = v;
    }
  };
  part.template operator()<Rows, Cols, Turned>(left, l, blockIdx.x * Rows);
  part.template operator()<Rows, Cols, false>(right, r, blockIdx.y * Rows);
}
__global__ void product(const float *left, const float *right, float *out, int pitch) {
  __shared__ float l[8 * 16], r[8 * 16];
  const int y = threadIdx.x / 8, x = threadIdx.x % 8;
  float sum = 0.f;
  for (int at = 0; at < pitch; at += 16) {
    fill<8, 16, true>(left, right, pitch, l, r, at);
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += l[i * 8 + y] * r[x * 16 + i];
    __syncthreads();
  }
  out[(blockIdx.x * 8 + y) * 16 + blockIdx.y * 8 + x] = sum;
}
/* launch
kernel: product
cases: [{n: 0}, {n: 16}, {n: 32}, {n: 75}]
grid: [2, 2]
block: 64
arguments:
  - {name: left, buffer: float, count: n * 16, role: input}
  - {name: right, buffer: float, count: n * 16, role: input}
  - {name: out, buffer: float, count: 256, role: output}
  - {name: pitch, value: n}
*/
