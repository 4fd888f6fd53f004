// What each thread adds to the counter of the copy loop is not the same.
__global__ void k(const float *in, float *out, int n) {
  __shared__ float s[12][8];
  const int tid = threadIdx.x;
  const int row = tid / 8, col = tid % 8;
  float sum = 0.f;
  for (int u = 0; u < n; u += 12) {
    for (int i = 0; i + row < 12; i += 8)
      s[i + row][col] = in[(u + i + row) * 8 + col];
    __syncthreads();
    for (int p = 0; p < 12; ++p) sum = sum * 0.5f + s[p][(tid + p) & 7];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tid] = sum;
}
void run(const float *in, float *out, int n) { k<<<2, 64>>>(in, out, n); }
/* launch
kernel: k
cases: [{n: 0}, {n: 12}, {n: 24}, {n: 96}]
grid: 2
block: 64
arguments:
  - {name: in, buffer: float, count: n * 8 + 8, role: input}
  - {name: out, buffer: float, count: 128, role: output}
  - {name: n, value: n}
*/
