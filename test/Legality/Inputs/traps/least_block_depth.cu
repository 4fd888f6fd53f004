// x * y * z counts; x * y is less.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[200], other[200];
  const int all = blockDim.x * blockDim.y * blockDim.z, plane = blockDim.x * blockDim.y;
  const int at = threadIdx.y * blockDim.x + threadIdx.x, rank = threadIdx.z * plane + at;
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = rank; i < 200; i += all)
      tile[i] = in[t * 200 + i];
    if (threadIdx.z == 0)
      for (int i = at; i < 200; i += plane)
        other[i] = in[t * 200 + 199 - i];
    __syncthreads();
    for (int j = 0; j < 200; ++j)
      sum = sum * 0.5f + tile[j] - other[j];
    __syncthreads();
  }
  out[rank] = sum + rank;
}
/* launch
kernel: k
cases: [{n: 3, x: 4, y: 2, z: 10}, {n: 2, x: 8, y: 8, z: 2}, {n: 2, x: 16, y: 16, z: 1}]
grid: 1
block: [x, y, z]
arguments:
  - {name: in, buffer: float, count: n * 200 + 1, role: input}
  - {name: out, buffer: float, count: x * y * z, role: output}
  - {name: n, scalar: int, value: n}
*/
