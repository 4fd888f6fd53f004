// Of each instantiation another number of turns.
template <int N> __global__ void k(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[N];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < N; i += blockDim.x)
      tile[i] = in[t * N + i];
    __syncthreads();
    for (int j = 0; j < N; ++j)
      sum = sum * 0.5f + tile[(j + threadIdx.x) % N];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
template __global__ void k<300>(const float *, float *, int);
template __global__ void k<96>(const float *, float *, int);
/* elsewhere
template __global__ void k<129>(const float *, float *, int);
*/
/* launch
kernel: k<300>
cases: [{n: 0, threads: 128}, {n: 1, threads: 150}, {n: 5, threads: 128}, {n: 4, threads: 127}]
grid: 1
block: threads
arguments:
  - {name: in, buffer: float, count: n * 300 + 1, role: input}
  - {name: out, buffer: float, count: threads, role: output}
  - {name: n, scalar: int, value: n}
*/
