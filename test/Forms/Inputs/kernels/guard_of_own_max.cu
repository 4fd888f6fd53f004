// It is called like a function that rounds nothing, and ends with a product.
struct Cell {
  float w, h;
  __device__ float max() const { return w * h; }
};
__device__ float fmin(Cell cell) { return cell.w * cell.w; }
__global__ void k(const float *__restrict__ in, float *__restrict__ out, float w, float h, int n) {
  __shared__ float s[64], u[64];
  static_assert(sizeof(Cell) == 8, "two numbers");
  const Cell cell{w, h};
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    const float far = cell.max() + 0.1f;
    const float near = fmin(cell) + 0.1f;
    s[threadIdx.x] = u[threadIdx.x] = 0.f;
    if (far > float(t))
      s[threadIdx.x] = in[t * 64 + threadIdx.x];
    if (near > float(t))
      u[threadIdx.x] = -in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum = sum * 0.5f + s[(j * 7 + threadIdx.x) & 63] + u[j];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
// SINGLE-DAG: far_reg = cell.max() + 0.1f;
// SINGLE-DAG: near_reg = fmin(cell) + 0.1f;
// LDG-DAG: far_reg = cell.max() + 0.1f;
// LDG-DAG: near_reg = fmin(cell) + 0.1f;
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: 'n * 64 + 1', role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: w, scalar: float, value: 1.7}
  - {name: h, scalar: float, value: 1.3}
  - {name: n, scalar: int, value: n}
*/
