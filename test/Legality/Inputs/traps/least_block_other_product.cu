// The test is about threads in x and y; by x alone, some step less.
__global__ void k(const float *__restrict__ in, const float *__restrict__ more, float *__restrict__ out, int n) {
  __shared__ float tile[200], other[24];
  const int rank = threadIdx.y * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = rank; i < 200; i += blockDim.x * blockDim.y)
      tile[i] = in[t * 200 + i];
    if (threadIdx.y == 0)
      for (int i = threadIdx.x; i < 24; i += blockDim.x)
        other[i] = more[t * 24 + i];
    __syncthreads();
    for (int j = 0; j < 200; ++j)
      sum = sum * 0.5f + tile[j] - other[j % 24];
    __syncthreads();
  }
  out[rank] = sum + rank;
}
/* launch
kernel: k
cases: [{n: 3, x: 2, y: 40}, {n: 4, x: 1, y: 128}, {n: 2, x: 64, y: 2}]
grid: 1
block: [x, y]
arguments:
  - {name: in, buffer: float, count: n * 200 + 1, role: input}
  - {name: more, buffer: float, count: n * 24 + 1, role: input}
  - {name: out, buffer: float, count: x * y, role: output}
  - {name: n, scalar: int, value: n}
*/
