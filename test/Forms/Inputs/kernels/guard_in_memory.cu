// How far the rows and columns go is read where each element is loaded.
__global__ void k(const float *in, const int *sizes, float *out, int n) {
  __shared__ float s[8][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int &rows = sizes[0], &columns = sizes[1];
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    s[ty][tx] = ty < rows && t * 16 + tx < columns ? in[ty * columns + t * 16 + tx] : 0.25f;
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum = sum * 0.5f + s[(ty + j) % 8][j];
    __syncthreads();
  }
  out[ty * 16 + tx] = sum;
}
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: [16, 8]
arguments:
  - {name: in, buffer: float, count: 4096, role: input}
  - {name: sizes, buffer: int, count: 2, role: input, fill: "uniform(0, 12)"}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, scalar: int, value: n}
*/
