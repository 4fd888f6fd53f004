// Half of the block is the step, in blocks that are asked for and in others.
__global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[200];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (threadIdx.x < blockDim.x / 2)
      for (int i = threadIdx.x; i < 200; i += blockDim.x / 2)
        tile[i] = in[t * 200 + i];
    __syncthreads();
    for (int j = 0; j < 200; ++j)
      sum = sum * 0.5f + tile[j];
    __syncthreads();
  }
  out[threadIdx.x] = sum + threadIdx.x;
}
/* launch
kernel: k
cases: [{n: 3, threads: 64, rows: 1}, {n: 3, threads: 66, rows: 1}, {n: 3, threads: 20, rows: 1}]
grid: 1
block: [threads, rows]
arguments:
  - {name: in, buffer: float, count: n * 200 + 1, role: input}
  - {name: out, buffer: float, count: threads, role: output}
  - {name: n, scalar: int, value: n}
*/
