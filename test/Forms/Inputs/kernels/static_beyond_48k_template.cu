/* launch
kernel: "sums<float, 96>"
cases: [{T: 0, S: 50000}, {T: 1, S: 50000}, {T: 2, S: 40000}, {T: 3, S: 100000}, {T: 4, S: 0}]
grid: 2
block: 96
new_shared: S
arguments:
  - {buffer: float, count: 96 * 97 * (T + 1), role: input}
  - {buffer: float, count: 192, role: output}
  - {value: T}
---
kernel: "sums<double, 32>"
cases: [{T: 1, S: 0}, {T: 3, S: 20000}, {T: 5, S: 20000}]
grid: 2
block: 32
new_shared: S
arguments:
  - {buffer: double, count: 32 * 33 * (T + 1), role: input}
  - {buffer: double, count: 64, role: output}
  - {value: T}
*/
// A template: what one instantiation has no room for is in dynamic shared memory in all of them.
template <typename Real, int N> __global__ void sums(const Real *__restrict__ in, Real *__restrict__ out, int tiles) {
  __shared__ Real tile[N][N + 1], last[N];
  const int tx = threadIdx.x;
  const Real(*mine)[N + 1] = &tile[tx];
  Real sum = 0;
  if (tiles >= 0)
    for (int t = 0; t < tiles; ++t) { // over all tiles
      for (int r = 0; r < N; ++r)
        tile[r][tx] = in[(t * N + r) * N + tx];
      last[tx] = in[t * N + tx];
      __syncthreads();
      for (int k = 0; k < N; ++k)
        sum = sum * Real(0.5) + (*mine)[k] - tile[k][tx] * last[k];
      __syncthreads();
    }
  out[blockIdx.x * N + tx] = sum;
}
void launch(const float *in, float *out, const double *from, double *to, int tiles) {
  sums<float, 96><<<2, 96>>>(in, out, tiles);
  sums<double, 32><<<2, 32, 0>>>(from, to, tiles);
}

// ASYNC: sums<float, 96><<<2, 96, cudaFuncSetAttribute(sums<float, 96>, cudaFuncAttributeMaxDynamicSharedMemorySize, {{[0-9]+}}) == cudaSuccess ? {{[0-9]+}} : (cudaGetLastError(), 0)>>>(in, out, tiles);
// ASYNC-NEXT: sums<double, 32><<<2, 32, cudaFuncSetAttribute(sums<double, 32>, cudaFuncAttributeMaxDynamicSharedMemorySize, {{[0-9]+}}) == cudaSuccess
