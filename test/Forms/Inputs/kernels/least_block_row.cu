// Nobody says how large blocks are: those that are not small have few turns.
__global__ void k(const float4 *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int n) {
  __shared__ float4 wide[72];
  __shared__ float rest[50];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < 72; i += blockDim.x)
      wide[i] = a[(t * gridDim.x + blockIdx.x) * 72 + i];
    for (int i = threadIdx.x; i < 50; i += blockDim.x)
      rest[i] = b[t * 50 + i];
    __syncthreads();
    for (int j = 0; j < 50; ++j)
      sum += rest[j] * (wide[j].x - wide[71 - j].w);
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum * (threadIdx.x + 1);
}
/* launch
kernel: k
cases: [{n: 0, threads: 64}, {n: 1, threads: 65}, {n: 2, threads: 63}, {n: 5, threads: 200}, {n: 4, threads: 32}]
grid: 2
block: threads
arguments:
  - {name: a, buffer: float4, count: n * 144 + 1, role: input}
  - {name: b, buffer: float, count: n * 50 + 1, role: input}
  - {name: out, buffer: float, count: 2 * threads, role: output}
  - {name: n, scalar: int, value: n}
*/
