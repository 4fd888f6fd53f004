__global__ void k(const float *__restrict__ x, const float *__restrict__ z, float *__restrict__ y, int n, int d, int r) {
  extern __shared__ float s[];
  float *u = s + r * d;
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.y; i < r; i += blockDim.y)
      for (int j = threadIdx.x; j < d; j += blockDim.x)
        s[i * d + j] = x[(t * r + i) * d + j];
#pragma unroll 2
    for (int i = threadIdx.y; i < r; i += blockDim.y) {
      const float *row = z + (t * r + i) * d;
      for (int j = threadIdx.x; j < d; j += blockDim.x) {
        if (j % 3 == 1) {
          u[i * d + j] = 0.0f;
          continue;
        }
        float v = row[j];
        u[i * d + j] = v * 2.0f; // scaled
      }
    }
    __syncthreads();
    for (int j = 0; j < r * d; ++j)
      sum = sum * 0.5f + s[j] + u[j];
    __syncthreads();
  }
  y[threadIdx.y * 8 + threadIdx.x] = sum;
}
// SINGLE: float s_reg[2][4];
// SINGLE: for (; i < r; i += blockDim.y)
// SINGLE-NEXT: for (int j = threadIdx.x; j < d; j += blockDim.x)
// SINGLE-NEXT: s[i * d + j] = x[(t * r + i) * d + j];
/* launch
kernel: k
cases: [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 6}]
grid: 1
block: [8, 2]
shared: 2 * 11 * 37 * 4
arguments:
  - {name: x, buffer: float, count: 'n * 11 * 37 + 1', role: input}
  - {name: z, buffer: float, count: 'n * 11 * 37 + 1', role: input}
  - {name: y, buffer: float, count: 64, role: output}
  - {name: n, scalar: int, value: n}
  - {name: d, scalar: int, value: '37'}
  - {name: r, scalar: int, value: '11'}
*/
