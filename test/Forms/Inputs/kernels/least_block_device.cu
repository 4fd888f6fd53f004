// A function that kernels call in blocks of any size, with a step of its own.
__device__ float body(const float *__restrict__ in, int n) {
  __shared__ float tile[160];
  const unsigned step = 2 * blockDim.x;
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    for (unsigned i = 2 * threadIdx.x; i < 160; i += step) {
      tile[i] = in[t * 160 + i];
      tile[i + 1] = in[t * 160 + i + 1];
    }
    __syncthreads();
    for (int j = 0; j < 160; ++j)
      sum = sum * 0.5f + tile[j];
    __syncthreads();
  }
  return sum;
}
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  out[threadIdx.x] = body(in, n) * threadIdx.x;
}
/* launch
kernel: k
cases: [{n: 0, threads: 64}, {n: 1, threads: 65}, {n: 2, threads: 31}, {n: 5, threads: 64}]
grid: 1
block: threads
arguments:
  - {name: in, buffer: float, count: n * 160 + 1, role: input}
  - {name: out, buffer: float, count: threads, role: output}
  - {name: n, scalar: int, value: n}
*/
